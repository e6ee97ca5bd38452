/**
 * Estimates how long the database passes over rows that are not in the answer, in cells: those that a condition without
 * an index leaves out, those that are sorted, counted or grouped.
 */
import type { Filter } from '../query/filter.ts'
import type { Aggregation, Query } from '../query/query.ts'
import type { Schema } from '../schema/schema.ts'
import { fieldOf, rowsOf, type SizeFacts, sizeFacts, usualRows } from './query-cells.ts'

/** Cost in cells of reading one row, and of adding up, grouping or comparing one value. */
const costs = { read: 1 / 8, value: 1 / 25, group: 1 / 5, distinct: 1 }

/** Estimated cells in whose time the database passes over rows of the root; 0 while no sizes are known. */
export function estimatePassed(schema: Schema, query: Query): number {
  const facts = sizeFacts(schema)
  if (facts === null) return 0
  const { collection, filter, aggregation, counts } = query
  const all = facts.sizes.get(collection)?.rows ?? usualRows
  const isFound = usesIndex(facts, collection, filter)
  const rows = rowsOf(facts, query)
  if (aggregation !== null) return (isFound ? rows : all) * costs.read + rows * perRow(aggregation)
  const readings = counts.length + (isFound ? 0 : Number(passesOverRows(facts, query)))
  return readings * all * costs.read
}

function perRow({ values, group }: Aggregation): number {
  const perValue = values.map(({ aggregate, field }) => {
    if (field === null) return 0
    return aggregate.endsWith('Distinct') ? costs.distinct : costs.value
  })
  return perValue.reduce((sum, each) => sum + each, group.length * costs.group)
}

/** Whether an index finds the matching rows. */
function usesIndex(facts: SizeFacts, collection: string, filter: Filter): boolean {
  switch (filter.kind) {
    case 'none':
      return true
    case 'and':
      return filter.filters.some((each) => usesIndex(facts, collection, each))
    case 'or':
      return filter.filters.every((each) => usesIndex(facts, collection, each))
    case 'compare':
      return (
        (filter.operator === 'eq' || filter.operator === 'in') &&
        filter.operand.kind === 'field' &&
        isIndexed(facts, collection, filter.operand.field)
      )
    default:
      return false
  }
}

/** Whether the database reads other rows before the first one of the page. */
function passesOverRows(facts: SizeFacts, { collection, filter, search, sort }: Query): boolean {
  if (filter.kind !== 'all' || search !== null) return true
  const [first] = sort
  if (first === undefined) return false
  return first.kind !== 'field' || first.path.length > 0 || !isIndexed(facts, collection, first.field)
}

/** Rows of a table that are read and sorted in about 0.3 ms, and rows that an index leads to, which are far apart. */
const fewRows = { all: 1000, found: 200 }

/**
 * Whether the database reads few rows, whatever the values are: those of a small table, or those that an index leads to,
 * also for the most frequent value. False while the size is not known.
 */
export function readsFewRows(schema: Schema, { collection, filter }: Query): boolean {
  const facts = sizeFacts(schema)
  const size = facts?.sizes.get(collection)
  if (facts === null || size === undefined) return false
  return size.rows <= fewRows.all || mostIndexedRows(facts, collection, filter) <= fewRows.found
}

/** The largest number of rows that an index finds for the filter; infinite without an index. */
function mostIndexedRows(facts: SizeFacts, collection: string, filter: Filter): number {
  if (filter.kind === 'none') return 0
  if (filter.kind === 'and') return Math.min(...filter.filters.map((each) => mostIndexedRows(facts, collection, each)))
  if (filter.kind !== 'compare' || !usesIndex(facts, collection, filter) || filter.operand.kind !== 'field')
    return Number.POSITIVE_INFINITY
  const { field } = filter.operand
  const column = fieldOf(facts, collection, field)?.column
  if (column?.unique === true) return filter.values.length
  const { rows = 0, columns } = facts.sizes.get(collection) ?? {}
  const { distinct = null, frequent = 0 } = columns?.get(field) ?? {}
  return filter.values.length * rows * Math.max(frequent, distinct === null ? 1 : 1 / distinct)
}

const isIndexed = (facts: SizeFacts, collection: string, name: string): boolean =>
  fieldOf(facts, collection, name)?.column?.leads === true
