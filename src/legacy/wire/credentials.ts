/** Finds the token and the project of a request. */

import type { Context } from '../../domain/ports/context.ts'
import type { Credentials } from '../../domain/rights/actor.ts'
import { invalidPayload, TandemError } from '../../domain/rights/errors.ts'
import { assertTrustedPage, assertTrustedWrite } from '../../http/app/trusted-page.ts'
import { projectCookie } from '../../http/request/project-cookie.ts'
import { type HttpRequest, hasProjectHeader, readProjectHeader } from '../../http/request/request.ts'
import { createTokenReader } from '../../tokens/bearer-tokens.ts'

/** The project of requests that name none. */
const defaultProject = '_'

/** The parts of a request that may carry a token. */
export type TokenSources = Pick<HttpRequest, 'base' | 'path' | 'query' | 'headers' | 'cookies'>

export type FoundToken = { readonly token: string; readonly by: 'query' | 'basic' | 'bearer' | 'cookie' }

/** The token of the request: query string, Basic, Bearer or cookie; the first one found. */
export function findToken(request: TokenSources, project: string): FoundToken | null {
  const inQuery = request.query['access_token']
  if (typeof inQuery === 'string' && inQuery !== '') return { token: inQuery, by: 'query' }
  const header = request.headers['authorization']
  const authorization = typeof header === 'string' ? header : ''
  const basic = readBasic(authorization)
  if (basic !== null) return { token: basic, by: 'basic' }
  const bearer = /^bearer\s+(\S+)\s*$/i.exec(authorization)?.[1]
  if (bearer !== undefined) return { token: bearer, by: 'bearer' }
  const cookie = request.cookies[projectCookie(project)]
  return cookie === undefined || cookie === '' ? null : { token: cookie, by: 'cookie' }
}

/** Deletes a cookie with an invalid token, because scripts cannot; null if there is none. */
export function deleteCookie(request: TokenSources): string | null {
  const project = request.path.split('/', 2)[1] || defaultProject
  if (findToken(request, project)?.by !== 'cookie') return null
  return `${projectCookie(project)}=; Path=${request.base || '/'}; Max-Age=0; SameSite=Lax; HttpOnly`
}

/** Reads the credentials with the project's token reader. A write with a cookie must come from a trusted origin. */
export function readCredentials(
  request: HttpRequest,
  read: (token: string) => Credentials,
  project: string,
): Credentials {
  const foundToken = findToken(request, project)
  if (foundToken?.by === 'cookie') assertTrustedWrite(request)
  return foundToken === null ? { kind: 'none' } : read(foundToken.token)
}

/** Reads Basic credentials: the token is the user name; the password is empty or the token again. */
function readBasic(authorization: string): string | null {
  const encoded = /^basic\s+([A-Za-z0-9+/=_-]+)\s*$/i.exec(authorization)?.[1]
  if (encoded === undefined) return null
  const [user = '', ...password] = Buffer.from(encoded, 'base64').toString().split(':')
  const repeated = password.join(':')
  return user !== '' && (repeated === '' || repeated === user) ? user : null
}

/**
 * The project of a request: from the path, otherwise from a signed token (verified later with that project's key), the
 * parameter `project`, the header `X-Platform-Project` or, from older clients, any `X-<word>-Project`.
 */
export function findProject(request: HttpRequest, path: { readonly [name: string]: string }): string {
  if (path['project'] !== undefined) return path['project']
  const named = namedProject(request) ?? defaultProject
  return claimedProject(findToken(request, named)?.token ?? '') ?? named
}

function namedProject({ query, headers }: HttpRequest): string | undefined {
  const inQuery = query['project']
  return typeof inQuery === 'string' && inQuery !== '' ? inQuery : readProjectHeader(headers)
}

/** Whether a header names the project, as mostly clients of this generation do. */
export const namesProject = ({ headers }: Pick<HttpRequest, 'headers'>): boolean => hasProjectHeader(headers)

/**
 * Whether only a client of this generation can have sent the request: it names the project in a header of older clients
 * or in the query, or has a token of this generation. `X-Platform-Project` is no sign, because other clients send it.
 */
export function isLegacyClient(request: HttpRequest): boolean {
  const { headers, query } = request
  const isOld = hasProjectHeader(headers, 'x-platform-project')
  if (isOld || query['project'] !== undefined || query['super_admin_token'] !== undefined) return true
  const token = findToken(request, namedProject(request) ?? defaultProject)
  return token !== null && (token.by === 'cookie' || claimOf(token.token, 'type') === 'auth')
}

/** The project claimed by a token, not trustworthy before its signature is verified. */
const claimedProject = (token: string): string | undefined => claimOf(token, 'project')

/** A text that a token claims; undefined if it is no signed token. */
function claimOf(token: string, name: string): string | undefined {
  const payload = token.split('.')[1]
  if (payload === undefined) return undefined
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const claim: unknown = typeof claims === 'object' && claims !== null ? Reflect.get(claims, name) : undefined
    return typeof claim === 'string' ? claim : undefined
  } catch {
    return undefined
  }
}

/** The session of the request's token; null without a valid one. */
export function findSession(ctx: Pick<Context, 'project' | 'clock' | 'security'>, request: HttpRequest): string | null {
  const foundToken = findToken(request, ctx.project)
  if (foundToken === null) return null
  if (foundToken.by === 'cookie') assertTrustedPage(request)
  try {
    const credentials = readToken(ctx, foundToken.token)
    return credentials.kind === 'session' ? credentials.session : null
  } catch (error) {
    if (error instanceof TandemError) return null
    throw error
  }
}

const readToken = (ctx: Pick<Context, 'project' | 'clock' | 'security'>, token: string): Credentials =>
  createTokenReader({ secret: ctx.security.secret, project: ctx.project }, ctx.clock)(token)

/** Whether the token was made for the cookie that every request prolongs. */
export function isProlonged(ctx: Pick<Context, 'project' | 'clock' | 'security'>, token: string): boolean {
  const credentials = readToken(ctx, token)
  return credentials.kind === 'session' && credentials.renewal === 'prolonged-cookie'
}

/**
 * The session to refresh: from the token in the body, otherwise from the cookie. Each accepts only its own kind of
 * token.
 */
export function readSession(
  ctx: Pick<Context, 'project' | 'clock' | 'security'>,
  request: HttpRequest,
  token: string | undefined,
): { readonly session: string; readonly by: 'body' | 'cookie' } {
  const cookie = request.cookies[projectCookie(ctx.project)]
  const input = token ?? cookie
  if (input === undefined || input === '') {
    throw invalidPayload('token', 'token: This value should not be blank.')
  }
  if (token === undefined) assertTrustedPage(request)
  const credentials = readToken(ctx, input)
  const by = token === undefined ? 'cookie' : 'body'
  const renewals = by === 'cookie' ? ['prolonged-cookie'] : ['prolonged-cookie', 'temporary']
  if (credentials.kind !== 'session' || credentials.renewal === undefined || !renewals.includes(credentials.renewal))
    throw new TandemError({ kind: 'invalid-token' })
  return { session: credentials.session, by }
}
