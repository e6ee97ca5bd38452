/** Replies as fetch responses. */
import { serialize } from 'cookie'
import type { Body, Cookie, Reply } from '../../../src/http/reply/reply.ts'
import { freshnessOf } from '../../../src/http/reply/respond.ts'
import type { HttpRequest } from '../../../src/http/request/request.ts'

/** `onLeave`: the client takes nothing more of the answer. */
export async function respond(reply: Reply, request: HttpRequest, onLeave: () => void): Promise<Response> {
  const headers = new Headers({ 'x-request-id': request.id, ...reply.headers })
  for (const cookie of reply.cookies ?? []) headers.append('set-cookie', cookieText(cookie))
  if (reply.body?.kind === 'pieces' && reply.body.type === 'text/event-stream') {
    headers.set('content-type', reply.body.type)
    return new Response(streamOf(reply.body, onLeave), { status: reply.status, headers })
  }
  const content = reply.body === null ? null : await contentOf(reply.body)
  // The message of Node has these two properties of a request.
  const fresh = freshnessOf(
    { method: request.method, headers: request.headers, url: request.url } as never,
    reply,
    content?.data ?? null,
  )
  for (let at = 0; at < fresh.headers.length; at += 2)
    headers.set(fresh.headers[at] as string, fresh.headers[at + 1] as string)
  if (fresh.unchanged) return new Response(null, { status: 304, headers })
  if (content === null) return new Response(null, { status: reply.status, headers })
  headers.set('content-type', content.type)
  const data = request.method === 'HEAD' ? null : (content.data as BodyInit)
  return new Response(data, { status: reply.status, headers })
}

/** An answer that goes on until the client leaves. */
function streamOf({ produce }: Extract<Body, { readonly kind: 'pieces' }>, onLeave: () => void): ReadableStream {
  const encoder = new TextEncoder()
  let isLeft = false
  return new ReadableStream({
    start(controller) {
      const write = async (piece: string | Uint8Array): Promise<void> => {
        if (!isLeft) controller.enqueue(typeof piece === 'string' ? encoder.encode(piece) : piece)
      }
      const end = (): void => (isLeft ? undefined : controller.close())
      produce(write).then(end, (error: unknown) => (isLeft ? undefined : controller.error(error)))
    },
    cancel() {
      isLeft = true
      onLeave()
    },
  })
}

const jsonType = 'application/json; charset=utf-8'

async function contentOf(body: Body): Promise<{ readonly data: string | Uint8Array; readonly type: string }> {
  switch (body.kind) {
    case 'json-text':
      return { data: [body.text].flat().join(''), type: body.type ?? jsonType }
    case 'json':
      return { data: JSON.stringify(body.value), type: body.type ?? jsonType }
    case 'text':
      return { data: body.text, type: body.type }
    case 'bytes':
      return { data: body.bytes, type: body.type }
    case 'pieces': {
      const pieces: string[] = []
      const decoder = new TextDecoder()
      await body.produce(async (piece) => void pieces.push(typeof piece === 'string' ? piece : decoder.decode(piece)))
      return { data: pieces.join(''), type: body.type }
    }
    case 'stream': {
      const chunks: Uint8Array[] = []
      for await (const chunk of (await body.open()) as AsyncIterable<Uint8Array>) chunks.push(chunk)
      return { data: Buffer.concat(chunks), type: body.type }
    }
    default:
      return body satisfies never
  }
}

const cookieText = ({ name, value, path = '/', maxAgeSeconds, sameSite, httpOnly }: Cookie): string =>
  serialize(name, value ?? '', {
    path,
    sameSite,
    httpOnly: httpOnly ?? true,
    ...(value === null ? { maxAge: 0 } : maxAgeSeconds === undefined ? {} : { maxAge: maxAgeSeconds }),
  })
