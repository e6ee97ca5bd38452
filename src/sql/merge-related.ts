/**
 * Conditions on the same related rows become one: each is a query of its own, and a database takes them for joins
 * whose order it has to find. A hundred names of one author took it a minute to plan, and now take no time.
 */
import { TandemError } from '../domain/errors.ts'
import { and, type Filter, or, type RelatedFilter } from '../domain/filter.ts'
import type { Collection } from '../domain/schema.ts'

type Group = Extract<Filter, { readonly kind: 'and' | 'or' }>

/** Conditions on related rows in one group at most, once those that can be one are. */
const mostRelated = 30

/** The conditions of a group, of those on the same related rows one. */
export function mergeRelated(collection: Collection, group: Group): readonly Filter[] {
  const filters = flat(group)
  const sets = Map.groupBy(filters.filter(isRelated), (each) => nameOf(collection, group, each) ?? each)
  if (sets.size > mostRelated) {
    const reason = `Expected at most ${mostRelated} conditions on different related items side by side but received ${sets.size}`
    throw new TandemError({ kind: 'invalid-query', name: 'filter', reason })
  }
  return filters.flatMap((each) => {
    if (!isRelated(each)) return [each]
    const set = sets.get(nameOf(collection, group, each) ?? each) ?? []
    return set[0] === each ? [merged(group, set)] : []
  })
}

const isRelated = (filter: Filter): filter is RelatedFilter => filter.kind === 'related'

const flat = (group: Group): readonly Filter[] =>
  group.filters.flatMap((each) => (each.kind === group.kind ? flat(each) : [each]))

/**
 * What names the related rows of a condition that others may join; null when none may. Whether some row meets one
 * condition or the other is one question; whether some row meets one and some row meets the other is one only where
 * there is a single row. For `none` it is the other way round.
 */
function nameOf(collection: Collection, { kind }: Group, { field, collection: related, quantifier }: RelatedFilter) {
  const isDistributive = (quantifier === 'some') === (kind === 'or')
  if (!isDistributive && collection.fields.get(field)?.relation?.kind === 'one-to-many') return null
  return JSON.stringify([field, related, quantifier])
}

function merged({ kind }: Group, set: readonly RelatedFilter[]): Filter {
  const [first, ...rest] = set
  if (first === undefined) throw new Error('A set of conditions has at least one')
  if (rest.length === 0) return first
  const filters = set.map(({ filter }) => filter)
  return { ...first, filter: (first.quantifier === 'some') === (kind === 'or') ? or(...filters) : and(...filters) }
}
