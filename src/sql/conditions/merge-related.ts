/**
 * Merges conditions on the same related rows. Each condition is a subquery that the database plans as a join, so many of
 * them are slow to plan: a hundred conditions on one author took a minute.
 */

import { and, type Filter, or, type RelatedFilter } from '../../domain/query/filter.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { Collection } from '../../domain/schema/schema.ts'

type Group = Extract<Filter, { readonly kind: 'and' | 'or' }>

/** Limit of conditions on related rows per group, after merging. */
const mostRelated = 30

/** The conditions of a group, with those on the same related rows merged. */
export function mergeRelated(collection: Collection, group: Group): readonly Filter[] {
  const filters = flat(group)
  const keyOf = (each: RelatedFilter) => nameOf(collection, group, each) ?? each
  const sets = Map.groupBy(filters.filter(isRelated), keyOf)
  if (sets.size > mostRelated) {
    const reason = `Expected at most ${mostRelated} conditions on different related items side by side but received ${sets.size}`
    throw new TandemError({ kind: 'invalid-query', name: 'filter', reason })
  }
  return filters.flatMap((each) => {
    if (!isRelated(each)) return [each]
    const set = sets.get(keyOf(each))
    return set?.[0] === each ? [merged(group, each, set)] : []
  })
}

const isRelated = (filter: Filter): filter is RelatedFilter => filter.kind === 'related'

const flat = (group: Group): readonly Filter[] =>
  group.filters.flatMap((each) => (each.kind === group.kind ? flat(each) : [each]))

/**
 * The merge key of a condition; null if it cannot be merged. "Some row matches A" OR "some row matches B" can always be
 * merged; with AND this requires that there is at most one related row. For `none` it is the other way round.
 */
function nameOf(
  collection: Collection,
  { kind }: Group,
  { field, collection: related, quantifier, needsValues, by }: RelatedFilter,
) {
  const isDistributive = (quantifier === 'some') === (kind === 'or')
  if (!isDistributive && by !== undefined) return null
  if (!isDistributive && collection.fields.get(field)?.relation?.kind === 'one-to-many') return null
  return JSON.stringify([field, related, quantifier, needsValues])
}

function merged({ kind }: Group, first: RelatedFilter, set: readonly RelatedFilter[]): Filter {
  const filters = set.map(({ filter }) => filter)
  return { ...first, filter: (first.quantifier === 'some') === (kind === 'or') ? or(...filters) : and(...filters) }
}
