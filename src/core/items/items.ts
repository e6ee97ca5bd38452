/** Reads and writes items of any collection under the actor's rights, with history. */

import { assertMutation, authorizeMutation } from '../../authz/authorize.ts'
import { assertMayWrite, writableCollection } from '../../authz/restrict-mutation.ts'
import { withReferenceColumns } from '../../domain/conditions/reference-values.ts'
import type { Context, ReadContext } from '../../domain/ports/context.ts'
import type { WriteLog } from '../../domain/ports/write-log.ts'
import { matchAll } from '../../domain/query/filter.ts'
import type { Key } from '../../domain/query/key.ts'
import { type Mutation, type Target, toChanges } from '../../domain/query/mutation.ts'
import type { Query } from '../../domain/query/query.ts'
import { invalidPayload } from '../../domain/rights/errors.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import { lockSingleton } from '../../sql/statements/locks.ts'
import { guarded, suspendHolders } from '../guards/guards.ts'
import { createRelated, updateAllRelated, updateRelated } from '../related/write-related.ts'
import { hasRelated } from '../related/write-run.ts'
import { checkAny } from '../rows/check-many-to-any.ts'
import { withoutComputed } from '../rows/computed-values.ts'
import { findKey, hasSingleKey, toKey, toKeys } from '../rows/keys.ts'
import { lookUp } from '../rows/look-ups.ts'
import { readKeys } from '../rows/read-items.ts'
import { withTransaction } from '../rows/transaction.ts'
import { assertKeepsKey, createBatch, deleteBatch, updateBatch, withoutOwnKey } from '../rows/write-batch.ts'
import { updateRows } from '../rows/write-items.ts'
import { withoutMasks } from '../rows/write-rows.ts'

/**
 * Writes items with activity and revisions in one transaction. Returns the keys of the rows in the given order, without
 * duplicates. Permissions are checked first: a rejected mutation has no effect.
 */
export async function writeItems(ctx: Context, mutation: Mutation): Promise<readonly Key[]> {
  ctx.stopwatch?.leave('parse')
  const keys = await guarded(ctx, mutation, write)
  ctx.usage?.write(mutation)
  ctx.stopwatch?.leave('run')
  return keys
}

type Values = Parameters<typeof toChanges>[0]

/** Creates items with these values. */
export const createItems = (ctx: Context, collection: string, items: readonly Values[]): Promise<readonly Key[]> =>
  writeItems(ctx, { kind: 'create', collection, items: items.map(toChanges) })

/** Gives the item these values. */
export const updateItem = (ctx: Context, collection: string, key: Key, values: Values): Promise<readonly Key[]> =>
  writeItems(ctx, { kind: 'update', collection, target: { kind: 'keys', keys: [key] }, changes: toChanges(values) })

export const deleteItems = (ctx: Context, collection: string, keys: readonly Key[]): Promise<readonly Key[]> =>
  writeItems(ctx, { kind: 'delete', collection, target: { kind: 'keys', keys } })

async function write(ctx: Context, mutation: Mutation, log: WriteLog): Promise<readonly Key[]> {
  const { collection: name } = mutation
  switch (mutation.kind) {
    case 'create': {
      const collection = writableCollection(ctx.schema, 'create', name)
      assertBatch(ctx, mutation.items.length)
      const drafts = mutation.items.map((changes) => ({ changes, path: '' }))
      if (hasRelated(mutation)) return createRelated(ctx, collection, { drafts, log })
      return createBatch(ctx, collection, { drafts, log })
    }
    case 'update':
      return update(ctx, mutation, log)
    case 'update-each':
      return updateEachOf(ctx, mutation, log)
    case 'write-singleton': {
      const key = await singletonKey(ctx, name)
      if (key === null) return withTransaction(ctx, (inner) => writeFirst(inner, mutation, log))
      return write(ctx, updateOfOne(mutation, key), log)
    }
    case 'delete': {
      const collection = writableCollection(ctx.schema, 'delete', name)
      // Checked before the rows are looked up, so that a rejected deletion has no effect.
      assertMutation(ctx, mutation)
      const keys = await targetKeys(ctx, collection, mutation.target)
      await suspendHolders(ctx, name, keys)
      return deleteBatch(ctx, collection, { keys, log })
    }
  }
}

type Update = Extract<Mutation, { readonly kind: 'update' }>
type SingletonWrite = Extract<Mutation, { readonly kind: 'write-singleton' }>

/** Creates the row of a singleton, or updates the one that another request has just created. */
async function writeFirst(inner: Context, mutation: SingletonWrite, log: WriteLog): Promise<readonly Key[]> {
  const { collection, changes } = mutation
  await lockSingleton(inner.db, collection)
  const key = await singletonKey(inner, collection)
  return write(inner, key === null ? { kind: 'create', collection, items: [changes] } : updateOfOne(mutation, key), log)
}

const updateOfOne = ({ collection, changes }: SingletonWrite, key: Key): Update => ({
  kind: 'update',
  collection,
  target: { kind: 'keys', keys: [key] },
  changes,
})

