/** The middleware that finds the operation of a request, reads its input and has its handler answer. */
import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { isUnlimited } from '../../authz/grants.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { Route } from '../../domain/ports/operation.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { empty, type Reply, withHeaders } from '../reply/reply.ts'
import { hasBody } from '../request/body.ts'
import type { HttpRequest } from '../request/request.ts'
import { discardRest } from '../request/slow-bodies.ts'
import { readInput, readSearchInput } from '../validation/input.ts'
import { type Match, matchRoute, namePath } from './dispatch.ts'
import type { Served } from './endpoints.ts'
import type { Passages } from './passage.ts'
import type { Sender } from './send.ts'
import type { Underway } from './underway.ts'

type Serving = { readonly passages: Passages; readonly underway: Underway; readonly send: Sender }

/** Goes on to what comes behind where no operation fits; failures go to the error handler. */
export const serveOperations =
  ({ passages, underway, send }: Serving): RequestHandler =>
  (req, res, next) => {
    const passage = passages.of(res)
    const { request, group } = passage
    const match = group === null ? null : matchRoute(group, request.method, request.path)
    if (match === null) return next()
    passage.by = match.endpoint ?? { generation: match.first.generation }
    const { endpoint } = match
    const work =
      endpoint === null
        ? async () => refuseMethod(request.method, match.allowed)
        : () => answer({ endpoint, parameters: match.parameters }, { req, res }, request)
    void run(work, { underway, next, send: (reply) => send(res, passage, reply) })
  }

type Running = {
  readonly underway: Underway
  readonly next: NextFunction
  readonly send: (reply: Reply) => Promise<void>
}

const run = async (work: () => Promise<Reply>, { underway, next, send }: Running): Promise<void> => {
  underway.begin()
  try {
    await send(await work())
  } catch (error) {
    next(error)
  } finally {
    underway.end()
  }
}

/** A request, and its answer. */
type Exchange = { readonly req: Request; readonly res: Response }

type Found = Omit<Extract<Match<Served>, { readonly parameters: readonly string[] }>, 'first' | 'allowed'>

const answer = async (
  { endpoint, parameters }: Found,
  { req, res }: Exchange,
  request: HttpRequest,
): Promise<Reply> => {
  const path = toPath(endpoint, parameters)
  if (endpoint.administratorsOnly) await refuseOthers(endpoint, { req, res }, { request, path })
  const input =
    request.method === 'SEARCH' && endpoint.search !== null
      ? await readSearchInput(req, request, path, endpoint.search)
      : await readInput(req, request, path, endpoint.rules)
  try {
    const ctx = await endpoint.generation.context(request, endpoint.route, input.path)
    // A body that the handler reads itself can be read once.
    const attempts = input.body === undefined && hasBody(req) ? 1 : mostAttempts
    return await handle(endpoint, toHandlerInput(endpoint, input, { req, request }), { ctx, attempts })
  } catch (error) {
    // A body that a refused request still sends stands in the way of the answer.
    if (!req.complete && hasBody(req)) await discardRest(req, res)
    throw error
  }
}

type Sent = { readonly req: Request; readonly request: HttpRequest }

const toHandlerInput = ({ isRaw }: Served, input: object, { req, request }: Sent): object =>
  isRaw ? { ...input, request, raw: req } : { ...input, request }

type Asked = { readonly request: HttpRequest; readonly path: { readonly [name: string]: string } }

/** Who may not do it learns nothing of what is wrong with the request. */
const refuseOthers = async (
  { generation, route }: Served & { readonly route: Route },
  { req, res }: Exchange,
  { request, path }: Asked,
): Promise<void> => {
  try {
    const { actor } = await generation.context(request, route, path)
    if (!isUnlimited(actor)) throw new TandemError({ kind: 'forbidden' })
  } catch (error) {
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
