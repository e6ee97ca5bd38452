/** Who asks: users with their tokens, sessions and permissions. */
import { accessFrom } from '../../src/authz/access.ts'
import type { Access, Actor, Credentials } from '../../src/domain/rights/actor.ts'
import { TandemError } from '../../src/domain/rights/errors.ts'
import type { HeldAccess } from '../../src/domain/rights/stored-rights.ts'
import type { Schema } from '../../src/domain/schema/schema.ts'
import type { MockPermission, MockUser } from './api.ts'

export type KnownUser = MockUser & { readonly id: string; readonly policy: string }

export type Session = {
  readonly user: KnownUser
  readonly refreshToken: string
  readonly accessToken: string
  readonly expires: number
}

/** Milliseconds for which an access token counts. */
export const accessTtl = 900_000

export type Actors = ReturnType<typeof createActors>

type Options = {
  readonly schema: Schema
  /** Without users every caller is an administrator. */
  readonly users: readonly KnownUser[] | null
  /** What callers without a token may do. */
  readonly visitors: readonly MockPermission[]
  readonly now: () => Date
  readonly uuid: () => string
}

export function createActors({ schema, users, visitors, now, uuid }: Options) {
  const sessions = new Map<string, Session>()
  const accesses = new Map<string, Access>()
  const accessOf = (key: string, held: HeldAccess, who: Parameters<typeof accessFrom>[2]): Access => {
    const known = accesses.get(key) ?? accessFrom(schema, held, who, null).access
    accesses.set(key, known)
    return known
  }
  const userActor = (user: KnownUser, session: string | null): Actor => ({
    kind: 'user',
    user: user.id,
    role: null,
    roles: [],
    session,
    access: accessOf(user.id, heldBy(user.policy, user.permissions ?? [], user.admin === true), {
      kind: 'user',
      user: user.id,
      role: null,
    }),
  })
  const open = (user: KnownUser): Session => {
    const session = { user, refreshToken: uuid(), accessToken: `mock.${uuid()}`, expires: now().getTime() + accessTtl }
    sessions.set(session.refreshToken, session)
    return session
  }
  return {
    /** Throws for tokens that nobody has. */
    find(credentials: Credentials): Actor {
      if (users === null)
        return {
          kind: 'user',
          user: everybody,
          role: null,
          roles: [],
          session: null,
          access: accessOf('everybody', heldBy(everybody, [], true), { kind: 'public' }),
        }
      if (credentials.kind === 'none')
        return { kind: 'public', access: accessOf('public', heldBy('public', visitors, false), { kind: 'public' }) }
      if (credentials.kind === 'session') throw new TandemError({ kind: 'invalid-token' })
      const session = [...sessions.values()].find(({ accessToken }) => accessToken === credentials.token)
      if (session !== undefined) {
        if (session.expires < now().getTime()) throw new TandemError({ kind: 'token-expired' })
        return userActor(session.user, session.refreshToken)
      }
      const user = users.find(({ token }) => token === credentials.token)
      if (user === undefined) throw new TandemError({ kind: 'unknown-token' })
      return userActor(user, null)
    },
    login(email: string, password: string): Session {
      const user = users?.find((each) => each.email.toLowerCase() === email.toLowerCase())
      if (user?.password === undefined || user.password !== password)
        throw new TandemError({ kind: 'invalid-credentials' })
      return open(user)
    },
    refresh(token: string): Session {
      const session = sessions.get(token) ?? [...sessions.values()].find(({ accessToken }) => accessToken === token)
      if (session === undefined) throw new TandemError({ kind: 'invalid-credentials' })
      sessions.delete(session.refreshToken)
      return open(session.user)
    },
    logout(token: string): void {
      for (const [key, { accessToken }] of sessions) if (key === token || accessToken === token) sessions.delete(key)
    },
    /** Ends all sessions. */
    reset: (): void => sessions.clear(),
  }
}

const everybody = '00000000-0000-4000-8000-000000000000'

function heldBy(policy: string, permissions: readonly MockPermission[], admin: boolean): HeldAccess {
  const own = { id: policy, ip_access: null, admin_access: admin, app_access: false, enforce_tfa: false }
  const rows = permissions.map(
    ({ collection, action, fields = ['*'], permissions: filter = null, validation = null, presets = null }, index) => ({
      id: index + 1,
      policy,
      collection,
      action,
      fields: fields.join(','),
      permissions: filter,
      validation,
      presets,
    }),
  )
  return { roles: [], policies: [own], permissions: rows, levels: [], role_ip: null, role_tfa: null }
}
