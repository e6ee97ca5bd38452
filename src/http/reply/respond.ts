/** Writes replies to the socket, with entity tags (RFC 9110, section 13) and cache headers (RFC 9111). */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { crc32 } from 'node:zlib'
import fresh from 'fresh'
import type { HttpRequest } from '../request/request.ts'
import { cookieText } from './cookie-text.ts'
import { type Encoded, encode } from './encode.ts'
import type { Body, ContentTag, Pieces, Reply, Stream } from './reply.ts'
import { sendAsMade } from './send-as-made.ts'

/**
 * Sends the reply, or 304 if the client's copy is current. Headers set by middleware stay, unless the reply has its
 * own. Resolves when the reply is handed to the socket; for a stream or pieces, when all of it is sent or the client
 * has disconnected.
 */
export const respond = (res: ServerResponse, reply: Reply): Promise<void> | undefined => {
  if (res.destroyed || res.headersSent) return
  const headers: string[] = []
  if (reply.headers !== undefined) for (const [name, value] of Object.entries(reply.headers)) headers.push(name, value)
  for (const cookie of reply.cookies ?? []) headers.push('set-cookie', cookieText(cookie))
  if (reply.body?.kind === 'pieces') {
    headers.push('content-type', reply.body.type)
    return sendAsMade(res, () => writeHead(res, reply.status, headers), reply.body.produce)
  }
  if (reply.body?.kind === 'stream') {
    headers.push('content-type', reply.body.type, 'content-length', String(reply.body.size))
    return sendStream(res, { status: reply.status, headers, body: reply.body })
  }
  const content = reply.body === null ? null : contentOf(reply.body)
  const fresh = freshnessOf(res.req, reply, content?.data ?? null)
  headers.push(...fresh.headers)
  if (fresh.unchanged) {
    if (content !== null && isEncoded(content.data)) release(content.data)
    writeHead(res, 304, headers).end()
    return undefined
  }
  if (content === null) {
    if (reply.status !== 204 && reply.status !== 304) headers.push('content-length', '0')
    writeHead(res, reply.status, headers).end()
    return
  }
  const { data } = content
  const size = isEncoded(data) ? data.reduce((sum, { bytes }) => sum + bytes.length, 0) : Buffer.byteLength(data)
  headers.push('content-type', content.type, 'content-length', String(size))
  writeHead(res, reply.status, headers)
  // Node sends no body for HEAD.
  if (isEncoded(data)) sendPieces(res, data)
  else res.end(data)
  return undefined
}

/** Headers as alternating names and values. Cookies set by middleware stay beside those of the reply. */
const writeHead = (res: ServerResponse, status: number, headers: readonly string[]): ServerResponse => {
  let at = 0
  try {
    for (; at < headers.length; at += 2) {
      const name = headers[at] as string
      const value = headers[at + 1] as string
      if (name === 'set-cookie') res.appendHeader(name, value)
      else res.setHeader(name, value)
    }
  } catch (error) {
    // After an invalid header value, the error response must not inherit the headers written so far.
    for (; at >= 0; at -= 2) res.removeHeader(headers[at] as string)
    throw error
  }
  return res.writeHead(status)
}

type Streamed = { readonly status: number; readonly headers: string[]; readonly body: Stream }

/** Closes the stream in every case: at its end, on an error, and when the client disconnects. */
const sendStream = async (res: ServerResponse, { status, headers, body }: Streamed): Promise<void> => {
  if (res.req.method === 'HEAD') {
    writeHead(res, status, headers).end()
    return
  }
  const stream = await body.open()
  if (res.destroyed) {
    stream.destroy()
    return
  }
  writeHead(res, status, headers)
  if ('sendTo' in stream) return stream.sendTo(res)
  await pipeline(stream, exactly(body.size), res).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  })
}

/** Contents of another length than the one that was announced break the connection: the client must not take them for whole. */
const exactly = (size: number) =>
  async function* (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let seen = 0
    for await (const chunk of chunks) {
      seen += chunk.length
      if (seen > size) break
      yield chunk
    }
    if (seen !== size) throw new Error(`Expected ${size} bytes of a file but received ${seen > size ? 'more' : seen}`)
  }

/** Length in characters from which text is encoded once, instead of for its size, its tag and the socket separately. */
const encodedText = 8_192

/** Length from which the pieces are not joined either. */
const longText = 65_536

