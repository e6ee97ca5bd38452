/** Rules with their dynamic values resolved for one holder, so that another actor can use them. */
import type { HeldRights } from '../../authz/share-access.ts'
import { dynamicValuesOf } from '../../domain/conditions/dynamic-values.ts'
import { lookUpName } from '../../domain/conditions/resolve-value.ts'
import {
  type Comparison,
  type DynamicValue,
  type Filter,
  isDynamic,
  type Literal,
  matchNone,
  type Value,
} from '../../domain/query/filter.ts'
import type { Access, Rule } from '../../domain/rights/actor.ts'
import { type LookUpContext, lookUpOne, valuesOfFilter } from '../rows/look-ups.ts'

/** The holder of the rights; without a user, the role. Keys are ids. */
export type Holder = {
  readonly user: string | null
  readonly role: string | null
  readonly roles: readonly string[]
  readonly access: Access
}

type FixedFacts = { readonly holder: Holder; readonly lookedUp: ReadonlyMap<string, Literal | readonly Literal[]> }

/** The holder's rights to read and to share. */
export async function fixedRights(ctx: LookUpContext, holder: Holder): Promise<HeldRights> {
  const { admin, rules } = holder.access
  if (admin) return { admin, rules: [] }
  const stored = rules.filter(({ action }) => action === 'read' || action === 'share')
  const lookedUp = new Map<string, Literal | readonly Literal[]>()
  for (const value of stored.flatMap(({ filter }) => valuesOfFilter(filter))) {
    const name = lookUpName(value)
    if (!lookedUp.has(name)) lookedUp.set(name, await lookUpOne(ctx, holder, value))
  }
  const fixed = { holder, lookedUp }
  return { admin, rules: stored.map((rule): Rule => ({ ...rule, filter: fixFilter(rule.filter, fixed) })) }
}

function fixFilter(filter: Filter, fixed: FixedFacts): Filter {
  switch (filter.kind) {
    case 'all':
    case 'none':
      return filter
    case 'and':
    case 'or':
      return { ...filter, filters: filter.filters.map((each) => fixFilter(each, fixed)) }
    case 'not':
      return { ...filter, filter: fixFilter(filter.filter, fixed) }
    case 'related': {
      const values = filter.needsValues ? dynamicValuesOf(filter.filter) : []
      if (values.some((value) => isMissing(fixDynamic(value, fixed)))) return matchNone
      return { ...filter, filter: fixFilter(filter.filter, fixed) }
    }
    case 'compare':
      return fixComparison(filter, fixed)
  }
}

const listOperators = { eq: 'in', neq: 'nin', in: 'in', nin: 'nin' } as const

/** Comparing with a list means comparing with any of its values. Only equality is supported. */
function fixComparison(filter: Comparison, fixed: FixedFacts): Filter {
  if (!filter.values.some(isDynamic)) return filter
  const values = filter.values.map((value) => (isDynamic(value) ? fixDynamic(value, fixed) : value))
  if (!values.some(isList)) return { ...filter, values: values as readonly Value[] }
  const { operator } = filter
  if (operator !== 'eq' && operator !== 'neq' && operator !== 'in' && operator !== 'nin') return matchNone
  return { ...filter, operator: listOperators[operator], values: values.flat() }
}

const isMissing = (value: Value | readonly Literal[]): boolean =>
  value === null || (isList(value) && value.length === 0)

const isList = (value: Value | readonly Literal[]): value is readonly Literal[] => Array.isArray(value)

function fixDynamic(value: DynamicValue, { holder, lookedUp }: FixedFacts): Value | readonly Literal[] {
  switch (value.kind) {
    case 'current-user':
      return value.path.length === 0 ? holder.user : (lookedUp.get(lookUpName(value)) ?? null)
    case 'current-role':
      return value.path.length === 0 ? holder.role : (lookedUp.get(lookUpName(value)) ?? null)
    case 'current-roles':
      return holder.roles
    case 'current-policies':
      return holder.access.policies
    case 'now':
    case 'numbered':
    case 'reached':
      return value
  }
}
