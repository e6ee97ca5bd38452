/** The error handler: turns any error into an answer in the form of the requested generation. */
import type { ErrorRequestHandler } from 'express'
import { isOfDatabase, noteRefusal } from '../../core/database-faults.ts'
import type { Log } from '../../domain/ports/context.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { empty, json, type Reply, withHeaders } from '../reply/reply.ts'
import { respond } from '../reply/respond.ts'
import { SpecViolation } from '../validation/validation-failure.ts'
import type { InFlightCounter, InFlightRequest, InFlightRequests } from './in-flight-request.ts'
import { type Sender, traceOf, withoutTokens } from './in-flight-request.ts'

type Answering = { readonly requests: InFlightRequests; readonly inFlight: InFlightCounter; readonly send: Sender }

/** An answer that cannot be built or sent fails its request, never the process. */
export const answerFailures = (
  { log }: { readonly log: Log },
  { requests, inFlight, send }: Answering,
): ErrorRequestHandler => {
  const answer = async (
    error: unknown,
    inFlightRequest: InFlightRequest,
    res: Parameters<Sender>[0],
  ): Promise<void> => {
    // No spec of an operation constrains the answer to an unknown project, nor that about a key or a rate.
    if (isOfNoOperation(error)) inFlightRequest.by = { generation: inFlightRequest.by.generation }
    try {
      await send(res, inFlightRequest, toReply(error, inFlightRequest, log))
    } catch (violation) {
      if (!(violation instanceof SpecViolation)) throw violation
      await send(res, inFlightRequest, toReply(violation, inFlightRequest, log))
    }
  }
  // Express recognizes an error handler by its four parameters.
  return async (error: unknown, _req, res, _next) => {
    inFlight.begin()
    try {
      const inFlight = requests.find(res)
      if (inFlight === null || res.headersSent) throw error
      await answer(error, inFlight, res)
    } catch (last) {
      log.error({ err: last }, 'Answer could not be sent')
      if (res.headersSent) res.destroy()
      else void respond(res, empty(500))
    } finally {
      inFlight.end()
    }
  }
}

const toReply = (error: unknown, { request, by }: InFlightRequest, log: Log): Reply => {
  const failure = error instanceof TandemError ? error : null
  const isUnavailable = failure?.failures[0].kind === 'unavailable'
  const requestFacts = { requestId: request.id, path: withoutTokens(request.path), ...traceOf(request) }
  const detail = { err: error, ...requestFacts }
  if (failure === null) log.error(detail, 'Request failed with an unexpected error')
  // The client learns that a service is unavailable, the operator also why.
  else if (!noteRefusal(log, requestFacts, failure) && isUnavailable && failure.cause !== undefined)
    log.warn(detail, 'Request failed because a service is unavailable')
  const { status, body, headers, type } = by.generation.toErrorBody(
    failure,
    request,
    failure === null && isOfDatabase(error),
  )
  const reply = json(body, status)
  const typed = type === undefined ? reply : { ...reply, body: { ...reply.body, type } }
  return withHeaders(typed, { ...headers, ...extraHeaders(error) })
}

const extraHeaders = (error: unknown): { readonly [name: string]: string } =>
  error instanceof SpecViolation ? { 'x-spec-violation': error.message.replaceAll(/[^\x20-\x7e]/g, ' ') } : {}

const ofNoOperation: ReadonlySet<string> = new Set([
  'project-not-found',
  'project-fault',
  'key-reused',
  'request-in-progress',
  // Limits of rates can refuse any request.
  'requests-exceeded',
])

const isOfNoOperation = (error: unknown): boolean =>
  error instanceof TandemError && ofNoOperation.has(error.failures[0].kind)
