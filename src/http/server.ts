/**
 * `createHttpApp`: request → operation → validated input → context → handler → reply. What a
 * generation is comes in as a value; nothing here knows one by name.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Count } from '../counters/counter.ts'
import type { Context, Log } from '../domain/context.ts'
import { TandemError } from '../domain/errors.ts'
import type { Route } from '../domain/operation.ts'
import type { Admission } from './admission.ts'
import { hasBody } from './body.ts'
import { allowOrigins, trustedOrigins } from './cross-origin.ts'
import { createDispatcher, type Match, matchRoute, namePath } from './dispatch.ts'
import { endpointsOf, type Served } from './endpoints.ts'
import type { SpecDocument } from './enforcement.ts'
import { createForwarding } from './forwarding.ts'
import type { AnyHandler } from './handlers.ts'
import { readInput, readSearchInput } from './input.ts'
import { logRequest } from './log-request.ts'
import { empty, type Reply, withHeaders } from './reply.ts'
import { type HttpFacts, type HttpRequest, readRequest } from './request.ts'
import { createSender, giveUp } from './send.ts'
import { type HttpSettings, requestBounds } from './settings.ts'
import { discardRest } from './slow-bodies.ts'
import { createUnderway } from './underway.ts'

/** One API generation, as the server needs it. */
export type Generation = {
  readonly name: string
  readonly spec: SpecDocument
  readonly routes: readonly Route[]
  /** By operationId; each `satisfies Handlers<…>` where it is written. */
  readonly handlers: { readonly [operationId: string]: AnyHandler }
  /** The wire form of a failure; null is a fault of ours, whose answer says nothing. */
  readonly toErrorBody: (error: TandemError | null, request: HttpRequest) => ErrorAnswer
  /** How often the client may come, as this generation tells it. */
  readonly rateHeaders: RateHeaders
  /** Authenticates (unless the route reads no credentials) and gathers what the handler may touch. */
  readonly context: (request: HttpRequest, route: Route, path: { readonly [name: string]: string }) => Promise<Context>
  /** What to try a request with once more that failed so; null = there is nothing newer, or something of it was done. */
  readonly renew?: (ctx: Context, error: unknown) => Promise<Context | null>
}

export type RateHeaders = (count: Count) => { readonly [name: string]: string }

export type ErrorAnswer = {
  readonly status: number
  readonly body: unknown
  readonly headers?: { readonly [name: string]: string }
}

export type HttpAppOptions = {
  /** In order of precedence; the first one answers for paths that nobody has. */
  readonly generations: readonly [Generation, ...Generation[]]
  readonly settings: HttpSettings
  readonly log: Log
  /** Told of requests whose client has gone before the answer. */
  readonly onGone?: (request: HttpRequest) => void
  /** Makes request ids. */
  readonly uuid: () => string
  readonly isProject: (key: string) => boolean
  /** Who may come in; absent = everybody. */
  readonly admission?: Admission | null
  /** Pages outside the specs (the documentation), by first segment. */
  readonly pages?: { readonly [firstSegment: string]: Page }
}

/** Answers GET on a path; null when there is nothing. */
export type Page = (path: string) => Promise<Reply | null>

export type HttpApp = {
  readonly handler: RequestListener
  /** First segments that no project may be named like. */
  readonly reserved: ReadonlySet<string>
  /** Resolves when no request is under way, not even one whose client has gone; at the latest after so many ms. */
  readonly settled: (deadlineMs: number) => Promise<void>
}

/** Builds the request listener of all generations. */
export const createHttpApp = (options: HttpAppOptions): HttpApp => {
  const endpoints = options.generations.flatMap((generation) => endpointsOf(generation, options.settings))
  const underway = createUnderway()
  const send = createSender(options, underway)
  const { admission = null } = options
  const dispatcher = createDispatcher<Served>({ endpoints, isProject: options.isProject })
  const { publicUrl, cors, trustProxy } = options.settings
  const facts = {
    publicOrigin: publicUrl,
    trustedOrigins: trustedOrigins(cors),
    forwarding: createForwarding(trustProxy),
  }
  const serve = (req: IncomingMessage, res: ServerResponse): void => {
    const request = openRequest({ req, res }, { id: options.uuid(), ...facts })
    logRequest(options, request, res)
    const group = dispatcher.find(request.path)
    // What is said where no operation fits is no answer of one: no spec has a say in it.
    const by = { generation: group?.first.generation ?? options.generations[0] }
    const next = (): void => void send(res, request, by, () => answerElse(request, options.pages ?? {}))
    const enter = (): void => {
      if (request.url.length > requestBounds.url) return void send(res, request, by, refuseUrl)
      const match = group === null ? null : matchRoute(group, request.method, request.path)
      if (match === null) return next()
      if (match.endpoint !== null)
        return void send(res, request, match.endpoint, () => answer(match, { req, res }, request))
      const refusing = { generation: match.first.generation }
      void send(res, request, refusing, async () => refuseMethod(request.method, match.allowed))
    }
    if (admission === null) return enter()
    const refuse = (error: unknown): void => void send(res, request, by, () => Promise.reject(error))
    admission(request, { enter, refuse, counted: (count) => setAll(res, by.generation.rateHeaders(count)) })
  }
  return { handler: guard(options, serve), reserved: dispatcher.reserved, settled: underway.settled }
}

