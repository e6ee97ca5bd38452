/** Request bodies: JSON read within limits, then parsed; and the time that a body may take. */

import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { parseExactly } from '../../domain/conditions/exact-numbers.ts'
import { isRecord } from '../../domain/is-record.ts'
import { invalidPayload, TandemError } from '../../domain/rights/errors.ts'
import { requestBounds } from '../settings.ts'

/** Reads and parses the body. An empty one is undefined. */
export const readJsonBody = async (request: IncomingMessage, limit: number): Promise<unknown> => {
  if (request.readableEnded) return readParsedBody(request, limit)
  const bytes = await readBytes(request, limit)
  return bytes.length === 0 ? undefined : parseJson(bytes)
}

/** The body as an earlier parser of the outer application left it; the limits apply to it too. */
const readParsedBody = ({ body }: IncomingMessage & { readonly body?: unknown }, limit: number): unknown => {
  if (body === undefined) throw invalidPayload('body', 'Expected a body but earlier middleware has read it')
  const bytes = Buffer.from(JSON.stringify(body))
  if (bytes.length > limit) throw new TandemError({ kind: 'content-too-large', limit })
  return parseJson(bytes)
}

/** Refuses a compressed body, unless an earlier parser of the outer application has read it. */
export const assertNotEncoded = ({ headers, readableEnded }: IncomingMessage): void => {
  const mediaType = headers['content-encoding'] ?? 'identity'
  if (readableEnded || mediaType.toLowerCase() === 'identity') return
  const header = 'Content-Encoding'
  throw new TandemError({ kind: 'unsupported-media-type', header, mediaType, expected: 'identity' })
}

/** Reads the body within limits. */
export const readBytes = (request: IncomingMessage, limit: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const tooLarge = (): void => reject(new TandemError({ kind: 'content-too-large', limit }))
    if (Number(request.headers['content-length'] ?? 0) > limit) return tooLarge()
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= limit) chunks.push(chunk)
      else tooLarge()
    })
    request.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)))
    const broken = (): void => reject(invalidPayload(null, 'The body ended before it was complete'))
    request.on('error', broken)
    // `close` also follows a normal end.
    request.on('close', () => request.complete || broken())
  })

/** Parses JSON bytes; refuses invalid UTF-8, deep nesting and `__proto__` keys. */
export const parseJson = (bytes: Buffer): unknown => {
  if (!isUtf8(bytes)) throw invalidPayload(null, 'Expected UTF-8 for the body but received other bytes')
  if (bytes.length > 2 * requestBounds.jsonDepth && isDeep(bytes)) {
    throw invalidPayload(
      null,
      `Expected at most ${requestBounds.jsonDepth} levels of nesting for the body but received more`,
    )
  }
  const text = bytes.toString('utf8')
  const value = parse(text)
  // Fewer bytes cannot hold that many keys.
  if (bytes.length > 4 * requestBounds.bodyKeys && isWide(value)) {
    throw invalidPayload(null, `Expected at most ${requestBounds.bodyKeys} fields for the body but received more`)
  }
  if (/__proto__|\\u005f/i.test(text)) refuseProto(value)
  return value
}

const parse = (text: string): unknown => {
  try {
    return parseExactly(text)
  } catch (cause) {
    throw invalidPayload(
      null,
      cause instanceof Error ? withoutText(cause.message) : 'Expected JSON for the body',
      cause,
    )
  }
}

/** Removes the excerpt that the engine quotes: with a missing quote it could be a password. */
const withoutText = (message: string): string => message.replace(/, (?:\.{3})?".* is not valid JSON$/s, ' in JSON')

const isWide = (value: unknown): boolean => isRecord(value) && Object.keys(value).length > requestBounds.bodyKeys

const quote = 0x22
const backslash = 0x5c

const isDeep = (bytes: Buffer): boolean => {
  let depth = 0
  let inText = false
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (inText) {
      if (byte === backslash) at += 1
      else if (byte === quote) inText = false
    } else if (byte === quote) inText = true
    else if (byte === 0x5b || byte === 0x7b) {
      depth += 1
      if (depth > requestBounds.jsonDepth) return true
    } else if (byte === 0x5d || byte === 0x7d) depth -= 1
  }
  return false
}

const refuseProto = (value: unknown): void => {
  if (typeof value !== 'object' || value === null) return
  if (Object.hasOwn(value, '__proto__')) throw invalidPayload(null, '"__proto__" cannot be the name of a field')
  for (const each of Object.values(value)) refuseProto(each)
}

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

/** Limits for the rest of a refused body. */
const most = { bytes: 64 * 1024 ** 2, time: 10_000 } as const

/**
 * Reads the rest of a refused body beside the answer, because a client that only reads after sending would lose the
 * answer if the connection ended before. Beyond the limits it ends.
 */
export function discardRest(req: IncomingMessage): void {
  let bytes = 0
  const end = (): void => void req.socket.destroy()
  const timer = setTimeout(end, most.time).unref()
  for (const event of ['end', 'close', 'error'] as const) req.once(event, () => clearTimeout(timer))
  // Former readers would pause it.
  req.removeAllListeners('data')
  req.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > most.bytes) end()
  })
  req.resume()
}

export type BodyWatch = {
  /** Watches the body of a request that has one. */
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
      watched.set(req, { since: now(), streamed: false, bytes: req.socket.bytesRead })
      pending.add(req)
    },
    look,
    close: () => clearInterval(timer),
  }
}
