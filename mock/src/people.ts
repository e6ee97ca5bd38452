/** Users with their tokens and permissions, as rows of the system collections. */
import { seedIds } from '../../src/domain/schema/identity.ts'
import { hashToken } from '../../src/tokens/opaque.ts'
import type { GivenRows, MockPermission, MockUser } from './api.ts'

type Row = { readonly [column: string]: unknown }

type Options = {
  /** Null: there is one administrator, and every request is this user's. */
  readonly users: readonly KnownUser[] | null
  readonly visitors: readonly MockPermission[]
  readonly secret: string
  readonly uuid: () => string
}

export type KnownUser = MockUser & { readonly id: string }

/** The only user of a mock without given users. */
export const everybody: KnownUser = {
  id: '00000000-0000-4000-8000-0000000000a1',
  email: 'admin@example.com',
  token: 'token-of-the-only-user',
  admin: true,
}

/** The rows, with the keys of those that the server starts with left alone. */
export function peopleRows({ users, visitors, secret, uuid }: Options): GivenRows {
  const all = users ?? [everybody]
  const own = all.filter(({ admin, permissions = [] }) => admin !== true && permissions.length > 0)
  const policies = own.map((user) => ({ user, id: uuid() }))
  return {
    platform_users: all.map((user) => rowOf(user, secret)),
    platform_policies: policies.map(({ user, id }) => ({ id, name: user.email.slice(0, 100) })),
    platform_access: policies.map(({ user, id }) => ({ id: uuid(), user: user.id, policy: id })),
    platform_permissions: [
      ...visitors.map((each) => permission(each, seedIds.publicPolicy)),
      ...policies.flatMap(({ user, id }) => (user.permissions ?? []).map((each) => permission(each, id))),
    ],
  }
}

/** The hash of the password is added later, because hashing takes time. */
function rowOf(
  { token, password: _password, permissions: _permissions, admin, email, ...columns }: KnownUser,
  secret: string,
): Row {
  return {
    email: email.toLowerCase(),
    role: admin === true ? seedIds.administratorRole : null,
    ...(token === undefined ? {} : { token: hashToken(token, secret) }),
    ...columns,
  }
}

const permission = (
  { collection, action, fields = ['*'], permissions = null, validation = null, presets = null }: MockPermission,
  policy: string,
): Row => ({ policy, collection, action, fields, permissions, validation, presets })
