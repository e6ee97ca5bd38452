/** Replies → bytes on the socket. The only place that sees `res`. */
import type { ServerResponse } from 'node:http'
import type { Body, Cookie, Pieces, Reply } from './reply.ts'
import { sendAsMade } from './send-as-made.ts'

/** Sends the reply. `always`: names and values in turn. Without express: no ETag, no second look at the body. */
export const respond = (res: ServerResponse, reply: Reply, always: readonly string[]): void | Promise<void> => {
  if (res.destroyed || res.headersSent) return
  const headers = [...always]
  if (reply.headers !== undefined) for (const [name, value] of Object.entries(reply.headers)) headers.push(name, value)
  for (const cookie of reply.cookies ?? []) headers.push('set-cookie', cookieText(cookie))
  if (reply.body?.kind === 'pieces') {
    headers.push('content-type', reply.body.type)
    return sendAsMade(res, () => res.writeHead(reply.status, headers), reply.body.produce)
  }
  const content = reply.body === null ? null : contentOf(reply.body)
  if (content === null) {
    if (reply.status !== 204 && reply.status !== 304) headers.push('content-length', '0')
    res.writeHead(reply.status, headers)
    res.end()
    return
  }
  const { data } = content
  const size = Array.isArray(data) ? data.reduce((sum, piece) => sum + piece.length, 0) : Buffer.byteLength(data)
  headers.push('content-type', content.type, 'content-length', String(size))
  res.writeHead(reply.status, headers)
  // Node sends nothing after the headers of an answer to HEAD.
  if (Array.isArray(data)) sendPieces(res, data)
  else res.end(data)
}

/** From this many characters on, text is encoded once and its pieces are not joined. */
const longText = 65_536

const sendPieces = (res: ServerResponse, pieces: readonly Uint8Array[]): void => {
  res.cork()
  for (const piece of pieces) res.write(piece)
  res.end()
}

const toData = (text: string | readonly string[]): Data => {
  const pieces = typeof text === 'string' ? [text] : text
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  return length < longText ? pieces.join('') : pieces.map((piece) => Buffer.from(piece))
}

type Data = string | Uint8Array | Uint8Array[]

const jsonType = 'application/json; charset=utf-8'

const contentOf = (body: Exclude<Body, Pieces>): { readonly data: Data; readonly type: string } => {
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

const sameSiteNames = { lax: 'Lax', strict: 'Strict', none: 'None' } as const

/** RFC 6265, section 4.1. A value is percent-encoded, so that it cannot end the header or the cookie. */
const cookieText = (cookie: Cookie): string =>
  [
    `${cookie.name}=${encodeURIComponent(cookie.value ?? '')}`,
    `Path=${cookie.path ?? '/'}`,
    ...(cookie.value === null ? ['Max-Age=0', 'Expires=Thu, 01 Jan 1970 00:00:00 GMT'] : []),
    ...(cookie.value !== null && cookie.maxAgeSeconds !== undefined ? [`Max-Age=${cookie.maxAgeSeconds}`] : []),
    ...(cookie.domain === undefined ? [] : [`Domain=${cookie.domain}`]),
    `SameSite=${sameSiteNames[cookie.sameSite]}`,
    ...((cookie.httpOnly ?? true) ? ['HttpOnly'] : []),
    ...(cookie.secure ? ['Secure'] : []),
  ].join('; ')
