/** The state of a request in flight: its operation and project are found once, then its reply is sent and logged. */

import type { ServerResponse } from 'node:http'
import type { Response } from 'express'
import type { Log } from '../../domain/ports/context.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { decideCookie } from '../reply/cookie-text.ts'
import { type Reply, textOfJson, withHeaders } from '../reply/reply.ts'
import { respond } from '../reply/respond.ts'
import type { HttpRequest } from '../request/request.ts'
import type { HttpSettings } from '../settings.ts'
import type { InputRules } from '../validation/input.ts'
import { SpecViolation } from '../validation/validation-failure.ts'
import { type Dispatcher, type Group, type Match, matchRoute, namePath } from './dispatch.ts'
import { isPlan } from './plan.ts'
import type { Served } from './served.ts'
import type { Generation } from './served-generation.ts'

/** Which generation formats errors, and which route's spec the answer must match. */
export type Answering = {
  readonly generation: Generation
  readonly operationId?: string
  readonly rules?: InputRules
}

export type InFlightRequest = {
  readonly request: HttpRequest
  /** Candidate paths for the request. */
  readonly group: Group<Served> | null
  /** The operation of the request; null if no path matches. */
  match: Match<Served> | null
  by: Answering
}

/** Keeps the requests of one Tandem application; two of them may be mounted in one Express application. */
export type InFlightRequests = {
  readonly open: (res: Response, inFlight: InFlightRequest) => void
  /** Throws if the request did not pass through the application. */
  readonly of: (res: Response) => InFlightRequest
  readonly find: (res: Response) => InFlightRequest | null
}

export const createInFlightRequests = (): InFlightRequests => {
  const key = Symbol('tandem')
  const find = ({ locals }: Response): InFlightRequest | null => (locals as { [key]?: InFlightRequest })[key] ?? null
  return {
    open: ({ locals }, inFlight) => {
      ;(locals as { [key]?: InFlightRequest })[key] = inFlight
    },
    of: (res) => {
      const request = find(res)
      if (request === null) throw new Error('The request did not pass through the application')
      return request
    },
    find,
  }
}

/** The error for a request without a matching operation. */
export const refuseUnknown = ({ request, group }: InFlightRequest): TandemError => {
  const isInProject = group?.first.route.path.startsWith('/{') === true
  return new TandemError({ kind: 'route-not-found', path: request.path, isInProject })
}

/** Finds the operation within the candidates of the path. */
export function findOperation(
  group: Group<Served> | null,
  request: HttpRequest,
  method: string = request.method,
): Match<Served> | null {
  const isOwn = ({ generation }: Served): boolean => generation.isClient?.(request) === true
  return group === null ? null : matchRoute(group, { method, path: request.path, isOwn })
}

type Routing = {
  readonly dispatcher: Dispatcher<Served>
  readonly isProject: (key: string) => boolean
  /** Reads the project of paths without an operation. */
  readonly first: Generation
}

/**
 * The project as the generation of the operation reads it: from the path, or from what else names it there. A preflight
 * request is for the project of the request that it announces.
 */
export const createProjectOf =
  ({ dispatcher, isProject, first }: Routing) =>
  (request: HttpRequest): string => {
    const group = dispatcher.find(request.path)
    const head = request.path.split('/', 2)[1] ?? ''
    if (group === null) return isProject(head.toLowerCase()) ? head : projectBy(first, request, {})
    // Whatever the rest of the path, it begins with a project.
    if (group.first.route.path.startsWith('/{')) return projectBy(group.first.generation, request, { project: head })
    const match = findOperation(group, request, announced(request))
    return projectBy((match?.endpoint ?? match?.first ?? group.first).generation, request, parametersOf(match))
  }

const projectBy = (
  { readProject }: Generation,
  request: HttpRequest,
  path: { readonly [name: string]: string },
): string => readProject?.(request, path) ?? '_'

const announced = ({ method, headers }: HttpRequest): string => {
  const wanted = headers['access-control-request-method']
  return method === 'OPTIONS' && typeof wanted === 'string' ? wanted : method
}

function parametersOf(match: Match<Served> | null): { readonly [name: string]: string } {
  if (match === null || match.endpoint === null) return {}
  try {
    return namePath(match.endpoint.names, match.parameters)
  } catch (error) {
    // The operation refuses such a path.
    if (error instanceof URIError) return {}
    throw error
  }
}

