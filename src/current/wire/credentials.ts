/**
 * Reads the token of a request (bearer header, `access_token` in the query string, or session cookie), and the project of
 * a login by a provider.
 */
import type { Credentials } from '../../domain/rights/actor.ts'
import { invalidPayload, TandemError } from '../../domain/rights/errors.ts'
import { assertTrustedWrite } from '../../http/app/trusted-page.ts'
import { readFlowCookie } from '../../http/reply/flow-cookie.ts'
import { type HttpRequest, readProjectHeader } from '../../http/request/request.ts'
import { projectOfFlow, projectOfState } from '../../tokens/flow-tokens.ts'

/** Cookie with the access token of a login in session mode. */
export const sessionCookie = 'platform_session_token'

type TokenRequest = Pick<HttpRequest, 'method' | 'origin' | 'trustedOrigins' | 'headers' | 'query' | 'cookies'>

/** A token in both header and query string is refused. The cookie counts only without either. */
export function readCredentials(request: TokenRequest, read: (token: string) => Credentials): Credentials {
  const bearer = bearerToken(request)
  const inQuery = queryToken(request)
  if (bearer !== null && inQuery !== null) {
    const reason = 'Expected one token but received one in the Authorization header and one in "access_token"'
    throw invalidPayload(null, reason)
  }
  const token = bearer ?? inQuery
  if (token !== null) return read(token)
  const cookie = request.cookies[sessionCookie]
  if (cookie === undefined || cookie === '') return { kind: 'none' }
  assertTrustedWrite(request)
  return read(cookie)
}

/** Whether the token of the request is that of the session cookie. */
export const isByCookie = (request: TokenRequest): boolean =>
  bearerToken(request) === null && queryToken(request) === null && Boolean(request.cookies[sessionCookie])

function bearerToken({ headers }: TokenRequest): string | null {
  const header = headers['authorization']
  const match = typeof header === 'string' ? /^bearer +(\S+) *$/i.exec(header) : null
  return match?.[1] ?? null
}

function queryToken({ query }: TokenRequest): string | null {
  const token = query['access_token']
  if (token === undefined || token === '') return null
  if (typeof token === 'string') return token
  throw new TandemError({
    kind: 'invalid-query',
    name: 'access_token',
    reason: 'Expected one token for "access_token" but received several',
  })
}

const pattern = /^\/auth\/login\/([^/]+)(\/callback)?/

/** The project of a request: by its header, or that of a login by a provider. */
export const readProject = (request: HttpRequest): string =>
  readProjectHeader(request.headers) ?? readLoginProject(request) ?? '_'

/**
 * The project of a login by a provider: the parameter `project`, else the project in the `state` of the provider's answer
 * or, if that comes as a form, in the cookie of the login. Null = none. The project verifies them later.
 */
function readLoginProject(request: HttpRequest): string | null {
  if (!request.path.startsWith('/auth/login/')) return null
  const [, provider = '', callback] = pattern.exec(request.path) ?? []
  const parameters = new URLSearchParams(request.url.slice(request.path.length))
  const named = parameters.get('project')
  if (named !== null) return named
  if (callback === undefined) return null
  if (request.method !== 'POST') return projectOfState(parameters.get('state') ?? '')
  return projectOfFlow(readFlowCookie(request, provider) ?? '')
}
