/** The cost of following relations: the rows of a list within its level, and how often a path visits one list. */

import { invalidQuery } from '../rights/errors.ts'
import type { Collection, Field, FieldRelation, Schema } from '../schema/schema.ts'

/** Configured limits on the cost of one query. */
export type CostBounds = {
  /** How many times one path may visit the same list. */
  readonly repeats: number
  /** Estimated rows; null = unlimited. */
  readonly rows: number | null
  /** Estimated cells of the answer, by the measured sizes of tables; absent or null = unlimited. */
  readonly cells?: number | null
}

/** The configured row limits. A limit equal to one of them was not chosen by the client. */
type Sizes = { readonly queryDefault: number; readonly queryMax: number | null; readonly cost: CostBounds }

export type CostScope = { readonly schema: Schema; readonly limits: Sizes }

/** Assumed number of rows of a list without a limit of its own, and upper bound of the root items in the estimate. */
export const usualList = 100

/** Assumed upper bound of rows in nested lists per parent row, unless one of the lists has a larger limit. */
const listsInLists = 10 * usualList

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

export function refuse(name: string, reason: string): never {
  throw invalidQuery(name, reason)
}

export const fieldOf = (schema: Schema, collection: string, name: string): Field | undefined =>
  schema.collections.get(collection)?.fields.get(name)

export function spend(state: CostState, level: Level): Level {
  state.total += level.base * level.rows
  return level
}

/** The level below a many-to-one; `choices` is the number of collections of a many-to-any. */
export function follow({ base, rows, run, passed }: Level, collection: Collection['name'], choices: number): Level {
  return { collection, base: (base * rows) / choices, rows: 1, run: run + 1, passed }
}

type ToMany = Extract<FieldRelation, { readonly kind: 'one-to-many' }>

type List = { readonly field: Field; readonly relation: ToMany; readonly limit: number | null }

export function openList(state: CostState, level: Level, { field, relation, limit }: List): Level {
  const { collection, foreignKey } = relation
  const passed = pass(level, `${collection}.${foreignKey}`)
  const { repeats } = state.limits.cost
  if (passed.times > repeats) {
    const reason = `Expected a path that visits "${field.name}" of "${level.collection}" at most ${repeats} times`
    refuse(state.part, `${reason} (QUERY_MAX_REPEATS) but received more`)
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
