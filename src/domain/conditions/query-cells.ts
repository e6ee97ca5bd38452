/**
 * Estimates how many cells the answer to a query has, from the measured sizes of tables: rows × fields, a field counting
 * once per 32 bytes of its average width. Limits of the client only lower the estimate.
 */
import type { Filter } from '../query/filter.ts'
import type { Aggregation, Query, Selected, Selection } from '../query/query.ts'
import { leadsToList } from '../schema/references.ts'
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
  return {
    cells: rows * cellsPerRow(facts, query, { isAgain: false, rows, isScanned: schema.sizes?.scansLists === true }),
    rows,
    withoutIndex,
  }
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

/** The rows that a selection is read for. */
type Parents = {
  /** Whether the path to them has a many-to-one, so that the same rows are read many times. */
  readonly isAgain: boolean
  /** Their number, in all lists of the level. */
  readonly rows: number
  /** Whether their lists are read at once where no index leads to them. */
  readonly isScanned: boolean
}

type Selects = { readonly collection: string; readonly selection: Selection }

function cellsPerRow(facts: SizeFacts, { collection, selection }: Selects, parents: Parents): number {
  let cells = 0
  for (const selected of selection) cells += cellsOf(facts, collection, { selected, parents })
  return cells
}

type SelectedWidth = { readonly selected: Selected; readonly parents: Parents }

function cellsOf(facts: SizeFacts, collection: string, { selected, parents }: SelectedWidth): number {
  switch (selected.kind) {
    case 'wildcard':
    case 'constant':
    case 'row-key':
    case 'cursor':
      return 1
    case 'object':
      return cellsPerRow(facts, { collection, selection: selected.selection }, parents)
    case 'one': {
      const { relation } = fieldOf(facts, collection, selected.field) ?? {}
      if (relation?.kind !== 'many-to-one') return 1
      const inner = { collection: relation.collection, selection: selected.selection }
      return 1 + cellsPerRow(facts, inner, { ...parents, isAgain: true })
    }
    case 'any': {
      const cells = selected.options.map((each) => cellsPerRow(facts, each, { ...parents, isScanned: false }))
      return 1 + Math.max(0, ...cells)
    }
    case 'many': {
      const list = listOf(facts, collection, { field: selected.field, parents })
      if (list === null) return 1
      const { aggregation, filter, page } = selected.query
      const rows = aggregation === null ? list.rows * partOf(facts, list.collection, filter) : 0
      const shown = Math.min(page.limit ?? Number.POSITIVE_INFINITY, rows)
      const inner = { ...parents, rows: parents.rows * shown }
      return costOfList(list, shown) + shown * cellsPerRow(facts, selected.query, inner)
    }
    case 'field':
    case 'function': {
      const list = listOf(facts, collection, { field: selected.field, parents })
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
  { field, parents }: { readonly field: string; readonly parents: Parents },
): List | null {
  const { relation } = fieldOf(facts, collection, field) ?? {}
  if (relation?.kind !== 'one-to-many') return null
  const rows = rowsPerParent(facts, { collection, relation, isAgain: parents.isAgain })
  const isFound = leadsToList(facts.schema, relation)
  if (!isFound) facts.withoutIndex.add(field)
  const all = facts.sizes.get(relation.collection)?.rows
  const passed = isFound || all === undefined ? 0 : rowsPassed(all, rows, parents)
  return { collection: relation.collection, rows, passed: passed / passedPerCell }
}

/** Rows that are passed over for the list of one parent: all of them, or one part of the scan and the rows in it. */
function rowsPassed(all: number, rows: number, parents: Parents): number {
  const count = Math.max(1, parents.rows)
  return parents.isScanned ? Math.min(all, all / count + count * rows) : all
}

/** What a list costs beside the cells that it shows. */
const costOfList = ({ rows, passed }: List, shown: number): number =>
  1 + costs.list + passed + (rows - shown) * costs.read

type ParentsOf = { readonly collection: string; readonly relation: ToMany; readonly isAgain: boolean }
type ToMany = { readonly collection: string; readonly foreignKey: string }

/** Parents with many rows are reached more often than others where a many-to-one leads to them. */
function rowsPerParent({ sizes }: SizeFacts, { collection, relation, isAgain }: ParentsOf): number {
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
  if (sizes === undefined || sizes.size === 0) return null
  return { schema, sizes, withoutIndex: new Set() }
}

/** Rows of a view or table whose size is not known. */
export const usualRows = 1000

/** Part of the rows that a condition leaves where nothing is known about it. */
const usualPart = 0.1

export const fieldOf = ({ schema }: Pick<SizeFacts, 'schema'>, collection: string, name: string): Field | undefined =>
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
