/**
 * Time limits for request bodies. An ordinary body must be complete within a minute. A streamed body may take as long
 * as bytes keep arriving.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { hasBody } from './body.ts'

/** Milliseconds for a whole body, or for the next byte of a streamed one. */
const bodyTimeout = 60_000

type Watched = { since: number; streamed: boolean; bytes: number }

const watched = new WeakMap<IncomingMessage, Watched>()

/** Marks the body as streamed to storage. */
export function streamBody(req: IncomingMessage): IncomingMessage {
  const facts = watched.get(req)
  if (facts !== undefined) facts.streamed = true
  return req
}

/** Whether the body is streamed to storage. */
export const isStreamed = (req: IncomingMessage): boolean => watched.get(req)?.streamed === true

/** Limits for discarding the rest of a refused body, so that a client that only reads after sending gets its answer. */
const most = { bytes: 4 * 1024 ** 2, time: 2000 } as const

/** Discards the body for a while. If it continues beyond that, the connection closes after the answer. */
export function discardRest(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let bytes = 0
  const count = (chunk: Buffer): void => {
    bytes += chunk.length
    if (bytes > most.bytes) resolve()
  }
  const timer = setTimeout(resolve, most.time)
  for (const event of ['end', 'close', 'error'] as const) req.once(event, () => resolve())
  req.on('data', count)
  req.resume()
  return promise.finally(() => {
    clearTimeout(timer)
    req.off('data', count)
    if (req.complete) return
    req.pause()
    res.shouldKeepAlive = false
  })
}

export type BodyWatch = {
  readonly begin: (req: IncomingMessage) => void
  /** Stops watching. */
  readonly close: () => void
}

/** Checks every few seconds and calls `expire` for requests whose body takes too long. */
export function watchBodies(
  expire: (req: IncomingMessage) => void,
  now: () => number = Date.now,
): BodyWatch & { readonly look: () => void } {
  const pending = new Set<IncomingMessage>()
  const look = (): void => {
    const time = now()
    for (const req of pending) {
      const facts = watched.get(req) as Watched
      const bytes = req.socket.bytesRead
      // Buffered bytes that the server has not read yet are no delay of the client.
      if (facts.streamed && (bytes > facts.bytes || req.readableLength > 0))
        Object.assign(facts, { bytes, since: time })
      if (req.complete || req.destroyed) pending.delete(req)
      else if (time - facts.since > bodyTimeout) {
        pending.delete(req)
        expire(req)
      }
    }
  }
  const timer = setInterval(look, 5000).unref()
  return {
    begin(req) {
      if (!hasBody(req)) return
      watched.set(req, { since: now(), streamed: false, bytes: req.socket.bytesRead })
      pending.add(req)
    },
    look,
    close: () => clearInterval(timer),
  }
}
