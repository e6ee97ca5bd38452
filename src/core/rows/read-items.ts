/** Reads items of any collection with the actor's permissions. */
import { authorizeQuery } from '../../authz/authorize.ts'
import type { Context, ReadContext } from '../../domain/ports/context.ts'
import type { OneRow, ReadResult, Row } from '../../domain/ports/row-store.ts'
import { type Filter, matchAll } from '../../domain/query/filter.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Query, Selection } from '../../domain/query/query.ts'
import type { Authorized } from '../../domain/rights/authorized.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { coreView } from '../../domain/schema/core-view.ts'
import { shownDefault } from '../../domain/schema/default-value.ts'
import { keyName } from '../../domain/schema/row-keys.ts'
import type { Collection, Schema } from '../../domain/schema/schema.ts'
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
export function noteRead({ usage, view }: Pick<Context, 'usage' | 'view'>, query: Query): void {
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
  const authorized = authorizeItem(ctx, query, key)
  noteRead(ctx, query)
  const row = await ctx.rows.readOne(ctx, authorized)
  if (row === null) throw notFound(query.collection)
  return row.json
}

/** The same item as an object. */
export async function readItemRow(ctx: ReadContext, query: Query, key: Key): Promise<Row> {
  const authorized = authorizeItem(ctx, query, key)
  noteRead(ctx, query)
  const [row] = await ctx.rows.readRows(ctx, authorized)
  if (row === undefined) throw notFound(query.collection)
  return row
}

/** Authorizes the read of one item by its key. */
export function authorizeItem(ctx: ReadContext, query: Query, key: Key): Authorized<Query> {
  const collection = ctx.schema.collections.get(query.collection)
  const within = collection?.table == null ? undefined : keyFilter(collection, key)
  return authorizeQuery(ctx, { ...query, page: { limit: 1, offset: 0 } }, within)
}

/**
 * The content tag (strong ETag) of an item, which the database computes from the item's own columns that the actor may
 * read. It changes only with values that the actor can see. `isWhole`: the response contains only columns of the tag.
 */
type ContentTag = { readonly content: string; readonly isWhole: boolean }

/** Absent for items without a tag. */
export type TaggedItem = { readonly json: string; readonly tag?: ContentTag }

/** Reads an item and its tag in one statement. Throws `item-not-found` if it does not exist or is not visible. */
export async function readTaggedItem(ctx: ReadContext, query: Query, key: Key): Promise<TaggedItem> {
  const authorized = authorizeItem(ctx, { ...query, tag: ownColumns }, key)
  noteRead(ctx, query)
  const row = await ctx.rows.readOne(ctx, authorized)
  if (row === null) throw notFound(query.collection)
  const { json, tag } = row
  return tag === undefined ? { json } : { json, tag: { content: tag, isWhole: isWhole(ctx.schema, authorized) } }
}

/** The query with a content tag in its result, if it finds one item by a key and without counts. */
export const withTag = (query: Query): Query =>
  query.counts.length === 0 ? { ...query, page: { limit: 1, offset: 0 }, tag: ownColumns } : query

export const ownColumns: Selection = [{ kind: 'wildcard', aliases: false, except: [], nested: null }]

function isWhole({ collections }: Schema, { collection, selection }: Query): boolean {
  const fields = collections.get(collection)?.fields
  return selection.every(
    (selected) =>
      (selected.kind === 'field' || selected.kind === 'function') && fields?.get(selected.field)?.column != null,
  )
}

/** Reads the row of a singleton and its tag; without a row, the default values. */
export async function readTaggedSingleton(ctx: ReadContext, query: Query): Promise<TaggedItem> {
  const { json, tag } = await readSingleton(ctx, withTag({ ...query, counts: [] }))
  return tag === undefined ? { json } : { json, tag: { content: tag, isWhole: false } }
}

/** JSON text of a singleton's row and its tag, if the query has one; without a row, the default values of the columns. */
export async function readSingleton(ctx: ReadContext, query: Query): Promise<OneRow> {
  const authorized = authorizeQuery(ctx, { ...query, page: { limit: 1, offset: 0 } })
  noteRead(ctx, query)
  const row = await ctx.rows.readOne(ctx, authorized)
  return row ?? { json: defaultsText(ctx.schema.collections.get(query.collection), authorized) }
}

/**
 * Reads the items that were just written, in the order of the keys. Null if the actor may not read them or so many, if
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
    // More rows were written than the answer may show; how many was not known before.
    if (error.failures[0].kind === 'invalid-query' && ctx.spent === undefined) return null
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
 * Call it before a write whose response contains what the query selects of so many items. Throws the errors that reading
 * would throw, except for missing permissions.
 */
export function assertReadBack(ctx: ReadContext, query: Query, items: number): void {
  const { spent } = ctx
  const own = spent === undefined ? ctx : { ...ctx, spent: { ...spent } }
  try {
    authorizeQuery(own, { ...query, filter: matchAll, search: null, page: { limit: items, offset: 0 } })
  } catch (error) {
    if (!(error instanceof TandemError) || error.failures.some(({ kind }) => kind !== 'forbidden')) throw error
  }
}

/** The keys of the rows that a list of the query shows, with the actor's read permission. */
export async function readKeys(ctx: ReadContext, collection: Collection, query: Query): Promise<readonly Key[]> {
  const own: ReadContext = { ...ctx, view: coreView(ctx.schema) }
  const wanted: Query = {
    ...query,
    collection: collection.name,
    selection: [{ kind: 'row-key', key: keyName }],
    aggregation: null,
    counts: [],
  }
  const listed = ctx.view.byCore.get(collection.name)?.listed
  const rows = await own.rows.readRows(own, authorizeQuery(own, wanted, listed))
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
