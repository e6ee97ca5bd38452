/** Sessions: opened by a login, renewed by a refresh token, ended by logout or misuse. */
import { assertText } from '../../domain/conditions/literals.ts'
import type { AccountContext, Context, Database } from '../../domain/ports/context.ts'
import type { SessionOrigin } from '../../domain/ports/providers.ts'
import type { Renewal } from '../../domain/rights/actor.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { repeatedTransaction } from '../../sql/errors/conflicts.ts'
import {
  deleteExpiredSessions,
  deleteSession,
  insertSession,
  prolongSession,
  rotateSession,
  type SessionOwner,
} from '../../sql/statements/accounts/sessions.ts'
import { findLoginUser, type LoginUser, replacePasswordHash, touchUser } from '../../sql/statements/accounts/users.ts'
import { noteLogin, type Traces } from '../../sql/statements/activity.ts'
import { signAccessToken } from '../../tokens/jwt.ts'
import { createRefreshToken, hashToken, readRefreshToken } from '../../tokens/opaque.ts'
import { hashPassword, verifyPassword } from '../../tokens/password.ts'
import { loadAccess } from '../access/load-access.ts'
import { asAttempt } from './attempts.ts'
import { failAttempt, mayAttempt, passAttempt } from './login-attempts.ts'
import { livesAtProvider, noteOrigin } from './providers/sessions.ts'
import { spendCode } from './second-factor.ts'

export type SessionUser = {
  /** uuid */
  readonly id: string
  readonly number: number
  readonly role: string | null
  /** The session of a login provider that the new session comes from. */
  readonly origin?: SessionOrigin | undefined
}

export type Session = {
  /** uuid */
  readonly id: string
  readonly user: SessionUser
  readonly expires: Date
}

/** A new session, with its refresh token, which is not stored. */
export type FreshSession = Session & { readonly refreshToken: string }

export type LoginInput = { readonly email: string; readonly password: string; readonly otp?: string | undefined }

/**
 * Opens a session. An unknown address, a wrong password and an account without login have the same error
 * (`invalid-credentials`), after the configured minimum time. Only the correct password of an account that is not active
 * tells so (`user-suspended`, `user-inactive`). Too many failures block logins for a while (`requests-exceeded`).
 */
export async function login(ctx: AccountContext, input: LoginInput): Promise<FreshSession> {
  if (ctx.providers?.disableDefault === true)
    throw new TandemError({ kind: 'route-not-found', path: 'for logins with email and password' })
  return loginLocally(ctx, input, 'default')
}

/** The same for the accounts of one provider whose passwords are here. */
export async function loginLocally(ctx: AccountContext, input: LoginInput, provider: string): Promise<FreshSession> {
  assertText(input.email, 'email')
  const attempt = { action: 'login', account: input.email.trim().toLowerCase() } as const
  return asAttempt(ctx, attempt, async () => openSession(ctx, await verifyUser(ctx, input, provider)))
}

async function verifyUser(
  ctx: AccountContext,
  { email, password, otp }: LoginInput,
  provider: string,
): Promise<SessionUser> {
  const user = await findLoginUser(ctx.db, email.trim().toLowerCase())
  const isLocal = user?.provider === provider
  const verdict = await verifyPassword(password, isLocal ? user.password : null, { cost: ctx.security.hash })
  if (!isLocal) throw new TandemError({ kind: 'invalid-credentials' })
  const failure = verdict.matches ? await otherFailure(ctx, user, otp) : 'invalid-credentials'
  await settleAttempt(ctx, user.id, failure)
  if (verdict.needsRehash) {
    const to = await hashPassword(password, ctx.security.hash)
    await replacePasswordHash(ctx.db, { user: user.id, from: user.password, to })
  }
  return { id: user.id, number: user.number, role: user.role }
}

/** After too many failures, a correct password has the same error as a wrong one. */
async function settleAttempt(ctx: AccountContext, user: string, failure: LoginFailure | null): Promise<void> {
  if (failure === null) {
    if (!(await passAttempt(ctx, user))) throw new TandemError({ kind: 'invalid-credentials' })
    return
  }
  if (failure === 'invalid-credentials' || failure === 'invalid-otp') await failAttempt(ctx, user)
  const isTold = failure === 'invalid-credentials' || (await mayAttempt(ctx, user))
  throw new TandemError({ kind: isTold ? failure : 'invalid-credentials' })
}

type LoginFailure = 'invalid-credentials' | 'missing-otp' | 'invalid-otp' | 'user-suspended' | 'user-inactive'

/** What prevents a login with the correct password. */
async function otherFailure(
  ctx: Pick<Context, 'db' | 'clock'>,
  { id, status, tfa_secret: secret }: LoginUser,
  otp: string | undefined,
): Promise<LoginFailure | null> {
  if (status !== 'active') return status === 'suspended' ? 'user-suspended' : 'user-inactive'
  if (secret === null) return null
  if (otp === undefined || otp === '') return 'missing-otp'
  return (await spendCode(ctx, id, secret, otp)) ? null : 'invalid-otp'
}

