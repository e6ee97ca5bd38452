/** Users, their sessions and failed logins, and roles. */
import type { StoredRow } from '../rows/tables.ts'
import { among, instant, isAfter, pick, type Store, type Tasks, zoned } from './store.ts'

type Keys = readonly string[]

const account = ['id', 'number', 'email', 'password', 'status', 'provider'] as const
const correspondent = ['id', 'email', 'first_name', 'last_name'] as const

const isBefore = (moment: unknown, now: string): boolean =>
  (instant(moment) ?? Number.POSITIVE_INFINITY) < Date.parse(now)

/** Number of consecutive failures that suspends an account; null = never. */
function mostFailures(store: Store): number | null {
  const most = Number(store.rows('platform_settings')[0]?.['auth_login_attempts'] ?? 0)
  return most > 0 ? most : null
}

/** Whether an attempt was made in the last minute. */
function failedLately(store: Store, user: string, now: string): boolean {
  const [state] = store.rows('platform_account_states', { user })
  return (instant(state?.['last_attempt']) ?? 0) > Date.parse(now) - 60_000
}

/** As in the server, a blocked account has one attempt per minute. */
function isBlocked(store: Store, user: string, now: string): boolean {
  const most = mostFailures(store)
  const [state] = store.rows('platform_account_states', { user })
  if (most === null || Number(state?.['failed_logins'] ?? 0) < most) return false
  return failedLately(store, user, now)
}

/** Changes the state of an account, which may have none yet. */
function setState(store: Store, user: string, changes: StoredRow): readonly unknown[] {
  const changed = store.change('platform_account_states', { user }, changes)
  if (changed.length === 0) store.add('platform_account_states', { user, failed_logins: 0, ...changes })
  return [{}]
}

const activeUser = (store: Store, user: string): StoredRow | undefined =>
  store.rows('platform_users', { id: user, status: 'active' })[0]

