/** `HttpRequest`: the facts of a request as plain data. Nothing below `http/` sees the message itself. */
import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { parse } from 'cookie'
import type { Request } from 'express'
import type { Part } from '../../domain/ports/upload.ts'
import { readParts } from './multipart.ts'
import { parseQueryString } from './query-string.ts'
import { streamBody } from './slow-bodies.ts'

export type HttpRequest = {
  readonly id: string
  readonly method: string
  /** Path without the query string and without `base`, as the client sent it. */
  readonly path: string
  /** Path and query string without `base`, as the client sent them; never written to a log. */
  readonly url: string
  /** The path that the application is mounted under, such as `/data`; empty where it is not. */
  readonly base: string
  /** `https://example.com/data`: where the client (or a trusted proxy) reaches the server, without a slash at the end. */
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
  /** What the body asks for, in a word for the log; null unless `describe` was called. */
  readonly subject: string | null
  /** Gives the request that word, of which 100 characters are kept. */
  readonly describe: (subject: string) => void
  /** Reads a multipart body, which is left alone until this is called. */
  readonly parts: () => AsyncIterable<Part>
  /** The bytes of a body that is neither JSON nor multipart. */
  readonly content: () => Readable
}

export type HttpFacts = Pick<HttpRequest, 'id' | 'trustedOrigins'> & {
  /** With the path that the application is mounted under; null = what the request says. */
  readonly publicOrigin: string | null
}

/**
 * Reads a request. What few requests need is computed when it is asked for. A class of its own: getters
 * written per request would give each of them a hidden class of its own, 10 µs and 4 kB.
 */
export const readRequest = (req: Request, res: ServerResponse, facts: HttpFacts): HttpRequest =>
  new ReadRequest(req, res, facts)

class ReadRequest implements HttpRequest {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly url: string
  readonly base: string
  readonly trustedOrigins: readonly string[]
  readonly headers: HttpRequest['headers']
  readonly ip: string | null
  subject: string | null = null
  readonly #req: Request
  readonly #res: ServerResponse
  readonly #facts: HttpFacts
  #query: HttpRequest['query'] | null = null
  #cookies: HttpRequest['cookies'] | null = null
  #signal: AbortSignal | null = null

  constructor(req: Request, res: ServerResponse, facts: HttpFacts) {
    this.id = facts.id
    this.method = req.method
    const { url } = req
    const at = url.indexOf('?')
    this.url = url
    this.path = at < 0 ? url : url.slice(0, at)
    this.base = req.baseUrl
    this.trustedOrigins = facts.trustedOrigins
    this.headers = req.headers
    this.ip = req.ip ?? null
    this.#req = req
    this.#res = res
    this.#facts = facts
  }

  get origin(): string {
    const { publicOrigin } = this.#facts
    if (publicOrigin !== null) return publicOrigin.replace(/\/$/, '')
    const { protocol, host } = this.#req
    return `${protocol}://${host}${this.base}`
  }

  get query(): HttpRequest['query'] {
    this.#query ??= parseQueryString(this.url.slice(this.path.length + 1))
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

  describe(subject: string): void {
    this.subject = subject.slice(0, 100)
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

/** The first of two cookies of one name wins (RFC 6265, section 5.4: the more specific one). No name is inherited. */
const parseCookies = (header: string): HttpRequest['cookies'] =>
  Object.assign(Object.create(null) as { [name: string]: string }, parse(header))

const abortSignal = (res: ServerResponse): AbortSignal => {
  const controller = new AbortController()
  res.once('close', () => {
    if (!res.writableFinished) controller.abort()
  })
  return controller.signal
}
