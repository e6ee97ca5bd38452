/**
 * How long the body of a request may take. An ordinary one has to be complete in a minute; one whose
 * operation streams it may take as long as bytes keep coming.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { hasBody } from './body.ts'

/** For a whole body, or for the next byte of one that is streamed. */
const patience = 60_000

type Watched = { since: number; streamed: boolean; bytes: number }

const watched = new WeakMap<IncomingMessage, Watched>()

/** Says that the body is streamed to where it stays. */
export function streamBody(req: IncomingMessage): IncomingMessage {
  const facts = watched.get(req)
  if (facts !== undefined) facts.streamed = true
  return req
}

/** Whether the body is streamed to where it stays. */
export const isStreamed = (req: IncomingMessage): boolean => watched.get(req)?.streamed === true

/** What is discarded of a refused body, so that a client that only listens at the end gets its answer. */
const most = { bytes: 4 * 1024 ** 2, time: 2000 } as const

/** Reads on for a while; the connection of a body that goes on beyond that is closed after the answer. */
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
  /** Ends the watch. */
  readonly close: () => void
}

/** Looks every few seconds; `expire` hears of requests whose body takes too long. */
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
      // Bytes that are here and wait for who reads them are no delay of the client's.
      if (facts.streamed && (bytes > facts.bytes || req.readableLength > 0))
        Object.assign(facts, { bytes, since: time })
      if (req.complete || req.destroyed) pending.delete(req)
      else if (time - facts.since > patience) {
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
