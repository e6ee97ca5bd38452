/** Restricts the filter of a request to readable fields, and to the rows on which each field is readable. */

import { assertFilterCost } from '../domain/conditions/filter-cost.ts'
import {
  and,
  type Comparison,
  compare,
  type Filter,
  isDynamic,
  matchAll,
  type Operand,
  or,
  type RelatedFilter,
  type Value,
} from '../domain/query/filter.ts'
import { functions } from '../domain/query/functions.ts'
import { isOperatorAllowed, isTextAllowed } from '../domain/query/operators.ts'
import { liveRelatedRows } from '../domain/schema/archive.ts'
import { holdsValue } from '../domain/schema/references.ts'
import type { Field } from '../domain/schema/schema.ts'
import {
  type AuthorizationState,
  findReadGrant,
  forbidden,
  isBounded,
  isUnlimited,
  type ReadGrant,
  readableField,
  refuse,
} from './grants.ts'

/** Adds row rules to every relation and guards to every comparison. The caller adds the row rule of the root collection. */
export function restrictFilter(state: AuthorizationState, grant: ReadGrant, filter: Filter, depth: number): Filter {
  const restricted = restrict(state, grant, filter, { depth, negated: false })
  // Permissions are checked before the cost, so that cost errors do not reveal fields. Filters of rules do not count.
  if (isBounded(state.actor)) assertFilterCost(state, grant.collection.name, filter)
  return restricted
}

/** The grant on the collection that a relational field leads to. Throws `forbidden` for the field if the actor has none. */
export function relatedRows(state: AuthorizationState, from: ReadGrant, field: Field, collection: string): ReadGrant {
  const { relation } = field
  const leads =
    relation?.kind === 'many-to-any' ? relation.allowed.includes(collection) : relation?.collection === collection
  if (!leads) throw forbidden('read', collection)
  const grant = findReadGrant(state.actor, state.schema, collection)
  // The collection of a many-to-any is named by the caller, and refused like one that does not exist.
  if (grant === null && relation?.kind === 'many-to-any') throw forbidden('read', collection)
  if (grant === null) throw forbidden('read', from.collection.name, field.name)
  return grant
}

/** Whether the function may be applied to the field. Throws `invalid-query` that names `part`. */
export function assertFunction(field: Field, name: keyof typeof functions, part: string): void {
  const types: readonly string[] = functions[name]
  const countable = field.type !== 'alias' || field.relation?.kind === 'one-to-many'
  if (types.includes(field.type) && countable && !field.concealed) return
  refuse(part, `Function "${name}" does not apply to field "${field.name}" of type ${field.type}`)
}

/** `negated`: whether the number of `not` between the condition and its closest relation is odd. */
type FilterPosition = { readonly depth: number; readonly negated: boolean }

function restrict(state: AuthorizationState, grant: ReadGrant, filter: Filter, position: FilterPosition): Filter {
  switch (filter.kind) {
    case 'all':
    case 'none':
      return filter
    case 'and':
      return and(...filter.filters.map((each) => restrict(state, grant, each, position)))
    case 'or':
      return or(...filter.filters.map((each) => restrict(state, grant, each, position)))
    case 'not':
      return { kind: 'not', filter: restrict(state, grant, filter.filter, { ...position, negated: !position.negated }) }
    case 'compare':
      return restrictComparison(state, grant, filter, position)
    case 'related':
      return restrictRelated(state, grant, filter, position)
  }
}

/**
 * A comparison never matches a row on which its field is not readable. Below a `not`, the inner condition is
 * therefore true on such a row.
 */
function guarded(guard: Filter | null, filter: Filter, negated: boolean): Filter {
  if (guard === null) return filter
  return negated ? or(filter, { kind: 'not', filter: guard }) : and(guard, filter)
}

function restrictComparison(
  state: AuthorizationState,
  grant: ReadGrant,
  filter: Comparison,
  position: FilterPosition,
): Filter {
  const { operand, operator, values } = filter
  const { field, guard } = readableField(grant, operand.field)
  if (position.depth > state.limits.depth) refuse('filter', `Expected at most ${state.limits.depth} names in a path`)
  for (const value of values) if (isDynamic(value)) assertPath(state, value)
  if (operand.kind === 'function') {
    assertFunction(field, operand.function, 'filter')
    if (!isOperatorAllowed(operator, { type: resultType(operand), concealed: false, column: null }))
      refuseOperator(filter, `${operand.function}()`)
    if (field.relation?.kind !== 'one-to-many') return guarded(guard, filter, position.negated)
    const { rows } = relatedRows(state, grant, field, field.relation.collection)
    const { live, ...call } = operand
    const related = live === true ? and(rows, liveRelatedRows(state.schema, field)) : rows
    return guarded(guard, { ...filter, operand: { ...call, related } }, position.negated)
  }
  if (!holdsValue(field)) return restrict(state, grant, relatedKeys(state, field, filter), position)
  const validationOnly = operator === 'regex' || operator === 'submitted'
  const isAllowed = operand.as === 'text' ? isTextAllowed : isOperatorAllowed
  if (validationOnly || !isAllowed(operator, isByNumber(values) ? { ...field, ...ofNumber } : field)) {
    refuseOperator(filter, field.concealed ? 'concealed' : field.type)
  }
  return guarded(guard, filter, position.negated)
}

