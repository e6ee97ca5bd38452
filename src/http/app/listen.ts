/** The listening socket: timeouts against slow clients, and a stop that lets running requests finish. */
import type { RequestListener, Server } from 'node:http'
import { type AddressInfo, createServer as createProbe } from 'node:net'
import type { Duplex } from 'node:stream'
import { isStreamed, watchBodies } from '../request/slow-bodies.ts'
import { type Connections, countDescriptors, followConnections, mostConnections } from './connections.ts'

/** An import would read everything that the module exports, and so load a web client (40 ms). */
const { createServer } = process.getBuiltinModule('node:http')

export type ListenOptions = {
  readonly host: string
  readonly port: number
  /** Connections from which on silent and idle ones are closed for new ones; by default what the system allows. */
  readonly mostConnections?: number
}

export type RunningServer = {
  readonly port: number
  /** Stops accepting, waits for running requests for at most `deadlineMs`, then cuts the rest off. */
  readonly close: (deadlineMs: number) => Promise<void>
}

const timeouts = {
  /** For the headers of a request. */
  headersTimeout: 15_000,
  /** Bodies are watched one by one: an upload may take hours. */
  requestTimeout: 0,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 65_536,
} as const

/**
 * Connections that wait to be accepted, as many as the system allows: whoever finds no room among them knocks again
 * after one second, then two, then four, and is neither served nor refused meanwhile.
 */
const backlog = 65_535

/** Listens; port 0 takes any free one. */
export const listen = async (
  handler: RequestListener,
  { host, port, mostConnections: most = mostConnections(countDescriptors()) }: ListenOptions,
): Promise<RunningServer> => {
  const connections = followConnections({ most, isStreamed })
  const bodies = watchBodies(({ socket }) => {
    if (connections.isAnswered(socket)) socket.destroy()
    else answerAndClose(socket, '408 Request Timeout')
  })
  const server = createServer(timeouts, (req, res) => {
    connections.begin({ req, res })
    bodies.begin(req)
    handler(req, res)
  })
  server.on('clientError', refuseBrokenRequest)
  server.on('connection', connections.open)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, backlog }, () => {
      server.off('error', reject)
      resolve()
    })
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: async (deadlineMs) => {
      await closeServer(server, connections, deadlineMs)
      bodies.close()
    },
  }
}

/** Fails as `listen` would where nothing can listen there. */
export const assertFree = ({ host, port }: ListenOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    const probe = createProbe()
    probe.once('error', reject)
    probe.listen({ port, host }, () => probe.close(() => resolve()))
  })

const refuseBrokenRequest = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  if (error.code === 'ECONNRESET') socket.destroy()
  else answerAndClose(socket, refusals[error.code ?? ''] ?? '400 Bad Request')
}

const refusals: { readonly [code: string]: string } = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

/** Milliseconds in which the client may still send, so that its system does not drop the answer. */
const patienceWithRefused = 1_000

const refused = new WeakSet<Duplex>()

/** The connection is closed even if the client leaves its side open: otherwise it would keep a descriptor for ever. */
const answerAndClose = (socket: Duplex, status: string): void => {
  // What comes after the answer is an error of the parser each time.
  if (refused.has(socket)) return
  refused.add(socket)
  if (!socket.writable) return void socket.destroy()
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
  const timer = setTimeout(() => socket.destroy(), patienceWithRefused)
  socket.once('close', () => clearTimeout(timer))
}

const closeServer = (server: Server, connections: Connections, deadlineMs: number): Promise<void> =>
  new Promise((resolve) => {
    const deadline = setTimeout(() => server.closeAllConnections(), deadlineMs)
    // A connection becomes idle when its answer is sent: then it goes too.
    const sweep = setInterval(() => server.closeIdleConnections(), 20)
    // Node calls no connection idle that has sent nothing, or a part of a request.
    const silent = setTimeout(connections.closeWaiting, patienceWithSilence)
    server.close(() => {
      clearTimeout(deadline)
      clearInterval(sweep)
      clearTimeout(silent)
      resolve()
    })
  })

/** Milliseconds in which a client that connected just before the stop may begin its request. */
const patienceWithSilence = 250
