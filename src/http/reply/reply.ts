/** `Reply`: the plain data that a handler returns. Only `respond.ts` writes it to a socket. */

import type { Readable } from 'node:stream'
import type { Outgoing } from '../../domain/ports/storage.ts'

/**
 * Finished JSON text, sent as it is; in pieces where joining would copy megabytes. `type` overrides
 * `application/json`.
 */
export type JsonText = { readonly kind: 'json-text'; readonly text: string | readonly string[]; readonly type?: string }

export type Json<Value = unknown> = { readonly kind: 'json'; readonly value: Value; readonly type?: string }

export type Text = { readonly kind: 'text'; readonly text: string; readonly type: string }

export type Bytes = { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly type: string }

/**
 * An answer that is written while it is produced. `produce` awaits each `write`, which waits for the client and
 * rejects once the client has disconnected. An error before the first `write` becomes an ordinary error response.
 */
export type Pieces = {
  readonly kind: 'pieces'
  readonly type: string
  readonly produce: (write: WritePiece) => Promise<void>
}

export type WritePiece = (piece: string | Uint8Array) => Promise<void>

/** A stream of bytes. It is opened only if the bytes are sent: not for HEAD, and not for a disconnected client. */
export type Stream = {
  readonly kind: 'stream'
  readonly open: () => Promise<Readable | Outgoing>
  /** Number of bytes in the stream. */
  readonly size: number
  readonly type: string
}

export type Body = JsonText | Json | Text | Bytes | Pieces | Stream

export type Cookie = {
  readonly name: string
  /** Null deletes the cookie. */
  readonly value: string | null
  readonly maxAgeSeconds?: number
  /** Null: secure if the request came by https. */
  readonly secure: boolean | null
  readonly sameSite: 'lax' | 'strict' | 'none'
  readonly httpOnly?: boolean
  readonly domain?: string
  readonly path?: string
}

/** `isWhole`: the body depends on nothing but that content. */
export type ContentTag = { readonly content: string; readonly isWhole: boolean }

export type Reply<Status extends number = number, Content extends Body | null = Body | null> = {
  readonly status: Status
  readonly body: Content
  readonly headers?: { readonly [name: string]: string }
  readonly cookies?: readonly Cookie[]
  /** The answer reports a failure that has rolled the writes back. */
  readonly undone?: true
  /** The answer shows a secret once: it is kept nowhere. */
  readonly hasSecret?: true
  /** Identifies the content of the body independent of its form. */
  readonly tag?: ContentTag | undefined
}

/** The JSON of a body as one text. */
export const textOfJson = (body: Json | JsonText): string =>
  body.kind === 'json' ? JSON.stringify(body.value) : [body.text].flat().join('')

/** Answers with JSON text from the database. */
export const jsonText = <const Status extends number = 200>(
  text: JsonText['text'],
  status: Status = 200 as Status,
): Reply<Status, JsonText> => ({ status, body: { kind: 'json-text', text } })

export const json = <Value, const Status extends number = 200>(
  value: Value,
  status: Status = 200 as Status,
): Reply<Status, Json<Value>> => ({ status, body: { kind: 'json', value } })

/** Answers with text; HTML by default, for compatibility. */
export const text = (content: string, type = 'text/html; charset=utf-8'): Reply<200, Text> => ({
  status: 200,
  body: { kind: 'text', text: content, type },
})

/** Answers with the pieces that `produce` writes. */
export const pieces = (type: string, produce: Pieces['produce']): Reply<200, Pieces> => ({
  status: 200,
  body: { kind: 'pieces', type, produce },
})

/** Answers without a body. */
export const empty = <const Status extends number = 204>(status: Status = 204 as Status): Reply<Status, null> => ({
  status,
  body: null,
})

export const redirect = (location: string): Reply<302, null> => ({ status: 302, body: null, headers: { location } })

/** Adds or deletes cookies. */
export const withCookies = <R extends Reply>(reply: R, cookies: readonly Cookie[]): R => ({
  ...reply,
  cookies: [...(reply.cookies ?? []), ...cookies],
})

/** Adds headers; names in lower case. */
export const withHeaders = <R extends Reply>(reply: R, headers: { readonly [name: string]: string }): R => ({
  ...reply,
  headers: { ...reply.headers, ...headers },
})

/** Makes browsers save the answer as a file. */
export const attachment = <R extends Reply>(reply: R, filename: string): R =>
  withHeaders(reply, { 'content-disposition': disposition('attachment', filename) })

/**
 * Builds `Content-Disposition` (RFC 6266) with an ASCII name and the full name. Folders are cut off.
 * @example disposition('inline', 'é.png') // inline; filename="_.png"; filename*=UTF-8''%C3%A9.png
 */
export const disposition = (kind: 'attachment' | 'inline', filename: string): string => {
  const name = filename.toWellFormed().replaceAll(/^.*[/\\](?=.)/gs, '')
  const ascii = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  const exact = encodeURIComponent(name).replaceAll(/['()*]/g, (each) => `%${each.charCodeAt(0).toString(16)}`)
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${exact}`
}
