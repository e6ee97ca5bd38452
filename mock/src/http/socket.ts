/** WebSockets of the mock: the messages and the GraphQL of the server, over connections of MSW. */
import { messages } from '../../../src/current/realtime/messages.ts'
import type { Context } from '../../../src/domain/ports/context.ts'
import type { Messages, OperationScope, Operations } from '../../../src/domain/ports/messages.ts'
import type { HttpRequest } from '../../../src/http/request/request.ts'
import { openGraphqlSocket } from '../../../src/realtime/graphql-socket.ts'
import { openItemSocket } from '../../../src/realtime/item-socket.ts'
import type { OpenSocket, SocketOptions as ServerSocketOptions } from '../../../src/realtime/open-socket.ts'
import type { RealtimeSettings } from '../../../src/realtime/settings.ts'
import type { SocketClient } from '../api.ts'
import { silentLog } from '../silent-log.ts'
import { graphqlOperations } from './current.ts'
import { toHttpRequest } from './request.ts'

/** Those of a server without configuration. */
const own = { auth: 'handshake', authTimeout: 10_000, most: Infinity } as const
const settings: RealtimeSettings = {
  rest: { ...own, path: '/websocket' },
  graphql: { ...own, path: '/graphql' },
  heartbeat: null,
  perCaller: Infinity,
  subscriptions: 100,
  maxMessage: Infinity,
  maxBacklog: Infinity,
}

type SocketOptions = {
  readonly contextOf: (request: HttpRequest) => Promise<Context>
  /** Does work as a request of its own, after those before it. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>
  readonly uuid: () => string
  /** Whether everybody is known without a message. */
  readonly isOpen: boolean
}

/** What is spoken at a path. */
export const socketPaths = ['/websocket', '/graphql', '/graphql/system'] as const
export type SocketPath = (typeof socketPaths)[number]

/** Serves one connection. */
export function openSocket(client: SocketClient, path: SocketPath, options: SocketOptions): void {
  const state = { isOpen: true }
  const socket: ServerSocketOptions<HttpRequest> = {
    visitor: {
      ip: null,
      project: '_',
      as: (method, token) => requestOf(client.url, { path, method, token, id: options.uuid() }),
      context: options.contextOf,
      admit: async () => undefined,
    },
    messages: turned(options.inTurn),
    peer: {
      send: (text) => state.isOpen && client.send(text),
      close(code, reason) {
        state.isOpen = false
        client.close(code, reason)
      },
      isOpen: () => state.isOpen,
    },
    log: silentLog,
    settings,
    own: { ...own, path, auth: options.isOpen ? 'public' : own.auth },
    subprotocol: path === '/websocket' ? '' : graphqlOperations.subprotocol,
    entered: null,
    onCaller: () => true,
  }
  const open = openers[path](socket, options)
  client.addEventListener('message', ({ data }) => {
    if (typeof data === 'string') open.receive(data)
  })
  client.addEventListener('close', ({ code, reason }) => {
    state.isOpen = false
    open.close(code, reason)
  })
}

const openProtocol = graphqlOperations.createProtocol({ initTimeout: own.authTimeout })

const openGraphql =
  (scope: OperationScope) =>
  (socket: ServerSocketOptions<HttpRequest>, { inTurn }: SocketOptions): OpenSocket =>
    openGraphqlSocket({ ...socket, operations: operationsInTurn(inTurn), scope, openProtocol })

const openers: { readonly [Path in SocketPath]: ReturnType<typeof openGraphql> } = {
  '/websocket': openItemSocket,
  '/graphql': openGraphql('items'),
  '/graphql/system': openGraphql('system'),
}

const operationsInTurn = (inTurn: SocketOptions['inTurn']): Operations<HttpRequest> => ({
  ...graphqlOperations,
  begin: (...input) => inTurn(() => graphqlOperations.begin(...input)),
})

/** Messages that read and write take their turn among the requests. */
const turned = (inTurn: SocketOptions['inTurn']): Messages<HttpRequest> => ({
  ...messages,
  answerItems: (...input) => inTurn(() => messages.answerItems(...input)),
  readTokens: (...received) => inTurn(() => messages.readTokens(...received)),
})

type SocketRequest = {
  readonly path: SocketPath
  readonly method: string
  readonly token: string | null
  readonly id: string
}

function requestOf(url: URL, { path, method, token, id }: SocketRequest): HttpRequest {
  const headers = token === null ? {} : { authorization: `Bearer ${token}` }
  const address = new URL(url.href.replace(/^ws/, 'http'))
  return toHttpRequest(new Request(address.origin + path, { method, headers }), { base: '', id })
}