/**
 * Tracks running requests, so that shutdown can wait for them. Work continues after its client disconnects, and cleans
 * up after itself.
 */
export type InFlightCounter = {
  readonly begin: () => void
  readonly end: () => void
  /** Resolves when no request is running, at the latest after `deadlineMs` milliseconds. */
  readonly settled: (deadlineMs: number) => Promise<void>
}

export const createInFlightCounter = (): InFlightCounter => {
  let count = 0
  let settle: (() => void) | null = null
  return {
    begin: () => {
      count += 1
    },
    end: () => {
      count -= 1
      if (count === 0) settle?.()
    },
    settled: (deadlineMs) =>
      new Promise((resolve) => {
        if (count === 0) return resolve()
        const timer = setTimeout(resolve, deadlineMs)
        settle = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
  }
}

/** Rejects with a `SpecViolation` if the spec does not allow the answer. */
export type Sender = (res: Response, inFlight: InFlightRequest, reply: Reply) => Promise<void>

export const createSender =
  ({ validateResponses }: Pick<HttpSettings, 'validateResponses'>): Sender =>
  async (res, inFlight, reply) => {
    const { by, request } = inFlight
    // Errors from here on are not answers of the operation.
    inFlight.by = { generation: by.generation }
    if (validateResponses) await check(by, reply)
    await respond(res, withDecidedCookies(withAnnouncement(reply, by, request), request))
  }

/** Adds the headers that announce the end of a generation that will be turned off. */
const withAnnouncement = (reply: Reply, { generation, operationId }: Answering, request: HttpRequest): Reply =>
  operationId === undefined || generation.announce === undefined
    ? reply
    : withHeaders(reply, generation.announce(request, operationId))

const check = async ({ rules }: Answering, reply: Reply): Promise<void> => {
  // A plan takes the place of an answer in any operation that reads.
  if (rules === undefined || reply.status >= 500 || isPlan(reply)) return
  await checkReply(rules, reply)
}

/** Rejects with a `SpecViolation` if the spec does not allow the answer. */
export const checkReply = async (rules: InputRules, reply: Reply): Promise<void> => {
  try {
    await rules.check.reply(toReplyParts(reply))
  } catch (error) {
    throw error instanceof SpecViolation ? error : new SpecViolation((error as Error).message, { cause: error })
  }
}

const toReplyParts = ({ status, body }: Reply) => {
  if (body === null) return { status, type: null, value: undefined }
  if (body.kind === 'text' || body.kind === 'bytes' || body.kind === 'pieces' || body.kind === 'stream')
    return { status, type: body.type, value: undefined }
  return { status, type: body.type ?? 'application/json', value: JSON.parse(textOfJson(body)) as unknown }
}

const withDecidedCookies = (reply: Reply, request: HttpRequest): Reply =>
  reply.cookies === undefined ? reply : { ...reply, cookies: reply.cookies.map((each) => decideCookie(each, request)) }

type Ending = { readonly log: Log; readonly onGone?: ((request: HttpRequest) => void) | undefined }

/** Logs when the answer is complete or the client has disconnected; the latter also calls `onGone`. */
export const logRequest = ({ log, onGone }: Ending, request: HttpRequest, res: ServerResponse): void => {
  const started = performance.now()
  const { probe = null } = request
  res.once('close', () => {
    probe?.end({ status: res.statusCode, isAborted: !res.writableFinished })
    const ms = Math.round((performance.now() - started) * 100) / 100
    const line = {
      requestId: request.id,
      method: request.method,
      path: `${request.base}${withoutTokens(request.path)}`,
      status: res.statusCode,
      ms,
      ...traceOf(request),
      ...(request.subject === null ? {} : { operation: request.subject }),
    }
    if (res.writableFinished) return log.info(line, 'request')
    onGone?.(request)
    log.info({ ...line, aborted: true }, 'request')
  })
}

/** The trace in the lines of a request; nothing if none is recorded. */
export const traceOf = ({ probe }: Pick<HttpRequest, 'probe'>): { readonly traceId?: string } =>
  probe?.trace == null ? {} : { traceId: probe.trace.id }

/**
 * Replaces tokens in the path: invitations and password resets carry them as a segment. Item keys are shorter, or
 * uuids.
 */
export const withoutTokens = (path: string): string =>
  path.length < 40 ? path : path.replaceAll(/(?<=\/)[\w.~-]{40,}(?=\/|$)/g, '[redacted]')
