/**
 * Tracks open connections and closes the least useful ones to make room. Each connection takes a file descriptor;
 * without free descriptors the process can neither accept clients nor open files.
 */
import { readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

type Exchange = { readonly req: IncomingMessage; readonly res: ServerResponse }

/**
 * `now` is the request in progress, the latest one if there are several. A connection is new until its first request.
 */
type Connection = { readonly since: number; now: Exchange | 'new' | 'idle' }

export type Connections = {
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

export type ConnectionBounds = {
  /** Number of connections above which a new one closes another. */
  readonly most: number
  /** Whether the request's body is streamed to storage, which may take hours. */
  readonly isStreamed: (req: IncomingMessage) => boolean
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
    const found = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))
    return found === null ? null : { allowed: Number(found[1]), used: readdirSync('/proc/self/fd').length }
  } catch {
    return null
  }
}

/** Milliseconds within which a new connection should send its request. */
const idleTimeout = 1_000

/** Tracks the connections of one server. */
export function followConnections({ most, isStreamed }: ConnectionBounds): Connections {
  const connections = new Map<Socket, Connection>()
  const ranks = expendable(isStreamed)
  const makeRoom = (): void => {
    const longAgo = Date.now() - idleTimeout
    // Closes several at once, so that not every new connection pays for the search.
    let wanted = Math.ceil(most / 16)
    for (const isExpendable of ranks) {
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
const expendable = (isStreamed: ConnectionBounds['isStreamed']): readonly Rank[] => [
  ({ now, since }, longAgo) => now === 'new' && since < longAgo,
  ({ now }) => now === 'idle',
  ({ now }) => now === 'new',
  ({ now }) => typeof now === 'object' && !now.req.complete && !isStreamed(now.req),
]
