/** A fetch request as the plain data that handlers read. */

import { Readable } from 'node:stream'
import { parse } from 'cookie'
import type { Part } from '../../../src/domain/ports/uploads.ts'
import { invalidPayload, TandemError } from '../../../src/domain/rights/errors.ts'
import { parseJson } from '../../../src/http/request/body.ts'
import { parseQueryString } from '../../../src/http/request/query-string.ts'
import type { HttpRequest } from '../../../src/http/request/request.ts'
import { requestBounds } from '../../../src/http/settings.ts'

/** `base`: the path of the mock's url. `ended`: the client takes nothing more of the answer. */
export type Arrival = { readonly base: string; readonly id: string; readonly ended?: AbortSignal }

export function toHttpRequest(request: Request, { base, id, ended }: Arrival): HttpRequest {
  const url = new URL(request.url)
  const path = url.pathname.slice(base.length) || '/'
  const headers = Object.fromEntries(request.headers)
  let query: HttpRequest['query'] | null = null
  return {
    id,
    method: request.method,
    path,
    url: `${path}${url.search}`,
    base: '',
    origin: `${url.origin}${base}`,
    trustedOrigins: [],
    project: '_',
    headers,
    get query() {
      query ??= parseQueryString(url.search.slice(1))
      return query
    },
    cookies: Object.assign(Object.create(null) as { [name: string]: string }, parse(headers['cookie'] ?? '')),
    ip: null,
    signal: ended === undefined ? request.signal : AbortSignal.any([request.signal, ended]),
    isGone: false,
    subject: null,
    stopwatch: null,
    describe: () => undefined,
    parts: () => partsOf(request),
    content: () => {
      throw new Error('The mock reads no streams here')
    },
  }
}

/** The bytes of a body; null where there is none. */
export async function bytesOf(request: Request): Promise<ArrayBuffer | null> {
  if (request.body === null) return null
  const bytes = await request.clone().arrayBuffer()
  return bytes.byteLength === 0 ? null : bytes
}

/** The media type of a body as the route takes it. Throws for another one, and for a missing body. */
export function mediaOf(
  { headers }: HttpRequest,
  hasBody: boolean,
  route: { readonly accepts: readonly string[]; readonly bodyRequired: boolean },
): string | null {
  if (!hasBody) {
    if (!route.bodyRequired) return null
    throw invalidPayload(null, 'Expected a body but received nothing')
  }
  const { accepts } = route
  if (accepts.length === 0) return null
  const mediaType =
    String(headers['content-type'] ?? '')
      .split(';', 1)[0]
      ?.trim()
      .toLowerCase() ?? ''
  if (accepts.includes(mediaType)) return mediaType
  throw new TandemError({ kind: 'unsupported-media-type', mediaType, expected: accepts.join(', ') })
}

const largest = 1_048_576

export function jsonOf(bytes: ArrayBuffer): unknown {
  if (bytes.byteLength > largest) throw new TandemError({ kind: 'content-too-large', limit: largest })
  return parseJson(Buffer.from(bytes))
}

export function assertShort({ url }: HttpRequest): void {
  if (url.length <= requestBounds.url) return
  const reason = `Expected at most ${requestBounds.url} characters for the URL but received more`
  throw new TandemError({ kind: 'invalid-query', name: 'url', reason })
}

/** In the order of the request. */
async function* partsOf(request: Request): AsyncGenerator<Part> {
  const form = await request
    .clone()
    .formData()
    .catch((cause: unknown) => {
      throw invalidPayload(null, 'Expected a form for the body but received something else', cause)
    })
  for (const [name, value] of form as unknown as Iterable<readonly [string, string | File]>) {
    if (typeof value === 'string') {
      yield { kind: 'value', name, value }
      continue
    }
    const stream = Readable.from([Buffer.from(await value.arrayBuffer())])
    const filename = value.name === '' ? null : value.name
    yield { kind: 'file', name, filename, type: value.type.split(';', 1)[0] ?? '', stream }
  }
}
