/** Where a request carries its token: bearer header, `access_token` in the query string, session cookie. */
import type { Credentials } from '../domain/actor.ts'
import { TandemError } from '../domain/errors.ts'
import type { HttpRequest } from '../http/request.ts'

/** Holds the access token of a login in session mode. */
export const sessionCookie = 'platform_session_token'

type Carried = Pick<HttpRequest, 'method' | 'origin' | 'trustedOrigins' | 'headers' | 'query' | 'cookies'>

/** Header and query string together are refused; the cookie counts only when there is neither. */
export function readCredentials(request: Carried, read: (token: string) => Credentials): Credentials {
  const bearer = bearerToken(request)
  const inQuery = queryToken(request)
  if (bearer !== null && inQuery !== null) {
    throw new TandemError({
      kind: 'invalid-payload',
      reason: 'Expected one token but received one in the Authorization header and one in "access_token"',
    })
  }
  const token = bearer ?? inQuery
  if (token !== null) return read(token)
  const cookie = request.cookies[sessionCookie]
  if (cookie === undefined || cookie === '') return { kind: 'none' }
  if (!reads.has(request.method)) assertTrustedOrigin(request)
  return read(cookie)
}

const reads: ReadonlySet<string> = new Set(['GET', 'HEAD', 'SEARCH', 'OPTIONS'])

type Page = Pick<HttpRequest, 'origin' | 'trustedOrigins' | 'headers'>

/** Browsers send cookies along with what other pages ask for; such requests change nothing, unless the operator lists the page's origin. */
export function assertTrustedOrigin({ origin, trustedOrigins, headers }: Page): void {
  const from = headers['origin']
  if (from === undefined) return
  // Where the server is reached may be below a path.
  if (from === URL.parse(origin)?.origin || trustedOrigins.includes(String(from))) return
  throw new TandemError({ kind: 'forbidden' })
}

function bearerToken({ headers }: Carried): string | null {
  const header = headers['authorization']
  const match = typeof header === 'string' ? /^bearer +(\S+) *$/i.exec(header) : null
  return match?.[1] ?? null
}

function queryToken({ query }: Carried): string | null {
  const token = query['access_token']
  if (token === undefined || token === '') return null
  if (typeof token === 'string') return token
  throw new TandemError({
    kind: 'invalid-query',
    name: 'access_token',
    reason: 'Expected one token for "access_token" but received several',
  })
}
