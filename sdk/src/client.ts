/** The runtime of all generated functions: sends one request, typed by its caller. */
import { type Generation, TandemApiError } from './errors.ts'
import { askedWait, backOff, defaultRetry, isSafe, type Retry, wait } from './retry.ts'
import { plainQuery, serializeQuery } from './serialize-query.ts'

/** The parts of an operation's spec that sending needs. */
export type Operation = {
  readonly method: string
  /** Path with `{name}` for parameters. */
  readonly path: string
  /** Whether the read also exists as SEARCH, with the query in the body. */
  readonly search?: boolean
  /** Whether the write takes `Idempotency-Key`, so that it can be retried. */
  readonly keyed?: boolean
}

export type Input = {
  readonly path?: { readonly [name: string]: string | number } | undefined
  readonly query?: object | undefined
  readonly body?: unknown
}

export type RequestOptions = {
  readonly signal?: AbortSignal
  /** Timeout in milliseconds of the whole request, including retries. */
  readonly timeout?: number
  readonly headers?: { readonly [name: string]: string }
  /** Whether to send a read as SEARCH; by default only if the query is too long for a URL. */
  readonly search?: boolean
  /** Overrides the client's token; null sends none. */
  readonly token?: string | null
  /** Replaces the client's `fetch` for this request. */
  readonly fetch?: typeof fetch
}

/** A request as hooks see it. */
export type SentRequest = {
  readonly operation: Operation
  /** The method that is sent: SEARCH for reads whose query is too long for a URL. */
  readonly method: string
  readonly url: string
  /** Hooks may set headers. */
  readonly headers: Headers
}

/** Functions that see each request and each response. A retry is another request. An error of a hook fails the call. */
export type Hooks = {
  /** Runs before a request is sent. */
  readonly onRequest?: (request: SentRequest) => void | Promise<void>
  /** Runs after the headers of a response have arrived. A hook that reads the body reads that of `response.clone()`. */
  readonly onResponse?: (response: Response, request: SentRequest) => void | Promise<void>
}

/** Provides the token of a request, and renews an expired one. */
type Credentials = {
  readonly token: () => Promise<string | null>
  /** Resolves to the new token; null if none can be renewed. */
  readonly renew: () => Promise<string | null>
}

export type ClientOptions = Hooks & {
  readonly url: string
  readonly generation: Generation
  readonly fetch?: typeof fetch
  readonly credentials?: Credentials
  /** Whether browsers send and keep cookies. */
  readonly cookies?: RequestCredentials
  /**
   * Name and version of the application, such as `shop-frontend/2.3`: a letter, then at most 39 letters, digits and
   * `.-_`, and a number. The server says by it whom a change breaks; it reads two numbers of the version.
   */
  readonly client?: `${string}/${string}`
  /** Headers of every request. */
  readonly headers?: { readonly [name: string]: string }
  readonly timeout?: number
  readonly retry?: Partial<Retry>
  /** Path parameters common to all operations, such as the project. */
  readonly path?: { readonly [name: string]: string }
  readonly now?: () => number
  readonly random?: () => number
  readonly wait?: typeof wait
}

/** Typed writes have the fields of their answer among their options. */
type Sending = RequestOptions & { readonly fields?: unknown }

export type Client = {
  readonly url: string
  readonly request: <Output>(operation: Operation, input?: Input, options?: RequestOptions) => Promise<Output>
  /** As `request`, with the response headers. */
  readonly send: (operation: Operation, input?: Input, options?: RequestOptions) => Promise<Response>
}

/** Maximum length of a URL that proxies can be expected to accept. */
const longestUrl = 4000

/** Creates a client for one generation of one server. */
export function createClient(options: ClientOptions): Client {
  if (!/^https?:\/\/[^/]/i.test(options.url)) {
    throw new TypeError(
      `Expected an address such as "https://api.example.com" for "url" but received "${options.url}".`,
    )
  }
  // How far the last write has come: with it, a server with read replicas answers from one that has the write.
  let position: string | null = null
  const exchange = async (operation: Operation, input: Input = {}, each: RequestOptions = {}): Promise<Response> => {
    const signal = deadline(each.signal, each.timeout ?? options.timeout ?? 30_000)
    const token = each.token === undefined ? await options.credentials?.token() : each.token
    const request = toRequest(options, operation, input, each)
    if (position !== null) request.headers.set(positionHeader, position)
    const by = each.fetch === undefined ? options : { ...options, fetch: each.fetch }
    const response = await send(by, withToken(request, token ?? null), signal)
    position = response.headers.get(positionHeader) ?? position
    // A consumed stream cannot be sent again.
    const isFinal = each.token !== undefined || request.body instanceof ReadableStream
    const renewed = isFinal ? null : await renewedToken(options, response)
    if (renewed === null) return response
    const again = await send(by, withToken(request, renewed), signal)
    position = again.headers.get(positionHeader) ?? position
    return again
  }
  return {
    url: options.url,
    async request<Output>(operation: Operation, input?: Input, each?: RequestOptions): Promise<Output> {
      return readResult(options.generation, await exchange(operation, input, each))
    },
    async send(operation, input, each) {
      const response = await exchange(operation, input, each)
      if (!response.ok) await readResult(options.generation, response)
      return response
    },
  }
}

