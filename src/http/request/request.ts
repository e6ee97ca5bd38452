/** `HttpRequest`: a request as plain data. Nothing below `http/` uses the Express request. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { parse } from 'cookie'
import type { Request } from 'express'
import type { Stopwatch } from '../../domain/ports/stations.ts'
import type { RequestProbe } from '../../domain/ports/telemetry.ts'
import type { Part } from '../../domain/ports/uploads.ts'
import { streamBody } from './body.ts'
import { readParts } from './multipart.ts'
import { positionCookie, positionHeader } from './position-names.ts'
import { parseQueryString } from './query-string.ts'

export type HttpRequest = {
  readonly id: string
  readonly method: string
  /** Path without the query string and without `base`. Only reserved characters are percent-encoded. */
  readonly path: string
  /** Path and query string without `base`; never written to a log. */
  readonly url: string
  /** Path prefix that the application is mounted under, such as `/data`; empty if none. */
  readonly base: string
  /**
   * Public address without a slash at the end, such as `https://example.com/data`; taken from the request or a trusted
   * proxy.
   */
  readonly origin: string
  /** Other origins whose pages may send the user's cookies. */
  readonly trustedOrigins: readonly string[]
  /** Key of the project that the request is for. Decided once; limits, origins and the operation follow it. */
  readonly project: string
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined }
  /** Parsed query string: strings, lists and null-prototype objects. */
  readonly query: { readonly [name: string]: unknown }
  readonly cookies: { readonly [name: string]: string }
  readonly ip: string | null
  /** Aborts when the client disconnects before the answer is complete. */
  readonly signal: AbortSignal
  /** Whether the client has disconnected or the answer is sent. */
  readonly isGone: boolean
  /** Measures the stations of the request; null if they are not measured. */
  readonly stopwatch: Stopwatch | null
  /** Observes the request for telemetry; null without telemetry. */
  readonly probe?: RequestProbe | null
  /** Sets headers of the answer, successful or not; absent where no headers can be sent, as on sockets. */
  readonly tell?: (headers: { readonly [name: string]: string }) => void
  /** Adds a cookie to the answer; absent where no cookies can be sent. */
  readonly setCookie?: (cookie: string) => void
  /** The position of the client's last write, from its header; null = not sent. */
  readonly position?: string | null
  /** Short description of the request for the log; null until `describe` is called. */
  readonly subject: string | null
  /** Sets the description; 100 characters are kept. */
  readonly describe: (subject: string) => void
  /** Reads a multipart body; until then it stays unread. */
  readonly parts: () => AsyncIterable<Part>
  /** The bytes of a body that is neither JSON nor multipart. */
  readonly content: () => Readable
}

export type HttpFacts = Pick<HttpRequest, 'id' | 'stopwatch'> & {
  readonly projectOf: (request: HttpRequest) => string
  readonly trustedOf: (project: string) => readonly string[]
  readonly probe: RequestProbe | null
  /** Includes the path prefix; null takes the origin from the request. */
  readonly publicOrigin: string | null
}

/**
 * Reads a request. Rarely used properties are computed on access. A class, because getters on an object literal would
 * give each request a hidden class of its own (10 µs and 4 kB).
 */
export const readRequest = (req: Request, res: ServerResponse, facts: HttpFacts): HttpRequest =>
  new ReadRequest(req, res, facts)

class ReadRequest implements HttpRequest {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly url: string
  readonly base: string
  readonly headers: HttpRequest['headers']
  readonly ip: string | null
  readonly stopwatch: Stopwatch | null
  readonly probe: RequestProbe | null
  subject: string | null = null
  readonly #req: Request
  readonly #res: ServerResponse
  readonly #facts: HttpFacts
  #query: HttpRequest['query'] | null = null
  #cookies: HttpRequest['cookies'] | null = null
  #signal: AbortSignal | null = null
  #project: string | null = null

  constructor(req: Request, res: ServerResponse, facts: HttpFacts) {
    this.id = facts.id
    this.method = req.method
    const { url } = req
    const at = url.indexOf('?')
    this.url = url
    this.path = at < 0 ? url : url.slice(0, at)
    this.base = req.baseUrl
    this.headers = req.headers
    this.ip = req.ip ?? null
    this.stopwatch = facts.stopwatch
    this.probe = facts.probe
    this.#req = req
    this.#res = res
    this.#facts = facts
  }

  tell(headers: { readonly [name: string]: string }): void {
    if (this.#res.headersSent) return
    for (const [name, value] of Object.entries(headers)) this.#res.setHeader(name, value)
  }

  setCookie(cookie: string): void {
    if (!this.#res.headersSent) this.#res.appendHeader('set-cookie', cookie)
  }

  get position(): string | null {
    const { [positionHeader]: header } = this.headers
    return (typeof header === 'string' ? header : this.cookies[positionCookie]) ?? null
  }

  get origin(): string {
    const { publicOrigin } = this.#facts
    if (publicOrigin !== null) return publicOrigin.replace(/\/$/, '')
    const { protocol, host } = this.#req
    return `${protocol}://${host}${this.base}`
  }

  get project(): string {
    this.#project ??= this.#facts.projectOf(this)
    return this.#project
  }

  get trustedOrigins(): readonly string[] {
    return this.#facts.trustedOf(this.project)
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

export const isMultipart = ({ headers }: HttpRequest): boolean =>
  /^multipart\/form-data\s*(;|$)/i.test(String(headers['content-type'] ?? ''))

/** Whether the body is a form, whose values are all texts. */
export const isForm = (request: HttpRequest): boolean =>
  isMultipart(request) ||
  /^application\/x-www-form-urlencoded\s*(;|$)/i.test(String(request.headers['content-type'] ?? ''))

/**
 * The first of two cookies with the same name wins (RFC 6265, section 5.4: the more specific one). The result has no
 * prototype.
 */
const parseCookies = (header: string): HttpRequest['cookies'] =>
  Object.assign(Object.create(null) as { [name: string]: string }, parse(header))

const abortSignal = (res: ServerResponse): AbortSignal => {
  const controller = new AbortController()
  res.once('close', () => {
    if (!res.writableFinished) controller.abort()
  })
  return controller.signal
}

type Headers = Pick<HttpRequest, 'headers'>['headers']

const usual = 'x-platform-project'
const pattern = /^x-[a-z0-9]+-project$/

/** Whether the header names a project: `X-Platform-Project`, or any word in the place of `Platform`. */
const isProjectHeader = (name: string): boolean => name.endsWith('-project') && pattern.test(name)

/** The project that the headers name; undefined if none. `X-Platform-Project` comes first. */
export function readProjectHeader(headers: Headers): string | undefined {
  const value = headers[usual] ?? headers[findName(headers) ?? usual]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Whether there is such a header besides `but`. */
export const hasProjectHeader = (headers: Headers, but?: string): boolean => findName(headers, but) !== undefined

function findName(headers: Headers, but?: string): string | undefined {
  for (const name in headers) if (name !== but && isProjectHeader(name)) return name
  return undefined
}

/** Whether the request has a body; `content-length: 0` means none. */
export const hasBody = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
