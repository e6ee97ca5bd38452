/** Items of any collection: reading, and writing with history, always under the actor's rights. */
import { authorizeMutation, authorizeQuery } from '../authz/authorize.ts'
import { writableCollection } from '../authz/restrict-mutation.ts'
import type { Authorized } from '../domain/authorized.ts'
import type { Context } from '../domain/context.ts'
import { coreView } from '../domain/core-view.ts'
import { TandemError } from '../domain/errors.ts'
import { matchAll } from '../domain/filter.ts'
import type { Key, Mutation, Target } from '../domain/mutation.ts'
import type { Query } from '../domain/query.ts'
import type { Collection } from '../domain/schema.ts'
import { jsonOf, type ReadResult, runQuery } from '../sql/read.ts'
import { guarded, suspendHolders } from './guards.ts'
import { hasKey, hasSingleKey, keyFilter, notFound, toKey, toKeys } from './keys.ts'
import { lookUp } from './look-ups.ts'
import { checkAny } from './write-any.ts'
import { assertKeepsKey, createBatch, deleteBatch, updateBatch, withoutOwnKey } from './write-batch.ts'
import { updateRows } from './write-items.ts'
import { createRelated, updateAllRelated, updateRelated } from './write-related.ts'
import { withoutMasks } from './write-rows.ts'
import { hasRelated } from './write-run.ts'

/** The rows that the query asks for, as far as the actor may read them. */
export async function readItems(ctx: Context, query: Query): Promise<ReadResult> {
  return runQuery(ctx, authorizeQuery(ctx, query))
}

/** JSON text of one object. Throws `item-not-found` for missing and invisible alike. */
export async function readItem(ctx: Context, query: Query, key: Key): Promise<string> {
  const first: Query = { ...query, page: { limit: 1, offset: 0 } }
  const collection = ctx.schema.collections.get(query.collection)
  if (collection?.table == null) return firstRow(ctx, authorizeQuery(ctx, first))
  const within = keyFilter(collection, key)
  return firstRow(ctx, authorizeQuery(ctx, first, within))
}

/** JSON text of a singleton's row; without a row, the defaults that it would begin with. */
export async function readSingleton(ctx: Context, query: Query): Promise<string> {
  const authorized = authorizeQuery(ctx, { ...query, page: { limit: 1, offset: 0 } })
  const found = await runQuery(ctx, authorized)
  return found.rowCount > 0
    ? jsonOf(found).slice(1, -1)
    : defaultsText(ctx.schema.collections.get(query.collection), authorized)
}

/** Reads what was just written, in the order of the collection; null when the actor may not read it. */
export async function readBack(ctx: Context, keys: readonly Key[], query: Query): Promise<ReadResult | null> {
  const collection = ctx.schema.collections.get(query.collection)
  if (collection === undefined || keys.length === 0 || !hasSingleKey(collection)) return null
  const asked: Query = { ...query, filter: matchAll, search: null, page: { limit: keys.length, offset: 0 } }
  try {
    const result = await runQuery(ctx, authorizeQuery(ctx, asked, hasKey(collection, keys)))
    return result.rowCount === 0 ? null : result
  } catch (error) {
    if (error instanceof TandemError && error.failures.every(({ kind }) => kind === 'forbidden')) return null
    throw error
  }
}

/**
 * Writes, with activity and revisions, all or nothing; returns the keys of the rows in the order given
 * (of rows named twice, once). Rights come first: a refused mutation has no effect.
 */
export async function writeItems(ctx: Context, mutation: Mutation): Promise<readonly Key[]> {
  return guarded(ctx, mutation, write)
}

async function write(ctx: Context, mutation: Mutation): Promise<readonly Key[]> {
  const { collection: name } = mutation
  switch (mutation.kind) {
    case 'create': {
      const collection = writableCollection(ctx.schema, 'create', name)
      assertBatch(ctx, mutation.items.length)
      const drafts = mutation.items.map((changes) => ({ changes, path: '' }))
      if (hasRelated(mutation)) return createRelated(ctx, collection, drafts)
      return (await createBatch(ctx, collection, drafts)).keys
    }
    case 'update':
      return update(ctx, mutation)
    case 'update-each':
      return updateEachOf(ctx, mutation)
    case 'write-singleton': {
      const key = await singletonKey(ctx, name)
      const { changes } = mutation
      if (key === null) return write(ctx, { kind: 'create', collection: name, items: [changes] })
      return write(ctx, { kind: 'update', collection: name, target: { kind: 'keys', keys: [key] }, changes })
    }
    case 'delete': {
      const collection = writableCollection(ctx.schema, 'delete', name)
      // Before the rows are looked up, so that a refused deletion does nothing.
      authorizeMutation(ctx, mutation)
      const keys = await targetKeys(ctx, collection, mutation.target)
      await suspendHolders(ctx, name, keys)
      return deleteBatch(ctx, collection, keys)
    }
  }
}