/** Other origins are let in first; a fault costs its request, never the process. */
const guard = ({ settings: { cors }, log }: HttpAppOptions, serve: RequestListener): RequestListener => {
  const letIn = cors === null ? null : allowOrigins(cors)
  return (req, res) => {
    try {
      if (letIn === null) serve(req, res)
      else letIn(req, res, () => serve(req, res))
    } catch (error) {
      giveUp(res, log, error)
    }
  }
}

const setAll = (res: ServerResponse, headers: { readonly [name: string]: string }): void => {
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
}

/** No operation fits: a page outside the specs, or a failure. */
const answerElse = async (request: HttpRequest, pages: { readonly [first: string]: Page }): Promise<Reply> => {
  const [first = ''] = request.path.slice(1).split('/', 1)
  const page =
    ['GET', 'HEAD'].includes(request.method) && Object.hasOwn(pages, first) ? await pages[first]?.(request.path) : null
  if (page === null || page === undefined) throw new TandemError({ kind: 'route-not-found', path: request.path })
  return page
}

type OfServer = Omit<HttpFacts, 'url' | 'path' | 'queryText'>

/** A request, and its answer. */
type Exchange = { readonly req: IncomingMessage; readonly res: ServerResponse }

const openRequest = ({ req, res }: Exchange, facts: OfServer): HttpRequest => {
  const { url = '/' } = req
  const at = url.indexOf('?')
  return readRequest(req, res, {
    ...facts,
    url,
    path: at < 0 ? url : url.slice(0, at),
    queryText: at < 0 ? '' : url.slice(at + 1),
  })
}

type Serving = Extract<Match<Served>, { readonly parameters: readonly string[] }>

const answer = async (
  { endpoint, parameters }: Serving,
  { req, res }: Exchange,
  request: HttpRequest,
): Promise<Reply> => {
  const path = toPath(endpoint, parameters)
  const input =
    request.method === 'SEARCH' && endpoint.search !== null
      ? await readSearchInput(req, request, path, endpoint.search)
      : await readInput(req, request, path, endpoint.rules)
  try {
    const ctx = await endpoint.generation.context(request, endpoint.route, input.path)
    // A body that the handler reads itself can be read once.
    const attempts = input.body === undefined && hasBody(req) ? 1 : mostAttempts
    return await handle(endpoint, { ...input, request }, { ctx, attempts })
  } catch (error) {
    // A body that a refused request still sends stands in the way of the answer.
    if (!req.complete && hasBody(req)) await discardRest(req, res)
    throw error
  }
}

const mostAttempts = 3

/** Begins anew where the generation has a newer context for it. */
const handle = async (
  endpoint: Served,
  input: object,
  { ctx, attempts }: { readonly ctx: Context; readonly attempts: number },
): Promise<Reply> => {
  try {
    return await endpoint.handler(ctx, input as never)
  } catch (error) {
    const newer = attempts > 1 ? await endpoint.generation.renew?.(ctx, error) : null
    if (newer == null) throw error
    return handle(endpoint, input, { ctx: newer, attempts: attempts - 1 })
  }
}

const refuseMethod = (method: string, allowed: readonly string[]): Reply => {
  if (method !== 'OPTIONS') throw new TandemError({ kind: 'method-not-allowed', method, allowed })
  return withHeaders(empty(204), { allow: allowed.join(', ') })
}

const refuseUrl = async (): Promise<Reply> => {
  const reason = `Expected at most ${requestBounds.url} characters for the URL but received more`
  throw new TandemError({ kind: 'invalid-query', name: 'url', reason })
}

const toPath = ({ names }: Served, parameters: readonly string[]): { readonly [name: string]: string } => {
  try {
    return namePath(names, parameters)
  } catch (cause) {
    throw refusePath(cause)
  }
}

const refusePath = (cause: unknown): TandemError =>
  new TandemError(
    {
      kind: 'invalid-query',
      name: 'path',
      reason: 'Expected percent-encoded UTF-8 for the path but received other bytes',
    },
    { cause },
  )
