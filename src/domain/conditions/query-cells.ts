/**
 * Estimates how many cells the answer to a query has, from the measured sizes of tables: rows × fields, a field counting
 * once per 32 bytes of its average width. Limits of the client only lower the estimate.
 */
import type { Filter } from '../query/filter.ts'
import type { Aggregation, Query, Selected, Selection } from '../query/query.ts'
import { manyColumnsOf } from '../schema/references.ts'
import type { Field, Schema, Sizes } from '../schema/schema.ts'

/** Bytes of one cell. */
const cell = 32

/** Rows that the database passes over, without an index, in the time of one cell. */
const passedPerCell = 20

/** Cells in whose time the list of one parent is looked up, and one row of it is read that is not shown. */
const costs = { list: 2, read: 1 / 2 }

type Estimate = {
  readonly cells: number
  /** Rows of the root that have them. */
  readonly rows: number
  /** Fields with lists that no index leads to. */
  readonly withoutIndex: ReadonlySet<string>
}

/** 0 cells while no sizes are known. */
export function estimateCells(schema: Schema, query: Query): Estimate {
  const facts = sizeFacts(schema)
  if (facts === null) return { cells: 0, rows: 0, withoutIndex: new Set() }
  const { withoutIndex } = facts
  const { aggregation } = query
  const most = query.page.limit ?? Number.POSITIVE_INFINITY
  if (aggregation !== null) {
    const rows = Math.min(most, groupsOf(facts, query, aggregation))
    return { cells: rows * (aggregation.values.length + aggregation.group.length), rows, withoutIndex }
  }
  const rows = Math.min(most, rowsOf(facts, query))
  return { cells: rows * cellsPerRow(facts, query.collection, query.selection, false), rows, withoutIndex }
}

/** Different values of a function of a date or time; a year has 366 days. */
const mostParts = 366

function groupsOf(facts: SizeFacts, query: Query, { group }: Aggregation): number {
  const groups = group.map((each) => {
    const distinct = distinctOf(facts, { collection: query.collection, name: each.field })
    return each.kind === 'function' ? Math.min(distinct, mostParts) : distinct
  })
  return Math.min(
    rowsOf(facts, query),
    groups.reduce((product, each) => product * each, 1),
  )
}

/** `isAgain`: the path has a many-to-one, so the same rows are read many times. */
function cellsPerRow(facts: SizeFacts, collection: string, selection: Selection, isAgain: boolean): number {
  let cells = 0
  for (const selected of selection) cells += cellsOf(facts, collection, { selected, isAgain })
  return cells
}

type SelectedWidth = { readonly selected: Selected; readonly isAgain: boolean }

function cellsOf(facts: SizeFacts, collection: string, { selected, isAgain }: SelectedWidth): number {
  switch (selected.kind) {
    case 'wildcard':
    case 'constant':
    case 'row-key':
    case 'cursor':
      return 1
    case 'object':
      return cellsPerRow(facts, collection, selected.selection, isAgain)
    case 'one': {
      const { relation } = fieldOf(facts, collection, selected.field) ?? {}
      if (relation?.kind !== 'many-to-one') return 1
      return 1 + cellsPerRow(facts, relation.collection, selected.selection, true)
    }
    case 'any': {
      const { options } = selected
      const cells = options.map((each) => cellsPerRow(facts, each.collection, each.selection, true))
      return 1 + Math.max(0, ...cells)
    }
    case 'many': {
      const list = listOf(facts, collection, { field: selected.field, isAgain })
      if (list === null) return 1
      const { aggregation, filter, page, selection } = selected.query
      const rows = aggregation === null ? list.rows * partOf(facts, list.collection, filter) : 0
      const shown = Math.min(page.limit ?? Number.POSITIVE_INFINITY, rows)
      return costOfList(list, shown) + shown * cellsPerRow(facts, list.collection, selection, isAgain)
    }
    case 'field':
    case 'function': {
      const list = listOf(facts, collection, { field: selected.field, isAgain })
      if (list === null) return widthOf(facts, collection, selected.field)
      const shown = selected.kind === 'field' ? list.rows : 0
      return costOfList(list, shown) + shown
    }
    default:
      return selected satisfies never
  }
}

function widthOf({ sizes }: SizeFacts, collection: string, field: string): number {
  const width = sizes.get(collection)?.columns.get(field)?.width ?? 0
  return Math.max(1, width / cell)
}