async function update(ctx: Context, mutation: Update, log: WriteLog): Promise<readonly Key[]> {
  const collection = writableCollection(ctx.schema, 'update', mutation.collection)
  const { target } = mutation
  const only = target.kind === 'keys' && target.keys.length === 1 ? ownKey(collection, target.keys[0] as Key) : null
  const writing = { collection, only, log }
  return hasRelated(mutation) ? updateNested(ctx, mutation, writing) : updatePlain(ctx, mutation, writing)
}

/** `only`: the key of the item if the update has one. */
type Updating = { readonly collection: Collection; readonly only: Key | null; readonly log: WriteLog }

async function updateNested(ctx: Context, mutation: Update, { collection, only, log }: Updating) {
  // Permissions on the collection are checked before the rows are looked up, those on the changes afterwards.
  assertMayWrite(ctx, 'update', mutation.collection)
  const keys = await targetKeys(ctx, collection, mutation.target)
  const changes = withoutOwnKey(collection, mutation.changes, only)
  await updateAllRelated(ctx, collection, { changes, path: '', keys, log })
  return keys
}

async function updatePlain(ctx: Context, mutation: Update, { collection, only, log }: Updating) {
  const input = withReferenceColumns(collection, withoutMasks(collection, mutation.changes))
  const own = withoutOwnKey(collection, input, only)
  const [item] = only === null ? [] : await withoutComputed(ctx, collection, [{ key: only, changes: own }])
  const changes = item?.changes ?? own
  const lookedUp = await lookUp(ctx, collection, 'update', [changes])
  const authorized = authorizeMutation({ ...ctx, lookedUp }, { ...mutation, changes })
  const keys = await targetKeys(ctx, collection, mutation.target)
  assertKeepsKey(collection, authorized.changes)
  checkAny(ctx, collection, authorized.changes, { action: 'update', path: '' })
  return updateRows(ctx, authorized, { collection, lookedUp, keys, log })
}

/** The key as its columns have it; null for what is no key of several columns. */
const ownKey = (collection: Collection, key: Key): Key | null =>
  hasSingleKey(collection) ? key : findKey(collection, key)

async function updateEachOf(
  ctx: Context,
  mutation: Extract<Mutation, { kind: 'update-each' }>,
  log: WriteLog,
): Promise<readonly Key[]> {
  const collection = writableCollection(ctx.schema, 'update', mutation.collection)
  assertBatch(ctx, mutation.items.length)
  const drafts = mutation.items.map((item) => ({ ...item, key: toKey(collection, item.key), path: '' }))
  if (!hasRelated(mutation)) return updateBatch(ctx, collection, { drafts, log })
  await updateRelated(ctx, collection, { drafts, log })
  return [...new Set(drafts.map(({ key }) => key))]
}

async function targetKeys(
  ctx: ReadContext & Pick<Context, 'budget'>,
  collection: Collection,
  target: Target,
): Promise<readonly Key[]> {
  if (target.kind === 'keys') {
    assertBatch(ctx, target.keys.length)
    return toKeys(collection, target.keys)
  }
  const keys = await readKeys(ctx, collection, withinBatch(ctx, target.query))
  assertBatch(ctx, keys.length, 'more')
  return keys
}

/** Limits the query to one row more than allowed, which is enough to detect too many rows. */
function withinBatch(ctx: Pick<Context, 'budget' | 'limits'>, query: Query): Query {
  const { limit, offset } = query.page
  const most = mostItems(ctx)
  if (most === null || (limit !== null && limit <= most)) return query
  return { ...query, page: { limit: most + 1, offset } }
}

/** In a batch, the items that its other operations have left. */
const mostItems = ({ limits, budget }: Pick<Context, 'budget' | 'limits'>): number | null =>
  limits.batch === null ? null : (budget?.left ?? limits.batch)

/** The key of the singleton's row (the first row by key), regardless of permissions; null if the table is empty. */
export async function singletonKey(ctx: Context, name: string): Promise<Key | null> {
  const collection = writableCollection(ctx.schema, 'update', name)
  if (collection.keyColumns.length === 0) return null
  const system: Context = { ...ctx, actor: { kind: 'system' } }
  const [key] = await readKeys(system, collection, {
    collection: name,
    selection: [],
    filter: matchAll,
    search: null,
    sort: [{ kind: 'field', path: [], field: collection.primaryKey, descending: false }],
    page: { limit: 1, offset: 0 },
    aggregation: null,
    archive: { kind: 'all' },
    counts: [],
  })
  return key ?? null
}

function assertBatch(ctx: Pick<Context, 'budget' | 'limits'>, count: number, received = String(count)): void {
  const most = mostItems(ctx)
  if (most !== null && count > most) {
    throw invalidPayload(null, `Expected at most ${most} items but received ${received}`)
  }
  if (ctx.budget !== undefined) ctx.budget.left -= count
}
