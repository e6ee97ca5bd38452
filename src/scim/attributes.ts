/** The attributes of SCIM resources that conditions may name, and the columns behind them. */
import { and, compare, equals, type Filter, matchAll, matchNone, or } from '../domain/query/filter.ts'

export type ScimValue = string | number | boolean | null

/** The condition on rows whose attribute has the value; null if the attribute does not take it. */
type Attribute = (value: ScimValue) => Filter | null

/** By name in lower case. */
export type Attributes = { readonly [name: string]: Attribute }

const textual =
  (field: string, toStored: (value: string) => string): Attribute =>
  (value) => {
    if (value === null) return compare(field, 'null')
    return typeof value === 'string' ? equals(field, toStored(value)) : null
  }

const text = (field: string): Attribute => textual(field, (value) => value)

/** Addresses are stored in lower case. */
const address: Attribute = textual('email', (value) => value.trim().toLowerCase())

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Rows with these ids: external ids (null = none) of the rows `among`, and uuids. */
export function withIds(external: string | null, ids: readonly string[], among: Filter): Filter {
  const own = ids.filter((each) => uuid.test(each)).map((each) => each.toLowerCase())
  return or(
    external === null || ids.length === 0 ? matchNone : and(compare(external, 'in', ids), among),
    own.length === 0 ? matchNone : compare('id', 'in', own),
  )
}

const identified =
  (external: string, among: Filter = matchAll): Attribute =>
  (value) =>
    typeof value === 'string' ? withIds(external, [value], among) : matchNone

/** An attribute with the same value in all resources. */
const constant =
  (own: ScimValue): Attribute =>
  (value) =>
    value === own ? matchAll : matchNone

const active: Attribute = (value) => {
  const wanted = typeof value === 'string' ? value.toLowerCase() === 'true' : value === true
  return compare('status', wanted ? 'eq' : 'neq', ['active'])
}

/** Rows whose related row has the id. */
const related =
  (
    field: string,
    collection: string,
    { external, among = matchAll }: { external: string; among?: Filter },
  ): Attribute =>
  (value) => {
    if (typeof value !== 'string') return null
    return { kind: 'related', field, collection, quantifier: 'some', filter: withIds(external, [value], among) }
  }

/** Column with the id that an identity provider gave a user. */
export const userExternal = 'external_identifier'

/**
 * Users whose external id is their id. Those of a named login provider have a key there, which is unique at that
 * provider alone; their id is their uuid.
 */
export const ofNoProvider: Filter = equals('provider', 'default')

/** Column with the id that an identity provider gave a role. */
export const roleExternal = 'external_id'

/** `among`: the users whose external id is their id. */
export const userAttributes = (among: Filter): Attributes => ({
  id: identified(userExternal, among),
  externalid: text(userExternal),
  username: address,
  emails: address,
  'emails.value': address,
  'emails.type': constant('work'),
  'emails.primary': constant(true),
  'name.givenname': text('first_name'),
  'name.familyname': text('last_name'),
  title: text('title'),
  locale: text('language'),
  timezone: text('timezone'),
  active,
  groups: related('role', 'platform_roles', { external: roleExternal }),
  'groups.value': related('role', 'platform_roles', { external: roleExternal }),
})

/** The same for groups. */
export const groupAttributes = (among: Filter): Attributes => ({
  id: identified(roleExternal),
  externalid: text(roleExternal),
  displayname: text('name'),
  members: related('users', 'platform_users', { external: userExternal, among }),
  'members.value': related('users', 'platform_users', { external: userExternal, among }),
})

/** Operands of a filter on members of a group: a user by id, or by address where `addresses` are known. */
export const memberAttributes = (addresses: boolean): Attributes => ({
  'members.value': (value) => (typeof value === 'string' ? membersNamed([value], addresses) : null),
})

/** Users with these ids, or addresses. */
export function membersNamed(names: readonly string[], addresses: boolean): Filter {
  const existing = addresses ? names.filter((each) => each.includes('@')).map((each) => each.trim().toLowerCase()) : []
  return or(
    withIds(userExternal, names, ofNoProvider),
    existing.length === 0 ? matchNone : compare('email', 'in', existing),
  )
}
