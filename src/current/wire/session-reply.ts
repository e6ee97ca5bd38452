/** Puts tokens into answers and cookies, by login mode. */
import {
  createAccessToken,
  type FreshSession,
  readFlags,
  type Session,
  type TokenOptions,
} from '../../core/accounts/sessions.ts'
import { createShareToken, type ShareSession } from '../../core/shares/share-sessions.ts'
import type { Context } from '../../domain/ports/context.ts'
import { invalidPayload, TandemError } from '../../domain/rights/errors.ts'
import { assertTrustedPage } from '../../http/app/trusted-page.ts'
import { type Cookie, json, withCookies } from '../../http/reply/reply.ts'
import type { HttpRequest } from '../../http/request/request.ts'
import { createTokenReader } from '../../tokens/bearer-tokens.ts'
import { isByCookie, sessionCookie } from './credentials.ts'

export type Mode = 'json' | 'cookie' | 'session'

/** Lifetime in milliseconds of the token in a session cookie. */
const sessionTtl = 86_400_000

/** Marks tokens made for the session cookie. */
const renewal = 'session-cookie'

/** Answers with the tokens of a session; without a refresh token it is in session mode. */
export async function replyTokens(ctx: Context, session: FreshSession | Session, mode: Mode) {
  const { admin, app } = await readFlags(ctx, session.user)
  const claims = { app_access: app, admin_access: admin }
  const refreshToken = 'refreshToken' in session ? session.refreshToken : ''
  return reply(ctx, { refreshToken, sign: (options) => createAccessToken(ctx, session, { ...options, claims }) }, mode)
}

export function replyShareTokens(
  ctx: Pick<Context, 'clock' | 'project' | 'security'>,
  session: ShareSession,
  mode: Mode,
) {
  const { refreshToken = '' } = session
  return reply(ctx, { refreshToken, sign: (options) => createShareToken(ctx, session, options) }, mode)
}

type Tokens = { readonly refreshToken: string; readonly sign: (options: TokenOptions) => string }

function reply(ctx: Pick<Context, 'security'>, { refreshToken, sign }: Tokens, mode: Mode) {
  const { accessTtl, refreshTtl, cookie } = ctx.security
  if (mode === 'session') {
    const ttl = Math.min(sessionTtl, refreshTtl)
    return withCookies(json({ data: { expires: ttl } }), [cookieOf(ctx, sessionCookie, sign({ ttl, renewal }), ttl)])
  }
  const data = { expires: accessTtl, access_token: sign({ ttl: accessTtl }) }
  if (mode === 'json') return json({ data: { ...data, refresh_token: refreshToken } })
  return withCookies(json({ data }), [cookieOf(ctx, cookie.name, refreshToken, refreshTtl)])
}

type CookieSettings = { readonly security: Pick<Context['security'], 'cookie'> }

function cookieOf({ security }: CookieSettings, name: string, value: string | null, ttl: number): Cookie {
  const { domain, secure, sameSite } = security.cookie
  const maxAgeSeconds = Math.floor(ttl / 1000)
  return { name, value, maxAgeSeconds, secure, sameSite, httpOnly: true, ...(domain === null ? {} : { domain }) }
}

/** Deletes the session and refresh cookies that the request carries, and `more`. */
export const expiredCookies = (
  ctx: Pick<Context, 'security'>,
  request: HttpRequest,
  more: readonly string[] = [],
): readonly Cookie[] =>
  [ctx.security.cookie.name, sessionCookie, ...more]
    .filter((name) => name in request.cookies)
    .map((name) => cookieOf(ctx, name, null, 0))

/** Deletes the session cookie of a request that has no other token. */
export const endedCookie = (security: Pick<Context['security'], 'cookie'>, request: HttpRequest): Cookie | null =>
  isByCookie(request) ? cookieOf({ security }, sessionCookie, null, 0) : null

/** How a request identifies its session. */
export type SessionProof =
  | { readonly kind: 'refresh'; readonly token: string; readonly mode: Mode }
  /**
   * uuid of the session, from a valid token in the session cookie; `renews` only if the token was made for the cookie.
   */
  | { readonly kind: 'session'; readonly session: string; readonly mode: 'session'; readonly renews: boolean }

type SessionInput = { readonly refresh_token?: string; readonly mode?: Mode } | undefined

/** Finds a proof that can renew the session; an access token put into the cookie cannot. */
export function findRenewal(
  ctx: Pick<Context, 'project' | 'clock' | 'security'>,
  body: SessionInput,
  request: HttpRequest,
): SessionProof {
  const proof = findProof(ctx, body, request)
  if (proof.kind === 'session' && !proof.renews) throw new TandemError({ kind: 'invalid-token' })
  return proof
}

/** The refresh token from the body, else from its cookie, else the session cookie. */
export function findProof(
  ctx: Pick<Context, 'project' | 'clock' | 'security'>,
  body: SessionInput,
  request: HttpRequest,
): SessionProof {
  if (body?.refresh_token !== undefined) {
    return { kind: 'refresh', token: body.refresh_token, mode: body.mode ?? 'json' }
  }
  assertTrustedPage(request)
  const inCookie = request.cookies[ctx.security.cookie.name]
  if (inCookie !== undefined && inCookie !== '' && body?.mode !== 'session') {
    return { kind: 'refresh', token: inCookie, mode: body?.mode ?? 'cookie' }
  }
  const token = request.cookies[sessionCookie]
  if (token === undefined || token === '') {
    const reason = 'Expected a refresh token in "refresh_token" or in a cookie but received none'
    throw invalidPayload('refresh_token', reason)
  }
  const read = createTokenReader({ secret: ctx.security.secret, project: ctx.project }, ctx.clock)
  const credentials = read(token)
  if (credentials.kind !== 'session') throw new TandemError({ kind: 'invalid-token' })
  return {
    kind: 'session',
    session: credentials.session,
    mode: 'session',
    renews: credentials.renewal === renewal,
  }
}
