/** Rights: roles, policies and permissions. */
import { seedIds } from '../../../src/domain/schema/identity.ts'
import { plain } from '../rows/stored.ts'
import type { StoredRow } from '../rows/tables.ts'
import { among, pick, type Store, type Tasks } from './store.ts'

type Keys = readonly string[]

/** Where a level applies. `role`: the id of the role, or its number. */
type PermissionTarget = {
  readonly role: string | null
  readonly collection: string | null
  readonly status: string | null
}

/** The depth at which the ancestors of a role end. */
const deepest = 20

const byKey = (left: StoredRow, right: StoredRow): number => {
  const [a, b] = [left['id'], right['id']] as [number, number]
  return a < b ? -1 : a > b ? 1 : 0
}

/** A role and its ancestors, the nearest first. */
function lineage(store: Store, role: unknown): readonly string[] {
  const ids: string[] = []
  let at = role == null ? undefined : store.row('platform_roles', role)
  for (let depth = 0; at !== undefined && depth <= deepest; depth += 1) {
    const id = at['id'] as string
    if (ids.includes(id)) break
    ids.push(id)
    at = at['parent'] == null ? undefined : store.row('platform_roles', at['parent'])
  }
  return ids
}

/** The roles, and all below them. */
function withChildren(store: Store, roles: Iterable<unknown>): ReadonlySet<unknown> {
  const all = new Set(roles)
  for (let before = -1; before !== all.size; ) {
    before = all.size
    for (const { id, parent } of store.rows('platform_roles')) if (parent != null && all.has(parent)) all.add(id)
  }
  return all
}

/** Policies that are held because of an entry of `platform_access`. */
const policiesBy = (store: Store, is: (access: StoredRow) => boolean): readonly StoredRow[] => {
  const ids = new Set(store.rows('platform_access', is).map(({ policy }) => policy))
  return store.rows('platform_policies', ({ id }) => ids.has(id)).toSorted(byKey)
}

const permissionsOf = (store: Store, policies: readonly StoredRow[]): readonly StoredRow[] => {
  const ids = new Set(policies.map(({ id }) => id))
  return store.rows('platform_permissions', ({ policy }) => ids.has(policy)).toSorted(byKey)
}

/** Whether a user can log in at all. */
function isAble(store: Store, user: StoredRow, demanding: ReadonlySet<unknown>): boolean {
  const has = (column: string): boolean => user[column] != null
  if (user['status'] !== 'active') return false
  const isLocal = user['provider'] === 'default'
  if (!has('token') && !(has('email') && (has('password') || !isLocal))) return false
  if (has('tfa_secret') || (has('email') && has('password') && isLocal)) return true
  if (has('role') && demanding.has(user['role'])) return false
  return !policiesBy(store, (access) => access['user'] === user['id']).some((policy) => policy['enforce_tfa'] === true)
}

/** The roles with a policy of that kind, and those below them. */
const rolesWith = (store: Store, is: (policy: StoredRow) => boolean): ReadonlySet<unknown> => {
  const policies = new Set(store.rows('platform_policies', is).map(({ id }) => id))
  const held = store.rows('platform_access', ({ role, policy }) => role != null && policies.has(policy))
  return withChildren(
    store,
    held.map(({ role }) => role),
  )
}

type Settings = { readonly changed: boolean; readonly switched: Keys; readonly verification: Keys }

/** Whether registration gives its role to somebody because of what was written. */
const opens = (settings: StoredRow, { changed, switched, verification }: Settings): boolean =>
  changed ||
  (among(switched, settings['id']) && settings['public_registration'] === true) ||
  (among(verification, settings['id']) && settings['public_registration_verify_email'] !== true)