/** The buffer of an answer that is not sent completely is never reused: the socket may still hold parts of it. */
const sendPieces = (res: ServerResponse, pieces: readonly Encoded[]): void => {
  res.once('finish', () => release(pieces))
  res.cork()
  for (const { bytes } of pieces.slice(0, -1)) res.write(bytes)
  res.end(pieces.at(-1)?.bytes)
}

const release = (pieces: readonly Encoded[]): void => {
  for (const piece of pieces) piece.release()
}

const toData = (text: string | readonly string[]): Data => {
  const pieces = typeof text === 'string' ? [text] : text
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  if (length >= longText) return pieces.map((piece) => encode(piece))
  return length < encodedText ? pieces.join('') : [encode(...pieces)]
}

type Data = string | Uint8Array | readonly Encoded[]

const isEncoded = (data: Data): data is readonly Encoded[] => Array.isArray(data)

const jsonType = 'application/json; charset=utf-8'

const contentOf = (body: Exclude<Body, Pieces | Stream>): { readonly data: Data; readonly type: string } => {
  switch (body.kind) {
    case 'json-text':
      return { data: toData(body.text), type: body.type ?? jsonType }
    case 'json':
      return { data: toData(JSON.stringify(body.value)), type: body.type ?? jsonType }
    case 'text':
      return { data: body.text, type: body.type }
    case 'bytes':
      return { data: body.bytes, type: body.type }
  }
}

/** Cache headers of an answer, and whether the client's copy is current. */
type Freshness = { readonly headers: readonly string[]; readonly unchanged: boolean }

const nothing: Freshness = { headers: [], unchanged: false }

/**
 * Request headers that the answer depends on. They are constant, so that a cache needs one entry per caller and not
 * per request.
 */
const vary = 'Origin, Authorization, Cookie, Cache-Control, X-Platform-Project'

/**
 * GET answers carry a weak tag of their content, unless the handler sets one (files). `method` is missing in error
 * responses of last resort.
 */
export function freshnessOf(req: IncomingMessage | undefined, reply: Reply, data: Data | null): Freshness {
  const method = req?.method
  if (req === undefined || (method !== 'GET' && method !== 'HEAD')) return nothing
  const { headers = {} } = reply
  if (reply.status !== 200 || data === null) {
    return headers['cache-control'] === undefined
      ? { headers: ['cache-control', 'no-store'], unchanged: false }
      : nothing
  }
  if (headers['etag'] !== undefined) return nothing
  const names = headers['cache-control'] === undefined ? ['cache-control', cacheControlOf(req)] : []
  if (headers['vary'] === undefined) names.push('vary', vary)
  const tag = `W/"${reply.tag === undefined ? sumOf(data) : nameOf(reply.tag, data)}"`
  const wanted = req.headers['if-none-match']
  return {
    headers: ['etag', tag, ...names],
    unchanged: wanted !== undefined && fresh({ 'if-none-match': wanted.trim() }, { etag: tag }),
  }
}

/**
 * Weak, because a proxy may compress the content. The tag is a CRC-32 and the length: it detects every change within
 * four bytes, and other changes of equal length with an error rate of one in four billion. Digests cost three times as
 * much, more than 304 responses save for long answers.
 */
function sumOf(data: Data): string {
  let length = 0
  let sum = 0
  const pieces = typeof data === 'string' || data instanceof Uint8Array ? [data] : data.map(({ bytes }) => bytes)
  for (const piece of pieces) {
    length += piece.length
    sum = crc32(piece, sum)
  }
  return `${length.toString(36)}-${sum.toString(36)}`
}

/**
 * The content tag comes first, so that writes can be made conditional on the content independent of how it was shown.
 */
const nameOf = ({ content, isWhole }: ContentTag, data: Data): string =>
  isWhole ? content : `${content}.${sumOf(data)}`

/** The content tags of `If-Match`; null if it is absent or `*`. */
export function expectedContents(headers: HttpRequest['headers']): readonly string[] | null {
  const wanted = headers['if-match']
  if (typeof wanted !== 'string' || wanted.trim() === '*') return null
  // Weak tags count, because they are made from the content. Quotes and the `W/` prefix are removed.
  return [...wanted.matchAll(/"([^".]*)[^"]*"/g)].map(([, content = '']) => content)
}

/** Only private caches may store answers for an authenticated caller. */
const cacheControlOf = (req: IncomingMessage): string => (isPersonal(req) ? 'private, no-cache' : 'no-cache')

const isPersonal = ({ headers, url }: IncomingMessage): boolean =>
  headers.authorization !== undefined || headers.cookie !== undefined || (url?.includes('access_token') ?? false)
