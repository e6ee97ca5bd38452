/**
 * Open connections, and which of them are closed to make room. Each takes one of the descriptors that the system
 * allows the process; when none is left, new clients are turned away and files cannot be opened.
 */
import { readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

type Exchange = { readonly req: IncomingMessage; readonly res: ServerResponse }

/** `now` is the request in progress, the latest one where several are; a connection is new before its first request. */
type Connection = { readonly since: number; now: Exchange | 'new' | 'idle' }

export type Connections = {
  readonly open: (socket: Socket) => void
  /** Notes that a request came on its connection, until its answer is sent. */
  readonly begin: (exchange: Exchange) => void
  /** Whether the latest request of the connection has its answer, or a part of it. */
  readonly isAnswered: (socket: Socket) => boolean
  /** Closes the connections that have no request in progress. */
  readonly closeWaiting: () => void
}

export type ConnectionBounds = {
  /** Connections from which on others are closed for a new one. */
  readonly most: number
  /** Whether the body of the request is streamed to where it stays, for as long as that takes. */
  readonly isStreamed: (req: IncomingMessage) => boolean
}

/** A quarter of the descriptors that are free at the start is left for files and the database. */
export const mostConnections = (descriptors: Descriptors | null): number =>
  descriptors === null
    ? Number.POSITIVE_INFINITY
    : Math.max(16, Math.floor((descriptors.allowed - descriptors.used) * 0.75))

type Descriptors = { readonly allowed: number; readonly used: number }

/** How many descriptors the process may have open, and has; null where the system does not say, or has no limit. */
export function countDescriptors(): Descriptors | null {
  try {
    const found = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))
    return found === null ? null : { allowed: Number(found[1]), used: readdirSync('/proc/self/fd').length }
  } catch {
    return null
  }
}

/** Milliseconds in which a client that has connected should send its request. */
const patience = 1_000

/** Follows the connections of one server. */
export function followConnections({ most, isStreamed }: ConnectionBounds): Connections {
  const connections = new Map<Socket, Connection>()
  const ranks = expendable(isStreamed)
  const makeRoom = (): void => {
    const longAgo = Date.now() - patience
    // Several at once, so that not every new connection pays for the search.
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

/** Which connections go first: silent ones, idle ones, new ones, and last those whose body drips in. Oldest first within a rank. */
const expendable = (isStreamed: ConnectionBounds['isStreamed']): readonly Rank[] => [
  ({ now, since }, longAgo) => now === 'new' && since < longAgo,
  ({ now }) => now === 'idle',
  ({ now }) => now === 'new',
  ({ now }) => typeof now === 'object' && !now.req.complete && !isStreamed(now.req),
]
