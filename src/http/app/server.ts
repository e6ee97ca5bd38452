/**
 * `createHttpApp`: the Express application. request → operation → validated input → context → handler → reply.
 * Generations are passed in as values; nothing here knows one by name.
 */

import type { RequestListener } from 'node:http'
import express, { type Express, type NextFunction, type Request, type RequestHandler, type Response } from 'express'
import helmet from 'helmet'
import type { Count } from '../../counters/counter.ts'
import type { Log } from '../../domain/ports/context.ts'
import { createStopwatch, observedBy, type Stopwatch, stopwatchFor } from '../../domain/ports/stations.ts'
import type { RequestProbe, Telemetry } from '../../domain/ports/telemetry.ts'
import { invalidQuery } from '../../domain/rights/errors.ts'
import { normalizePath, parseQueryString } from '../request/query-string.ts'
import { type HttpRequest, readRequest } from '../request/request.ts'
import { type HttpSettings, requestBounds } from '../settings.ts'
import type { Admission } from './admission.ts'
import { allowOrigins, allowOriginsBy, type CorsOf, trustedOrigins } from './cross-origin.ts'
import { createDispatcher, type Dispatcher } from './dispatch.ts'
import { endpointsOf } from './endpoints.ts'
import { answerFailures } from './failures.ts'
import {
  createInFlightCounter,
  createInFlightRequests,
  createProjectOf,
  createSender,
  findOperation,
  type InFlightCounter,
  type InFlightRequest,
  type InFlightRequests,
  logRequest,
  type Sender,
} from './in-flight-request.ts'
import { serveOperations } from './operations.ts'
import type { Served } from './served.ts'
import type { Generation, MeantBy, Page } from './served-generation.ts'
import { answerUnknown } from './unknown-paths.ts'

export type HttpAppOptions = {
  /** In order of precedence; the first one answers for unknown paths. */
  readonly generations: readonly [Generation, ...Generation[]]
  readonly settings: HttpSettings
  readonly log: Log
  /** Observes requests; absent = they are not observed. */
  readonly telemetry?: Pick<Telemetry, 'request'> | null
  /** Called for requests whose client disconnected before the answer. */
  readonly onGone?: (request: HttpRequest) => void
  readonly uuid: () => string
  readonly isProject: (key: string) => boolean
  /** Opens the project of the request, before its settings are used; null if it is open. */
  readonly opened?: (request: Pick<HttpRequest, 'path' | 'project'>) => Promise<unknown> | null
  /** Admission control; absent admits every request. */
  readonly admission?: Admission | null
  /** The CORS settings of a project; absent = those of `settings` for all. */
  readonly corsOf?: CorsOf
  /** Pages outside the specs (the documentation), by first path segment. */
  readonly pages?: { readonly [firstSegment: string]: Page }
}

export type HttpApp = {
  /** The Express application; it can listen, or be mounted in another application. */
  readonly app: Express
  readonly handler: RequestListener
  /** First path segments that cannot be project keys. */
  readonly reserved: ReadonlySet<string>
  /** Resolves when no request is running, disconnected ones included; at the latest after `deadlineMs` milliseconds. */
  readonly settled: (deadlineMs: number) => Promise<void>
}

/** Builds the application: middleware in this order, then the operations, then the error handler. */
export const createHttpApp = (options: HttpAppOptions): HttpApp => {
  const { generations, settings, isProject, admission = null, pages = {}, corsOf } = options
  const endpoints = generations.flatMap((generation) => endpointsOf(generation, settings))
  const dispatcher = createDispatcher<Served>({ endpoints, isProject })
  const meantBy: MeantBy = (...wanted) => generations.find(({ isMeant }) => isMeant?.(...wanted))
  const requests = createInFlightRequests()
  const inFlight = createInFlightCounter()
  const send = createSender(settings)
  const shared = { requests, inFlight, send }
  const app = createExpress(settings)
  app.use(openInFlightRequests(options, { requests, dispatcher, meantBy }))
  if (options.opened !== undefined) app.use(waitFor(options.opened, requests))
  if (corsOf !== undefined) app.use(allowOriginsBy(corsOf, (res) => requests.of(res).request.project))
  else if (settings.cors !== null) app.use(allowOrigins(settings.cors))
  app.use(securityHeaders(settings))
  if (admission !== null) app.use(admit(admission, requests))
  app.use(refuseLongUrls)
  app.use(servePages(pages, shared))
  app.use(serveOperations(shared))
  const failures = answerFailures(options, shared)
  app.use(answerUnknown(app, { requests, meantBy, failures }))
  app.use(failures)
  const reserved = new Set([...dispatcher.reserved, ...Object.keys(pages)])
  return { app, handler: app, reserved, settled: inFlight.settled }
}

const createExpress = ({ trustProxy }: HttpSettings): Express => {
  const app = express()
  app.disable('x-powered-by')
  app.set('query parser', parseQueryString)
  // If it is not set, the outer application decides.
  if (trustProxy !== false) app.set('trust proxy', trustProxy)
  app.use(normalizePath)
  return app
}

