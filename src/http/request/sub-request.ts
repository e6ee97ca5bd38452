/** A request that is a part of another one. */
import type { HttpRequest } from './request.ts'

export type Part = Pick<HttpRequest, 'method' | 'path' | 'query'> & {
  /** Path and query string. */
  readonly url: string
  /** The value of `If-Match`. */
  readonly ifMatch: string | null
}

/** Headers of the batch that do not apply to its parts: credentials, conditions, properties of the body. */
const ofTheWhole =
  /^(authorization|cookie|if-|idempotency-key$|content-|transfer-encoding$|expect$|range$|accept-encoding$)/

/** The part as a request of its own. The caller is that of the whole. */
export function subRequest(whole: HttpRequest, { ifMatch, ...part }: Part): HttpRequest {
  const headers = Object.entries(whole.headers).filter(([name]) => !ofTheWhole.test(name))
  const { id, base, origin, trustedOrigins, project, ip, signal } = whole
  const shared = { id, base, origin, trustedOrigins, project, ip, signal }
  return {
    ...shared,
    ...part,
    headers: { ...Object.fromEntries(headers), ...(ifMatch === null ? {} : { 'if-match': ifMatch }) },
    cookies: {},
    get isGone() {
      return whole.isGone
    },
    stopwatch: null,
    subject: null,
    describe: () => undefined,
    parts: nothing,
    content: nothing,
  }
}

const nothing = (): never => {
  throw new Error('A part of a request has no body to stream')
}