export const accounts = {
  findAccountByEmail: (store, email: string) =>
    store.rows('platform_users', { email }).map((row) => pick(row, account)),
  findAccountsByEmail: (store, emails: Keys) =>
    store
      .rows('platform_users', ({ email }) => emails.includes(email as string))
      .map((row) => pick(row, [...account, 'role'])),
  lockAccount: (store, user: string) => store.rows('platform_users', { id: user }).map((row) => pick(row, account)),
  findUserNumber: (store, user: string) =>
    store.rows('platform_users', { id: user }).map((row) => pick(row, ['number'])),
  findLoginUser: (store, email: string) => store.rows('platform_users', { email }),
  findFactorUser: (store, user: string) => store.rows('platform_users', { id: user }),
  lacksSecondFactor: (store, user: string) =>
    store.rows('platform_users', (row) => row['id'] === user && row['tfa_secret'] == null),
  replacePasswordHash: (store, user: string, from: string, password: string) =>
    store.change('platform_users', { id: user, password: from }, { password }),
  touchUser: (store, user: string, now: string) => store.change('platform_users', { id: user }, { last_access: now }),
  setLastPage: (store, user: string, page: string) => store.change('platform_users', { id: user }, { last_page: page }),
  suspendUser: (store, user: string) =>
    store.change('platform_users', { id: user, status: 'active' }, { status: 'suspended' }),
  suspendUsersOfRoles(store, roles: Keys) {
    const held = store.change('platform_users', ({ role }) => among(roles, role), { status: 'suspended' })
    const ids = held.map(({ id }) => id)
    return store.remove('platform_sessions', ({ user }) => among(ids, user))
  },
  findActiveUsers: (store, users: Keys) =>
    store
      .rows('platform_users', ({ id, status }) => status === 'active' && among(users, id))
      .toSorted((left, right) => (String(left['id']) < String(right['id']) ? -1 : 1))
      .map((row) => pick(row, ['id', 'role'])),
  findCorrespondents: (store, numbers: readonly number[]) =>
    store
      .rows(
        'platform_users',
        (row) => row['email'] != null && row['status'] === 'active' && among(numbers, row['number']),
      )
      .toSorted((left, right) => Number(left['number']) - Number(right['number']))
      .map((row) => pick(row, correspondent)),
  findOwnAddress: (store, user: string) =>
    store
      .rows('platform_users', (row) => row['id'] === user && row['email'] != null)
      .map((row) => pick(row, correspondent)),

  endFailures(store, user: string, now: string) {
    if (activeUser(store, user) === undefined || isBlocked(store, user, now)) return []
    const isNew = store.rows('platform_account_states', { user }).length === 0
    return setState(store, user, { failed_logins: 0, ...(isNew ? { last_attempt: now } : {}) })
  },
  mayAttemptLogin: (store, user: string, now: string) =>
    store.rows(
      'platform_users',
      ({ id, status }) =>
        id === user &&
        ((status === 'active' && !isBlocked(store, user, now)) ||
          (status === 'suspended' && !failedLately(store, user, now))),
    ),
  countFailure(store, user: string, now: string) {
    const [state] = store.rows('platform_account_states', { user })
    const failures = Number(state?.['failed_logins'] ?? 0) + 1
    if (isBlocked(store, user, now)) return [{ isTooMany: false }]
    setState(store, user, { failed_logins: failures, last_attempt: now })
    const most = mostFailures(store)
    return [{ isTooMany: most !== null && failures >= most }]
  },
  clearFailures: (store, user: string) => store.change('platform_account_states', { user }, { failed_logins: 0 }),
  rememberSecret: (store, user: string, hash: string, until: string) =>
    setState(store, user, { pending_secret_hash: hash, pending_until: until }),
  confirmSecret: (store, user: string, hash: string, now: string) =>
    store.change(
      'platform_account_states',
      (row) => row['user'] === user && row['pending_secret_hash'] === hash && isAfter(row['pending_until'], now),
      { pending_secret_hash: null, pending_until: null, code_step: null },
    ),
  spendStep(store, user: string, step: number) {
    const [state] = store.rows('platform_account_states', { user })
    if (state?.['code_step'] != null && Number(state['code_step']) >= step) return []
    return setState(store, user, { code_step: step })
  },

  findOwnPolicy: (store, role: string) =>
    store.rows('platform_roles', { id: role }).map((row) => ({
      name: row['name'],
      id: store.rows('platform_policies', { of_role: row['id'] })[0]?.['id'] ?? null,
    })),
  insertOwnPolicy(store, ...[id, name, admin, app, role]: [string, string, boolean, boolean, string]) {
    store.add('platform_policies', { id, name, admin_access: admin, app_access: app, of_role: role })
    return [{}]
  },
  attachPolicy(store, ...[id, role, policy, sort]: [string, string, string, number | null]) {
    store.add('platform_access', { id, role, policy, sort })
    return [{}]
  },
  linkPermissionsToRoles: (store, keys: Keys) =>
    store.change(
      'platform_permissions',
      ({ id }) => among(keys, id),
      ({ policy }) => ({ role: store.row('platform_policies', policy)?.['of_role'] ?? null }),
    ),
} satisfies Tasks

/** The user of a session, as renewals need it. */
const ownerOf = (store: Store, sessions: readonly StoredRow[]): readonly unknown[] =>
  sessions.flatMap(({ user }) =>
    store.rows('platform_users', { id: user }).map((row) => pick(row, ['id', 'number', 'role', 'status'])),
  )

const tokenOwner = (row: StoredRow, more: object) => ({
  ...pick(row, ['id', 'role', 'status']),
  has_tfa: row['tfa_secret'] != null,
  expires: null,
  ...more,
})

const ownerOfKey = (store: Store, key: StoredRow): readonly unknown[] =>
  store.rows('platform_users', { id: key['user'] }).map((row) =>
    tokenOwner(row, {
      ...pick(key, ['policies', 'max_requests', 'max_cost', 'last_used', 'expires']),
      key: key['id'],
    }),
  )

const keyColumns = [
  'id',
  'user',
  'name',
  'prefix',
  'hash',
  'policies',
  'max_requests',
  'max_cost',
  'expires',
  'created',
]