type Prepared = SentRequest & {
  readonly body?: BodyInit
  readonly duplex?: 'half'
}

function toRequest(options: ClientOptions, operation: Operation, input: Input, each: Sending): Prepared {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => pathPart(name, options, input))
  const url = `${options.url.replace(/\/+$/, '')}${path}`
  const asked = { fields: each.fields, ...input.query }
  const query = serializeQuery(asked, options.generation === 'current' ? 'json' : 'brackets')
  const asSearch = operation.search === true && (each.search ?? url.length + query.length > longestUrl)
  const headers = new Headers({
    accept: 'application/json',
    ...(options.client && { 'X-Client': options.client }),
    ...options.headers,
    ...each.headers,
  })
  if (operation.keyed === true && retriesOf(options).times > 0 && !headers.has(keyHeader))
    headers.set(keyHeader, newKey())
  if (asSearch) return withBody({ operation, url, method: 'SEARCH', headers }, { query: plainQuery(asked) })
  const address = query === '' ? url : `${url}?${query}`
  return withBody({ operation, url: address, method: operation.method, headers }, input.body)
}

const positionHeader = 'x-tandem-position'

const keyHeader = 'idempotency-key'

const retriesOf = ({ retry }: ClientOptions): Retry => ({ ...defaultRetry, ...retry })

/** `crypto.randomUUID` is not there on pages without https. */
const newKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-')

function pathPart(name: string, options: ClientOptions, input: Input): string {
  const value = input.path?.[name] ?? options.path?.[name]
  if (value === undefined || value === '')
    throw new TypeError(`Expected a value for "${name}" in the path but received none.`)
  // In any encoding these are relative path segments and would reach another operation.
  if (value === '.' || value === '..')
    throw new TypeError(`Expected a value for "${name}" in the path but received "${value}".`)
  return encodeURIComponent(value)
}

function withBody(request: Prepared, body: unknown): Prepared {
  if (body === undefined) return request
  if (body instanceof FormData || body instanceof Blob) return { ...request, body }
  // Streams are sent in half-duplex mode, the only one that exists.
  if (body instanceof ReadableStream) return { ...request, body: body as BodyInit, duplex: 'half' }
  request.headers.set('content-type', 'application/json')
  return { ...request, body: JSON.stringify(body) }
}

function withToken(request: Prepared, token: string | null): Prepared {
  if (token !== null) request.headers.set('authorization', `Bearer ${token}`)
  return request
}

async function send(options: ClientOptions, request: Prepared, signal: AbortSignal): Promise<Response> {
  const { fetch = globalThis.fetch, random = Math.random, now = Date.now } = options
  const retry = retriesOf(options)
  const {
    url,
    operation: _,
    ...init
  } = { ...request, signal, ...(options.cookies && { credentials: options.cookies }) }
  const times =
    isSafe(request.method) || (request.operation.keyed === true && request.headers.has(keyHeader)) ? retry.times : 0
  for (let attempt = 0; ; attempt++) {
    if (options.onRequest) await options.onRequest(request)
    const outcome = await fetch(url, init).catch((error: unknown) => ({ error }))
    if (signal.aborted) throw signal.reason
    if (!('error' in outcome)) await options.onResponse?.(outcome, request)
    const pause = 'error' in outcome ? backOff(retry, attempt, random) : askedWait(outcome, retry, now)
    if (attempt >= times || pause === null) {
      if ('error' in outcome) throw outcome.error
      return outcome
    }
    await (options.wait ?? wait)(pause, signal)
  }
}

/** The server refuses an expired token before it does anything, so even a write can be retried. */
async function renewedToken(options: ClientOptions, response: Response): Promise<string | null> {
  if (response.status !== 401 || options.credentials === undefined) return null
  const { codes } = new TandemApiError(options.generation, 401, await readBody(response.clone()))
  return codes.includes('TOKEN_EXPIRED') || codes.includes(102) ? options.credentials.renew() : null
}

async function readResult<Output>(generation: Generation, response: Response): Promise<Output> {
  const body = await readBody(response)
  if (!response.ok) throw new TandemApiError(generation, response.status, body, response.headers.get('x-request-id'))
  return body as Output
}

/** Reads the body: JSON as a value, text as text, nothing as undefined, anything else as a Blob. */
async function readBody(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? ''
  const isJson = /^application\/([\w.-]+\+)?json\b/.test(type)
  if (isJson || type.startsWith('text/')) {
    const text = await response.text()
    return isJson ? readJson(text, response.ok) : text
  }
  const blob = await response.blob()
  return blob.size === 0 ? undefined : blob
}

/** Errors of proxies can have any body; only a success must be JSON. */
function readJson(text: string, isStrict: boolean): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    if (isStrict) throw error
    return text
  }
}

function deadline(signal: AbortSignal | undefined, timeout: number): AbortSignal {
  const limit = AbortSignal.timeout(timeout)
  return signal === undefined ? limit : AbortSignal.any([signal, limit])
}
