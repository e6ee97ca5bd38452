/** The attributes of SCIM resources that conditions may name, and the columns behind them. */
import { type Comparison, type Filter, matchAll, matchNone, or } from '../domain/query/filter.ts'
import type { OperatorName } from '../domain/query/operators.ts'

export type ScimValue = string | number | boolean | null

/** The condition on rows whose attribute has the value; null if the attribute does not take it. */
type Attribute = (value: ScimValue) => Filter | null

/** By name in lower case. */
export type Attributes = { readonly [name: string]: Attribute }

const compare = (field: string, operator: OperatorName, ...values: Comparison['values']): Filter => ({
  kind: 'compare',
  operand: { kind: 'field', field },
  operator,
  values,
})

const textual =
  (field: string, toStored: (value: string) => string): Attribute =>
  (value) => {
    if (value === null) return compare(field, 'null')
    return typeof value === 'string' ? compare(field, 'eq', toStored(value)) : null
  }

const text = (field: string): Attribute => textual(field, (value) => value)

/** Addresses are stored in lower case. */
const address = (field: string): Attribute => textual(field, (value) => value.trim().toLowerCase())

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Rows with these ids: external ids (null = none), and uuids. */
export function withIds(external: string | null, ids: readonly string[]): Filter {
  const own = ids.filter((each) => uuid.test(each)).map((each) => each.toLowerCase())
  return or(
    external === null || ids.length === 0 ? matchNone : compare(external, 'in', ...ids),
    own.length === 0 ? matchNone : compare('id', 'in', ...own),
  )
}

const identified =
  (external: string): Attribute =>
  (value) =>
    typeof value === 'string' ? withIds(external, [value]) : matchNone

/** An attribute with the same value in all resources. */
const constant =
  (own: ScimValue): Attribute =>
  (value) =>
    value === own ? matchAll : matchNone

const active: Attribute = (value) => {
  const wanted = typeof value === 'string' ? value.toLowerCase() === 'true' : value === true
  return compare('status', wanted ? 'eq' : 'neq', 'active')
}

/** Rows whose related row has the id. */
const related =
  (field: string, collection: string, external: string): Attribute =>
  (value) => {
    if (typeof value !== 'string') return null
    return { kind: 'related', field, collection, quantifier: 'some', filter: withIds(external, [value]) }
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

/** What a filter on members of a group may name: a user by id, or by address where `addresses` are known. */
export const memberAttributes = (addresses: boolean): Attributes => ({
  'members.value': (value) => (typeof value === 'string' ? membersNamed([value], addresses) : null),
})

/** Users with these ids, or addresses. */
export function membersNamed(names: readonly string[], addresses: boolean): Filter {
  const known = addresses ? names.filter((each) => each.includes('@')).map((each) => each.trim().toLowerCase()) : []
  return or(withIds(userExternal, names), known.length === 0 ? matchNone : compare('email', 'in', ...known))
}
