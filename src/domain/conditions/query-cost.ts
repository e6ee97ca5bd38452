/**
 * Estimates the cost of a query before it runs. Nested lists are cheap: each row has one parent and is read once. A
 * list below a many-to-one is expensive: it is read again for every row that refers to the same related row.
 */
import type { Query, Selected, Selection } from '../query/query.ts'
import { invalidQuery } from '../rights/errors.ts'
import type { Collection, Field, FieldRelation, Schema } from '../schema/schema.ts'
import { estimateCells, fieldOf } from './query-cells.ts'
import { estimatePassed } from './query-passes.ts'

/** Configured limits on the cost of one query. */
export type CostBounds = {
  /** How many times one path may visit the same list. */
  readonly repeats: number
  /** Estimated rows; null = unlimited. */
  readonly rows: number | null
  /** Estimated cells of the answer, by the measured sizes of tables; absent or null = unlimited. */
  readonly cells?: number | null
}

export const usualBounds: CostBounds = { repeats: 2, rows: 5_000_000_000, cells: 2_000_000 }

/** The configured row limits. A limit equal to one of them was not chosen by the client. */
type Sizes = { readonly queryDefault: number; readonly queryMax: number | null; readonly cost: CostBounds }

export type CostScope = { readonly schema: Schema; readonly limits: Sizes }

/** Assumed number of rows of a list without a limit of its own, and upper bound of the root items in the estimate. */
export const usualList = 100

/** Assumed upper bound of rows in nested lists per parent row, unless one of the lists has a larger limit. */
const listsInLists = 10 * usualList

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
    throw invalidQuery(
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

export function assertTotal({ limits: { cost } }: CostScope, part: CostState['part'], rows: number): void {
  if (cost.rows === null || rows <= cost.rows) return
  const shown = Math.round(rows).toLocaleString('en')
  const most = cost.rows.toLocaleString('en')
  const advice = part === 'fields' ? 'name smaller limits or fewer lists' : 'lead through fewer lists'
  throw invalidQuery(
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
  const field = fieldOf(state, level.collection, selected.field)
  const relation = field?.relation
  if (field === undefined || relation == null) return
  switch (selected.kind) {
    case 'field':
    case 'function':
      if (relation.kind === 'one-to-many')
        spend(state, openList(state, level, { field, relation, limit: null, isLeaf: true }))
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
      const isLeaf = selected.asKeys === undefined ? {} : { isLeaf: true as const }
      walkSelection(
        state,
        spend(state, openList(state, level, { field, relation, limit: page.limit, ...isLeaf })),
        selection,
      )
      break
    }
    default:
      selected satisfies never
  }
}

/** A list on the path to a level: the number of visits to it, and the run of lists that it was last seen in. */
type ListVisit = {
  readonly list: string
  readonly times: number
  readonly run: number
  readonly before: ListVisit | null
}

export type Level = {
  readonly collection: string
  /** Number of rows at the start of the run of lists. */
  readonly base: number
  /** Number of rows of the run of lists, per row at its start. */
  readonly rows: number
  /** Number of the run. A many-to-one ends a run of lists. */
  readonly run: number
  readonly passed: ListVisit | null
}

export type CostState = CostScope & {
  readonly part: 'fields' | 'filter'
  total: number
}

export const rootOf = (collection: string): Level => ({ collection, base: 1, rows: 1, run: 0, passed: null })

export function spend(state: CostState, level: Level): Level {
  state.total += level.base * level.rows
  return level
}

/** The level below a many-to-one; `choices` is the number of collections of a many-to-any. */
export function follow({ base, rows, run, passed }: Level, collection: Collection['name'], choices: number): Level {
  return { collection, base: (base * rows) / choices, rows: 1, run: run + 1, passed }
}

type ToMany = Extract<FieldRelation, { readonly kind: 'one-to-many' }>

type List = {
  readonly field: Pick<Field, 'name'>
  readonly relation: Pick<ToMany, 'collection' | 'foreignKey'>
  readonly limit: number | null
  /** Whether only keys or a number of the list are read. Nothing leads on, so it may be a visit more. */
  readonly isLeaf?: true
}

export function openList(state: CostState, level: Level, { field, relation, limit, isLeaf }: List): Level {
  const { collection, foreignKey } = relation
  const passed = pass(level, `${collection}.${foreignKey}`)
  const { repeats } = state.limits.cost
  if (isLeaf === undefined && passed.times > repeats) {
    const reason = `Expected a path that visits "${field.name}" of "${level.collection}" at most ${repeats} times`
    throw invalidQuery(state.part, `${reason} (QUERY_MAX_REPEATS) but received more`)
  }
  const own = ownRows(state.limits, limit)
  const rows = Math.min(level.rows * own, Math.max(level.rows, own, listsInLists))
  return { collection, base: level.base, rows, run: level.run, passed }
}

/** Counts a visit to the list. A list within a tree of itself, in the same run, does not count again. */
function pass({ passed: before, run }: Level, list: string): ListVisit {
  let last = before
  while (last !== null && last.list !== list) last = last.before
  const times = last === null ? 1 : last.run === run ? last.times : last.times + 1
  return { list, times, run, before }
}

function ownRows({ queryDefault, queryMax }: Sizes, limit: number | null): number {
  const isNamed = limit !== null && limit !== queryDefault && limit !== queryMax
  return isNamed ? limit : Math.min(limit ?? usualList, usualList)
}