/** A to-many relation: average rows of one parent, and the cells in whose time they are found. */
type List = { readonly collection: string; readonly rows: number; readonly passed: number }

function listOf(
  facts: SizeFacts,
  collection: string,
  { field, isAgain }: { readonly field: string; readonly isAgain: boolean },
): List | null {
  const { relation } = fieldOf(facts, collection, field) ?? {}
  if (relation?.kind !== 'one-to-many') return null
  const size = facts.sizes.get(relation.collection)
  const [first = ''] = manyColumnsOf(relation.relation)
  const key = fieldOf(facts, relation.collection, first)
  const isFound = key?.column?.leads === true
  if (!isFound) facts.withoutIndex.add(field)
  const all = size?.rows ?? usualRows
  const passed = isFound || size === undefined ? 0 : all / passedPerCell
  return { collection: relation.collection, rows: rowsPerParent(facts, { collection, relation, isAgain }), passed }
}

/** What a list costs beside the cells that it shows. */
const costOfList = ({ rows, passed }: List, shown: number): number =>
  1 + costs.list + passed + (rows - shown) * costs.read

type Parents = { readonly collection: string; readonly relation: ToMany; readonly isAgain: boolean }
type ToMany = { readonly collection: string; readonly foreignKey: string }

/** Parents with many rows are reached more often than others where a many-to-one leads to them. */
function rowsPerParent({ sizes }: SizeFacts, { collection, relation, isAgain }: Parents): number {
  const size = sizes.get(relation.collection)
  const all = size?.rows ?? usualRows
  const column = size?.columns.get(relation.foreignKey)
  const parents = sizes.get(collection)?.rows ?? usualRows
  if (!isAgain) return all / Math.max(1, parents)
  return Math.max(all / Math.max(1, column?.distinct ?? parents), all * (column?.repeated ?? 0))
}

export type SizeFacts = {
  readonly schema: Schema
  readonly sizes: ReturnType<Sizes['latest']>
  /** Fields with lists that no index leads to, as far as the estimate has met them. */
  readonly withoutIndex: Set<string>
}

/** Null while no sizes are known. */
export function sizeFacts(schema: Schema): SizeFacts | null {
  const sizes = schema.sizes?.latest()
  return sizes === undefined || sizes.size === 0 ? null : { schema, sizes, withoutIndex: new Set() }
}

/** Rows of a view or table whose size is not known. */
export const usualRows = 1000

/** Part of the rows that a condition leaves where nothing is known about it. */
const usualPart = 0.1

export const fieldOf = ({ schema }: SizeFacts, collection: string, name: string): Field | undefined =>
  schema.collections.get(collection)?.fields.get(name)

/** Estimated rows that match the query, whatever its page is. */
export function rowsOf(facts: SizeFacts, { collection, filter, search }: Query): number {
  const rows = facts.sizes.get(collection)?.rows ?? usualRows
  return Math.max(1, rows * partOf(facts, collection, filter) * (search === null ? 1 : usualPart))
}

/** Estimated part of the rows that match. */
function partOf(facts: SizeFacts, collection: string, filter: Filter): number {
  switch (filter.kind) {
    case 'all':
    case 'not':
      return 1
    case 'none':
      return 0
    case 'and':
      return filter.filters.reduce((part, each) => part * partOf(facts, collection, each), 1)
    case 'or':
      return Math.min(
        1,
        filter.filters.reduce((part, each) => part + partOf(facts, collection, each), 0),
      )
    case 'compare': {
      const { operand, operator, values } = filter
      if (operator === 'nnull' || operator === 'neq' || operator === 'nempty') return 1
      if (operator !== 'eq' && operator !== 'in') return usualPart
      return Math.min(1, values.length / distinctOf(facts, { collection, name: operand.field }))
    }
    case 'related':
      return filter.quantifier === 'none' ? 1 : usualPart
    default:
      return filter satisfies never
  }
}

type NamedFieldOf = { readonly collection: string; readonly name: string }

/** Estimated number of different values of a field. */
function distinctOf({ schema, sizes }: SizeFacts, { collection, name }: NamedFieldOf): number {
  const size = sizes.get(collection)
  const rows = Math.max(1, size?.rows ?? usualRows)
  const column = schema.collections.get(collection)?.fields.get(name)?.column
  if (column?.primaryKey === true || column?.unique === true) return rows
  return Math.max(1, size?.columns.get(name)?.distinct ?? 1 / usualPart)
}
