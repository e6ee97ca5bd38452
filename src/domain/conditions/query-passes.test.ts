import { expect, test } from 'vitest'
import { and, compare, type Filter, matchAll } from '../query/filter.ts'
import { rowsOf } from '../query/rows-of.ts'
import type { Collection, CollectionSize, ColumnSize, Field, Schema } from '../schema/schema.ts'
import { readsFewRows } from './query-passes.ts'

const column = (parts: object): Pick<Field, 'column'> => ({
  column: { unique: false, indexed: false, ...parts } as never,
})
const fields = new Map(
  Object.entries({
    id: column({ unique: true, primaryKey: true, leads: true }),
    author: column({ indexed: true, leads: true }),
    status: column({ indexed: true, leads: true }),
    views: column({}),
  }),
)
const sized = (distinct: number | null, frequent = 0): ColumnSize => ({ width: 4, distinct, repeated: 0, frequent })

/** A table of that many rows, by 1,000 authors, of which six in ten have one status. */
function schemaOf(rows: number | null): Schema {
  const columns = new Map([
    ['author', sized(1000)],
    ['status', sized(300, 0.6)],
  ])
  const sizes = new Map<string, CollectionSize>(rows === null ? [] : [['articles', { rows, columns }]])
  const collections = new Map([['articles', { fields } as unknown as Collection]])
  return { collections, sizes: { latest: () => sizes } } as unknown as Schema
}

const byAuthor = compare('author', 'eq', [7])

test.each<[what: string, rows: number | null, filter: Filter, few: boolean]>([
  ['all of a small table', 1000, matchAll, true],
  ['all of a table', 1001, matchAll, false],
  ['a table of unknown size', null, byAuthor, false],
  ['few by an index', 100_000, byAuthor, true],
  ['few by an index, if they match', 100_000, and(compare('views', 'gt', [9]), byAuthor), true],
  ['more of them', 201_000, byAuthor, false],
  ['those of several values', 101_000, compare('author', 'in', [7, 8]), false],
  ['rows by keys', 100_000_000, compare('id', 'in', [7, 8]), true],
  ['many by an index', 5000, compare('status', 'eq', ['published']), false],
  ['rows without an index', 5000, compare('views', 'eq', [9]), false],
  ['a part by an index that is no value', 5000, compare('author', 'gt', [7]), false],
])('tells whether few rows are read: %s', (_what, rows, filter, few) => {
  expect(readsFewRows(schemaOf(rows), rowsOf('articles', [], { filter }))).toBe(few)
})
