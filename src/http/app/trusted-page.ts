/** Protection against cross-site requests: browsers attach cookies to requests of any page. */
import { TandemError } from '../../domain/rights/errors.ts'
import type { HttpRequest } from '../request/request.ts'

type PageRequest = Pick<HttpRequest, 'origin' | 'trustedOrigins' | 'headers'>

const reason = 'Cookies are accepted only from the same origin, or from an origin that the operator lists'

const reads: ReadonlySet<string> = new Set(['GET', 'HEAD', 'SEARCH', 'OPTIONS'])

/** Refuses a write with a cookie if another site's page sent it. */
export function assertTrustedWrite(request: PageRequest & Pick<HttpRequest, 'method'>): void {
  if (!reads.has(request.method)) assertTrustedPage(request)
}

/**
 * Refuses a request with a cookie from a page of another origin, unless the operator lists that origin. `Origin`
 * decides; without it `Sec-Fetch-Site` (Fetch Metadata, section 2.4) does. Programs send neither and pass.
 */
export function assertTrustedPage({ origin, trustedOrigins, headers }: PageRequest): void {
  const from = headers['origin']
  const relation = headers['sec-fetch-site']
  const isTrusted =
    from === undefined
      ? relation === undefined || relation === 'same-origin' || relation === 'none'
      : // Where the server is reached may be below a path.
        from === URL.parse(origin)?.origin || trustedOrigins.includes(String(from))
  if (!isTrusted) throw new TandemError({ kind: 'forbidden', reason })
}