type Of<Kind extends Mutation['kind']> = Authorized<Extract<Mutation, { readonly kind: Kind }>>

async function update(ctx: Context, mutation: Extract<Mutation, { kind: 'update' }>): Promise<readonly Key[]> {
  const collection = writableCollection(ctx.schema, 'update', mutation.collection)
  const { target } = mutation
  const only = target.kind === 'keys' && target.keys.length === 1 ? (target.keys[0] ?? null) : null
  if (hasRelated(mutation)) {
    // Rights to the collection come before the rows are looked up; the changes are decided with them.
    authorizeMutation(ctx, { ...mutation, changes: new Map() })
    const keys = await targetKeys(ctx, collection, target)
    await updateAllRelated(ctx, collection, {
      changes: withoutOwnKey(collection, mutation.changes, only),
      path: '',
      keys,
    })
    return keys
  }
  const changes = withoutOwnKey(collection, withoutMasks(collection, mutation.changes), only)
  const lookedUp = await lookUp(ctx, collection, 'update', [changes])
  const authorized = authorizeMutation({ ...ctx, lookedUp }, { ...mutation, changes }) as Of<'update'>
  assertKeepsKey(collection, authorized.changes)
  checkAny(collection, authorized.changes, 'update', '')
  const keys = await targetKeys(ctx, collection, target)
  return updateRows(ctx, authorized, { collection, lookedUp, keys })
}

async function updateEachOf(
  ctx: Context,
  mutation: Extract<Mutation, { kind: 'update-each' }>,
): Promise<readonly Key[]> {
  const collection = writableCollection(ctx.schema, 'update', mutation.collection)
  assertBatch(ctx, mutation.items.length)
  const drafts = mutation.items.map((item) => ({ ...item, key: toKey(collection, item.key), path: '' }))
  if (!hasRelated(mutation)) return updateBatch(ctx, collection, drafts)
  await updateRelated(ctx, collection, drafts)
  return [...new Set(drafts.map(({ key }) => key))]
}

async function firstRow(ctx: Context, query: Authorized<Query>): Promise<string> {
  const found = await runQuery(ctx, query)
  if (found.rowCount === 0) throw notFound(query.collection)
  return jsonOf(found).slice(1, -1)
}

function defaultsText(collection: Collection | undefined, query: Authorized<Query>): string {
  const defaults: Record<string, unknown> = {}
  for (const selected of query.selection) {
    const field = selected.kind === 'field' ? collection?.fields.get(selected.field) : undefined
    const column = field?.column
    // Of a geometry only the text of the database is known, which is no GeoJSON.
    if (selected.kind !== 'field' || column == null || field?.type === 'geometry') continue
    if (column.primaryKey) defaults[selected.key] = null
    else if (column.defaultValue !== null) defaults[selected.key] = column.defaultValue
  }
  return JSON.stringify(defaults)
}

async function targetKeys(ctx: Context, collection: Collection, target: Target): Promise<readonly Key[]> {
  if (target.kind === 'keys') {
    assertBatch(ctx, target.keys.length)
    return toKeys(collection, target.keys)
  }
  const keys = await readKeys(ctx, collection, target.query)
  assertBatch(ctx, keys.length)
  return keys
}

/** The keys of the rows that a query finds, under the actor's right to read. */
async function readKeys(ctx: Context, collection: Collection, query: Query): Promise<readonly Key[]> {
  const { primaryKey } = collection
  const own: Context = { ...ctx, view: coreView(ctx.schema) }
  const asked: Query = {
    ...query,
    collection: collection.name,
    selection: [{ kind: 'field', key: primaryKey, field: primaryKey }],
    aggregation: null,
    counts: [],
  }
  const json = jsonOf(await runQuery(own, authorizeQuery(own, asked)))
  const rows = JSON.parse(json) as readonly { readonly [name: string]: unknown }[]
  return toKeys(
    collection,
    rows.map((row) => row[primaryKey]),
  )
}

/** The first row by key is the singleton's, whoever may see it; null where there is none. */
export async function singletonKey(ctx: Context, name: string): Promise<Key | null> {
  const collection = writableCollection(ctx.schema, 'update', name)
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

function assertBatch({ limits }: Context, count: number): void {
  if (limits.batch === null || count <= limits.batch) return
  const reason = `Expected at most ${limits.batch} items but received ${count}`
  throw new TandemError({ kind: 'invalid-payload', reason })
}
