/**
 * Estimates the cost of a query before it runs. Nested lists are cheap: each row has one parent and is read once. A
 * list below a many-to-one is expensive: it is read again for every row that refers to the same related row.
 */

import type { Filter } from '../query/filter.ts'
import type { Query, Selected, Selection } from '../query/query.ts'
import {
  type CostBounds,
  type CostScope,
  type CostState,
  fieldOf,
  follow,
  type Level,
  openList,
  refuse,
  rootOf,
  spend,
  usualList,
} from './cost-of-lists.ts'
import { estimateCells } from './query-cells.ts'
import { estimatePassed } from './query-passes.ts'

export const usualBounds: CostBounds = { repeats: 2, rows: 5_000_000_000, cells: 2_000_000 }

/**
 * What the reads of one request have cost so far. `passed`: cells in whose time the database passed over rows, of which
 * the read that passed over most (`longest`) is free.
 */
export type SpentCost = { rows: number; cells: number; passed: number; longest: number }

export const nothingSpent = (): SpentCost => ({ rows: 0, cells: 0, passed: 0, longest: 0 })

/** `spent`: absent = each read has the bounds for itself. */
type SharedScope = CostScope & { readonly spent?: SpentCost }

/**
 * Estimated rows per root item. Throws `invalid-query` if a path visits one list too many times. Wildcards must already
 * be expanded.
 */
export function rowsPerItem(scope: CostScope, collection: string, selection: Selection): number {
  const state: CostState = { ...scope, part: 'fields', total: 1 }
  walkSelection(state, rootOf(collection), selection)
  return state.total
}

/**
 * Throws `invalid-query` if the estimated rows of all root items exceed the limit, together with those of earlier reads
 * of the request if it counts them.
 */
export function spendRows(scope: SharedScope, { page }: Pick<Query, 'page'>, perItem: number): void {
  const items = Math.min(page.limit ?? usualList, usualList)
  const rows = items * perItem + (scope.spent?.rows ?? 0)
  assertTotal(scope, 'fields', rows)
  if (scope.spent !== undefined) scope.spent.rows = rows
}

/**
 * Throws `invalid-query` if the answer would have more cells than the limit, together with earlier reads of the request
 * if it counts them. Wildcards must be expanded.
 */
export function spendCells({ schema, limits, spent }: SharedScope, query: Query): void {
  const most = limits.cost.cells ?? null
  if (most === null) return
  const { cells, rows, withoutIndex } = estimateCells(schema, query)
  const sum = spent === undefined ? { cells } : added(spent, cells, estimatePassed(schema, query))
  const total = 'passed' in sum ? sum.cells + sum.passed - sum.longest : sum.cells
  if (total > most) {
    const isLong = rows > usualList
    const [received, allowed] = [Math.round(total).toLocaleString('en'), most.toLocaleString('en')]
    const isShared = spent !== undefined && spent.cells + spent.passed > 0
    refuse(
      isLong ? 'limit' : 'fields',
      `Expected at most about ${allowed} cells (QUERY_MAX_CELLS: rows by fields, long values count more) but received about ${received}${isShared ? ' in all fields of the request' : ''}: name ${isLong ? 'a smaller limit' : 'fewer fields or smaller limits'}${indexAdvice(withoutIndex)}`,
    )
  }
  if (spent !== undefined) Object.assign(spent, sum)
}

const indexAdvice = (fields: ReadonlySet<string>): string =>
  fields.size === 0 ? '' : `. No index leads to the rows of ${[...fields].map((name) => `"${name}"`).join(', ')}`

const added = (spent: SpentCost, cells: number, passed: number) => ({
  cells: spent.cells + cells,
  passed: spent.passed + passed,
  longest: Math.max(spent.longest, passed),
})

/** Checks the cost of conditions on related rows: the database evaluates them for the rows of the collection. */
export function assertFilterCost(scope: CostScope, collection: string, filter: Filter): void {
  if (!leadsOn(filter)) return
  const state: CostState = { ...scope, part: 'filter', total: 1 }
  walkFilter(state, rootOf(collection), filter)
  assertTotal(scope, 'filter', usualList * state.total)
}

function assertTotal({ limits: { cost } }: CostScope, part: CostState['part'], rows: number): void {
  if (cost.rows === null || rows <= cost.rows) return
  const shown = Math.round(rows).toLocaleString('en')
  const most = cost.rows.toLocaleString('en')
  const advice = part === 'fields' ? 'name smaller limits or fewer lists' : 'lead through fewer lists'
  refuse(
    part,
    `Expected at most ${most} rows (QUERY_MAX_ROWS) by the limits of all levels but received ${shown}: ${advice}`,
  )
}

function walkSelection(state: CostState, level: Level, selection: Selection): void {
  for (const selected of selection) walkSelected(state, level, selected)
}

function walkSelected(state: CostState, level: Level, selected: Selected): void {
  if (selected.kind === 'wildcard') throw new Error('A wildcard is expanded by authorize')
  if (selected.kind === 'constant' || selected.kind === 'row-key' || selected.kind === 'cursor') return
  if (selected.kind === 'object') return walkSelection(state, level, selected.selection)
  const field = fieldOf(state.schema, level.collection, selected.field)
  const relation = field?.relation
  if (field === undefined || relation == null) return
  switch (selected.kind) {
    case 'field':
    case 'function':
      if (relation.kind === 'one-to-many') spend(state, openList(state, level, { field, relation, limit: null }))
      break
    case 'one':
      if (relation.kind !== 'many-to-one') break
      walkSelection(state, spend(state, follow(level, relation.collection, 1)), selected.selection)
      break
    case 'any':
      for (const { collection, selection } of selected.options)
        walkSelection(state, spend(state, follow(level, collection, selected.options.length)), selection)
      break
    case 'many': {
      if (relation.kind !== 'one-to-many') break
      const { page, selection } = selected.query
      walkSelection(state, spend(state, openList(state, level, { field, relation, limit: page.limit })), selection)
      break
    }
    default:
      selected satisfies never
  }
}

function walkFilter(state: CostState, level: Level, filter: Filter): void {
  switch (filter.kind) {
    case 'all':
    case 'none':
      break
    case 'and':
    case 'or':
      for (const each of filter.filters) walkFilter(state, level, each)
      break
    case 'not':
      walkFilter(state, level, filter.filter)
      break
    case 'compare': {
      const field = fieldOf(state.schema, level.collection, filter.operand.field)
      if (field?.relation?.kind === 'one-to-many')
        spend(state, openList(state, level, { field, relation: field.relation, limit: null }))
      break
    }
    case 'related': {
      const field = fieldOf(state.schema, level.collection, filter.field)
      if (field?.relation == null) break
      const inner =
        field.relation.kind === 'one-to-many'
          ? openList(state, level, { field, relation: field.relation, limit: null })
          : follow(level, filter.collection, 1)
      walkFilter(state, spend(state, inner), filter.filter)
      break
    }
    default:
      filter satisfies never
  }
}

/** Whether the filter contains a condition on related rows. Most filters have none. */
function leadsOn(filter: Filter): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.filters.some(leadsOn)
    case 'not':
      return leadsOn(filter.filter)
    default:
      return filter.kind === 'related'
  }
}
