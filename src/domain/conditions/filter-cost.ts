/** The cost of conditions on related rows: how many rows they lead through, and how often they visit one list. */
import type { Filter } from '../query/filter.ts'
import { fieldOf } from './query-cells.ts'
import {
  assertTotal,
  type CostScope,
  type CostState,
  follow,
  type Level,
  openList,
  rootOf,
  spend,
  usualList,
} from './query-cost.ts'

/** Checks the cost of conditions on related rows: the database evaluates them for the rows of the collection. */
export function assertFilterCost(scope: CostScope, collection: string, filter: Filter): void {
  if (!leadsOn(filter)) return
  const state: CostState = { ...scope, part: 'filter', total: 1 }
  walkFilter(state, rootOf(collection), filter)
  assertTotal(scope, 'filter', usualList * state.total)
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
      const field = fieldOf(state, level.collection, filter.operand.field)
      if (field?.relation?.kind === 'one-to-many')
        spend(state, openList(state, level, { field, relation: field.relation, limit: null }))
      break
    }
    case 'related': {
      if (filter.by !== undefined) {
        const relation = { collection: filter.collection, foreignKey: filter.by }
        const inner = openList(state, level, { field: { name: filter.field }, relation, limit: null })
        walkFilter(state, spend(state, inner), filter.filter)
        break
      }
      const field = fieldOf(state, level.collection, filter.field)
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
