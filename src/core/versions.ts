/** Content versions: changes of an item that are kept beside it until somebody promotes them. */
import { authorizeMutation, authorizeQuery } from '../authz/authorize.ts'
import { findReadGrant, isUnlimited, rulesFor } from '../authz/grants.ts'
import { withinRow } from '../authz/within-row.ts'
import type { Actor, Rule } from '../domain/actor.ts'
import type { Authorized } from '../domain/authorized.ts'
import type { Context } from '../domain/context.ts'
import { TandemError } from '../domain/errors.ts'
import { and, matchAll } from '../domain/filter.ts'
import type { Changes, Key, Mutation } from '../domain/mutation.ts'
import type { Query, Selection } from '../domain/query.ts'
import type { Collection, Field } from '../domain/schema.ts'
import { jsonOf, runQuery } from '../sql/read.ts'
import { lockRows } from '../sql/related-rows.ts'
import { hasRow, isVisible } from './has-row.ts'
import { readItem, writeItems } from './items.ts'
import { keyFilter, notFound } from './keys.ts'
import { lookUp } from './look-ups.ts'
import { isHashed } from './specials.ts'
import { withTransaction } from './transaction.ts'
import { toStored } from './values.ts'
import { noteSave } from './version-history.ts'
import { type Delta, digestItem, findVersion, openVersion, type Version, versionsCollection } from './version-rows.ts'
import { checkAny } from './write-any.ts'
import { assertKeepsKey, withoutOwnKey } from './write-batch.ts'
import { toRow, withoutMasks } from './write-rows.ts'

/** JSON text of the item as the version of that name has it. Throws `item-not-found` for missing and invisible alike. */
export async function readVersionedItem(ctx: Context, query: Query, key: Key, name: string): Promise<string> {
  const collection = ctx.schema.collections.get(query.collection)
  if (collection?.table == null) throw notFound(query.collection)
  return readVersion(ctx, await findVersion(ctx, collection, key, name), query)
}

/**
 * The item with the version's values, in one statement that knows no difference between them and stored ones. The
 * caller sees what it may see of the item as it is and as the version has it.
 */
async function readVersion(ctx: Context, { collection, key, delta }: Version, query: Query): Promise<string> {
  if (!(await isVisible(ctx, collection, key))) throw notFound(collection.name)
  const actor = await actorWithin(ctx, collection, key)
  const overlay = { key, row: overlayOf(collection, delta) }
  const asked: Query = { ...query, page: { limit: 1, offset: 0 }, aggregation: null, counts: [], overlay }
  const { distinct: _distinct, ...one } = asked
  const authorized = authorizeQuery({ ...ctx, actor }, one, keyFilter(collection, key))
  const found = await runQuery({ ...ctx, actor }, authorized)
  if (found.rowCount === 0) throw notFound(collection.name)
  return jsonOf(found).slice(1, -1)
}

/** Rules of different rows may allow different fields: only those count that the stored row allows. */
async function actorWithin(ctx: Context, collection: Collection, key: Key): Promise<Actor> {
  const rules = isUnlimited(ctx.actor) ? [] : rulesFor(ctx.actor, collection.name, 'read')
  if (rules.length <= 1) return ctx.actor
  const met = new Set<Rule>()
  for (const rule of rules) {
    if (await hasRow(ctx, collection, and(keyFilter(collection, key), rule.filter))) met.add(rule)
  }
  return withinRow(ctx.actor, collection.name, met)
}

/** Column values. What does not fit its column any more is shown as it is stored. */
function overlayOf(collection: Collection, delta: Delta): { readonly [column: string]: unknown } {
  const row: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(delta)) {
    const field = collection.fields.get(name)
    if (field?.column == null || !isKept(field)) continue
    try {
      row[field.column.name] = toStored(collection, field, value)
    } catch (error) {
      if (!(error instanceof TandemError)) throw error
    }
  }
  return row
}

/** Secrets are not kept in versions. */
const isKept = (field: Field): boolean =>
  !field.concealed && field.type !== 'hash' && !isHashed(field) && field.column?.primaryKey !== true

/** How a version differs from its item, as JSON text. `query` says what of the item is shown. */
export async function compareVersion(
  ctx: Context,
  id: Key,
  queryOf: (collection: Collection) => Query,
): Promise<string> {
  const version = await openVersion(ctx, id)
  const { collection, key, delta, hash } = version
  const query = queryOf(collection)
  const main = await readItem(ctx, query, key)
  const selection = changedFields(ctx, collection, delta)
  const current = selection.length === 0 ? '{}' : await readVersion(ctx, version, { ...query, selection })
  const mainHash = await digestItem(ctx, collection, key)
  return `{"outdated":${hash !== mainHash},"mainHash":"${mainHash}","current":${current},"main":${main}}`
}

/** The changed fields that the caller may read, under the names by which it knows them. */
function changedFields(ctx: Context, collection: Collection, delta: Delta): Selection {
  const readable = findReadGrant(ctx.actor, ctx.schema, collection.name)?.fields
  const names = ctx.view.byCore.get(collection.name)?.byCore
  return Object.keys(delta).flatMap((field) => {
    const key = names?.get(field)?.name
    return key === undefined || readable?.has(field) !== true ? [] : [{ kind: 'field', key, field } as const]
  })
}

/** Where the changes of a save belong, and how the item is asked for afterwards. */
export type SavePlan = {
  readonly changes: (collection: Collection) => Changes
  readonly query: (collection: Collection) => Query
}

