/**
 * Cursors: where a row is in the order of a list, as one opaque text. It holds the sort keys and the row's values of them,
 * as the database writes them; the key of the row is always the last. It grants nothing: who has one may read what he may
 * read without it.
 */
import type { Sort } from './query.ts'

/** The wire name under which the cursor of a row can be asked for beside its fields. */
export const cursorName = '$cursor'

/** A sort key that a cursor can hold: a field of the collection itself. */
export type CursorSort = Extract<Sort, { readonly kind: 'field' }>

/** Null for a key that leads through a relation, or that is computed. */
export const toCursorSort = (sort: Sort): CursorSort | null =>
  sort.kind === 'field' && sort.path.length === 0 ? sort : null

/** Of a collection: the field of its own order, and its key. */
type Ordered = { readonly sortField: string | null; readonly keyColumns: readonly string[] }

/** The order of the list without gaps: that of the query, else of the collection, and the key of the row. */
export function cursorOrder({ sortField, keyColumns }: Ordered, sort: readonly Sort[]): readonly Sort[] {
  const own = sort.length > 0 || sortField === null ? sort : [ascending(sortField)]
  const missing = keyColumns.filter((name) => !own.some((each) => toCursorSort(each)?.field === name))
  return [...own, ...missing.map(ascending)]
}

const ascending = (field: string): Sort => ({ kind: 'field', path: [], field, descending: false })

/** The sort keys as a text; cursors of another order are refused by it. */
export const cursorWord = (sort: readonly CursorSort[]): string =>
  JSON.stringify(sort.map(({ field, descending, nulls }) => [field, descending, nulls ?? '']))

export function toCursor(sort: readonly CursorSort[], values: readonly (string | null)[]): string {
  const bytes = new TextEncoder().encode(JSON.stringify([cursorWord(sort), ...values]))
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

/** The values of a cursor of that order; null for any other text. */
export function readCursor(text: string, sort: readonly CursorSort[]): readonly (string | null)[] | null {
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0))
    const [word, ...values] = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as readonly unknown[]
    const isOwn = word === cursorWord(sort) && values.length === sort.length
    return isOwn && values.every((each) => each === null || (typeof each === 'string' && !each.includes('\0')))
      ? (values as readonly (string | null)[])
      : null
  } catch {
    return null
  }
}
