/**
 * The part of a validation that depends on related rows. It cannot be decided by the payload: it is checked on the row as
 * it will be, after all writes of the mutation.
 */

import { type EvaluationScope, evaluate, type Payload } from '../domain/conditions/evaluate.ts'
import { memoizeBy } from '../domain/memoize.ts'
import { and, type Filter, matchAll, matchNone } from '../domain/query/filter.ts'
import type { Collection } from '../domain/schema/schema.ts'

/** `payload`: conditions on written values. `row`: conditions on related rows, and what is combined with them by `or`. */
export type SplitValidation = { readonly payload: Filter; readonly row: Filter }

/** Separates the conditions that must all hold. */
export const splitValidation = memoizeBy((validation: Filter, collection: Collection): SplitValidation => {
  const parts = validation.kind === 'and' ? validation.filters : [validation]
  const { row = [], payload = [] } = Object.groupBy(parts, (part) => (needsRow(part, collection) ? 'row' : 'payload'))
  return { payload: and(...payload), row: and(...row) }
})

function needsRow(filter: Filter, collection: Collection): boolean {
  switch (filter.kind) {
    case 'related':
      return true
    case 'and':
    case 'or':
      return filter.filters.some((each) => needsRow(each, collection))
    case 'not':
      return needsRow(filter.filter, collection)
    case 'compare':
      return filter.operand.kind === 'function' && collection.fields.get(filter.operand.field)?.column === null
    default:
      return false
  }
}

/** The condition for the database. What has no SQL is decided by the payload; for related rows it does not hold. */
export function rowCondition(filter: Filter, payload: Payload, scope: EvaluationScope): Filter {
  return filter.kind === 'all' ? filter : decided(filter, { payload, scope })
}

type SubmittedRow = { readonly payload: Payload; readonly scope: EvaluationScope }

function decided(filter: Filter, submittedRow: SubmittedRow | null): Filter {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return { ...filter, filters: filter.filters.map((each) => decided(each, submittedRow)) }
    case 'not':
      return { ...filter, filter: decided(filter.filter, submittedRow) }
    case 'related':
      return { ...filter, filter: decided(filter.filter, null) }
    case 'compare': {
      const { operator, operand } = filter
      if (operator !== 'regex' && operator !== 'submitted') return filter
      if (submittedRow?.payload.has(operand.field) !== true) return matchNone
      return evaluate(filter, submittedRow.payload, submittedRow.scope).length === 0 ? matchAll : matchNone
    }
    default:
      return filter
  }
}
