/** Cookie mode: the token travels in a cookie that scripts cannot read and that every use prolongs. */
import { createAccessToken, extendSession, type Session } from '../core/sessions.ts'
import type { Context } from '../domain/context.ts'
import type { Cookie, Reply } from '../http/reply.ts'
import { withCookies } from '../http/reply.ts'
import type { HttpRequest } from '../http/request.ts'
import { cookieName, findToken } from './credentials.ts'

/** Minutes that a temporary token lives. */
const tokenMinutes = 20

/** How long a cookie is used before it is written anew. */
const renewAfter = 60_000

/** A temporary token for the session, with the claims that clients of this generation read. */
export function createToken(ctx: Context, session: Session, minutes = tokenMinutes): string {
  const claims = { id: session.user.number, ttl: minutes, type: 'auth', key: ctx.project, project: ctx.project }
  return createAccessToken(ctx, session, { ttl: minutes * 60_000, claims })
}

/** The cookie that carries the session, for as long as the session itself lives. */
export function sessionCookie(ctx: Context, session: Session): Cookie {
  const { refreshTtl } = ctx.security
  return cookieOf(ctx, createToken(ctx, session, Math.floor(refreshTtl / 60_000)))
}

/** Deletes the cookie, if the request carries it. */
export const expiredCookies = (ctx: Context, request: HttpRequest): readonly Cookie[] =>
  cookieName(ctx.project) in request.cookies ? [{ ...cookieOf(ctx, null), maxAgeSeconds: 0 }] : []

function cookieOf(ctx: Context, value: string | null): Cookie {
  const { refreshTtl, cookie } = ctx.security
  return {
    name: cookieName(ctx.project),
    value,
    maxAgeSeconds: Math.floor(refreshTtl / 1000),
    secure: cookie.secure,
    sameSite: cookie.sameSite,
    ...(cookie.domain === null ? {} : { domain: cookie.domain }),
  }
}

/** The reply with the caller's cookie prolonged, if that is how the token came. */
export async function prolongCookie(ctx: Context, request: HttpRequest, reply: Reply): Promise<Reply> {
  if (ctx.actor.kind !== 'user' || ctx.actor.session === null) return reply
  const found = findToken(request, ctx.project)
  if (found?.by !== 'cookie') return reply
  if (ctx.clock().getTime() - issuedAt(found.token) < renewAfter)
    return withCookies(reply, [cookieOf(ctx, found.token)])
  return withCookies(reply, [sessionCookie(ctx, await extendSession(ctx, ctx.actor.session))])
}

/** Milliseconds; the token has been checked before. */
function issuedAt(token: string): number {
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { readonly iat?: number }
  return (claims.iat ?? 0) * 1000
}
