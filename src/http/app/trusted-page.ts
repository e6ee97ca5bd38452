/** Cookies from foreign pages: browsers send a cookie along with whatever any page asks for. */
import { TandemError } from '../../domain/rights/errors.ts'
import type { HttpRequest } from '../request/request.ts'

type Asked = Pick<HttpRequest, 'origin' | 'trustedOrigins' | 'headers'>

const reason = 'A cookie is only accepted from a page of the same origin, or of one that the operator lists'

const reads: ReadonlySet<string> = new Set(['GET', 'HEAD', 'SEARCH', 'OPTIONS'])

/** Refuses a write by cookie that a foreign page has asked for. */
export function assertTrustedWrite(request: Asked & Pick<HttpRequest, 'method'>): void {
  if (!reads.has(request.method)) assertTrustedPage(request)
}

/**
 * Refuses a request by cookie that a foreign page has asked for, unless the operator lists the origin of the page.
 * `Origin` decides. Where it is missing the browser may tell the relation of the page by `Sec-Fetch-Site` (Fetch
 * Metadata, section 2.4); programs send neither.
 */
export function assertTrustedPage({ origin, trustedOrigins, headers }: Asked): void {
  const from = headers['origin']
  const relation = headers['sec-fetch-site']
  const isTrusted =
    from === undefined
      ? relation === undefined || relation === 'same-origin' || relation === 'none'
      : // Where the server is reached may be below a path.
        from === URL.parse(origin)?.origin || trustedOrigins.includes(String(from))
  if (!isTrusted) throw new TandemError({ kind: 'forbidden', reason })
}
