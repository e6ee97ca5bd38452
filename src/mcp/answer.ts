/** Answers one message of an HTTP request, without sessions. */
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { fromSessionId, toSessionId } from './agent-name.ts'
import type { Api } from './api.ts'
import { createToolServer, type ServerIdentity } from './tools.ts'

export type Message = { readonly body: unknown; readonly headers: { readonly [name: string]: string } }

/** `text`: JSON; null for a notification. `session`: the id that the client shall send from now on; else null. */
export type MessageAnswer = { readonly status: number; readonly text: string | null; readonly session: string | null }

/** Headers of the protocol; credentials do not reach the library. */
const ofProtocol = /^(mcp-|content-type$)/

/** Serves clients of the revisions before 2026-07-28 too. Nothing is streamed. */
export async function answerMessage(remote: Api, identity: ServerIdentity, message: Message): Promise<MessageAnswer> {
  const named = fromSessionId(message.headers['mcp-session-id'])
  const api: Api = { ...remote, run: (operation, call, agent) => remote.run(operation, call, agent ?? named) }
  const create = () => createToolServer(api, identity)
  const request = toRequest(message)
  const options = { parsedBody: message.body }
  if (!(await isLegacyRequest(request, message.body))) {
    const handler = createMcpHandler(create, { legacy: 'reject', maxSubscriptions: 0 })
    return toAnswer(await handler.fetch(request, options))
  }
  const server = create()
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    const answer = await toAnswer(await transport.handleRequest(request, options))
    return { ...answer, session: answer.status === 200 ? toSessionId(message.body) : null }
  } finally {
    await server.close()
  }
}

function toRequest({ body, headers }: Message): Request {
  const own = Object.entries(headers).filter(([name]) => ofProtocol.test(name))
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: { ...Object.fromEntries(own), accept: 'application/json, text/event-stream' },
    body: JSON.stringify(body),
  })
}

async function toAnswer(response: Response): Promise<MessageAnswer> {
  const text = await response.text()
  return { status: response.status, text: text === '' ? null : text, session: null }
}
