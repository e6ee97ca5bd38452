/**
 * Estimates how many cells the answer to a query has, from the measured sizes of tables: rows × fields, a field counting
 * once per 32 bytes of its average width. Limits of the client only lower the estimate.
 */
import type { Aggregation, Query, Selected, Selection } from '../query/query.ts'
import type { Schema } from '../schema/schema.ts'
import { distinctOf, fieldOf, partOf, rowsOf, type SizeFacts, sizeFacts, usualRows } from './estimated-rows.ts'

/** Bytes of one cell. */
const cell = 32

/** Rows that the database passes over, without an index, in the time of one cell. */
const passedPerCell = 20

/** Estimated cells, and how many rows of the root have them; 0 cells while no sizes are known. */
export function estimateCells(schema: Schema, query: Query): { readonly cells: number; readonly rows: number } {
  const facts = sizeFacts(schema)
  if (facts === null) return { cells: 0, rows: 0 }
  const { aggregation } = query
  const most = query.page.limit ?? Number.POSITIVE_INFINITY
  if (aggregation !== null) {
    const rows = Math.min(most, groupsOf(facts, query, aggregation))
    return { cells: rows * (aggregation.values.length + aggregation.group.length), rows }
  }
  const rows = Math.min(most, rowsOf(facts, query))
  return { cells: rows * cellsPerRow(facts, query.collection, query.selection, false), rows }
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
      if (list === null || selected.query.aggregation !== null) return 1
      const { filter, page, selection } = selected.query
      const rows = list.rows * partOf(facts, list.collection, filter)
      const shown = Math.min(page.limit ?? Number.POSITIVE_INFINITY, rows)
      return 1 + list.passed + shown * cellsPerRow(facts, list.collection, selection, isAgain)
    }
    case 'field':
    case 'function': {
      const list = listOf(facts, collection, { field: selected.field, isAgain })
      if (list === null) return widthOf(facts, collection, selected.field)
      return 1 + list.passed + (selected.kind === 'field' ? list.rows : 0)
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
  const key = fieldOf(facts, relation.collection, relation.foreignKey)
  const isFound = key?.column?.indexed === true || key?.column?.unique === true || key?.column?.primaryKey === true
  const all = size?.rows ?? usualRows
  const passed = isFound || size === undefined ? 0 : all / passedPerCell
  return { collection: relation.collection, rows: rowsPerParent(facts, { collection, relation, isAgain }), passed }
}

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
