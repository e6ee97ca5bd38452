/** Content versions: changes of an item that are stored separately until they are promoted. */
import { authorizeMutation, authorizeQuery } from '../../authz/authorize.ts'
import { findReadGrant, isUnlimited, rulesFor } from '../../authz/grants.ts'
import { withinRow } from '../../authz/within-row.ts'
import type { Context } from '../../domain/ports/context.ts'
import { and, matchAll } from '../../domain/query/filter.ts'
import type { Changes, Key, Mutation } from '../../domain/query/mutation.ts'
import type { Query, Selection } from '../../domain/query/query.ts'
import type { Actor, Rule } from '../../domain/rights/actor.ts'
import type { Authorized } from '../../domain/rights/authorized.ts'
import { invalidPayload, TandemError } from '../../domain/rights/errors.ts'
import type { Collection, Field } from '../../domain/schema/schema.ts'
import { rowTextOf, runQuery } from '../../sql/run/read.ts'
import { lockRows } from '../../sql/run/related-rows.ts'
import { type Delta, lockVersion, type SaveMode, saveDelta, setVersionHash } from '../../sql/statements/versions.ts'
import { writeItems } from '../items/items.ts'
import { checkAny } from '../rows/check-many-to-any.ts'
import { hasRow, isVisible } from '../rows/has-row.ts'
import { isHashed } from '../rows/hashed-values.ts'
import { keyFilter, notFound } from '../rows/keys.ts'
import { lookUp } from '../rows/look-ups.ts'
import { readItem } from '../rows/read-items.ts'
import { withTransaction } from '../rows/transaction.ts'
import { toStored } from '../rows/values.ts'
import { digestItem, versionsCollection } from '../rows/versioned.ts'
import { assertKeepsKey, withoutOwnKey } from '../rows/write-batch.ts'
import { toRow, withoutMasks } from '../rows/write-rows.ts'
import { noteSave } from './version-history.ts'
import { findVersion, hasVersion, openVersion, type Version } from './version-rows.ts'

/** Names by which previews ask for the item itself if it has no version of that name. */
const previews: ReadonlySet<string> = new Set(['draft', 'published'])

/** The item with the changes of the version, as JSON text. Throws `item-not-found` if it does not exist or is not visible. */
export async function readVersionedItem(ctx: Context, query: Query, key: Key, name: string): Promise<string> {
  const collection = ctx.schema.collections.get(query.collection)
  if (collection?.table == null) throw notFound(query.collection)
  if (previews.has(name) && !(await hasVersion(ctx, collection, key, name))) return readItem(ctx, query, key)
  return readVersion(ctx, await findVersion(ctx, collection, key, name), query)
}

/**
 * Reads the item with the version's values in one statement. The caller sees fields that it may read both in the stored
 * item and in the version.
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
  return rowTextOf(found)
}

/** The actor restricted to the fields that it may read in the stored row, because rules may depend on row values. */
async function actorWithin(ctx: Context, collection: Collection, key: Key): Promise<Actor> {
  const rules = isUnlimited(ctx.actor) ? [] : rulesFor(ctx.actor, collection.name, 'read')
  if (rules.length <= 1) return ctx.actor
  const met = new Set<Rule>()
  for (const rule of rules) {
    if (await hasRow(ctx, collection, and(keyFilter(collection, key), rule.filter))) met.add(rule)
  }
  return withinRow(ctx.actor, collection.name, met)
}

/** The column values of a version. Values that no longer fit their column are replaced by the stored ones. */
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

/** Whether a field can be stored in a version. Secrets cannot. */
const isKept = (field: Field): boolean =>
  !field.concealed && field.type !== 'hash' && !isHashed(field) && field.column?.primaryKey !== true

/** The differences between version and item, as JSON text. `query` selects what is shown of the item. */
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

/** The changed fields that the caller may read, in the names of its view. */
function changedFields(ctx: Context, collection: Collection, delta: Delta): Selection {
  const readable = findReadGrant(ctx.actor, ctx.schema, collection.name)?.fields
  const names = ctx.view.byCore.get(collection.name)?.byCore
  return Object.keys(delta).flatMap((field) => {
    const key = names?.get(field)?.name
    return key === undefined || readable?.has(field) !== true ? [] : [{ kind: 'field', key, field } as const]
  })
}

/** The target of a save, and the query for its response. */
export type SavePlan = {
  readonly changes: (collection: Collection) => Changes
  readonly query: (collection: Collection) => Query
}

/**
 * Stores changes in the version. They are authorized and validated like an update of the item. Concurrent saves are
 * merged. Returns the item with all saved changes, as JSON text.
 */
export async function saveVersion(ctx: Context, id: Key, plan: SavePlan): Promise<string> {
  const version = await openVersion(ctx, id)
  const { collection, key } = version
  const query = plan.query(collection)
  if (!(await isVisible(ctx, collection, key))) throw notFound(collection.name)
  const delta = await checkedDelta(ctx, version, withoutMasks(collection, plan.changes(collection)))
  return readVersion(ctx, { ...version, delta: await keepDelta(ctx, version, delta, 'merge') }, query)
}

/** Restores the version to an earlier state, replacing later saves. */
export async function restoreVersion(ctx: Context, id: Key, changes: Changes): Promise<void> {
  const version = await openVersion(ctx, id)
  const { collection, key } = version
  if (!(await isVisible(ctx, collection, key))) throw notFound(collection.name)
  const kept = new Map([...changes].filter(([name]) => isKept(collection.fields.get(name) as Field)))
  await keepDelta(ctx, version, await checkedDelta(ctx, version, kept), 'replace')
}

/** The whole content of the version after the save. */
async function keepDelta(ctx: Context, version: Version, delta: Delta, mode: SaveMode): Promise<Delta> {
  const user = ctx.actor.kind === 'user' ? ctx.actor.user : null
  return withTransaction(ctx, async (inner) => {
    const data = await saveDelta(inner.db, mode, { id: version.id, delta, now: ctx.clock(), user })
    if (data === undefined) throw notFound(versionsCollection)
    await noteSave(inner, version, { delta, data })
    return data
  })
}

/** The changes to store. Throws the errors that an update of the item would throw. */
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
  invalidPayload(name, `Expected ${expected} for field "${name}": versions keep nothing else`)

/** `mainHash`: hash of the item at the comparison. `fields`: core names; absent = all. */
export type Promotion = { readonly mainHash: string; readonly fields?: readonly string[] | undefined }

/**
 * Writes the saved changes into the item in one transaction, with the caller's rights. Throws `unprocessable` if the item
 * has changed since the comparison. The version is kept, with the new hash of the item.
 */
export async function promoteVersion(ctx: Context, id: Key, { mainHash, fields }: Promotion): Promise<Key> {
  return withTransaction(ctx, async (inner) => {
    await lockVersion(inner.db, String(id).toLowerCase())
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
    await setVersionHash(inner.db, found, await digestItem(inner, collection, key))
    return key
  })
}
