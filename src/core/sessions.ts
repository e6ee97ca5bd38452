/** Sessions: opened by a login, renewed by their refresh token, ended by logout or misuse. Both generations use them. */
import { setTimeout as sleep } from 'node:timers/promises'
import { loadAccess } from '../authz/access.ts'
import type { Context, Database } from '../domain/context.ts'
import { TandemError } from '../domain/errors.ts'
import { assertText } from '../domain/literals.ts'
import { signAccessToken } from '../tokens/jwt.ts'
import { createRefreshToken, hashToken, readRefreshToken } from '../tokens/opaque.ts'
import { hashPassword, verifyPassword } from '../tokens/password.ts'
import { failAttempt, mayAttempt, passAttempt } from './login-attempts.ts'
import { spendCode } from './second-factor.ts'

/** Who a session belongs to. */
export type SessionUser = {
  /** uuid */
  readonly id: string
  readonly number: number
  readonly role: string | null
}

/** A live session. */
export type Session = {
  /** uuid */
  readonly id: string
  readonly user: SessionUser
  readonly expires: Date
}

/** A session at the moment in which its refresh token is known. */
export type FreshSession = Session & { readonly refreshToken: string }

/** What somebody logs in with. */
export type LoginInput = { readonly email: string; readonly password: string; readonly otp?: string | undefined }

/**
 * Opens a session. An unknown address, a wrong password and an account that may not log in fail
 * alike (`invalid-credentials`), and nothing is answered before the configured time is over. After too many
 * failures nobody can log in for a while (`requests-exceeded`).
 */
export async function login(ctx: Context, input: LoginInput): Promise<FreshSession> {
  assertText(input.email, 'email')
  const stall = sleep(ctx.security.loginStall)
  const attempt = { action: 'login', account: input.email.trim().toLowerCase(), ip: ctx.request.ip } as const
  try {
    await ctx.attempts.begin(attempt)
    const user = await verifyUser(ctx, input)
    await ctx.attempts.succeed(attempt)
    return await openSession(ctx, user)
  } finally {
    await stall
  }
}

type UserRow = SessionUser & {
  readonly status: string
  readonly password: string | null
  readonly provider: string
  readonly tfa_secret: string | null
}

async function verifyUser(ctx: Context, { email, password, otp }: LoginInput): Promise<SessionUser> {
  const { rows } = await ctx.db.run({ text: selectUser, values: [email.trim().toLowerCase()], name: 'login-user' })
  const user = rows[0] as UserRow | undefined
  const isLocal = user?.status === 'active' && user.provider === 'default'
  const verdict = await verifyPassword(password, isLocal ? user.password : null, ctx.security.hash)
  if (user === undefined || !isLocal) throw new TandemError({ kind: 'invalid-credentials' })
  const failure = verdict.matches ? await secondFactorFailure(ctx, user, otp) : 'invalid-credentials'
  await settleAttempt(ctx, user.id, failure)
  if (verdict.needsRehash) {
    const values = [user.id, user.password, await hashPassword(password, ctx.security.hash)]
    await ctx.db.run({ text: 'update platform_users set password = $3 where id = $1 and password = $2', values })
  }
  return { id: user.id, number: user.number, role: user.role }
}

/** A right password that comes too late to count is not told from a wrong one. */
async function settleAttempt(ctx: Context, user: string, failure: LoginFailure | null): Promise<void> {
  if (failure === null) {
    if (!(await passAttempt(ctx, user))) throw new TandemError({ kind: 'invalid-credentials' })
    return
  }
  if (failure !== 'missing-otp') await failAttempt(ctx, user)
  const isTold = failure === 'invalid-credentials' || (await mayAttempt(ctx, user))
  throw new TandemError({ kind: isTold ? failure : 'invalid-credentials' })
}

type LoginFailure = 'invalid-credentials' | 'missing-otp' | 'invalid-otp'

async function secondFactorFailure(
  ctx: Context,
  { id, tfa_secret: secret }: UserRow,
  otp: string | undefined,
): Promise<LoginFailure | null> {
  if (secret === null) return null
  if (otp === undefined || otp === '') return 'missing-otp'
  return (await spendCode(ctx, id, secret, otp)) ? null : 'invalid-otp'
}

const selectUser = `select id, number, role, status, password, provider, tfa_secret from platform_users where email = $1`

/** Opens a session for a user whose identity was proved otherwise. */
export async function openSession(ctx: Context, user: SessionUser): Promise<FreshSession> {
  const now = ctx.clock()
  const id = ctx.ids.uuid()
  const { secret, refreshTtl } = ctx.security
  const refreshToken = createRefreshToken(id, secret)
  const expires = new Date(now.getTime() + refreshTtl)
  const { ip, userAgent, origin } = traces(ctx)
  await ctx.db.transaction(async (db) => {
    await db.run({ text: 'delete from platform_sessions where expires < $1', values: [now.toISOString()] })
    const values = [id, hashToken(refreshToken, secret), user.id, now.toISOString(), expires.toISOString()]
    await db.run({ text: insertSession, values: [...values, ip, userAgent, origin] })
    await touchUser(db, user.id, now)
    await db.run({
      text: insertActivity,
      values: [user.id, now.toISOString(), ip?.slice(0, 50) ?? null, userAgent, origin],
    })
  })
  return { id, user, expires, refreshToken }
}

