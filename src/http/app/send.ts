/** Sends a reply, after the optional check against the spec and with cookies adapted to the protocol of the request. */

import type { ServerResponse } from 'node:http'
import type { Response } from 'express'
import type { Log } from '../../domain/ports/context.ts'
import { type Cookie, type Reply, withHeaders } from '../reply/reply.ts'
import { respond } from '../reply/respond.ts'
import type { HttpRequest } from '../request/request.ts'
import type { HttpSettings } from '../settings.ts'
import type { InputRules } from '../validation/input.ts'
import { SpecViolation } from '../validation/validation-failure.ts'
import type { Answering, InFlightRequest } from './in-flight-request.ts'
import { isPlan } from './plan.ts'

/** Rejects with a `SpecViolation` if the spec does not allow the answer. */
export type Sender = (res: Response, inFlight: InFlightRequest, reply: Reply) => Promise<void>

export const createSender =
  ({ validateResponses }: Pick<HttpSettings, 'validateResponses'>): Sender =>
  async (res, inFlight, reply) => {
    const { by, request } = inFlight
    // Errors from here on are not answers of the operation.
    inFlight.by = { generation: by.generation }
    if (validateResponses) await check(by, reply)
    await respond(res, withDecidedCookies(announced(reply, by, request), request))
  }

/** With the headers of the operation that tell how it ends. */
const announced = (reply: Reply, { generation, operationId }: Answering, request: HttpRequest): Reply =>
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
  const text = body.kind === 'json-text' ? [body.text].flat().join('') : JSON.stringify(body.value)
  return { status, type: body.type ?? 'application/json', value: JSON.parse(text) as unknown }
}

const withDecidedCookies = (reply: Reply, request: HttpRequest): Reply =>
  reply.cookies === undefined ? reply : { ...reply, cookies: reply.cookies.map((each) => decide(each, request)) }

/** A cookie that leaves `secure` open is secure if the request came by https. */
const decide = (cookie: Cookie, { origin, base }: HttpRequest): Cookie => ({
  ...cookie,
  secure: cookie.secure ?? origin.startsWith('https:'),
  path: cookie.path === undefined && base !== '' ? base : `${base}${cookie.path ?? '/'}`,
})

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
