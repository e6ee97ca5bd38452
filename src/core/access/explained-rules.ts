/** What each rule does for one request, found out by asking authorization with that rule alone. */

import { authorizeMutation, authorizeQuery } from '../../authz/authorize.ts'
import { forbidden, permittedRows, readGrant } from '../../authz/grants.ts'
import type { Context } from '../../domain/ports/context.ts'
import { and, type Filter, matchAll } from '../../domain/query/filter.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Changes, Mutation } from '../../domain/query/mutation.ts'
import { ownFields, rowsOf } from '../../domain/query/rows-of.ts'
import type { Access, Action, Actor, Rule } from '../../domain/rights/actor.ts'
import { type Failure, TandemError } from '../../domain/rights/errors.ts'
import type { Collection, Field, Schema } from '../../domain/schema/schema.ts'
import { hasRow } from '../rows/has-row.ts'
import { keyFilter } from '../rows/keys.ts'
import { lookUp } from '../rows/look-ups.ts'

/** One request that may be allowed or not. `values`: what would be written; null = any. */
export type RequestedAction = {
  readonly collection: Collection
  readonly action: Action
  readonly key: Key | null
  readonly field: string | null
  readonly values: Changes | null
}

/** The context of a request by the subject whose rights are explained. */
export type SubjectContext = Context & { readonly actor: Extract<Actor, { kind: 'user' | 'public' }> }

/** Why the request would be refused; empty if it would not. */
export async function refusalsOf(ctx: SubjectContext, requested: RequestedAction): Promise<readonly Failure[]> {
  try {
    const rows = await allowedRows(ctx, requested)
    if (requested.key === null || requested.action === 'create') return []
    const item = keyFilter(requested.collection, requested.key)
    const isThere = await hasRow(ctx, requested.collection, and(item, rows))
    return isThere ? [] : [{ kind: 'item-not-found', collection: requested.collection.name }]
  } catch (error) {
    if (!(error instanceof TandemError)) throw error
    return error.failures
  }
}

/** The rows that the request may reach, from authorization itself. Throws what it throws. */
async function allowedRows(ctx: SubjectContext, requested: RequestedAction): Promise<Filter> {
  const { collection, action, field } = requested
  if (action === 'read') {
    const selection = ownFields(field ?? anyField(ctx, collection))
    const { filter } = authorizeQuery(ctx, rowsOf(collection.name, selection, { limit: 1 }))
    const guard = field === null ? null : readGrant(ctx.actor, ctx.schema, collection.name).fields.get(field)?.guard
    return and(filter, guard ?? matchAll)
  }
  if (action === 'share') return shareableRows(ctx, collection)
  const free = requested.values === null ? withoutValidation(ctx, collection) : ctx
  const changes = requested.values ?? changesOf(field)
  const lookedUp = await lookUp(free, collection, action, [changes])
  const mutation = authorizeMutation({ ...free, lookedUp }, mutationOf(requested, changes))
  return ('rows' in mutation ? mutation.rows : undefined) ?? matchAll
}

/** A field that may be read, so that the request asks for one; without any, the key, which is refused. */
function anyField({ actor, schema }: SubjectContext, collection: Collection): string {
  return (
    [...readGrant(actor, schema, collection.name).fields.keys()].find(isStored(collection)) ?? collection.primaryKey
  )
}

const isStored =
  ({ fields }: Collection) =>
  (name: string): boolean => {
    const field = fields.get(name)
    return field !== undefined && (field.column !== null || field.relation !== null)
  }

function shareableRows({ actor }: SubjectContext, { name }: Collection): Filter {
  const rows = permittedRows(actor, name, 'share')
  if (rows === null) throw forbidden('share', name)
  return rows
}

/** A write of a field whose value does not matter. */
const changesOf = (field: string | null): Changes =>
  field === null ? new Map() : new Map([[field, { kind: 'detail', create: [], update: [], delete: [] }]])

function mutationOf({ collection, action, key }: RequestedAction, changes: Changes): Mutation {
  const target = { kind: 'keys', keys: key === null ? [] : [key] } as const
  if (action === 'create') return { kind: 'create', collection: collection.name, items: [changes] }
  if (action === 'update') return { kind: 'update', collection: collection.name, target, changes }
  return { kind: 'delete', collection: collection.name, target }
}

/** Rules and fields that take any value: what is asked is whether they can be written at all. */
function withoutValidation(ctx: SubjectContext, collection: Collection): SubjectContext {
  const fields = new Map(
    [...collection.fields].map(([name, field]): [string, Field] => [name, { ...field, validation: null }]),
  )
  const { requiredBy: _required, ...rest } = collection
  const collections = new Map([...ctx.schema.collections, [collection.name, { ...rest, fields }]])
  const schema: Schema = { ...ctx.schema, collections }
  const rules = ctx.actor.access.rules.map((rule): Rule => ({ ...rule, validation: null }))
  return { ...ctx, schema, actor: { ...ctx.actor, access: { ...ctx.actor.access, rules } } }
}

export function withOnly(ctx: SubjectContext, rule: Rule): SubjectContext {
  const access: Access = { ...ctx.actor.access, rules: [rule], fingerprint: '' }
  return { ...ctx, actor: { ...ctx.actor, access } }
}

/** The conditions that the item does not meet. Every check is a statement; `left` counts the remaining ones. */
export async function unmetConditions(
  ctx: SubjectContext,
  { collection, key }: RequestedAction,
  filter: Filter,
): Promise<readonly Filter[]> {
  let left = mostChecks
  const item = key === null ? matchAll : keyFilter(collection, key)
  const unmet = async (part: Filter): Promise<readonly Filter[]> => {
    if (part.kind === 'all' || (left -= 1) < 0) return []
    if (await hasRow(ctx, collection, and(item, part))) return []
    if (part.kind !== 'and') return [part]
    const filters: Filter[] = []
    for (const each of part.filters) filters.push(...(await unmet(each)))
    return filters.length === 0 ? [part] : filters
  }
  return unmet(filter)
}

/** Bounds the work of one explanation. */
const mostChecks = 40
