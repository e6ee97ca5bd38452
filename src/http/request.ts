/** `HttpRequest`: the facts of a request as plain data. Nothing below `http/` sees the message itself. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { Part } from '../domain/upload.ts'
import type { Forwarding } from './forwarding.ts'
import { readParts } from './multipart.ts'
import { parseQueryString } from './query-string.ts'
import { streamBody } from './slow-bodies.ts'

export type HttpRequest = {
  readonly id: string
  readonly method: string
  /** Path without the query string, as the client sent it. */
  readonly path: string
  /** Path and query string, as the client sent them; never written to a log. */
  readonly url: string
  /** `https://example.com`: where the client (or a trusted proxy) reaches the server. */
  readonly origin: string
  /** Other origins whose pages may act as the user by cookie. */
  readonly trustedOrigins: readonly string[]
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined }
  /** Parsed query string: strings, lists and null-prototype objects. */
  readonly query: { readonly [name: string]: unknown }
  readonly cookies: { readonly [name: string]: string }
  readonly ip: string | null
  /** Aborts when the client goes away before the answer is complete. */
  readonly signal: AbortSignal
  /** Whether nobody waits for the answer any more, or it was sent. */
  readonly isGone: boolean
  /** Reads a multipart body, which is left alone until this is called. */
  readonly parts: () => AsyncIterable<Part>
  /** The bytes of a body that is neither JSON nor multipart. */
  readonly content: () => Readable
}

export type HttpFacts = Pick<HttpRequest, 'id' | 'url' | 'path' | 'trustedOrigins'> & {
  readonly queryText: string
  readonly publicOrigin: string | null
  readonly forwarding: Forwarding
}

/**
 * Reads a request. What few requests need is computed when it is asked for. A class of its own: getters
 * written per request would give each of them a hidden class of its own, 10 µs and 4 kB.
 */
export const readRequest = (req: IncomingMessage, res: ServerResponse, facts: HttpFacts): HttpRequest =>
  new ReadRequest(req, res, facts)

class ReadRequest implements HttpRequest {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly url: string
  readonly trustedOrigins: readonly string[]
  readonly headers: HttpRequest['headers']
  readonly ip: string | null
  readonly #req: IncomingMessage
  readonly #res: ServerResponse
  readonly #facts: HttpFacts
  #query: HttpRequest['query'] | null = null
  #cookies: HttpRequest['cookies'] | null = null
  #signal: AbortSignal | null = null

  constructor(req: IncomingMessage, res: ServerResponse, facts: HttpFacts) {
    this.id = facts.id
    this.method = req.method ?? 'GET'
    this.path = facts.path
    this.url = facts.url
    this.trustedOrigins = facts.trustedOrigins
    this.headers = req.headers
    this.ip = facts.forwarding.ip(req)
    this.#req = req
    this.#res = res
    this.#facts = facts
  }

  get origin(): string {
    return this.#facts.publicOrigin ?? this.#facts.forwarding.origin(this.#req)
  }

  get query(): HttpRequest['query'] {
    this.#query ??= parseQueryString(this.#facts.queryText)
    return this.#query
  }

  get cookies(): HttpRequest['cookies'] {
    this.#cookies ??= parseCookies(this.#req.headers.cookie ?? '')
    return this.#cookies
  }

  get signal(): AbortSignal {
    this.#signal ??= abortSignal(this.#res)
    return this.#signal
  }

  get isGone(): boolean {
    return this.#res.destroyed
  }

  parts(): AsyncIterable<Part> {
    return readParts(streamBody(this.#req))
  }

  content(): Readable {
    return streamBody(this.#req)
  }
}

/** Whether the body comes in parts. */
export const isMultipart = ({ headers }: HttpRequest): boolean =>
  /^multipart\/form-data\s*(;|$)/i.test(String(headers['content-type'] ?? ''))

/**
 * Parses a `cookie` header. The first of two cookies of one name wins (RFC 6265, section 5.4: the more specific one).
 * @example parseCookies('a=1; b=x%20y') // { a: '1', b: 'x y' }
 */
export const parseCookies = (header: string): { readonly [name: string]: string } => {
  const cookies = Object.create(null) as { [name: string]: string }
  for (const pair of header.split(';')) {
    const at = pair.indexOf('=')
    const name = pair.slice(0, at).trim()
    if (at > 0 && !(name in cookies)) cookies[name] = decode(pair.slice(at + 1).trim())
  }
  return cookies
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const abortSignal = (res: ServerResponse): AbortSignal => {
  const controller = new AbortController()
  res.once('close', () => {
    if (!res.writableFinished) controller.abort()
  })
  return controller.signal
}
