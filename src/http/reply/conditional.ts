/** Conditional requests (RFC 9110, section 13) and what caches are told (RFC 9111). */
import type { IncomingMessage } from 'node:http'
import { crc32 } from 'node:zlib'
import fresh from 'fresh'
import type { HttpRequest } from '../request/request.ts'
import type { Encoded } from './encode.ts'
import type { ContentTag, Reply } from './reply.ts'

type Data = string | Uint8Array | readonly Encoded[]

/** Headers that an answer gets from here, and whether the client has it already. */
export type Freshness = { readonly headers: readonly string[]; readonly unchanged: boolean }

const nothing: Freshness = { headers: [], unchanged: false }

/** Whose answer it is depends on these; they are constant so that a cache needs one entry per caller, not per request. */
const vary = 'Origin, Authorization, Cookie, Cache-Control, X-Platform-Project'

/**
 * Answers to GET carry a weak tag of their content. Handlers that know better (files) say so themselves
 * and are left alone. `method` is missing in answers of last resort.
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
  const told = headers['cache-control'] === undefined ? ['cache-control', cacheControlOf(req)] : []
  if (headers['vary'] === undefined) told.push('vary', vary)
  const tag = `W/"${reply.tag === undefined ? sumOf(data) : nameOf(reply.tag, data)}"`
  const asked = req.headers['if-none-match']
  return {
    headers: ['etag', tag, ...told],
    unchanged: asked !== undefined && fresh({ 'if-none-match': asked.trim() }, { etag: tag }),
  }
}

/**
 * Weak, because a proxy may compress the content on its way. A checksum and the length: a change within four bytes
 * always shows, any other of the same length but for one in four billion. Digests cost three times as much, and for
 * long answers more than they could save.
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

/** The content comes first, so that writes can be made conditional on it whatever else was shown. */
const nameOf = ({ content, isWhole }: ContentTag, data: Data): string =>
  isWhole ? content : `${content}.${sumOf(data)}`

/** The contents that an `If-Match` names; null where there is none, or where any content will do. */
export function expectedContents(headers: HttpRequest['headers']): readonly string[] | null {
  const asked = headers['if-match']
  if (typeof asked !== 'string' || asked.trim() === '*') return null
  // Weak tags count, as the content is what they are made of; quotes and marks are left out.
  return [...asked.matchAll(/"([^".]*)[^"]*"/g)].map(([, content = '']) => content)
}

/** Kept only where it was asked for, when the caller showed who it is. */
const cacheControlOf = (req: IncomingMessage): string => (isPersonal(req) ? 'private, no-cache' : 'no-cache')

const isPersonal = ({ headers, url }: IncomingMessage): boolean =>
  headers.authorization !== undefined || headers.cookie !== undefined || (url?.includes('access_token') ?? false)
