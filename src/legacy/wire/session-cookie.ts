/** Cookie mode: the token is in a cookie that scripts cannot read and that every request prolongs. */
import { createAccessToken, extendSession, type Session } from '../../core/accounts/sessions.ts'
import { numbersOf } from '../../core/items/identity-keys.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { Renewal } from '../../domain/rights/actor.ts'
import type { Cookie, Reply } from '../../http/reply/reply.ts'
import { withCookies } from '../../http/reply/reply.ts'
import { projectCookie } from '../../http/request/project-cookie.ts'
import type { HttpRequest } from '../../http/request/request.ts'
import { findToken, isProlonged } from './credentials.ts'

/** Lifetime of a temporary token in minutes where the project has no other one (`auth_token_ttl`). */
const usualMinutes = 20

/** Milliseconds after which a cookie is renewed. */
const renewAfter = 60_000

/** Creates a temporary token for the session, with the claims that clients of this generation read. */
export async function createToken(
  ctx: Pick<Context, 'project' | 'db' | 'clock' | 'schema' | 'security'>,
  session: Session,
): Promise<string> {
  const { role } = session.user
  const number = role === null ? undefined : (await numbersOf(ctx, [role])).get(role)
  const minutes = ctx.schema.settings?.tokenMinutes ?? usualMinutes
  return sign(ctx, session, { renewal: 'temporary', minutes, role: number ?? null })
}

type Kind = { readonly renewal: Renewal; readonly minutes: number; readonly role: number | null }

/** Users and roles are identified by their numbers. */
function sign(
  ctx: Pick<Context, 'project' | 'clock' | 'security'>,
  session: Session,
  { renewal, minutes, role }: Kind,
): string {
  const own = { id: session.user.number, role, type: 'auth' }
  const claims = { ...own, ttl: minutes, key: ctx.project, project: ctx.project }
  return createAccessToken(ctx, session, { ttl: minutes * 60_000, renewal, claims })
}

export function sessionCookie(ctx: Pick<Context, 'project' | 'clock' | 'security'>, session: Session): Cookie {
  const { refreshTtl } = ctx.security
  const minutes = Math.floor(refreshTtl / 60_000)
  // Scripts cannot read the cookie.
  return cookieOf(ctx, sign(ctx, session, { renewal: 'prolonged-cookie', minutes, role: null }))
}

/** Deletes the cookie if the request has it. */
export const expiredCookies = (ctx: Pick<Context, 'project' | 'security'>, request: HttpRequest): readonly Cookie[] =>
  projectCookie(ctx.project) in request.cookies ? [{ ...cookieOf(ctx, null), maxAgeSeconds: 0 }] : []

function cookieOf(ctx: Pick<Context, 'project' | 'security'>, value: string | null): Cookie {
  const { refreshTtl, cookie } = ctx.security
  return {
    name: projectCookie(ctx.project),
    value,
    maxAgeSeconds: Math.floor(refreshTtl / 1000),
    secure: cookie.secure,
    sameSite: cookie.sameSite,
    ...(cookie.domain === null ? {} : { domain: cookie.domain }),
  }
}

/** Prolongs the cookie if the token came with it and was made for it. */
export async function prolongCookie(ctx: Context, request: HttpRequest, reply: Reply): Promise<Reply> {
  if (ctx.actor.kind !== 'user' || ctx.actor.session === null) return reply
  const foundToken = findToken(request, ctx.project)
  if (foundToken?.by !== 'cookie' || !isProlonged(ctx, foundToken.token)) return reply
  if (ctx.clock().getTime() - issuedAt(foundToken.token) < renewAfter)
    return withCookies(reply, [cookieOf(ctx, foundToken.token)])
  return withCookies(reply, [sessionCookie(ctx, await extendSession(ctx, ctx.actor.session))])
}

/** Time of issue in milliseconds; the token is already verified. */
function issuedAt(token: string): number {
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { readonly iat?: number }
  return (claims.iat ?? 0) * 1000
}