export const access = {
  readHeldAccess(store, role: string | null, user: string | null) {
    const roles = lineage(store, role)
    const policies = policiesBy(
      store,
      (each) =>
        (user !== null && each['user'] === user) ||
        (each['role'] != null && roles.includes(each['role'] as string)) ||
        (role === null && each['role'] == null && each['user'] == null),
    )
    const own = role === null ? undefined : store.row('platform_roles', role)
    const levels = store.rows('platform_role_levels', (each) =>
      role === null ? each['role'] === seedIds.publicRole : roles.includes(each['role'] as string),
    )
    return [
      {
        roles,
        policies: policies.map((each) => pick(each, ['id', 'ip_access', 'admin_access', 'app_access', 'enforce_tfa'])),
        permissions: permissionsOf(store, policies),
        levels: levels.toSorted(byKey),
        role_ip: own?.['ip_access'] ?? null,
        role_tfa: own?.['enforce_tfa'] ?? null,
      },
    ]
  },
  findLevels: (store, roles: Keys | null) =>
    store.rows('platform_role_levels', ({ role }) => roles === null || among(roles, role)).toSorted(byKey),
  findLevelsAt(store, text: string) {
    const places = JSON.parse(text) as readonly PermissionTarget[]
    const levels = store.rows('platform_role_levels', (level) => {
      const { id, number } = store.row('platform_roles', level['role']) ?? {}
      return places.some(
        ({ role, collection, status }) =>
          (role === id || role === plain(number)) &&
          collection === level['collection'] &&
          (status ?? '') === (level['status'] ?? ''),
      )
    })
    return levels.map(({ id }) => ({ id }))
  },
  demandsSecondFactor: (store, policies: Keys) =>
    store.rows('platform_policies', (each) => each['enforce_tfa'] === true && among(policies, each['id'])),
  administratorAddresses(store) {
    const demanding = rolesWith(store, (policy) => policy['enforce_tfa'] === true)
    const able = store.rows('platform_users', (user) => isAble(store, user, demanding))
    const policies = store.rows('platform_policies', (policy) => {
      if (policy['admin_access'] !== true) return false
      const held = rolesWith(store, ({ id }) => id === policy['id'])
      const own = store.rows('platform_access', { policy: policy['id'] })
      return able.some(
        (user) => (user['role'] != null && held.has(user['role'])) || own.some((each) => each['user'] === user['id']),
      )
    })
    return policies.map(({ ip_access }) => ({ ip_access }))
  },
  isEverybodyAdministrator: (store) =>
    policiesBy(store, (each) => each['role'] == null && each['user'] == null).filter(
      (each) => each['admin_access'] === true,
    ),
  isRoleTreeTooHigh: (store) =>
    store.rows('platform_roles', (role) => {
      let at: StoredRow | undefined = role
      for (let depth = 0; depth < deepest; depth += 1) {
        if (at?.['parent'] == null) return false
        at = store.row('platform_roles', at['parent'])
      }
      return true
    }),
  findGrantedPolicies(
    store,
    ...[users, roles, entries, policies, changed, shares, switched, verification]: [
      Keys,
      Keys,
      Keys,
      Keys,
      boolean,
      Keys,
      Keys,
      Keys,
    ]
  ) {
    const opened = store.rows('platform_settings', (each) => opens(each, { changed, switched, verification }))
    const first = [
      ...store.rows('platform_roles', ({ id }) => among(roles, id)).map(({ id }) => id),
      ...store.rows('platform_users', ({ id }) => among(users, id)).map(({ role }) => role),
      ...opened.map((each) => each['public_registration_role']),
      ...store.rows('platform_shares', ({ id }) => among(shares, id)).map(({ role }) => role),
    ]
    const held = new Set(first.flatMap((role) => lineage(store, role)))
    const gained = policiesBy(
      store,
      ({ role, user, id }) => (role != null && held.has(role as string)) || among(users, user) || among(entries, id),
    )
    const all = new Set([...gained, ...store.rows('platform_policies', ({ id }) => among(policies, id))])
    return [...all].map((policy) => ({
      ...pick(policy, ['id', 'admin_access', 'app_access']),
      permissions: permissionsOf(store, [policy]),
    }))
  },
  findPermissions: (store, keys: Keys) => store.rows('platform_permissions', ({ id }) => among(keys, id)),
} satisfies Tasks
