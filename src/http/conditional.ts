/** Conditional requests (RFC 9110, section 13) and what caches are told (RFC 9111). */
import type { IncomingMessage } from 'node:http'
import { crc32 } from 'node:zlib'
import type { Encoded } from './encode.ts'
import type { Reply } from './reply.ts'

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
  const tag = tagOf(data)
  const asked = req.headers['if-none-match']
  return { headers: ['etag', tag, ...told], unchanged: asked !== undefined && matches(asked, tag) }
}

/**
 * Weak, because a proxy may compress the content on its way. A checksum and the length: a change within four bytes
 * always shows, any other of the same length but for one in four billion. Digests cost three times as much, and for
 * long answers more than they could save.
 */
function tagOf(data: Data): string {
  let length = 0
  let sum = 0
  const pieces = typeof data === 'string' || data instanceof Uint8Array ? [data] : data.map(({ bytes }) => bytes)
  for (const piece of pieces) {
    length += piece.length
    sum = crc32(piece, sum)
  }
  return `W/"${length.toString(36)}-${sum.toString(36)}"`
}

/** Kept only where it was asked for, when the caller showed who it is. */
const cacheControlOf = (req: IncomingMessage): string => (isPersonal(req) ? 'private, no-cache' : 'no-cache')

const isPersonal = ({ headers, url }: IncomingMessage): boolean =>
  headers.authorization !== undefined || headers.cookie !== undefined || (url?.includes('access_token') ?? false)

/** Weak comparison: what is before the quotes does not count. */
function matches(asked: string, tag: string): boolean {
  if (asked.trim() === '*') return true
  const own = tag.slice(2)
  return asked.split(',').some((each) => each.trim().replace(/^W\//, '') === own)
}
