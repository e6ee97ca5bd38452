/**
 * `createHttpApp`: request → operation → validated input → context → handler → reply. What a
 * generation is comes in as a value; nothing here knows one by name.
 */
import type { IncomingHttpHeaders } from 'node:http'
import cors from 'cors'
import express, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express'
import type { Context, Log } from '../domain/context.ts'
import { TandemError } from '../domain/errors.ts'
import type { Route } from '../domain/operation.ts'
import { createDispatcher, type Endpoint, namePath, parameterNames } from './dispatch.ts'
import type { SpecDocument } from './enforcement.ts'
import type { AnyHandler } from './handlers.ts'
import { securityHeaders } from './headers.ts'
import { type InputRules, readInput, readSearchInput } from './input.ts'
import { logRequest } from './log-request.ts'
import { empty, json, type Reply, withHeaders } from './reply.ts'
import { type HttpRequest, readRequest } from './request.ts'
import { respond } from './respond.ts'
import { type CorsSettings, type HttpSettings, requestBounds } from './settings.ts'
import { createChecks, type OperationCheck } from './validate.ts'

/** One API generation, as the server needs it. */
export type Generation = {
  readonly name: string
  readonly spec: SpecDocument
  readonly routes: readonly Route[]
  /** By operationId; each `satisfies Handlers<…>` where it is written. */
  readonly handlers: { readonly [operationId: string]: AnyHandler }
  /** The wire form of a failure; null is a fault of ours, whose answer says nothing. */
  readonly toErrorBody: (error: TandemError | null, request: HttpRequest) => ErrorAnswer
  /** Authenticates (unless the route reads no credentials) and gathers what the handler may touch. */
  readonly context: (request: HttpRequest, route: Route, path: { readonly [name: string]: string }) => Promise<Context>
}

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
  /** Makes request ids. */
  readonly uuid: () => string
  readonly isProject: (key: string) => boolean
  /** Pages outside the specs (the documentation), by first segment. */
  readonly pages?: { readonly [firstSegment: string]: Page }
}

/** Answers GET on a path; null when there is nothing. */
export type Page = (path: string) => Promise<Reply | null>

export type HttpApp = {
  readonly handler: Express
  /** First segments that no project may be named like. */
  readonly reserved: ReadonlySet<string>
  /** Compiles all validators, one at a time, leaving room for requests in between. */
  readonly warm: () => Promise<void>
}

type Served = {
  readonly generation: Generation
  readonly handler: AnyHandler
  readonly rules: InputRules
  readonly search: InputRules | null
  readonly names: readonly string[]
}

/** Express hands on nothing but `req`, so the facts travel on it from the first look to the operation. */
type Opened = Request & { opened: HttpRequest }

/** Builds the express application of all generations. */
export const createHttpApp = (options: HttpAppOptions): HttpApp => {
  const endpoints = options.generations.flatMap((generation) => endpointsOf(generation, options.settings))
  const send = createSender(options)
  const dispatcher = createDispatcher<Served>({
    endpoints,
    isProject: options.isProject,
    serve: (endpoint, search) => (req, res) => {
      const request = (req as Opened).opened
      void send(res, request, endpoint, () => answer(endpoint, search, req, request))
    },
    refuse: (endpoint, allowed) => (req, res) => {
      // A refusal is not an answer of the operation, so its spec has no say in it.
      const by = { generation: endpoint.generation }
      void send(res, (req as Opened).opened, by, async () => refuseMethod(req.method, allowed))
    },
  })
  const app = createExpress(options)
  app.use((req, res) => {
    const request = openRequest(req, options)
    ;(req as Opened).opened = request
    logRequest(options.log, request, res)
    const group = dispatcher.find(request.path)
    // Nor is what is said where no operation fits.
    const by = { generation: group?.first.generation ?? options.generations[0] }
    if (request.url.length > requestBounds.url) return void send(res, request, by, refuseUrl)
    const next = (error?: unknown): void =>
      void send(res, request, by, () => answerElse(request, options.pages ?? {}, error))
    if (group === null) next()
    else void group.router(req, res, next)
  })
  const failed: ErrorRequestHandler = (error: unknown, _req, res, _next) => giveUp(res, options.log, error)
  app.use(failed)
  return { handler: app, reserved: dispatcher.reserved, warm: () => warmAll(endpoints) }
}