/**
 * Keeps the changes in the version: they are decided and checked like an update of the item by the caller. Of two
 * saves at once both are kept. JSON text of the item with all that was saved.
 */
export async function saveVersion(ctx: Context, id: Key, plan: SavePlan): Promise<string> {
  const version = await openVersion(ctx, id)
  const { collection, key } = version
  const query = plan.query(collection)
  if (!(await isVisible(ctx, collection, key))) throw notFound(collection.name)
  const delta = await checkedDelta(ctx, version, withoutMasks(collection, plan.changes(collection)))
  return readVersion(ctx, { ...version, delta: await keepDelta(ctx, version, delta, mergeDelta) }, query)
}

/** Puts a version back to what a save had left in it: a save that replaces all others. */
export async function restoreVersion(ctx: Context, id: Key, changes: Changes): Promise<void> {
  const version = await openVersion(ctx, id)
  const { collection, key } = version
  if (!(await isVisible(ctx, collection, key))) throw notFound(collection.name)
  const kept = new Map([...changes].filter(([name]) => isKept(collection.fields.get(name) as Field)))
  await keepDelta(ctx, version, await checkedDelta(ctx, version, kept), replaceDelta)
}

/** All that is in the version afterwards. */
async function keepDelta(ctx: Context, version: Version, delta: Delta, text: string): Promise<Delta> {
  const user = ctx.actor.kind === 'user' ? ctx.actor.user : null
  return withTransaction(ctx, async (inner) => {
    const values = [version.id, JSON.stringify(delta), ctx.clock().toISOString(), user]
    const { rows } = await inner.db.run({ text, values })
    const [row] = rows as readonly { readonly delta: Delta }[]
    if (row === undefined) throw notFound(versionsCollection)
    await noteSave(inner, version, { delta, data: row.delta })
    return row.delta
  })
}

const mergeDelta = `update platform_versions set date_updated = $3, user_updated = $4,
  delta = (coalesce(delta, '{}')::jsonb || $2::jsonb)::json where id = $1 returning delta`

const replaceDelta = `update platform_versions set date_updated = $3, user_updated = $4, delta = $2::json
  where id = $1 returning delta`

/** What is to be kept, or throws as an update of the item would. */
async function checkedDelta(ctx: Context, { collection, key }: Version, submitted: Changes): Promise<Delta> {
  const changes = withoutOwnKey(collection, submitted, key)
  const delta: Record<string, unknown> = {}
  for (const [name, change] of changes) {
    const field = collection.fields.get(name)
    if (field !== undefined && !isKept(field) && field.column?.primaryKey !== true) throw notKept(name, 'no secret')
    if (change.kind !== 'value') throw notKept(name, 'a value or the key of a related item')
    delta[name] = change.value
  }
  const lookedUp = await lookUp(ctx, collection, 'update', [changes])
  const mutation: Mutation = {
    kind: 'update',
    collection: collection.name,
    target: { kind: 'keys', keys: [key] },
    changes,
  }
  const authorized = authorizeMutation({ ...ctx, lookedUp }, mutation) as Authorized<
    Extract<Mutation, { kind: 'update' }>
  >
  assertKeepsKey(collection, changes)
  checkAny(collection, changes, 'update', '')
  const rows = and(keyFilter(collection, key), authorized.rows ?? matchAll)
  if (!(await hasRow(ctx, collection, rows))) throw notFound(collection.name)
  await toRow(ctx, authorized.changes, { collection, action: 'update', lookedUp })
  return delta
}

const notKept = (name: string, expected: string): TandemError =>
  new TandemError({
    kind: 'invalid-payload',
    name,
    reason: `Expected ${expected} for field "${name}": versions keep nothing else`,
  })

/** `mainHash`: the item that the caller has compared with. `fields`: core names; all when it is left out. */
export type Promotion = { readonly mainHash: string; readonly fields?: readonly string[] | undefined }

/**
 * Writes what was saved into the item, as an update by the caller; all in one transaction. Throws `unprocessable`
 * when the item has changed since it was compared. The version stays, and is up to date again.
 */
export async function promoteVersion(ctx: Context, id: Key, { mainHash, fields }: Promotion): Promise<Key> {
  return withTransaction(ctx, async (inner) => {
    await inner.db.run({ text: lockVersion, values: [String(id).toLowerCase()] })
    const { collection, key, delta, id: found } = await openVersion(inner, id)
    await lockRows(inner, collection, { keys: [key], foreign: [], fields: [] })
    if (!(await isVisible(inner, collection, key))) throw notFound(collection.name)
    if ((await digestItem(inner, collection, key)) !== mainHash) {
      const reason = 'The item has changed since it was compared: expected its present "mainHash"'
      throw new TandemError({ kind: 'unprocessable', reason })
    }
    const changes = new Map(
      Object.entries(delta)
        .filter(([name]) => fields?.includes(name) ?? true)
        .map(([name, value]) => [name, { kind: 'value', value: value as string }] as const),
    )
    await writeItems(inner, {
      kind: 'update',
      collection: collection.name,
      target: { kind: 'keys', keys: [key] },
      changes,
    })
    const values = [found, await digestItem(inner, collection, key)]
    await inner.db.run({ text: 'update platform_versions set hash = $2 where id = $1', values })
    return key
  })
}

const lockVersion = 'select 1 from platform_versions where id::text = $1 for update'
