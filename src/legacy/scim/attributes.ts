/** The attributes of SCIM resources that conditions may name, and the columns behind them. */
import { and, type Comparison, type Filter, matchAll, matchNone, or } from '../../domain/query/filter.ts'
import type { OperatorName } from '../../domain/query/operators.ts'

/** Comparisons of SCIM; `pr` tests for presence. */
export type ScimOperator = 'eq' | 'ne' | 'co' | 'sw' | 'ew' | 'gt' | 'ge' | 'lt' | 'le' | 'pr'

export type ScimValue = string | number | boolean | null

/** The condition on rows; null if the attribute lacks the operator, or does not take the value. */
type Attribute = (operator: ScimOperator, value: ScimValue) => Filter | null

/** By name in lower case. */
export type Attributes = { readonly [name: string]: Attribute }

const compare = (field: string, operator: OperatorName, ...values: Comparison['values']): Filter => ({
  kind: 'compare',
  operand: { kind: 'field', field },
  operator,
  values,
})

/** The condition, false where the column is null, so that its negation is true there. */
const onValue = (field: string, filter: Filter): Filter => and(compare(field, 'nnull'), filter)

const not = (filter: Filter): Filter => ({ kind: 'not', filter })

const exactly = { eq: 'eq', co: 'contains', sw: 'startsWith', ew: 'endsWith' } as const
const ignoringCase = { eq: 'eq', co: 'icontains', sw: 'istartsWith', ew: 'iendsWith' } as const

type Textual = { readonly [Operator in 'eq' | 'co' | 'sw' | 'ew']: OperatorName }

const textual =
  (field: string, operators: Textual, toStored: (value: string) => string): Attribute =>
  (operator, value) => {
    if (operator === 'pr') return compare(field, 'nempty')
    if (operator === 'ne') return not(textual(field, operators, toStored)('eq', value) ?? matchNone)
    if (value === null) return operator === 'eq' ? compare(field, 'null') : null
    if (typeof value !== 'string' || !(operator in operators)) return null
    return onValue(field, compare(field, operators[operator as keyof Textual], toStored(value)))
  }

const text = (field: string): Attribute => textual(field, exactly, (value) => value)

/** Addresses are stored in lower case. */
const address = (field: string): Attribute => textual(field, ignoringCase, (value) => value.trim().toLowerCase())

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Rows with these ids: external ids (null = none), and the uuids that rows without external ids are shown with. */
export function withIds(external: string | null, ids: readonly string[]): Filter {
  const own = ids.filter((each) => uuid.test(each)).map((each) => each.toLowerCase())
  return or(
    external === null || ids.length === 0 ? matchNone : onValue(external, compare(external, 'in', ...ids)),
    own.length === 0 ? matchNone : compare('id', 'in', ...own),
  )
}

const identified =
  (external: string): Attribute =>
  (operator, value) => {
    if (operator === 'pr') return matchAll
    if (operator === 'eq') return typeof value === 'string' ? withIds(external, [value]) : matchNone
    if (operator !== 'ne') return null
    return typeof value === 'string' ? not(withIds(external, [value])) : matchAll
  }

/** An attribute with the same value in all resources. */
const constant =
  (own: ScimValue): Attribute =>
  (operator, value) => {
    if (operator === 'pr') return matchAll
    if (operator !== 'eq' && operator !== 'ne') return null
    return (value === own) === (operator === 'eq') ? matchAll : matchNone
  }

const active: Attribute = (operator, value) => {
  if (operator === 'pr') return matchAll
  const wanted = typeof value === 'string' ? value.toLowerCase() === 'true' : value === true
  if (operator !== 'eq' && operator !== 'ne') return null
  return compare('status', wanted === (operator === 'eq') ? 'eq' : 'neq', 'active')
}

/** Rows whose related row has the id. */
const related = (field: string, collection: string, external: string): Attribute => {
  const some = (filter: Filter): Filter => ({ kind: 'related', field, collection, quantifier: 'some', filter })
  return (operator, value) => {
    if (operator === 'pr') return some(matchAll)
    if (typeof value !== 'string' || (operator !== 'eq' && operator !== 'ne')) return null
    const found = some(withIds(external, [value]))
    return operator === 'eq' ? found : not(found)
  }
}

/** Column with the id that an identity provider gave a user. */
export const userExternal = 'external_identifier'

/** Column with the id that an identity provider gave a role. */
export const roleExternal = 'external_id'

const ofEmail = {
  value: address('email'),
  type: constant('work'),
  primary: constant(true),
} as const

export const userAttributes: Attributes = {
  id: identified(userExternal),
  externalid: text(userExternal),
  username: address('email'),
  emails: ofEmail.value,
  'emails.value': ofEmail.value,
  'emails.type': ofEmail.type,
  'emails.primary': ofEmail.primary,
  'name.givenname': text('first_name'),
  'name.familyname': text('last_name'),
  title: text('title'),
  locale: text('language'),
  timezone: text('timezone'),
  active,
  groups: related('role', 'platform_roles', roleExternal),
  'groups.value': related('role', 'platform_roles', roleExternal),
}

export const groupAttributes: Attributes = {
  id: identified(roleExternal),
  externalid: text(roleExternal),
  displayname: text('name'),
  members: related('users', 'platform_users', userExternal),
  'members.value': related('users', 'platform_users', userExternal),
}

/** What a filter on members of a group may name: a user by id, or by address. */
export const memberAttributes: Attributes = {
  'members.value': (operator, value) => (typeof value === 'string' && operator === 'eq' ? membersNamed([value]) : null),
}

/** Users with these ids or addresses. */
export function membersNamed(names: readonly string[]): Filter {
  const addresses = names.filter((each) => each.includes('@')).map((each) => each.trim().toLowerCase())
  return or(withIds(userExternal, names), addresses.length === 0 ? matchNone : compare('email', 'in', ...addresses))
}
