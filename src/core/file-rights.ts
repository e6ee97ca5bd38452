/** Who may make or change which file, and where: decided before the first byte is read. */
import { authorizeMutation, authorizeQuery } from '../authz/authorize.ts'
import { covers, forbidden, isUnlimited, rulesFor } from '../authz/grants.ts'
import type { Action, Rule } from '../domain/actor.ts'
import type { Context } from '../domain/context.ts'
import { coreView } from '../domain/core-view.ts'
import { TandemError } from '../domain/errors.ts'
import { and } from '../domain/filter.ts'
import type { Changes, Key, Mutation } from '../domain/mutation.ts'
import type { Query } from '../domain/query.ts'
import { ownFields, rowsOf } from '../domain/rows-of.ts'
import type { Collection } from '../domain/schema.ts'
import { jsonOf, runQuery } from '../sql/read.ts'
import { assertKeepsContents, filesCollection, givenByServer } from './guard-files.ts'
import { keyFilter, notFound } from './keys.ts'

/** The file that contents become: a new one, or one that is there already and gets them instead of its own. */
export type Destined = { readonly id: string; readonly replaces: boolean; readonly changes: Changes }

/** Throws what a caller gets who may not make that file; else gives the location that it chose. */
export async function assertStorable(ctx: Context, { id, replaces, changes }: Destined): Promise<string> {
  if (!replaces) return assertCreatable(ctx, changes)
  await assertUpdatable(ctx, id)
  assertCovered(ctx, 'update', changes)
  return storageOf(ctx, changes)
}

/** Throws what a caller without the right to change that file gets; else its id. */
export async function assertUpdatable(ctx: Context, key: Key): Promise<string> {
  const collection = collectionOf(ctx)
  const empty: Mutation = {
    kind: 'update',
    collection: filesCollection,
    target: { kind: 'keys', keys: [key] },
    changes: new Map(),
  }
  const { rows } = authorizeMutation(ctx, empty) as Extract<Mutation, { kind: 'update' }>
  const own = keyFilter(collection, key)
  const system: Context = { ...ctx, view: coreView(ctx.schema), actor: { kind: 'system' } }
  const asked: Query = rowsOf(filesCollection, ownFields('id'), {
    filter: rows === undefined ? own : and(own, rows),
    limit: 1,
  })
  // Conditions on rows speak of the caller.
  const found = await runQuery({ ...ctx, view: system.view }, authorizeQuery(system, asked))
  if (found.rowCount === 0) throw notFound(filesCollection)
  return (JSON.parse(jsonOf(found)) as readonly { readonly id: string }[])[0]?.id as string
}

/** Checked before the first byte is read; gives the location that the caller chose. */
export function assertCreatable(ctx: Context, changes: Changes): string {
  assertCovered(ctx, 'create', changes)
  return storageOf(ctx, changes)
}

function storageOf(ctx: Context, changes: Changes): string {
  assertKeepsContents(ctx, without(changes, 'storage'))
  if (changes.has('filename_download')) throw givenByServer('filename_download')
  const storage = textOf(changes, 'storage') ?? ctx.storage.primary
  assertLocation(ctx, storage)
  return storage
}

/** Throws for a location that is not configured. */
export function assertLocation({ storage }: Context, name: string): void {
  if (storage.locations.has(name)) return
  const names = [...storage.locations.keys()].map((each) => `"${each}"`).join(', ')
  throw invalid('storage', `Expected one of ${names} for "storage"`)
}

/** Each field that the caller names needs a rule that names it too; conditions are judged when all values are known. */
export function assertCovered({ actor }: Context, action: Action, changes: Changes): void {
  if (isUnlimited(actor)) return
  const rules = rulesFor(actor, filesCollection, action)
  if (rules.length === 0) throw forbidden(action, filesCollection)
  for (const name of changes.keys()) {
    if (!rules.some((rule) => covers(rule, name))) throw forbidden(action, filesCollection, name)
  }
}

/**
 * The caller, who may also write what the server says about the contents. As values of the caller they are
 * held against the conditions of its rules: a role that may upload small images uploads nothing else.
 */
export function asUploader(ctx: Context, action: Action, facts: Changes): Context {
  const { actor } = ctx
  if (isUnlimited(actor) || actor.kind === 'system') return ctx
  const widen = (rule: Rule): Rule =>
    rule.collection !== filesCollection || rule.action !== action || rule.fields === '*'
      ? rule
      : { ...rule, fields: [...rule.fields, ...facts.keys()] }
  const access = { ...actor.access, rules: actor.access.rules.map(widen) }
  return { ...ctx, actor: { ...actor, access } }
}

/** The text that the changes have for the field, null without one; throws for anything else. */
export function textOf(changes: Changes, name: string): string | null {
  const change = changes.get(name)
  if (change === undefined || (change.kind === 'value' && change.value === null)) return null
  if (change.kind === 'value' && typeof change.value === 'string' && change.value !== '') return change.value
  throw invalid(name, `Expected a text for "${name}"`)
}

/** The changes but that one. */
export const without = (changes: Changes, name: string): Changes =>
  new Map([...changes].filter(([each]) => each !== name))

/** The collection of files. */
export const collectionOf = ({ schema }: Context): Collection => schema.collections.get(filesCollection) as Collection

/** A value of a file that cannot be. */
export const invalid = (name: string, reason: string): TandemError =>
  new TandemError({ kind: 'invalid-payload', name, reason })
