/** Builds the queries that the server itself runs. */
import { type Filter, matchAll } from './filter.ts'
import type { Query, Selection } from './query.ts'

/** A query for rows of a collection without search, sorting, grouping and counts; all rows, unless `limit` is given. */
export const rowsOf = (
  collection: string,
  selection: Selection,
  { filter = matchAll, limit = null }: { readonly filter?: Filter; readonly limit?: number | null } = {},
): Query => ({
  collection,
  selection,
  filter,
  search: null,
  sort: [],
  page: { limit, offset: 0 },
  aggregation: null,
  archive: { kind: 'all' },
  counts: [],
})

/** A selection of fields under their own names. */
export const ownFields = (...names: readonly string[]): Selection =>
  names.map((name) => ({ kind: 'field', key: name, field: name }))
