/** Entity tags (RFC 9110, section 13) and cache headers (RFC 9111). */
import type { IncomingMessage } from 'node:http'
import { crc32 } from 'node:zlib'
import fresh from 'fresh'
import type { HttpRequest } from '../request/request.ts'
import type { Encoded } from './encode.ts'
import type { ContentTag, Reply } from './reply.ts'

type Data = string | Uint8Array | readonly Encoded[]

/** Cache headers of an answer, and whether the client's copy is current. */
export type Freshness = { readonly headers: readonly string[]; readonly unchanged: boolean }

const nothing: Freshness = { headers: [], unchanged: false }

/**
 * Request headers that the answer depends on. They are constant, so that a cache needs one entry per caller and not
 * per request.
 */
const vary = 'Origin, Authorization, Cookie, Cache-Control, X-Platform-Project'

/**
 * GET answers carry a weak tag of their content, unless the handler sets one (files). `method` is missing in error
 * responses of last resort.
 */
export function freshnessOf(req: IncomingMessage | undefined, reply: Reply, data: Data | null): Freshness {
  const method = req?.method
  if (req === undefined || (method !== 'GET' && method !== 'HEAD')) return nothing
  const { headers = {} } = reply
  if (reply.status !== 200 || data === null) {
    return headers['cache-control'] === undefined
      ? { headers: ['cache-control', 'no-store'], unchanged: false }
      : nothing
  }
  if (headers['etag'] !== undefined) return nothing
  const names = headers['cache-control'] === undefined ? ['cache-control', cacheControlOf(req)] : []
  if (headers['vary'] === undefined) names.push('vary', vary)
  const tag = `W/"${reply.tag === undefined ? sumOf(data) : nameOf(reply.tag, data)}"`
  const wanted = req.headers['if-none-match']
  return {
    headers: ['etag', tag, ...names],
    unchanged: wanted !== undefined && fresh({ 'if-none-match': wanted.trim() }, { etag: tag }),
  }
}

/**
 * Weak, because a proxy may compress the content. The tag is a CRC-32 and the length: it detects every change within
 * four bytes, and other changes of equal length with an error rate of one in four billion. Digests cost three times as
 * much, more than 304 responses save for long answers.
 */
function sumOf(data: Data): string {
  let length = 0
  let sum = 0
  const pieces = typeof data === 'string' || data instanceof Uint8Array ? [data] : data.map(({ bytes }) => bytes)
  for (const piece of pieces) {
    length += piece.length
    sum = crc32(piece, sum)
  }
  return `${length.toString(36)}-${sum.toString(36)}`
}

/**
 * The content tag comes first, so that writes can be made conditional on the content independent of how it was shown.
 */
const nameOf = ({ content, isWhole }: ContentTag, data: Data): string =>
  isWhole ? content : `${content}.${sumOf(data)}`

/** The content tags of `If-Match`; null if it is absent or `*`. */
export function expectedContents(headers: HttpRequest['headers']): readonly string[] | null {
  const wanted = headers['if-match']
  if (typeof wanted !== 'string' || wanted.trim() === '*') return null
  // Weak tags count, because they are made from the content. Quotes and the `W/` prefix are removed.
  return [...wanted.matchAll(/"([^".]*)[^"]*"/g)].map(([, content = '']) => content)
}

/** Only private caches may store answers for an authenticated caller. */
const cacheControlOf = (req: IncomingMessage): string => (isPersonal(req) ? 'private, no-cache' : 'no-cache')

const isPersonal = ({ headers, url }: IncomingMessage): boolean =>
  headers.authorization !== undefined || headers.cookie !== undefined || (url?.includes('access_token') ?? false)