/** No operation fits: a page outside the specs, or a failure. */
const answerElse = async (
  request: HttpRequest,
  pages: { readonly [first: string]: Page },
  error: unknown,
): Promise<Reply> => {
  if (error !== undefined) throw isClientFault(error) ? refusePath(error) : error
  const [first = ''] = request.path.slice(1).split('/', 1)
  const page =
    ['GET', 'HEAD'].includes(request.method) && Object.hasOwn(pages, first) ? await pages[first]?.(request.path) : null
  if (page === null || page === undefined) throw new TandemError({ kind: 'route-not-found', path: request.path })
  return page
}

const createExpress = ({ settings }: HttpAppOptions): Express => {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', false)
  app.set('trust proxy', settings.trustProxy)
  const { cors: allowed } = settings
  if (allowed !== null) app.use(cors((req, done) => done(null, corsOptions(allowed, headersAsked(req)))))
  return app
}

/** A reflected origin never comes with credentials: any page could then act as the user. */
const corsOptions = (settings: CorsSettings, asked: readonly string[]): cors.CorsOptions => ({
  origin: settings.origin === true ? true : [...settings.origin],
  methods: [...settings.methods],
  allowedHeaders: settings.allowedHeaders.flatMap((each) => (each.includes('*') ? namesLike(each, asked) : [each])),
  exposedHeaders: [...settings.exposedHeaders],
  credentials: settings.credentials && settings.origin !== true && !settings.origin.includes('*'),
  maxAge: settings.maxAge,
})

/** Names of the headers that a preflight asks for. */
const headersAsked = ({ headers }: { readonly headers: IncomingHttpHeaders }): readonly string[] =>
  (headers['access-control-request-headers'] ?? '').split(',').map((name) => name.trim())

/** `X-*-Project` stands for every name that has one word in place of the star. */
const namesLike = (pattern: string, asked: readonly string[]): readonly string[] => {
  const [before = '', after = ''] = pattern.toLowerCase().split('*')
  return asked.filter((name) => {
    const word = name.toLowerCase().startsWith(before) ? name.slice(before.length, name.length - after.length) : ''
    return /^[a-z0-9]{1,50}$/i.test(word) && name.toLowerCase() === `${before}${word.toLowerCase()}${after}`
  })
}

/** Compiling an operation costs with the size of its chunk, each chunk costs 4 MB: large specs stay affordable either way. */
const inChunks = (routes: readonly Route[]): readonly (readonly Route[])[] =>
  Array.from({ length: Math.ceil(routes.length / 24) }, (_, at) => routes.slice(at * 24, at * 24 + 24))

const endpointsOf = (generation: Generation, settings: HttpSettings): readonly Endpoint<Served>[] => {
  const { spec, routes, handlers } = generation
  const checks = new Map(inChunks(routes).flatMap((chunk) => [...createChecks(spec, chunk, settings)]))
  return routes.map((route) => {
    const handler = handlers[route.operationId]
    if (handler === undefined) throw new Error(`${generation.name} has no handler for ${route.operationId}`)
    const rules = {
      route,
      check: checks.get(route.operationId) as OperationCheck,
      onlyQuery: knownQuery(spec, route, settings),
      maxPayload: settings.maxPayload,
    }
    const search = route.search
      ? { ...rules, check: checks.get(`search:${route.operationId}`) as OperationCheck }
      : null
    return { generation, route, handler, rules, search, names: parameterNames(route) }
  })
}

/** Query parameters that STRICT_QUERY lets through: the route's own and those that carry tokens. */
const knownQuery = (spec: SpecDocument, route: Route, { strictQuery }: HttpSettings): ReadonlySet<string> | null => {
  if (!strictQuery) return null
  const schemes = Object.values((spec.components as { securitySchemes?: object }).securitySchemes ?? {}) as readonly {
    readonly in?: string
    readonly name?: string
  }[]
  return new Set([
    ...route.query,
    ...schemes.flatMap(({ in: place, name }) => (place === 'query' && name !== undefined ? [name] : [])),
  ])
}

