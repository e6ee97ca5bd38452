/** The middleware that serves operations: finds the operation, reads and validates its input, and calls its handler. */
import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { isUnlimited } from '../../authz/grants.ts'
import type { Context } from '../../domain/ports/context.ts'
import { serverTiming } from '../../domain/ports/stations.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { ignoredFields } from '../reply/ignored-fields.ts'
import { empty, type Reply, withHeaders } from '../reply/reply.ts'
import { discardRest } from '../request/body.ts'
import { positionCookie, positionHeader } from '../request/position-names.ts'
import { type HttpRequest, hasBody } from '../request/request.ts'
import { readInput, readSearchInput } from '../validation/input.ts'
import { refuseKey } from './batch/keyed.ts'
import { type Match, namePath } from './dispatch.ts'
import type { Answering, InFlightCounter, InFlightRequests, Sender } from './in-flight-request.ts'
import { answerPlanned, planType } from './plan.ts'
import type { Served } from './served.ts'

type ServeOptions = { readonly requests: InFlightRequests; readonly inFlight: InFlightCounter; readonly send: Sender }

/** Calls `next` if no operation matches; errors go to the error handler. */
export const serveOperations =
  ({ requests, inFlight, send }: ServeOptions): RequestHandler =>
  (req, res, next) => {
    const inFlightRequest = requests.of(res)
    const { request, match } = inFlightRequest
    if (match === null) return next()
    const { endpoint } = match
    if (endpoint !== null) request.probe?.isFor(endpoint.generation.name, endpoint.route.operationId)
    const refused = endpoint === null ? null : refusalOf(endpoint, request)
    inFlightRequest.by =
      refused === null && endpoint !== null ? answeringOf(endpoint) : { generation: match.first.generation }
    const work =
      endpoint === null
        ? async () => refuseMethod(request.method, match.allowed)
        : refused !== null
          ? async () => refused
          : () => answer({ endpoint, parameters: match.parameters }, { req, res }, request)
    void run(work, { inFlight, next, send: (reply) => send(res, inFlightRequest, reply) })
  }

/** The answer in place of an operation that is turned off. */
const refusalOf = ({ generation, route }: FoundOperation['endpoint'], request: HttpRequest): Reply | null =>
  generation.refuse?.(request, route.operationId) ?? null

const answeringOf = ({ generation, rules, route }: FoundOperation['endpoint']): Answering => ({
  generation,
  rules,
  operationId: route.operationId,
})

type RunOptions = {
  readonly inFlight: InFlightCounter
  readonly next: NextFunction
  readonly send: (reply: Reply) => Promise<void>
}

const run = async (work: () => Promise<Reply>, { inFlight, next, send }: RunOptions): Promise<void> => {
  inFlight.begin()
  try {
    await send(await work())
  } catch (error) {
    next(error)
  } finally {
    inFlight.end()
  }
}

type Exchange = { readonly req: Request; readonly res: Response }

type FoundOperation = Omit<Extract<Match<Served>, { readonly parameters: readonly string[] }>, 'first' | 'allowed'>

/**
 * The stations of a request in their order. Parse, authorize, compile, run and serialize are passed inside of the
 * handler (ARCHITECTURE.md follows one request through them), and `respond` is the sender's.
 */
