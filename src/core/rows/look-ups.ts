/** Values in payloads and rules that must be read from the database before permissions are checked. */

import { authorizeQuery } from '../../authz/authorize.ts'
import { rulesFor } from '../../authz/grants.ts'
import { dynamicValuesOf } from '../../domain/conditions/dynamic-values.ts'
import { lookUpName, needsLookUp, type ValueFacts } from '../../domain/conditions/resolve-value.ts'
import { entryOf, memoizeBy } from '../../domain/memoize.ts'
import type { Context, ReadContext } from '../../domain/ports/context.ts'
import type { Row } from '../../domain/ports/row-store.ts'
import {
  type DynamicValue,
  equals,
  type Filter,
  type Literal,
  matchAll,
  type Value,
} from '../../domain/query/filter.ts'
import type { Changes } from '../../domain/query/mutation.ts'
import type { Selection } from '../../domain/query/query.ts'
import { ownFields, rowsOf } from '../../domain/query/rows-of.ts'
import type { Access, Action } from '../../domain/rights/actor.ts'
import { coreView } from '../../domain/schema/core-view.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import { isNumbered } from './write-rows.ts'

type LookedUp = ValueFacts['lookedUp']

const nothing: LookedUp = new Map()

/** Results by `lookUpName`. No statement is sent if there is nothing to look up. */
export async function lookUp(
  ctx: ReadContext,
  collection: Collection,
  action: Action,
  payloads: readonly Changes[],
): Promise<LookedUp> {
  const wanted = new Map<string, DynamicValue>()
  for (const value of valuesOfRules(ctx, collection.name, action)) wanted.set(lookUpName(value), value)
  for (const changes of payloads) {
    for (const [name, change] of changes) {
      const field = collection.fields.get(name)
      if (field === undefined || change.kind !== 'value' || !isNumbered(field, change.value)) continue
      wanted.set(lookUpName(change.value), change.value)
    }
  }
  if (wanted.size === 0) return nothing
  const results = new Map<string, Literal | readonly Literal[]>()
  for (const [name, value] of wanted) results.set(name, await lookUpOne(ctx, ownKeys(ctx), value))
  return results
}

const byAccess = memoizeBy<Access, Map<string, readonly DynamicValue[]>>(() => new Map())

function valuesOfRules({ actor }: Pick<Context, 'actor'>, collection: string, action: Action): readonly DynamicValue[] {
  if (actor.kind === 'system' || actor.access.admin) return []
  return entryOf(byAccess(actor.access), `${action} ${collection}`, () =>
    rulesFor(actor, collection, action).flatMap(({ validation, presets }) => [
      ...(validation === null ? [] : valuesOfFilter(validation)),
      ...Object.values(presets ?? {}).filter((preset): preset is DynamicValue => needsLookUp(preset as Value)),
    ]),
  )
}

/** The values in a condition that must be read from the database. */
export const valuesOfFilter = (filter: Filter): readonly DynamicValue[] => dynamicValuesOf(filter).filter(needsLookUp)

export type LookUpContext = Omit<ReadContext, 'actor' | 'view'>

/** The keys of the rows that `$CURRENT_…` refers to. */
type OwnKeys = { readonly user: string | null; readonly role: string | null }

const ownKeys = ({ actor }: Pick<Context, 'actor'>): OwnKeys =>
  actor.kind === 'user' ? { user: actor.user, role: actor.role } : { user: null, role: null }

/** Runs as the system, so that rules can use values that their actor cannot read. */
export async function lookUpOne(
  ctx: LookUpContext,
  own: OwnKeys,
  value: DynamicValue,
): Promise<Literal | readonly Literal[]> {
  const system: ReadContext = { ...ctx, actor: { kind: 'system' }, view: coreView(ctx.schema) }
  if (value.kind === 'numbered') {
    const rows = await read(system, value.collection, ownFields('id'), equals('number', value.number))
    return leaf(rows, ['id'])
  }
  if (value.kind !== 'current-user' && value.kind !== 'current-role') return null
  const key = value.kind === 'current-user' ? own.user : own.role
  const collection = value.kind === 'current-user' ? 'platform_users' : 'platform_roles'
  const selection = key === null ? null : pathSelection(ctx, collection, value.path)
  if (key === null || selection === null) return null
  return leaf(await read(system, collection, selection, equals('id', key)), value.path)
}

function pathSelection(ctx: LookUpContext, collection: string, path: readonly string[]): Selection | null {
  const [name, ...rest] = path
  const target = name === undefined ? undefined : ctx.schema.collections.get(collection)?.fields.get(name)
  if (name === undefined || target === undefined) return null
  if (rest.length === 0) return ownFields(name)
  const { relation } = target
  if (relation === null || relation.kind === 'many-to-any') return null
  const selection = pathSelection(ctx, relation.collection, rest)
  if (selection === null) return null
  if (relation.kind === 'many-to-one') return [{ kind: 'one', key: name, field: name, selection, filter: matchAll }]
  return [{ kind: 'many', key: name, field: name, query: rowsOf(relation.collection, selection) }]
}

const read = (system: ReadContext, collection: string, selection: Selection, filter: Filter): Promise<readonly Row[]> =>
  system.rows.readRows(system, authorizeQuery(system, rowsOf(collection, selection, { filter })))

/** The values at the end of a path through objects and lists: null if there is none, a list if there are several. */
function leaf(rows: readonly Row[], path: readonly string[]): Literal | readonly Literal[] {
  let values: readonly unknown[] = rows
  for (const name of path) {
    values = values.flatMap((value) =>
      typeof value === 'object' && value !== null ? ((value as { [key: string]: unknown })[name] ?? []) : [],
    )
  }
  const literals = values as readonly Literal[]
  return literals.length > 1 ? literals : (literals[0] ?? null)
}
