/** `cursor` and `fields=$cursor`, also those of nested lists: pages that begin behind a row. */
import { refuseQuery } from '../../domain/conditions/literals.ts'
import { type CursorSort, cursorName, cursorOrder, readCursor, toCursorSort } from '../../domain/query/cursor.ts'
import type { FieldType } from '../../domain/query/field-types.ts'
import type { Query, Selection } from '../../domain/query/query.ts'
import { type ParameterNames, readText } from './lists.ts'
import type { ParseScope } from './parse-scope.ts'

type Scope = Pick<ParseScope, 'schema'>

/** A list: how its parameters are named in errors, and the field that sorts a nested list without `sort`. */
export type CursorList = { readonly shown: ParameterNames['shown']; readonly sortField?: string | null }

/** The query behind the row that `raw` names, in the order of its cursors. */
export function withCursor(query: Query, raw: unknown, scope: Scope, list: CursorList): Query {
  const name = list.shown('cursor')
  const text = readText(raw, name)
  if (text === null) return query
  const sort = orderOf(query, scope, list)
  const ordered = query.sort === sort ? query : { ...query, sort }
  if (query.page.offset > 0) refuseQuery(name, 'neither "offset" nor "page" beside it', query.page.offset)
  const after = readCursor(text, sort)
  if (after === null || !holdsValues(after, query, { schema: scope.schema, sort }))
    return refuseQuery(name, 'the "$cursor" of an item of a list in the same order', text)
  return { ...ordered, after }
}

const texts: { readonly [Type in FieldType]?: RegExp } = {
  integer: /^-?\d+$/,
  bigInteger: /^-?\d+$/,
  float: /^(-?[\d.]+(e[+-]?\d+)?|-?Infinity|NaN)$/i,
  decimal: /^(-?[\d.]+(e[+-]?\d+)?|-?Infinity|NaN)$/i,
}

/** Whether the values fit the fields; values of other types are checked by the database. */
function holdsValues(
  values: readonly (string | null)[],
  { collection }: Query,
  { schema, sort }: Scope & { readonly sort: readonly CursorSort[] },
): boolean {
  return values.every((value, at) => {
    const field = schema.collections.get(collection)?.fields.get(sort[at]?.field ?? '')
    return value === null || field === undefined || texts[field.type]?.test(value) !== false
  })
}

/** The query with its cursors in the selection, and in their order. */
export function withSelectedCursor(query: Query, scope: Scope, list: CursorList): Query {
  if (!hasCursor(query.selection)) return query
  const sort = orderOf(query, scope, list)
  const selection = query.selection.map((each) => (each.kind === 'cursor' ? { ...each, sort } : each))
  return { ...query, sort, selection }
}

/** Refuses a cursor in the selection of one item. */
export function assertNoCursor(selection: Selection): void {
  if (hasCursor(selection)) refuseQuery('fields', 'a cursor in the items of a list only', 'one in an item')
}

const hasCursor = (selection: Selection): boolean => selection.some(({ kind }) => kind === 'cursor')

function orderOf(query: Query, { schema }: Scope, { shown, sortField }: CursorList): readonly CursorSort[] {
  const collection = schema.collections.get(query.collection)
  if (collection === undefined) throw new Error(`No collection is named ${query.collection}`)
  const name = shown('cursor')
  if (query.aggregation !== null) refuseQuery(name, 'no groups beside it', query.collection)
  if (collection.keyColumns.length === 0) refuseQuery(name, 'a collection whose items have keys', query.collection)
  const own = cursorOrder({ ...collection, sortField: sortField ?? collection.sortField }, query.sort)
  const sort = own.flatMap((each) => toCursorSort(each) ?? [])
  if (sort.length < own.length)
    refuseQuery(shown('sort'), `fields of the collection itself for "${cursorName}"`, 'another order')
  return sort.every((each, at) => each === query.sort[at]) && sort.length === query.sort.length
    ? (query.sort as readonly CursorSort[])
    : sort
}