const answer = async (
  { endpoint, parameters }: FoundOperation,
  exchange: Exchange,
  request: HttpRequest,
): Promise<Reply> => {
  const { stopwatch } = request
  const path = toPath(endpoint, parameters)
  if (endpoint.refusesKey) refuseKey(endpoint.route, request)
  return discardingRest(exchange, async () => {
    // Callers without the permission learn nothing about the errors of a request.
    const administrator = endpoint.administratorsOnly ? await authenticateAdministrator(endpoint, request) : null
    const input = await validate(endpoint, { req: exchange.req, request }, path)
    stopwatch?.leave('validate')
    const ctx = administrator ?? (await endpoint.generation.authenticate(request, endpoint.route))
    stopwatch?.leave('authenticate')
    // A body that the handler streams can be read only once, so there is no second attempt.
    const attempts = input.body === undefined && hasBody(exchange.req) ? 1 : mostAttempts
    const handlerInput = toHandlerInput(endpoint, input, { ...exchange, request })
    if (request.headers['accept']?.includes(planType) === true)
      return answerPlanned(endpoint, { ctx, request, input: handlerInput })
    const work = () => handle(endpoint, handlerInput, { ctx, attempts })
    const reply = await (isSettled(ctx) ? work() : settling(ctx, request, work))
    stopwatch?.leave('serialize')
    return withTimes(ctx, withIgnored(ctx, reply, input.ignored))
  })
}

const isSettled = ({
  allowance,
  committed,
  position,
}: Pick<Context, 'allowance' | 'committed' | 'position'>): boolean =>
  allowance == null && (committed === undefined || position === undefined)

/** Settles the limits of an API key and adds the position of a write, for replies and errors alike. */
const settling = async (
  ctx: Pick<Context, 'allowance' | 'committed' | 'position'>,
  request: HttpRequest,
  work: () => Promise<Reply>,
): Promise<Reply> => {
  try {
    return await work()
  } finally {
    await ctx.allowance?.settle()
    if (ctx.committed?.() === true && ctx.position !== undefined) await addPosition(request, ctx.position)
  }
}

const validate = (
  { search, rules }: Served,
  { req, request }: SentRequest,
  path: { readonly [name: string]: string },
) =>
  request.method === 'SEARCH' && search !== null
    ? readSearchInput(req, request, path, search)
    : readInput(req, request, path, rules)

const authenticateAdministrator = async (
  { generation, route }: FoundOperation['endpoint'],
  request: HttpRequest,
): Promise<Context> => {
  const ctx = await generation.authenticate(request, route)
  if (!isUnlimited(ctx.actor)) throw new TandemError({ kind: 'forbidden' })
  return ctx
}

/** The unread body of a refused request would block its answer. */
const discardingRest = async <T>({ req }: Exchange, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (!req.complete && hasBody(req)) discardRest(req)
    throw error
  }
}

/** Adds the time of each station, for administrators. */
const withTimes = ({ actor, stopwatch }: Pick<Context, 'actor' | 'stopwatch'>, reply: Reply): Reply =>
  stopwatch == null || stopwatch.times().size === 0 || !isUnlimited(actor)
    ? reply
    : withHeaders(reply, { 'server-timing': serverTiming(stopwatch.times()) })

/** Reports ignored keys of the body to the client and in the log. */
const withIgnored = (
  { log, request }: Pick<Context, 'log' | 'request'>,
  reply: Reply,
  ignored?: ReadonlySet<string>,
): Reply => {
  if (ignored === undefined || ignored.size === 0) return reply
  log.warn({ keys: [...ignored], requestId: request.id }, 'A request has keys that are not known and are ignored')
  return withHeaders(reply, ignoredFields(ignored))
}

type SentRequest = { readonly req: Request; readonly request: HttpRequest }

const toHandlerInput = ({ isRaw, steps }: Served, input: object, { req, request }: SentRequest): object => {
  if (steps !== null) return { ...input, request, steps }
  return isRaw ? { ...input, request, raw: req } : { ...input, request }
}

const mostAttempts = 3

/** Runs the handler again if the generation offers a newer context. */
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

/** Adds the position of the write to the answer, so that later reads of the client see it. A position that cannot be read is left out: the write has succeeded. */
async function addPosition(request: HttpRequest, read: () => Promise<string>): Promise<void> {
  const position = await read().catch(() => null)
  if (position === null) return
  request.tell?.({ [positionHeader]: position })
  if (Object.keys(request.cookies).length > 0)
    request.setCookie?.(`${positionCookie}=${position}; Path=/; Max-Age=3600; HttpOnly; SameSite=Lax`)
}