/** Whether the keys of rows are compared by their numbers. */
const isByNumber = (values: readonly Value[]): boolean =>
  values.length > 0 && values.every((value) => isDynamic(value) && value.kind === 'numbered')

const ofNumber = { type: 'integer', column: null } as const

/** Texts within JSON have an order, which texts of columns are not compared by. */
const resultType = ({ as }: Extract<Operand, { kind: 'function' }>) => (as === 'text' ? 'unknown' : 'integer')

/** Turns a comparison of a to-many field into a condition on the related keys. `null` and `empty` mean: no related rows. */
function relatedKeys(state: AuthorizationState, field: Field, { operator, values }: Comparison): Filter {
  const { relation } = field
  if (relation?.kind !== 'one-to-many') {
    return refuse('filter', `Expected a field that holds values but received "${field.name}"`)
  }
  const { collection } = relation
  const none = operator === 'null' || operator === 'empty'
  const related = { kind: 'related', field: field.name, collection, quantifier: none ? 'none' : 'some' } as const
  if (none || operator === 'nnull' || operator === 'nempty') return { ...related, filter: matchAll }
  const key = state.schema.collections.get(collection)?.primaryKey ?? ''
  return { ...related, filter: compare(key, operator, values) }
}

function refuseOperator(filter: Comparison, type: string): never {
  refuse('filter', `Operator "${filter.operator}" does not apply to field "${filter.operand.field}" of type ${type}`)
}

function restrictRelated(
  state: AuthorizationState,
  grant: ReadGrant,
  filter: RelatedFilter,
  position: FilterPosition,
): Filter {
  if (position.depth >= state.limits.depth) refuse('filter', `Expected at most ${state.limits.depth} names in a path`)
  if (filter.by !== undefined) return restrictFollowed(state, grant, { ...filter, by: filter.by }, position)
  const { field, guard } = readableField(grant, filter.field)
  const target = relatedRows(state, grant, field, filter.collection)
  const inner = restrict(state, target, filter.filter, { depth: position.depth + 1, negated: false })
  const { live, ...related } = filter
  // Excluding archived rows reveals no value of the archive field, and needs no right to read it.
  const rows = live === true ? and(target.rows, liveRelatedRows(state.schema, field)) : target.rows
  return guarded(guard, { ...related, filter: and(rows, inner) }, position.negated)
}

/** Rows that refer to this one are known by the field that refers, which must be readable on them. */
function restrictFollowed(
  state: AuthorizationState,
  grant: ReadGrant,
  filter: RelatedFilter & { readonly by: string },
  { depth }: FilterPosition,
): Filter {
  const target = findReadGrant(state.actor, state.schema, filter.collection)
  if (target === null) throw forbidden('read', grant.collection.name, filter.field)
  const { guard } = readableField(target, filter.by)
  const inner = restrict(state, target, filter.filter, { depth: depth + 1, negated: false })
  return { ...filter, filter: and(target.rows, guard ?? matchAll, inner) }
}

/**
 * Checks the path of a value such as `$CURRENT_USER.department`. Each field must be readable on every row, or the
 * actor's own row must be readable by a rule on its key.
 */
function assertPath(state: AuthorizationState, value: Value): void {
  if (!isDynamic(value) || (value.kind !== 'current-user' && value.kind !== 'current-role')) return
  if (value.path.length === 0 || isUnlimited(state.actor)) return
  let collection = value.kind === 'current-user' ? 'platform_users' : 'platform_roles'
  let own = true
  for (const name of value.path) {
    const grant = findReadGrant(state.actor, state.schema, collection)
    const readable = grant?.fields.get(name)
    const sees = grant !== null && (grant.rows.kind === 'all' || (own && coversOwn(grant.rows, value.kind)))
    if (!sees || readable === undefined || readable.guard !== null || readable.field.concealed) {
      throw forbidden('read', collection, name)
    }
    const { relation } = readable.field
    collection = relation?.kind === 'many-to-one' ? relation.collection : ''
    own = false
  }
}

/** Whether the filter always matches the actor's own row: `id = $CURRENT_USER`, alone or as a branch of an OR. */
function coversOwn(rows: Filter, kind: 'current-user' | 'current-role'): boolean {
  if (rows.kind === 'or') return rows.filters.some((each) => coversOwn(each, kind))
  if (rows.kind !== 'compare' || rows.operator !== 'eq' || rows.operand.kind !== 'field') return false
  const [value] = rows.values
  return (
    rows.operand.field === 'id' &&
    value !== undefined &&
    isDynamic(value) &&
    value.kind === kind &&
    value.path.length === 0
  )
}