const insertSession = `insert into platform_sessions
  (id, token_hash, "user", created, expires, ip, user_agent, origin) values ($1, $2, $3, $4, $5, $6, $7, $8)`

const insertActivity = `insert into platform_activity
  (action, "user", "timestamp", ip, user_agent, origin, collection, item)
  values ('login', $1::uuid, $2, $3, $4, $5, 'platform_users', $1::uuid::text)`

const cut = (text: string | null, length: number): string | null => text?.slice(0, length) ?? null

/** What history keeps of a request, cut to the size of its columns. */
function traces({ request }: Context): { ip: string | null; userAgent: string | null; origin: string | null } {
  return { ip: cut(request.ip, 255), userAgent: cut(request.userAgent, 1000), origin: cut(request.origin, 255) }
}

async function touchUser(db: Database, user: string, now: Date): Promise<void> {
  await db.run({ text: 'update platform_users set last_access = $2 where id = $1', values: [user, now.toISOString()] })
}

type RenewedRow = SessionUser & { readonly status: string }

/**
 * Exchanges a refresh token for its successor, at most once: whoever brings an old one ends the session.
 * Throws `invalid-credentials`, or `user-suspended`.
 */
export async function refresh(ctx: Context, refreshToken: string): Promise<FreshSession> {
  const { secret, refreshTtl } = ctx.security
  const id = readRefreshToken(refreshToken, secret)
  if (id === null) throw new TandemError({ kind: 'invalid-credentials' })
  const now = ctx.clock()
  const expires = new Date(now.getTime() + refreshTtl)
  const successor = createRefreshToken(id, secret)
  const hashes = [hashToken(refreshToken, secret), hashToken(successor, secret)]
  const values = [id, ...hashes, now.toISOString(), expires.toISOString()]
  const { rows } = await ctx.db.run({ text: rotate, values, name: 'session-rotate' })
  const user = await activeUser(ctx, id, rows[0] as RenewedRow | undefined, 'invalid-credentials')
  await touchUser(ctx.db, user.id, now)
  return { id, user, expires, refreshToken: successor }
}

const rotate = `update platform_sessions s set token_hash = $3, refreshed = $4, expires = $5
  from platform_users u where s.id = $1 and s.token_hash = $2 and s.expires > $4 and u.id = s."user"
  returning u.id, u.number, u.role, u.status`

/** The owner of a session that was just renewed; the session ends when it could not be, or its owner is not active. */
async function activeUser(
  ctx: Context,
  session: string,
  row: RenewedRow | undefined,
  missing: 'invalid-credentials' | 'unknown-token',
): Promise<SessionUser> {
  if (row?.status === 'active') return { id: row.id, number: row.number, role: row.role }
  await endSession(ctx, session)
  throw new TandemError({ kind: row?.status === 'suspended' ? 'user-suspended' : missing })
}

/** Keeps a session for another full lifetime, without a new refresh token. Throws `unknown-token` when it has ended. */
export async function extendSession(ctx: Context, id: string): Promise<Session> {
  const now = ctx.clock()
  const expires = new Date(now.getTime() + ctx.security.refreshTtl)
  const { rows } = await ctx.db.run({ text: extend, values: [id, now.toISOString(), expires.toISOString()] })
  return { id, user: await activeUser(ctx, id, rows[0] as RenewedRow | undefined, 'unknown-token'), expires }
}

const extend = `update platform_sessions s set refreshed = $2, expires = $3
  from platform_users u where s.id = $1 and s.expires > $2 and u.id = s."user"
  returning u.id, u.number, u.role, u.status`

/** Ends the session that the refresh token names; an unknown token ends nothing. */
export async function logout(ctx: Context, refreshToken: string): Promise<void> {
  const id = readRefreshToken(refreshToken, ctx.security.secret)
  if (id !== null) await endSession(ctx, id)
}

/** Ends a session: its tokens stop working with the next request. */
export async function endSession(ctx: Context, id: string): Promise<void> {
  await ctx.db.run({ text: 'delete from platform_sessions where id = $1', values: [id] })
  await ctx.forgetActors()
}

/** Signs an access token of the session; `claims` are for clients to read and decide nothing. */
export function createAccessToken(
  ctx: Context,
  session: Session,
  options: { readonly ttl?: number; readonly claims?: { readonly [claim: string]: unknown } } = {},
): string {
  const { ttl = ctx.security.accessTtl, claims = {} } = options
  const shown = { id: session.user.id, role: session.user.role, ...claims }
  const settings = { secret: ctx.security.secret, project: ctx.project }
  return signAccessToken({ session: session.id, issuedAt: ctx.clock(), ttl, shown }, settings)
}

/** What clients like to know of the rights of a session's user; looked up anew, and refused with `invalid-ip`. */
export async function readFlags(ctx: Context, { id, role }: SessionUser): Promise<{ admin: boolean; app: boolean }> {
  const { access } = await loadAccess(ctx.db, ctx.schema, { kind: 'user', user: id, role }, ctx.request.ip)
  return { admin: access.admin, app: access.app }
}