export const keys = {
  insertKey(store, ...values: readonly unknown[]) {
    const named = keyColumns.map((name, at) => [name, values[at]] as const)
    store.add('platform_keys', { ...Object.fromEntries(named), last_used: null })
    return [{}]
  },
  findKeys: (store, user: string | null) =>
    store
      .rows('platform_keys', (row) => user === null || row['user'] === user)
      .toSorted((one, other) => String(other['created']).localeCompare(String(one['created']))),
  findKeyUser: (store, user: string) =>
    store.rows('platform_users', { id: user }).map((row) => pick(row, ['id', 'role'])),
  findKeyOwner: (store, hash: string) => store.rows('platform_keys', { hash }).flatMap((key) => ownerOfKey(store, key)),
  findPoliciesByName: (store, names: Keys) =>
    store.rows('platform_policies', ({ name }) => names.includes(String(name))).map((row) => pick(row, ['id', 'name'])),
  noteKeyUse: (store, id: string, now: string) => store.change('platform_keys', { id }, { last_used: now }),
  lockKey: (store, id: string, user: string | null) =>
    store.rows('platform_keys', (row) => row['id'] === id && (user === null || row['user'] === user)),
  storeKey: (store, id: string, ...values: readonly unknown[]) =>
    store.change(
      'platform_keys',
      { id },
      Object.fromEntries(
        ['name', 'policies', 'max_requests', 'max_cost', 'expires'].map((name, at) => [name, values[at] ?? null]),
      ),
    ),
  deleteKey: (store, id: string, user: string | null) =>
    store.remove('platform_keys', (row) => row['id'] === id && (user === null || row['user'] === user)),
} satisfies Tasks

export const syncKeys = {
  findSyncKeys: (store, kind: string) => store.rows('platform_sync_keys', { kind }),
  insertSyncKey(store, ...[kind, local, sync, created]: readonly string[]) {
    store.add('platform_sync_keys', { kind, local_id: local, sync_id: sync, created })
    return [{}]
  },
  deleteSyncKey: (store, kind: string, side: string, id: string) =>
    store.remove('platform_sync_keys', (row) => row['kind'] === kind && row[side] === id),
} satisfies Tasks

export const sessions = {
  deleteExpiredSessions: (store, now: string) =>
    store.remove('platform_sessions', ({ expires }) => isBefore(expires, now)),
  insertSession(store, ...[id, hash, user, created, expires]: [string, string, string, string, string]) {
    store.add('platform_sessions', { id, token_hash: hash, user, created, expires })
    return [{}]
  },
  rotateSession: (store, ...[id, from, to, now, expires]: [string, string, string, string, string]) =>
    ownerOf(
      store,
      store.change(
        'platform_sessions',
        (row) => row['id'] === id && row['token_hash'] === from && row['user'] != null && isAfter(row['expires'], now),
        { token_hash: to, refreshed: now, expires },
      ),
    ),
  prolongSession: (store, id: string, now: string, expires: string) =>
    ownerOf(
      store,
      store.change(
        'platform_sessions',
        (row) => row['id'] === id && row['user'] != null && isAfter(row['expires'], now),
        { refreshed: now, expires },
      ),
    ),
  deleteSession: (store, id: string) => store.remove('platform_sessions', { id }),
  deleteSessionsOfUsers: (store, always: Keys, unlessActive: Keys) =>
    store.remove(
      'platform_sessions',
      ({ user }) =>
        among(always, user) ||
        (among(unlessActive, user) && store.row('platform_users', user)?.['status'] !== 'active'),
    ),
  findSessionOwner: (store, session: string, now: string) =>
    store
      .rows('platform_sessions', (row) => row['id'] === session && isAfter(row['expires'], now))
      .flatMap(({ user, expires }) =>
        store.rows('platform_users', { id: user }).map((row) => tokenOwner(row, { expires: zoned(expires) })),
      ),
  findTokenOwners: (store, hash: string, token: string | null) => [
    ...store.rows('platform_users', { token: hash }).map((row) => tokenOwner(row, { plain: null })),
    ...store
      .rows('platform_users', (row) => token !== null && row['token'] === token)
      .map((row) => tokenOwner(row, { plain: token })),
  ],
  replacePlainToken: (store, user: string, plain: string, hash: string) =>
    store.change('platform_users', { id: user, token: plain }, { token: hash }),
} satisfies Tasks
