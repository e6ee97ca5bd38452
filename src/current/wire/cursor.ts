/** `cursor` and `fields=$cursor`: pages that begin behind a row. */
import { type CursorSort, cursorName, cursorOrder, readCursor, toCursorSort } from '../../domain/query/cursor.ts'
import type { FieldType } from '../../domain/query/field-types.ts'
import type { Query } from '../../domain/query/query.ts'
import { readText, refuse } from './lists.ts'
import type { ParseScope } from './parse-scope.ts'

/** The query behind the row that `raw` names, in the order of its cursors. */
export function withCursor(query: Query, raw: unknown, scope: Pick<ParseScope, 'schema'>): Query {
  const text = readText(raw, 'cursor')
  if (text === null) return query
  const sort = orderOf(query, scope)
  const ordered = query.sort === sort ? query : { ...query, sort }
  if (query.page.offset > 0) refuse('cursor', 'neither "offset" nor "page" beside it', query.page.offset)
  const after = readCursor(text, sort)
  if (after === null || !holdsValues(after, query, { schema: scope.schema, sort }))
    return refuse('cursor', 'the "$cursor" of an item of a list in the same order', text)
  return { ...ordered, after }
}

const texts: { readonly [Type in FieldType]?: RegExp } = {
  integer: /^-?\d+$/,
  bigInteger: /^-?\d+$/,
  float: /^(-?[\d.]+(e[+-]?\d+)?|-?Infinity|NaN)$/i,
  decimal: /^(-?[\d.]+(e[+-]?\d+)?|-?Infinity|NaN)$/i,
}

/** Whether the values may be those of the fields; of other types the database says it. */
function holdsValues(
  values: readonly (string | null)[],
  { collection }: Query,
  { schema, sort }: Pick<ParseScope, 'schema'> & { readonly sort: readonly CursorSort[] },
): boolean {
  return values.every((value, at) => {
    const field = schema.collections.get(collection)?.fields.get(sort[at]?.field ?? '')
    return value === null || field === undefined || texts[field.type]?.test(value) !== false
  })
}

/** The query with its cursors in the selection, and in their order. */
export function withSelectedCursor(query: Query, scope: Pick<ParseScope, 'schema'>): Query {
  if (!query.selection.some(({ kind }) => kind === 'cursor')) return query
  const sort = orderOf(query, scope)
  const selection = query.selection.map((each) => (each.kind === 'cursor' ? { ...each, sort } : each))
  return { ...query, sort, selection }
}

function orderOf(query: Query, { schema }: Pick<ParseScope, 'schema'>): readonly CursorSort[] {
  const collection = schema.collections.get(query.collection)
  if (collection === undefined) throw new Error(`No collection is named ${query.collection}`)
  if (query.aggregation !== null) refuse('cursor', 'no groups beside it', query.collection)
  if (collection.keyColumns.length === 0) refuse('cursor', 'a collection whose items have keys', query.collection)
  const own = cursorOrder(collection, query.sort)
  const sort = own.flatMap((each) => toCursorSort(each) ?? [])
  if (sort.length < own.length) refuse('sort', `fields of the collection itself for "${cursorName}"`, 'another order')
  return sort.every((each, at) => each === query.sort[at]) && sort.length === query.sort.length
    ? (query.sort as readonly CursorSort[])
    : sort
}
