/** One log line per request, without query string, headers or body; of GraphQL the name of the operation, never its variables. */
import type { ServerResponse } from 'node:http'
import type { Log } from '../../domain/ports/context.ts'
import type { HttpRequest } from '../request/request.ts'

type Ending = { readonly log: Log; readonly onGone?: ((request: HttpRequest) => void) | undefined }

/** Writes the line when the answer is complete, or when the client has gone, which `onGone` is told too. */
export const logRequest = ({ log, onGone }: Ending, request: HttpRequest, res: ServerResponse): void => {
  const started = performance.now()
  res.once('close', () => {
    const ms = Math.round((performance.now() - started) * 100) / 100
    const line = {
      requestId: request.id,
      method: request.method,
      path: `${request.base}${withoutTokens(request.path)}`,
      status: res.statusCode,
      ms,
      ...(request.subject === null ? {} : { operation: request.subject }),
    }
    if (res.writableFinished) return log.info(line, 'request')
    onGone?.(request)
    log.info({ ...line, aborted: true }, 'request')
  })
}

/** Invitations and password resets carry their token as a path segment. Keys of items are shorter or uuids. */
export const withoutTokens = (path: string): string =>
  path.length < 40 ? path : path.replaceAll(/(?<=\/)[\w.~-]{40,}(?=\/|$)/g, '[redacted]')
