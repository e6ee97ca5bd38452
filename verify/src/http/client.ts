/** Sends requests to the deployment under test. */
import { setTimeout } from 'node:timers/promises'
import type { Actor, Answer, Exchange, SentRequest } from './exchange.ts'
import { type QueryValues, queryText } from './query.ts'

export type Tokens = { readonly [Name in Actor]: string | null }

export type AskOptions = {
  /** `admin` unless given. */
  readonly as?: Actor
  readonly query?: QueryValues
  /** Sent as JSON, except for a form and for text with a content type of its own. */
  readonly body?: unknown
  readonly headers?: { readonly [name: string]: string }
  /** A write that the spec refuses: nothing has happened, so that it may be sent again. */
  readonly isRefusal?: boolean
}

/** `ask('GET /items/articles', { query: { limit: 1 } })` */
export type Ask = (request: string, options?: AskOptions) => Promise<Exchange>

export type ClientOptions = {
  /** Base address, without a slash at its end. */
  readonly url: string
  readonly tokens: Tokens
  /** Longest time of one request in milliseconds. */
  readonly budget: number
  /**
   * How often a request is repeated that a busy deployment puts off with `Retry-After`. A write may have happened
   * before a 503, and is repeated after a 429 only, unless the spec refuses it.
   */
  readonly repeats: number
  /** After it no request is sent; those under way are finished, so that what they make is known. */
  readonly signal: AbortSignal
}

/** No answer came, or none in time. */
export class NoAnswer extends Error {
  readonly request: SentRequest
  readonly isLate: boolean

  constructor(request: SentRequest, isLate: boolean, cause: unknown) {
    super(isLate ? 'No answer within the time budget' : `No answer: ${reasonOf(cause)}`, { cause })
    this.request = request
    this.isLate = isLate
  }
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  return cause.cause instanceof Error ? cause.cause.message : cause.message
}

export function createAsk({ url, tokens, budget, repeats, signal }: ClientOptions): Ask {
  return async (line, { as = 'admin', query = {}, body, headers = {}, isRefusal = false } = {}) => {
    const [method = 'GET', path = '/'] = line.split(' ', 2)
    const text = queryText(query)
    const isRaw = body === undefined || body instanceof FormData
    const isText = typeof body === 'string' && 'content-type' in headers
    const request: SentRequest = {
      method,
      address: `${url}${path}${text === '' ? '' : `?${text}`}`,
      as,
      headers: { ...(isRaw || isText ? {} : { 'content-type': 'application/json' }), ...headers },
      body: body === undefined ? null : body instanceof FormData ? body : isText ? body : JSON.stringify(body),
    }
    const isHarmless = isRead(method) || isRefusal
    for (let left = repeats; ; left -= 1) {
      signal.throwIfAborted()
      const exchange = await send(request, tokens[as], budget)
      const pause = isHarmless || exchange.status === 429 ? pauseOf(exchange) : null
      if (left === 0 || pause === null) return exchange
      await setTimeout(pause)
    }
  }
}

const isRead = (method: string): boolean => method === 'GET' || method === 'SEARCH'

/** What to wait for in milliseconds, at most three seconds; null if the request was not put off. */
function pauseOf({ status, headers }: Exchange): number | null {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return (status === 429 || status === 503) && seconds <= 3 ? seconds * 1000 : null
}

async function send(request: SentRequest, token: string | null, budget: number): Promise<Exchange> {
  const headers = new Headers(request.headers)
  if (token !== null && !headers.has('authorization')) headers.set('authorization', `Bearer ${token}`)
  const started = performance.now()
  const late = AbortSignal.timeout(budget)
  try {
    const response = await fetch(request.address, {
      method: request.method,
      headers,
      body: request.body,
      redirect: 'manual',
      signal: late,
    })
    const answer = await readAnswer(response)
    return { ...answer, request, milliseconds: performance.now() - started }
  } catch (error) {
    throw new NoAnswer(request, late.aborted, error)
  }
}

/** Reads the parts of a response that the checks need. */
export async function readAnswer(response: Response): Promise<Answer> {
  const bytes = new Uint8Array(await response.arrayBuffer())
  const text = new TextDecoder().decode(bytes)
  return {
    status: response.status,
    headers: response.headers,
    mediaType: (response.headers.get('content-type') ?? '').replace(/;.*$/s, '').trim().toLowerCase(),
    bytes,
    text,
    json: parsed(text),
  }
}

function parsed(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}
