/** The HTTP server: timeouts against slow clients, a limit of open connections, and a graceful shutdown. */

import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createProbe, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { isStreamed, watchBodies } from '../request/body.ts'
import { hasBody } from '../request/request.ts'

/** An import would evaluate everything that the module exports, and so load a web client (40 ms). */
const { createServer } = process.getBuiltinModule('node:http')

export type ListenOptions = {
  readonly host: string
  readonly port: number
  /** Number of connections above which a new one closes a silent or idle one; by default what the system allows. */
  readonly mostConnections?: number
  /** Takes over requests for sockets; absent = they are ordinary requests. */
  readonly upgrades?: Upgrades | undefined
}

export type Upgrades = {
  readonly isMeant: (request: IncomingMessage) => boolean
  readonly handle: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
}

export type RunningServer = {
  readonly port: number
  /** Stops accepting, waits at most `deadlineMs` for running requests, then aborts the rest. */
  readonly close: (deadlineMs: number) => Promise<void>
}

const timeouts = {
  /** For the headers only. */
  headersTimeout: 15_000,
  /** No limit here: `slow-bodies.ts` watches each body, because an upload may take hours. */
  requestTimeout: 0,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 65_536,
} as const

/**
 * Size of the accept backlog, as large as the system allows. A client that finds it full retries after 1, 2 and 4
 * seconds and is neither served nor refused meanwhile.
 */
const backlog = 65_535

/** Starts listening; port 0 picks a free one. */
export const listen = async (
  handler: RequestListener,
  { host, port, upgrades, mostConnections: most = mostConnections(countDescriptors()) }: ListenOptions,
): Promise<RunningServer> => {
  const connections = followConnections(most)
  const bodies = watchBodies(({ socket }) => {
    if (connections.isAnswered(socket)) socket.destroy()
    else answerAndClose(socket, '408 Request Timeout')
  })
  const shouldUpgradeCallback = (req: IncomingMessage): boolean => upgrades?.isMeant(req) === true
  const server = createServer({ ...timeouts, shouldUpgradeCallback }, (req, res) => {
    connections.begin({ req, res })
    if (hasBody(req)) bodies.begin(req)
    handler(req, res)
  })
  server.on('clientError', refuseBrokenRequest)
  server.on('connection', connections.open)
  server.on('upgrade', (req, socket, head) => {
    // An upgraded connection serves no further requests.
    connections.release(req.socket)
    upgrades?.handle(req, socket, head)
  })
  server.listen({ port, host, backlog })
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close: async (deadlineMs) => {
      await closeServer(server, connections, deadlineMs)
      bodies.close()
    },
  }
}

/** Fails as `listen` would if the address cannot be used. */
export const assertFree = async ({ host, port }: ListenOptions): Promise<void> => {
  const probe = createProbe().listen({ port, host })
  await once(probe, 'listening')
  probe.close()
  await once(probe, 'close')
}

const refuseBrokenRequest = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  if (error.code === 'ECONNRESET') socket.destroy()
  else answerAndClose(socket, refusals[error.code ?? ''] ?? '400 Bad Request')
}

const refusals: { readonly [code: string]: string } = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

/** Milliseconds during which the client may still send, so that its system does not drop the answer. */
const refusedTimeout = 1_000

const refused = new WeakSet<Duplex>()

/** Closes the connection even if the client keeps its side open; otherwise it would hold a descriptor forever. */
const answerAndClose = (socket: Duplex, status: string): void => {
  // After the answer, further input raises a parser error each time.
  if (refused.has(socket)) return
  refused.add(socket)
  if (!socket.writable) return void socket.destroy()
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
  const timer = setTimeout(() => socket.destroy(), refusedTimeout)
  socket.once('close', () => clearTimeout(timer))
}

