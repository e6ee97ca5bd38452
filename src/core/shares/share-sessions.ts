/**
 * Sessions of shares. They are opened with the id and the password of the share, and renewed and ended like other
 * sessions.
 */

import { isUuid } from '../../domain/conditions/literals.ts'
import type { AccountContext, Context, Database, ReadContext } from '../../domain/ports/context.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { repeatedTransaction } from '../../sql/errors/conflicts.ts'
import { deleteExpiredSessions } from '../../sql/statements/accounts/sessions.ts'
import {
  countShareUse,
  findLoginShare,
  insertShareSession,
  isShareSession,
  type LoginShare,
  renewSessionOfShare,
  type ShareFacts,
} from '../../sql/statements/accounts/shares.ts'
import { noteShareLogin } from '../../sql/statements/activity.ts'
import { signAccessToken } from '../../tokens/jwt.ts'
import { createRefreshToken, hashToken, readRefreshToken } from '../../tokens/opaque.ts'
import { verifyPassword } from '../../tokens/password.ts'
import { accessOfShare } from '../access/share-actor.ts'
import { asAttempt } from '../accounts/attempts.ts'
import { endSession, type TokenOptions } from '../accounts/sessions.ts'

/** A live session. `refreshToken`: known only when it is created. */
export type ShareSession = {
  /** uuid */
  readonly id: string
  readonly share: Pick<ShareFacts, 'id' | 'collection' | 'item' | 'role'>
  readonly refreshToken?: string
}

export type ShareLogin = { readonly share: string; readonly password?: string | undefined }

/**
 * Opens a session and counts the use. An unknown, inactive or used-up share and a wrong password have the same error
 * (`invalid-credentials`), after the configured minimum time. Too many failures block the share for a while
 * (`requests-exceeded`).
 */
export async function loginShare(ctx: Context, input: ShareLogin): Promise<ShareSession> {
  const attempt = { action: 'share', account: input.share.toLowerCase() } as const
  return asAttempt(ctx, attempt, async () => openShareSession(ctx, await verifyShare(ctx, input)))
}

async function verifyShare(
  ctx: ReadContext & Pick<Context, 'log' | 'request' | 'security'>,
  { share, password = '' }: ShareLogin,
): Promise<LoginShare> {
  const loginShare = await findLoginShare(ctx.db, isUuid(share) ? share.toLowerCase() : null, ctx.clock())
  const matches = loginShare?.password === null || (await isPassword(ctx, password, loginShare?.password ?? null))
  if (loginShare === undefined || !matches || (await accessOfShare(placeOf(ctx), loginShare)) === null) throw refused()
  return loginShare
}

const isPassword = async (ctx: Pick<Context, 'security'>, password: string, stored: string | null): Promise<boolean> =>
  (await verifyPassword(password, stored, { cost: ctx.security.hash })).matches

const refused = (): TandemError => new TandemError({ kind: 'invalid-credentials' })

const placeOf = ({
  db,
  rows,
  schema,
  request,
  clock,
}: Pick<Context, 'db' | 'rows' | 'schema' | 'request' | 'clock'>) => ({
  db,
  rows,
  schema,
  ip: request.ip,
  now: clock(),
})

async function openShareSession(ctx: AccountContext, share: LoginShare): Promise<ShareSession> {
  const { secret } = ctx.security
  const id = ctx.ids.uuid()
  const refreshToken = createRefreshToken(id, secret)
  await repeatedTransaction(ctx.db, async (db) => {
    // Checked and counted in one statement, so that concurrent logins cannot exceed the limit.
    if (!(await countShareUse(db, share.id, share.password))) throw refused()
    await deleteExpiredSessions(db, ctx.clock())
    await insertSession(ctx, db, { id, share, hash: hashToken(refreshToken, secret) })
  })
  return { id, share, refreshToken }
}

type NewSession = { readonly id: string; readonly share: LoginShare; readonly hash: string }

async function insertSession(
  ctx: Pick<Context, 'clock' | 'request' | 'security'>,
  db: Database,
  { id, share, hash }: NewSession,
): Promise<void> {
  const { ip, userAgent, origin } = ctx.request
  const now = ctx.clock()
  const expires = new Date(now.getTime() + ctx.security.refreshTtl)
  const whence = { userAgent, origin }
  const session = { id, hash, share: share.id, created: now, expires, shareEnds: share.date_end }
  await insertShareSession(db, { ...session, ...whence, ip: ip?.slice(0, 255) ?? null })
  await noteShareLogin(db, { ...whence, share: share.id, now, ip: ip?.slice(0, 50) ?? null })
}

/** The credentials that identify a session. */
type Proof =
  | { readonly kind: 'refresh'; readonly token: string }
  | { readonly kind: 'session'; readonly session: string }

/**
 * Extends the session of a share: a refresh token can be exchanged once. Null if it is not a session of a share. Throws
 * `invalid-credentials` for a used token, and ends the session.
 */
export async function renewShareSession(ctx: Context, proof: Proof): Promise<ShareSession | null> {
  const id = proof.kind === 'session' ? proof.session : readRefreshToken(proof.token, ctx.security.secret)
  if (id === null || !(await isShareSession(ctx.db, id))) return null
  const { secret, refreshTtl } = ctx.security
  const successor = proof.kind === 'refresh' ? createRefreshToken(id, secret) : null
  const tokens =
    proof.kind === 'refresh' ? { from: hashToken(proof.token, secret), to: hashToken(successor ?? '', secret) } : null
  const now = ctx.clock()
  const expires = new Date(now.getTime() + refreshTtl)
  const share = await renewSessionOfShare(ctx.db, { id, now, expires, tokens })
  if (share === undefined || (await accessOfShare(placeOf(ctx), share)) === null) {
    await endSession(ctx, id)
    throw refused()
  }
  return { id, share, ...(successor === null ? {} : { refreshToken: successor }) }
}

/** Signs an access token of the session. Its claims about the share are information for clients and give no rights. */
export function createShareToken(
  ctx: Pick<Context, 'project' | 'clock' | 'security'>,
  { id, share }: ShareSession,
  options: TokenOptions,
): string {
  const { ttl = ctx.security.accessTtl, renewal } = options
  const { collection, item, role } = share
  const scope = { collection, item }
  const shown = { share: share.id, share_scope: scope, role, app_access: false, admin_access: false }
  const settings = { secret: ctx.security.secret, project: ctx.project }
  return signAccessToken({ session: id, issuedAt: ctx.clock(), ttl, renewal, shown }, settings)
}
