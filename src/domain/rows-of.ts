/** Queries that the program asks for itself. */
import { type Filter, matchAll } from './filter.ts'
import type { Query, Selection } from './query.ts'

type Parts = { readonly filter?: Filter; readonly limit?: number | null }

/** Rows of a collection as they are: neither searched, ordered, grouped nor counted; all of them, unless a `limit` is given. */
export const rowsOf = (
  collection: string,
  selection: Selection,
  { filter = matchAll, limit = null }: Parts = {},
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

/** Fields under their own names. */
export const ownFields = (...names: readonly string[]): Selection =>
  names.map((name) => ({ kind: 'field', key: name, field: name }))