const closeServer = (server: Server, connections: Connections, deadlineMs: number): Promise<void> =>
  new Promise((resolve) => {
    const deadline = setTimeout(() => server.closeAllConnections(), deadlineMs)
    // A connection becomes idle once its answer is sent, so the sweep repeats.
    const sweep = setInterval(() => server.closeIdleConnections(), 20)
    // Node does not count connections as idle that sent nothing or part of a request.
    const silent = setTimeout(connections.closeWaiting, waitingTimeout)
    server.close(() => {
      clearTimeout(deadline)
      clearInterval(sweep)
      clearTimeout(silent)
      resolve()
    })
  })

/** Milliseconds during which a client that connected just before shutdown may begin its request. */
const waitingTimeout = 250

type Exchange = { readonly req: IncomingMessage; readonly res: ServerResponse }

/**
 * `now` is the request in progress, the latest one if there are several. A connection is new until its first request.
 */
type Connection = { readonly since: number; now: Exchange | 'new' | 'idle' }

type Connections = {
  readonly open: (socket: Socket) => void
  /** Records the start of a request; it ends when its answer is sent. */
  readonly begin: (exchange: Exchange) => void
  /** Whether the latest request of the connection is answered, at least in part. */
  readonly isAnswered: (socket: Socket) => boolean
  /** Tracks the connection no more. */
  readonly release: (socket: Socket) => void
  /** Closes all connections without a request in progress. */
  readonly closeWaiting: () => void
}

/** Keeps a quarter of the descriptors that are free at start for files and the database. */
export const mostConnections = (descriptors: Descriptors | null): number =>
  descriptors === null
    ? Number.POSITIVE_INFINITY
    : Math.max(16, Math.floor((descriptors.allowed - descriptors.used) * 0.75))

type Descriptors = { readonly allowed: number; readonly used: number }

/** The process's limit of file descriptors and the number in use; null if the system does not say or sets no limit. */
export function countDescriptors(): Descriptors | null {
  try {
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))
    return limit === null ? null : { allowed: Number(limit[1]), used: readdirSync('/proc/self/fd').length }
  } catch {
    return null
  }
}

/** Milliseconds within which a new connection should send its request. */
const idleTimeout = 1_000

/**
 * Tracks the connections of one server and closes the least useful ones to make room. Each connection takes a file
 * descriptor; without free descriptors the process can neither accept clients nor open files.
 */
function followConnections(most: number): Connections {
  const connections = new Map<Socket, Connection>()
  const makeRoom = (): void => {
    const longAgo = Date.now() - idleTimeout
    // Closes several at once, so that not every new connection pays for the search.
    let wanted = Math.ceil(most / 16)
    for (const isExpendable of expendable) {
      for (const [socket, connection] of connections) {
        if (!isExpendable(connection, longAgo)) continue
        connections.delete(socket)
        socket.destroy()
        wanted -= 1
        if (wanted === 0) return
      }
    }
  }
  return {
    open(socket) {
      if (connections.size >= most) makeRoom()
      connections.set(socket, { since: Date.now(), now: 'new' })
      socket.once('close', () => connections.delete(socket))
    },
    begin(exchange) {
      const connection = connections.get(exchange.req.socket)
      if (connection === undefined) return
      connection.now = exchange
      exchange.res.once('close', () => {
        if (connection.now === exchange) connection.now = 'idle'
      })
    },
    release: (socket) => void connections.delete(socket),
    isAnswered(socket) {
      const { now = 'new' } = connections.get(socket) ?? {}
      return now === 'idle' || (now !== 'new' && now.res.headersSent)
    },
    closeWaiting() {
      for (const [socket, { now }] of connections) if (typeof now === 'string') socket.destroy()
    },
  }
}

type Rank = (connection: Connection, longAgo: number) => boolean

/** Order of closing: silent connections, idle ones, new ones, slow uploads. Oldest first within a rank. */
const expendable: readonly Rank[] = [
  ({ now, since }, longAgo) => now === 'new' && since < longAgo,
  ({ now }) => now === 'idle',
  ({ now }) => now === 'new',
  // The body of a streamed upload may take hours.
  ({ now }) => typeof now === 'object' && !now.req.complete && !isStreamed(now.req),
]