const openRequest = (req: Request, { settings, uuid }: HttpAppOptions): HttpRequest => {
  const url = req.originalUrl
  const at = url.indexOf('?')
  return readRequest(req, {
    id: uuid(),
    url,
    path: at < 0 ? url : url.slice(0, at),
    queryText: at < 0 ? '' : url.slice(at + 1),
    publicOrigin: settings.publicUrl,
  })
}

const answer = async (
  endpoint: Endpoint<Served>,
  search: boolean,
  req: Request,
  request: HttpRequest,
): Promise<Reply> => {
  const path = namePath(endpoint.names, req.params)
  const input =
    search && endpoint.search !== null
      ? await readSearchInput(req, request, path, endpoint.search)
      : await readInput(req, request, path, endpoint.rules)
  const ctx = await endpoint.generation.context(request, endpoint.route, input.path)
  return endpoint.handler(ctx, { ...input, request } as never)
}

const refuseMethod = (method: string, allowed: readonly string[]): Reply => {
  if (method !== 'OPTIONS') throw new TandemError({ kind: 'method-not-allowed', method, allowed })
  return withHeaders(empty(204), { allow: allowed.join(', ') })
}

const refuseUrl = async (): Promise<Reply> => {
  const reason = `Expected at most ${requestBounds.url} characters for the URL but received more`
  throw new TandemError({ kind: 'invalid-query', name: 'url', reason })
}

const isClientFault = (error: unknown): boolean => (error as { status?: unknown }).status === 400

const refusePath = (cause: unknown): TandemError =>
  new TandemError(
    {
      kind: 'invalid-query',
      name: 'path',
      reason: 'Expected percent-encoded UTF-8 for the path but received other bytes',
    },
    { cause },
  )

type Answering = { readonly generation: Generation; readonly rules?: InputRules }
type Sender = (res: Response, request: HttpRequest, by: Answering, work: () => Promise<Reply>) => Promise<void>

const createSender = ({ settings, log }: HttpAppOptions): Sender => {
  const always = securityHeaders(settings)
  const fail = (by: Answering, request: HttpRequest, error: unknown): Reply => {
    const known = error instanceof TandemError ? error : null
    if (known === null)
      log.error({ err: error, requestId: request.id, path: request.path }, 'a request failed by a fault of the server')
    const { status, body, headers } = by.generation.toErrorBody(known, request)
    const tooLarge = known?.failures[0].kind === 'content-too-large'
    // The rest of a body that is too large is not read, so the connection cannot be used again.
    return withHeaders(json(body, status), { ...headers, ...(tooLarge ? { connection: 'close' } : {}) })
  }
  const checked = async (by: Answering, request: HttpRequest, reply: Reply): Promise<Reply> => {
    if (!settings.validateResponses || by.rules === undefined || reply.status >= 500) return reply
    try {
      await by.rules.check.reply(toReplyParts(reply))
      return reply
    } catch (error) {
      const said = (error as Error).message.replaceAll(/[^\x20-\x7e]/g, ' ')
      return withHeaders(fail(by, request, error), { 'x-spec-violation': said })
    }
  }
  return async (res, request, by, work) => {
    try {
      const reply = await work().catch((error: unknown) => fail(by, request, error))
      respond(res, await checked(by, request, reply), [...always, ['x-request-id', request.id]])
    } catch (error) {
      giveUp(res, log, error)
    }
  }
}

/** The last resort: an answer that cannot be made or sent costs its request, never the process. */
const giveUp = (res: Response, log: Log, error: unknown): void => {
  log.error({ err: error }, 'an answer could not be sent')
  if (res.headersSent) res.destroy()
  else respond(res, empty(500), [])
}

const toReplyParts = ({ status, body }: Reply) => {
  if (body === null) return { status, type: null, value: undefined }
  if (body.kind === 'text' || body.kind === 'bytes') return { status, type: body.type, value: undefined }
  const text = body.kind === 'json-text' ? body.text : JSON.stringify(body.value)
  return { status, type: body.type ?? 'application/json', value: JSON.parse(text) as unknown }
}

const warmAll = async (endpoints: readonly Endpoint<Served>[]): Promise<void> => {
  for (const { rules, search } of endpoints) {
    await rules.check.warm()
    await search?.check.warm()
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
  }
}
