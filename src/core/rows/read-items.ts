/** Reads items of any collection with the actor's permissions. */
import { authorizeQuery } from '../../authz/authorize.ts'
import type { Context, ReadContext } from '../../domain/ports/context.ts'
import { type ReadResult, type Row, rowTextOf } from '../../domain/ports/row-store.ts'
import { type Filter, matchAll } from '../../domain/query/filter.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Query } from '../../domain/query/query.ts'
import type { Authorized } from '../../domain/rights/authorized.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { coreView } from '../../domain/schema/core-view.ts'
import { shownDefault } from '../../domain/schema/default-value.ts'
import { keyName } from '../../domain/schema/row-keys.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import { hasKey, keyFilter, notFound, toKeys } from './keys.ts'

/**
 * The rows of a query that the actor may read. `within` is a condition of the server, whose fields the actor need not
 * read.
 */
export async function readItems(ctx: ReadContext, query: Query, within?: Filter): Promise<ReadResult> {
  const authorized = authorizeQuery(ctx, query, within)
  noteRead(ctx, query)
  return ctx.rows.read(ctx, authorized)
}

/** Counts what the client uses and may use; what the server reads for itself has core names. */
export function noteRead({ usage, view }: ReadContext, query: Query): void {
  if (usage !== undefined && view.name !== 'core') usage.read(query)
}

/** The same rows as objects. */
export async function readItemRows(ctx: ReadContext, query: Query, within?: Filter): Promise<readonly Row[]> {
  const authorized = authorizeQuery(ctx, query, within)
  noteRead(ctx, query)
  return ctx.rows.readRows(ctx, authorized)
}

/** JSON text of one item. Throws `item-not-found` for missing and for invisible items. */
export async function readItem(ctx: ReadContext, query: Query, key: Key): Promise<string> {
  const found = await ctx.rows.read(ctx, authorizeOne(ctx, query, key))
  if (found.rowCount === 0) throw notFound(query.collection)
  return rowTextOf(found)
}

/** The same item as an object. */
export async function readItemRow(ctx: ReadContext, query: Query, key: Key): Promise<Row> {
  const [row] = await ctx.rows.readRows(ctx, authorizeOne(ctx, query, key))
  if (row === undefined) throw notFound(query.collection)
  return row
}

function authorizeOne(ctx: ReadContext, query: Query, key: Key): Authorized<Query> {
  const first: Query = { ...query, page: { limit: 1, offset: 0 } }
  const collection = ctx.schema.collections.get(query.collection)
  const within = collection?.table == null ? undefined : keyFilter(collection, key)
  const authorized = authorizeQuery(ctx, first, within)
  noteRead(ctx, query)
  return authorized
}

/** JSON text of a singleton's row and its tag, if the query has one; without a row, the default values of the columns. */
export async function readSingleton(
  ctx: ReadContext,
  query: Query,
): Promise<{ readonly json: string; readonly tag?: string | undefined }> {
  const authorized = authorizeQuery(ctx, { ...query, page: { limit: 1, offset: 0 } })
  noteRead(ctx, query)
  const found = await ctx.rows.read(ctx, authorized)
  if (found.rowCount > 0) return { json: rowTextOf(found), tag: found.tag }
  return { json: defaultsText(ctx.schema.collections.get(query.collection), authorized) }
}

/**
 * Reads the items that were just written, in the order of the keys. Null if the actor may not read them, if
 * rows have no key, and if the database is unavailable: with an error the client would repeat the committed write.
 */
export async function readBack(
  ctx: ReadContext & Pick<Context, 'log' | 'request'>,
  keys: readonly Key[],
  query: Query,
): Promise<ReadResult | null> {
  const collection = ctx.schema.collections.get(query.collection)
  if (collection === undefined || collection.keyColumns.length === 0 || keys.length === 0) return null
  const sort =
    query.sort.length > 0 || isInOrder(collection, keys)
      ? query.sort
      : [{ kind: 'listed', keys, descending: false } as const]
  const wanted: Query = { ...query, sort, filter: matchAll, search: null, page: { limit: keys.length, offset: 0 } }
  try {
    const authorized = authorizeQuery(ctx, wanted, hasKey(collection, keys))
    noteRead(ctx, query)
    const result = await ctx.rows.read(ctx, authorized)
    return result.rowCount === 0 ? null : result
  } catch (error) {
    if (!(error instanceof TandemError)) throw error
    if (error.failures.every(({ kind }) => kind === 'forbidden')) return null
    if (error.failures[0].kind !== 'unavailable') throw error
    ctx.log.warn({ err: error, requestId: ctx.request.id }, 'Written items could not be read back')
    return null
  }
}

/** Whether the order of the rows is the order of the keys. */
const isInOrder = ({ sortField }: Collection, keys: readonly Key[]): boolean =>
  keys.length === 1 ||
  (sortField === null && keys.every((key, at) => typeof key === 'number' && (at === 0 || key > Number(keys[at - 1]))))

/**
 * Call it before a write whose response contains what the query selects. Throws the errors that reading would throw,
 * except for missing permissions.
 */
export function assertReadBack(ctx: ReadContext, query: Query): void {
  const { spent } = ctx
  const own = spent === undefined ? ctx : { ...ctx, spent: { ...spent } }
  try {
    authorizeQuery(own, { ...query, filter: matchAll, search: null })
  } catch (error) {
    if (!(error instanceof TandemError) || error.failures.some(({ kind }) => kind !== 'forbidden')) throw error
  }
}

/** The keys of the rows that a query finds, with the actor's read permission. */
export async function readKeys(ctx: ReadContext, collection: Collection, query: Query): Promise<readonly Key[]> {
  const own: ReadContext = { ...ctx, view: coreView(ctx.schema) }
  const wanted: Query = {
    ...query,
    collection: collection.name,
    selection: [{ kind: 'row-key', key: keyName }],
    aggregation: null,
    counts: [],
  }
  const rows = await own.rows.readRows(own, authorizeQuery(own, wanted))
  return toKeys(
    collection,
    rows.map((row) => row[keyName]),
  )
}

function defaultsText(collection: Collection | undefined, query: Authorized<Query>): string {
  const defaults: Record<string, unknown> = {}
  for (const selected of query.selection) {
    const field = selected.kind === 'field' ? collection?.fields.get(selected.field) : undefined
    const column = field?.column
    // The default value of a geometry is known only as text of the database, not as GeoJSON.
    if (selected.kind !== 'field' || column == null || field?.type === 'geometry') continue
    if (column.primaryKey) defaults[selected.key] = null
    else if (column.defaultValue !== null)
      defaults[selected.key] = shownDefault({ type: field?.type ?? 'unknown', column })
  }
  return JSON.stringify(defaults)
}
