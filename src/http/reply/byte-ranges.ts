/** Conditional requests and byte ranges (RFC 9110, sections 13 and 14). */
import fresh from 'fresh'
import type { ByteRange } from '../../domain/ports/storage.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { HttpRequest } from '../request/request.ts'

/** Facts about the content to send. */
export type Validators = {
  /** The entity tag, quoted. */
  readonly etag: string
  readonly modified: Date
  readonly size: number
}

export type Selection =
  | { readonly kind: 'whole' }
  | { readonly kind: 'unchanged' }
  | ({ readonly kind: 'part' } & ByteRange)

/** Decides what a GET or HEAD returns. Throws `precondition-failed` or `range-not-satisfiable`. */
export function selectPart({ method, headers }: Pick<HttpRequest, 'method' | 'headers'>, facts: Validators): Selection {
  const condition = brokenCondition(headers, facts)
  if (condition !== null) throw new TandemError({ kind: 'precondition-failed', condition })
  if (isUnchanged(headers, facts)) return { kind: 'unchanged' }
  const { range } = headers
  // HEAD ignores ranges.
  if (method !== 'GET' || typeof range !== 'string' || !isCurrent(headers['if-range'], facts)) return { kind: 'whole' }
  const part = parseRange(range, facts.size)
  return part === null ? { kind: 'whole' } : { kind: 'part', ...part }
}

type Header = string | readonly string[] | undefined

/** Name of the failed precondition, if any. `If-Match` takes precedence and does not accept weak tags. */
function brokenCondition(headers: HttpRequest['headers'], { etag, modified }: Validators): string | null {
  const tags = headers['if-match']
  if (typeof tags === 'string') {
    return tags.trim() === '*' || tags.split(',').some((each) => each.trim() === etag) ? null : 'If-Match'
  }
  const since = headers['if-unmodified-since']
  return typeof since === 'string' && seconds(modified) > seconds(new Date(since)) ? 'If-Unmodified-Since' : null
}

/** Ignores `Cache-Control` of the request: a client that sends `no-cache` together with a tag still means that tag. */
const isUnchanged = (headers: HttpRequest['headers'], { etag, modified }: Validators): boolean =>
  fresh(
    { 'if-none-match': textOf(headers['if-none-match']), 'if-modified-since': textOf(headers['if-modified-since']) },
    { etag, 'last-modified': modified.toUTCString() },
  )

const textOf = (header: Header): string | undefined => (typeof header === 'string' ? header.trim() : undefined)

const seconds = (date: Date): number => Math.floor(date.getTime() / 1000)

/** `If-Range`: a part of changed content would not fit the parts that the client has. */
function isCurrent(condition: Header, { etag, modified }: Validators): boolean {
  if (condition === undefined) return true
  if (typeof condition !== 'string') return false
  return condition.startsWith('"') ? condition === etag : seconds(new Date(condition)) === seconds(modified)
}

/** Null unless the header is a single byte range; several ranges and other units get the whole content. */
function parseRange(text: string, size: number): ByteRange | null {
  const [, first, last] = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(text) ?? []
  if (first === undefined || last === undefined) return null
  if (first === '' && last === '') return null
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (first !== '' && last !== '' && Number(last) < Number(first)) return null
  if (start >= size || start > end) throw new TandemError({ kind: 'range-not-satisfiable', range: text, size })
  return { start, end }
}
