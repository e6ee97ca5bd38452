/** One log line per request, without query string, headers or body; of GraphQL the name of the operation, never its variables. */
import type { ServerResponse } from 'node:http'
import type { Log } from '../../domain/ports/context.ts'
import type { HttpRequest } from '../request/request.ts'

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