/** Opens a session of `ttl` milliseconds for a user who was authenticated by other means. */
export async function openSession(
  ctx: AccountContext,
  user: SessionUser,
  ttl: number = ctx.security.refreshTtl,
): Promise<FreshSession> {
  const now = ctx.clock()
  const id = ctx.ids.uuid()
  const { secret } = ctx.security
  const refreshToken = createRefreshToken(id, secret)
  const expires = new Date(now.getTime() + ttl)
  const hash = hashToken(refreshToken, secret)
  const whence = traces(ctx)
  const open = async (db: Database): Promise<void> => {
    await deleteExpiredSessions(db, now)
    // The new session locks its user for readers alone, which on MariaDB two logins at once would wait for.
    await touchUser(db, user.id, now)
    await insertSession(db, { id, hash, user: user.id, created: now, expires, ...whence })
    if (user.origin !== undefined) await noteOrigin(ctx, db, { session: id, origin: user.origin })
    await noteLogin(db, { ...whence, user: user.id, now, ip: cut(whence.ip, 50) })
  }
  await repeatedTransaction(ctx.db, open)
  return { id, user, expires, refreshToken }
}

const cut = (text: string | null, length: number): string | null => text?.slice(0, length) ?? null

/** The facts of a request for history. */
function traces({ request }: Pick<Context, 'request'>): Traces {
  return { ip: cut(request.ip, 255), userAgent: request.userAgent, origin: request.origin }
}

/**
 * Exchanges a refresh token for a new one, at most once. The use of an old token ends the session. Throws
 * `invalid-credentials` or `user-suspended`.
 */
export async function refresh(ctx: Context, refreshToken: string): Promise<FreshSession> {
  const { secret, refreshTtl } = ctx.security
  const id = readRefreshToken(refreshToken, secret)
  if (id === null) throw new TandemError({ kind: 'invalid-credentials' })
  await renewAtProvider(ctx, id)
  const now = ctx.clock()
  const expires = new Date(now.getTime() + refreshTtl)
  const successor = createRefreshToken(id, secret)
  const hashes = { from: hashToken(refreshToken, secret), to: hashToken(successor, secret) }
  const owner = await rotateSession(ctx.db, { id, ...hashes }, { now, expires })
  const user = await activeUser(ctx, id, owner, 'invalid-credentials')
  await touchUser(ctx.db, user.id, now)
  return { id, user, expires, refreshToken: successor }
}

/** Ends the session if the provider that it lives on refuses, and throws `invalid-credentials`. */
async function renewAtProvider(ctx: Context, session: string): Promise<void> {
  if (await livesAtProvider(ctx, session)) return
  await endSession(ctx, session)
  throw new TandemError({ kind: 'invalid-credentials' })
}

/** The user of a renewed session. The session ends if it could not be renewed or its user is not active. */
async function activeUser(
  ctx: Pick<Context, 'db' | 'forgetActors'>,
  session: string,
  row: SessionOwner | undefined,
  missing: 'invalid-credentials' | 'unknown-token',
): Promise<SessionUser> {
  if (row?.status === 'active') return { id: row.id, number: row.number, role: row.role }
  await endSession(ctx, session)
  throw new TandemError({ kind: row?.status === 'suspended' ? 'user-suspended' : missing })
}

/** Extends a session by its full lifetime, without a new refresh token. Throws `unknown-token` if it has ended. */
export async function extendSession(ctx: Context, id: string): Promise<Session> {
  await renewAtProvider(ctx, id)
  const now = ctx.clock()
  const expires = new Date(now.getTime() + ctx.security.refreshTtl)
  const owner = await prolongSession(ctx.db, id, { now, expires })
  return { id, user: await activeUser(ctx, id, owner, 'unknown-token'), expires }
}

/** Ends the session of the refresh token. An unknown token has no effect. */
export async function logout(
  ctx: Pick<Context, 'db' | 'security' | 'forgetActors'>,
  refreshToken: string,
): Promise<void> {
  const id = readRefreshToken(refreshToken, ctx.security.secret)
  if (id !== null) await endSession(ctx, id)
}

/** Ends a session. Its tokens are invalid from the next request on. */
export async function endSession(ctx: Pick<Context, 'db' | 'forgetActors'>, id: string): Promise<void> {
  await deleteSession(ctx.db, id)
  await ctx.forgetActors()
}

/** Lifetime in milliseconds, and whether the token can renew itself. */
export type TokenOptions = { readonly ttl?: number; readonly renewal?: Renewal | undefined }

/** Signs an access token of the session. `claims` are information for clients and give no rights. */
export function createAccessToken(
  ctx: Pick<Context, 'project' | 'clock' | 'security'>,
  session: Session,
  options: TokenOptions & { readonly claims?: { readonly [claim: string]: unknown } },
): string {
  const { ttl = ctx.security.accessTtl, renewal, claims = {} } = options
  const shown = { id: session.user.id, role: session.user.role, ...claims }
  const settings = { secret: ctx.security.secret, project: ctx.project }
  return signAccessToken({ session: session.id, issuedAt: ctx.clock(), ttl, renewal, shown }, settings)
}

/** Facts about the rights of the session's user for clients, read again each time. Throws `invalid-ip`. */
export async function readFlags(
  ctx: Pick<Context, 'db' | 'schema' | 'request'>,
  { id, role }: SessionUser,
): Promise<{ admin: boolean; app: boolean }> {
  const { access } = await loadAccess(ctx.db, ctx.schema, { kind: 'user', user: id, role }, ctx.request.ip)
  return { admin: access.admin, app: access.app }
}