/** Limits and origins of a project are known when it is open, also to the request that opens it. */
const waitFor =
  (opened: NonNullable<HttpAppOptions['opened']>, requests: InFlightRequests): RequestHandler =>
  (_req, res, next) => {
    const opening = opened(requests.of(res).request)
    if (opening === null) next()
    else void opening.then(() => next(), next)
  }

type Opening = {
  readonly requests: InFlightRequests
  readonly dispatcher: Dispatcher<Served>
  readonly meantBy: MeantBy
}

/** Reads the request, starts its log line, and finds its operation and the generation that formats errors until then. */
const openInFlightRequests = (options: HttpAppOptions, { requests, dispatcher, meantBy }: Opening): RequestHandler => {
  const { settings, generations, uuid, isProject } = options
  const { corsOf = () => settings.cors } = options
  const projectOf = createProjectOf({ dispatcher, isProject, first: generations[0] })
  const trustedOf = (project: string): readonly string[] => trustedOrigins(corsOf(project))
  const open = (probe: RequestProbe | null, { req, res, next }: Incoming): void => {
    const stopwatch = stopwatchOf(settings.serverTiming, probe)
    const facts = { id: uuid(), publicOrigin: settings.publicUrl, projectOf, trustedOf, stopwatch, probe }
    const request = readRequest(req, res, facts)
    logRequest(options, request, res)
    res.setHeader('x-request-id', request.id)
    if (probe?.trace != null) res.setHeader('traceresponse', traceResponse(probe.trace))
    const group = dispatcher.find(request.path)
    // Without an operation no spec constrains the answer.
    const generation = group?.first.generation ?? meantBy(request, false) ?? generations[0]
    const inFlight: InFlightRequest = { request, group, match: null, by: { generation } }
    requests.open(res, inFlight)
    // A query string that cannot be read is refused in the form of the generation that the path belongs to.
    const match = findOperation(group, request)
    inFlight.match = match
    if (match !== null) inFlight.by = { generation: match.first.generation }
    next()
  }
  const { telemetry = null } = options
  return (req, res, next) => {
    if (telemetry === null) open(null, { req, res, next })
    else telemetry.request(req, (probe) => open(probe, { req, res, next }))
  }
}

type Incoming = { readonly req: Request; readonly res: Response; readonly next: NextFunction }

const stopwatchOf = (isTimed: boolean, probe: RequestProbe | null): Stopwatch | null => {
  const leave = probe?.leave ?? null
  if (!isTimed) return leave === null ? null : stopwatchFor(leave)
  const stopwatch = createStopwatch()
  return leave === null ? stopwatch : observedBy(leave, stopwatch)
}

/** The trace of the answer, in the form of the W3C. */
const traceResponse = ({ id, span, isSampled }: NonNullable<RequestProbe['trace']>): string =>
  `00-${id}-${span}-${isSampled ? '01' : '00'}`

const admit =
  (admission: Admission, requests: InFlightRequests): RequestHandler =>
  (_req, res, next) => {
    const { request, by } = requests.of(res)
    const counted = (count: Count): void => void res.set(by.generation.rateHeaders(count))
    admission(request, { enter: next, refuse: next, counted })
  }

const refuseLongUrls: RequestHandler = ({ url }, _res, next) => {
  if (url.length <= requestBounds.url) return next()
  const reason = `Expected at most ${requestBounds.url} characters for the URL but received more`
  throw invalidQuery('url', reason)
}

type ServeOptions = { readonly requests: InFlightRequests; readonly inFlight: InFlightCounter; readonly send: Sender }

/** Answers GET if a page exists; otherwise the operations follow. */
const servePages = (
  pages: { readonly [firstSegment: string]: Page },
  { requests, inFlight, send }: ServeOptions,
): RequestHandler => {
  const answer = async (page: Page, res: Response, next: NextFunction): Promise<void> => {
    const inFlightRequest = requests.of(res)
    inFlight.begin()
    try {
      const reply = await page(inFlightRequest.request.path, inFlightRequest.request)
      if (reply === null) next()
      else await send(res, inFlightRequest, reply)
    } catch (error) {
      next(error)
    } finally {
      inFlight.end()
    }
  }
  return ({ method }, res, next) => {
    const [first = ''] = requests.of(res).request.path.slice(1).split('/', 1)
    const page = Object.hasOwn(pages, first) && (method === 'GET' || method === 'HEAD') ? pages[first] : undefined
    if (page === undefined) next()
    else void answer(page, res, next)
  }
}

/** Security headers of every answer, set by helmet. */
const securityHeaders = ({ hsts }: Pick<HttpSettings, 'hsts'>): RequestHandler =>
  helmet({
    contentSecurityPolicy: {
      // A server on plain HTTP (a local network) must not have requests to itself upgraded.
      directives: {
        'upgrade-insecure-requests': null,
        'style-src': ["'self'", "'unsafe-inline'"],
        'font-src': ["'self'"],
      },
    },
    strictTransportSecurity: hsts === null ? false : { maxAge: hsts },
  })
