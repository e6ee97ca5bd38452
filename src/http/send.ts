/** Work → reply → socket, whatever happens on the way. */
import type { ServerResponse } from 'node:http'
import type { Log } from '../domain/context.ts'
import { TandemError } from '../domain/errors.ts'
import { securityHeaders } from './headers.ts'
import type { InputRules } from './input.ts'
import { withoutTokens } from './log-request.ts'
import { empty, json, type Reply, withHeaders } from './reply.ts'
import type { HttpRequest } from './request.ts'
import { respond } from './respond.ts'
import type { Generation } from './server.ts'
import type { HttpSettings } from './settings.ts'
import type { Underway } from './underway.ts'

/** Whose form failures take, and whose spec the answer must keep to. */
type Answering = { readonly generation: Generation; readonly rules?: InputRules }
export type Sender = (
  res: ServerResponse,
  request: HttpRequest,
  by: Answering,
  work: () => Promise<Reply>,
) => Promise<void>

type SenderOptions = { readonly settings: HttpSettings; readonly log: Log }

/** Failures become the generation's error bodies; answers are checked where the settings ask for it. */
export const createSender = ({ settings, log }: SenderOptions, underway: Underway): Sender => {
  const always = securityHeaders(settings).flat()
  const isChecked = settings.validateResponses
  const fail = (by: Answering, request: HttpRequest, error: unknown): Reply => {
    const known = error instanceof TandemError ? error : null
    const detail = { err: error, requestId: request.id, path: withoutTokens(request.path) }
    if (known === null) log.error(detail, 'a request failed by a fault of the server')
    // The client is told that something is unavailable; why it is, the operator has to know.
    else if (known.failures[0].kind === 'unavailable' && known.cause !== undefined)
      log.warn(detail, 'a request failed because something that it needs is unavailable')
    const { status, body, headers } = by.generation.toErrorBody(known, request)
    const tooLarge = known?.failures[0].kind === 'content-too-large'
    // The rest of a body that is too large is not read, so the connection cannot be used again.
    return withHeaders(json(body, status), { ...headers, ...(tooLarge ? { connection: 'close' } : {}) })
  }
  const checked = async (by: Answering, request: HttpRequest, reply: Reply): Promise<Reply> => {
    if (by.rules === undefined || reply.status >= 500) return reply
    try {
      await by.rules.check.reply(toReplyParts(reply))
      return reply
    } catch (error) {
      const said = (error as Error).message.replaceAll(/[^\x20-\x7e]/g, ' ')
      return withHeaders(fail(by, request, error), { 'x-spec-violation': said })
    }
  }
  return async (res, request, by, work) => {
    underway.begin()
    try {
      let isOfOperation = isChecked
      const reply = await work().catch((error: unknown) => {
        if (isOfNoProject(error)) isOfOperation = false
        return fail(by, request, error)
      })
      const headers = [...always, 'x-request-id', request.id]
      const sending = respond(res, isOfOperation ? await checked(by, request, reply) : reply, headers)
      await sending?.catch((error: unknown) => {
        // What fails before the first piece is an ordinary error.
        if (res.headersSent) throw error
        return respond(res, fail(by, request, error), headers)
      })
    } catch (error) {
      giveUp(res, log, error)
    } finally {
      underway.end()
    }
  }
}

/** A project that does not exist has no operations: no spec of one has a say in the answer. */
const isOfNoProject = (error: unknown): boolean =>
  error instanceof TandemError && error.failures[0].kind === 'project-not-found'

/** The last resort: an answer that cannot be made or sent costs its request, never the process. */
export const giveUp = (res: ServerResponse, log: Log, error: unknown): void => {
  log.error({ err: error }, 'an answer could not be sent')
  if (res.headersSent) res.destroy()
  else void respond(res, empty(500), [])
}

const toReplyParts = ({ status, body }: Reply) => {
  if (body === null) return { status, type: null, value: undefined }
  if (body.kind === 'text' || body.kind === 'bytes' || body.kind === 'pieces' || body.kind === 'stream')
    return { status, type: body.type, value: undefined }
  const text = body.kind === 'json-text' ? [body.text].flat().join('') : JSON.stringify(body.value)
  return { status, type: body.type ?? 'application/json', value: JSON.parse(text) as unknown }
}
