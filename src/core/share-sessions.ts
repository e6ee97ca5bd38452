/** Sessions of those who come by a share: opened with its id and password, renewed and ended like any other. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context, Database } from '../domain/context.ts'
import { TandemError } from '../domain/errors.ts'
import { isUuid } from '../domain/literals.ts'
import { signAccessToken } from '../tokens/jwt.ts'
import { createRefreshToken, hashToken, readRefreshToken } from '../tokens/opaque.ts'
import { verifyPassword } from '../tokens/password.ts'
import { endSession } from './sessions.ts'
import { accessOfShare, type ShareFacts, validShare } from './share-actor.ts'

/** A live session. `refreshToken` at the moment in which it is known. */
export type ShareSession = {
  /** uuid */
  readonly id: string
  readonly share: Pick<ShareFacts, 'id' | 'collection' | 'item' | 'role'>
  readonly refreshToken?: string
}

/** What somebody comes with. */
export type ShareLogin = { readonly share: string; readonly password?: string | undefined }

type StoredShare = ShareFacts & { readonly password: string | null; readonly date_end: string | null }

/**
 * Opens a session and counts it. An unknown share, one that is not valid now or used up, and a wrong password fail
 * alike (`invalid-credentials`), and nothing is answered before the configured time is over. After too many failures
 * nobody comes by that share for a while (`requests-exceeded`).
 */
export async function loginShare(ctx: Context, input: ShareLogin): Promise<ShareSession> {
  const stall = sleep(ctx.security.loginStall)
  const attempt = { action: 'share', account: input.share.toLowerCase(), ip: ctx.request.ip } as const
  try {
    await ctx.attempts.begin(attempt)
    const session = await openShareSession(ctx, await verifyShare(ctx, input))
    await ctx.attempts.succeed(attempt)
    return session
  } finally {
    await stall
  }
}

async function verifyShare(ctx: Context, { share, password = '' }: ShareLogin): Promise<StoredShare> {
  const values = [isUuid(share) ? share.toLowerCase() : null, ctx.clock().toISOString()]
  const { rows } = await ctx.db.run({ text: selectShare, values, name: 'login-share' })
  const found = rows[0] as StoredShare | undefined
  const matches = found?.password === null || (await isPassword(ctx, password, found?.password ?? null))
  if (found === undefined || !matches || (await accessOfShare(placeOf(ctx), found)) === null) throw refused()
  return found
}

const isPassword = async (ctx: Context, password: string, stored: string | null): Promise<boolean> =>
  (await verifyPassword(password, stored, ctx.security.hash)).matches

const selectShare = `select ${validShare.columns}, h.password, h.date_end from ${validShare.tables}
  where h.id = $1::uuid and (h.max_uses is null or h.times_used < h.max_uses) and ${validShare.condition}`

const refused = (): TandemError => new TandemError({ kind: 'invalid-credentials' })

const placeOf = ({ db, schema, request, clock }: Context) => ({ db, schema, ip: request.ip, now: clock() })

async function openShareSession(ctx: Context, share: StoredShare): Promise<ShareSession> {
  const { secret } = ctx.security
  const id = ctx.ids.uuid()
  const refreshToken = createRefreshToken(id, secret)
  const now = ctx.clock().toISOString()
  await ctx.db.transaction(async (db) => {
    // Counted where it is checked: of many who come at once no more get in than may.
    const { count } = await db.run({ text: countUse, values: [share.id, share.password] })
    if (count === 0) throw refused()
    await db.run({ text: 'delete from platform_sessions where expires < $1', values: [now] })
    await insertSession(ctx, db, { id, share, hash: hashToken(refreshToken, secret) })
  })
  return { id, share, refreshToken }
}

const countUse = `update platform_shares set times_used = times_used + 1
  where id = $1 and password is not distinct from $2::text and (max_uses is null or times_used < max_uses) returning 1`

type NewSession = { readonly id: string; readonly share: StoredShare; readonly hash: string }

async function insertSession(ctx: Context, db: Database, { id, share, hash }: NewSession): Promise<void> {
  const { ip, userAgent, origin } = ctx.request
  const now = ctx.clock()
  const expires = new Date(now.getTime() + ctx.security.refreshTtl).toISOString()
  const traces = [ip?.slice(0, 255) ?? null, userAgent?.slice(0, 1000) ?? null, origin?.slice(0, 255) ?? null]
  const values = [id, hash, share.id, now.toISOString(), expires, share.date_end, ...traces]
  await db.run({ text: insertText, values })
  const activity = [now.toISOString(), ip?.slice(0, 50) ?? null, ...traces.slice(1), share.id]
  await db.run({ text: activityText, values: activity })
}

const insertText = `insert into platform_sessions
  (id, token_hash, share, created, expires, ip, user_agent, origin)
  values ($1, $2, $3, $4, least($5::timestamptz, $6::timestamptz), $7, $8, $9)`

const activityText = `insert into platform_activity (action, "timestamp", ip, user_agent, origin, collection, item)
  values ('login', $1, $2, $3, $4, 'platform_shares', $5)`

/** What a request names its session by. */
type Proof =
  | { readonly kind: 'refresh'; readonly token: string }
  | { readonly kind: 'session'; readonly session: string }

/**
 * Keeps the session of a share's visitor for longer: a refresh token is exchanged for its successor, at most once.
 * Null when it is not the session of a share. Throws `invalid-credentials`, and ends the session then.
 */
export async function renewShareSession(ctx: Context, proof: Proof): Promise<ShareSession | null> {
  const id = proof.kind === 'session' ? proof.session : readRefreshToken(proof.token, ctx.security.secret)
  const isShare = 'select 1 from platform_sessions where id = $1 and share is not null'
  if (id === null || (await ctx.db.run({ text: isShare, values: [id] })).count === 0) return null
  const { secret, refreshTtl } = ctx.security
  const successor = proof.kind === 'refresh' ? createRefreshToken(id, secret) : null
  const hashes =
    proof.kind === 'refresh' ? [hashToken(proof.token, secret), hashToken(successor ?? '', secret)] : [null, null]
  const now = ctx.clock()
  const values = [id, now.toISOString(), new Date(now.getTime() + refreshTtl).toISOString(), ...hashes]
  const { rows } = await ctx.db.run({ text: renew, values })
  const share = rows[0] as ShareFacts | undefined
  if (share === undefined || (await accessOfShare(placeOf(ctx), share)) === null) {
    await endSession(ctx, id)
    throw refused()
  }
  return { id, share, ...(successor === null ? {} : { refreshToken: successor }) }
}

const renew = `update platform_sessions s set refreshed = $2::timestamptz, token_hash = coalesce($5::text, s.token_hash),
    expires = least($3::timestamptz, h.date_end) from ${validShare.tables}
  where s.id = $1 and s.share = h.id and s.expires > $2::timestamptz and ($4::text is null or s.token_hash = $4::text)
    and ${validShare.condition}
  returning ${validShare.columns}`

/** Signs an access token of the session; what it says of the share is for clients to read and decides nothing. */
export function createShareToken(ctx: Context, { id, share }: ShareSession, ttl = ctx.security.accessTtl): string {
  const { collection, item, role } = share
  const scope = { collection, item }
  const shown = { share: share.id, share_scope: scope, role, app_access: false, admin_access: false }
  const settings = { secret: ctx.security.secret, project: ctx.project }
  return signAccessToken({ session: id, issuedAt: ctx.clock(), ttl, shown }, settings)
}
