/** The listening socket: timeouts against slow clients, and a stop that lets running requests finish. */
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { watchBodies } from './slow-bodies.ts'

/** An import would read everything that the module exports, and so load a web client (40 ms). */
const { createServer } = process.getBuiltinModule('node:http')

export type ListenOptions = { readonly host: string; readonly port: number }

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
export const listen = async (handler: RequestListener, { host, port }: ListenOptions): Promise<RunningServer> => {
  const bodies = watchBodies(({ socket }) => refuseBrokenRequest(new Error('The body takes too long'), socket))
  const server = createServer(timeouts, (req, res) => {
    bodies.begin(req)
    handler(req, res)
  })
  server.on('clientError', refuseBrokenRequest)
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
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
      await closeServer(server, sockets, deadlineMs)
      bodies.close()
    },
  }
}

const refuseBrokenRequest = (
  error: NodeJS.ErrnoException,
  socket: { writable: boolean; end(text: string): void; destroy(): void },
): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy()
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request'
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

const closeServer = (server: Server, sockets: ReadonlySet<Socket>, deadlineMs: number): Promise<void> =>
  new Promise((resolve) => {
    const deadline = setTimeout(() => server.closeAllConnections(), deadlineMs)
    // A connection becomes idle when its answer is sent: then it goes too.
    const sweep = setInterval(() => server.closeIdleConnections(), 20)
    // Node calls no connection idle that has not sent a request yet.
    const silent = setTimeout(() => {
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    }, patienceWithSilence)
    server.close(() => {
      clearTimeout(deadline)
      clearInterval(sweep)
      clearTimeout(silent)
      resolve()
    })
  })

/** Milliseconds in which a client that connected just before the stop may begin its request. */
const patienceWithSilence = 250
