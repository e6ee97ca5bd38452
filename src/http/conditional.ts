/** Conditional requests (RFC 9110, section 13) and what caches are told (RFC 9111). */
import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Encoded } from './encode.ts'
import type { Reply } from './reply.ts'

type Data = string | Uint8Array | readonly Encoded[]

/** Headers that an answer gets from here, and whether the client has it already. */
export type Freshness = { readonly headers: readonly string[]; readonly unchanged: boolean }

const nothing: Freshness = { headers: [], unchanged: false }

/** Whose answer it is depends on these; they are constant so that a cache needs one entry per caller, not per request. */
const vary = 'Origin, Authorization, Cookie, Cache-Control, X-Platform-Project'

/**
 * Answers to GET carry a weak tag of their content, but for those that are sent in pieces (from 64 kB on): a tag of
 * them costs more than what it saves is worth. Handlers that know better (files) say so themselves
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
  const whole = typeof data === 'string' || data instanceof Uint8Array ? data : onlyOne(data)
  if (whole === null) return { headers: told, unchanged: false }
  // Weak, because a proxy may compress the content on its way.
  const tag = `W/"${hash('sha1', whole, 'base64url')}"`
  const asked = req.headers['if-none-match']
  return { headers: ['etag', tag, ...told], unchanged: asked !== undefined && matches(asked, tag) }
}

const onlyOne = (pieces: readonly Encoded[]): Uint8Array | null =>
  pieces.length === 1 ? (pieces[0] as Encoded).bytes : null

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
