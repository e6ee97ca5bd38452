/** WebSocket connections (RFC 6455): opened by requests, counted, watched, and closed with the server. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Context, Log } from '../domain/ports/context.ts'
import type { Messages, Visitor } from '../domain/ports/messages.ts'
import { TandemError } from '../domain/rights/errors.ts'
import { callerOf, createSeats, type Seat, type Seats } from './callers.ts'
import { type OpenSocket, openItemSocket } from './item-socket.ts'
import { closing, createPeer, type Peer } from './peer.ts'
import type { RealtimeSettings, SocketSettings } from './settings.ts'

/** A request to open a socket. */
export type Opening<Req> = {
  readonly raw: IncomingMessage
  readonly socket: Duplex
  readonly head: Buffer
  readonly path: string
  readonly visitor: Visitor<Req>
}

export type Sockets<Req> = {
  /** Whether sockets are opened by requests of the path. */
  readonly serves: (path: string) => boolean
  /** Rejects for a request that is refused; its socket is still that of a request then. */
  readonly open: (opening: Opening<Req>) => Promise<void>
  readonly close: () => void
}

export type SocketsOptions<Req> = {
  readonly settings: RealtimeSettings
  readonly messages: Messages<Req>
  readonly log: Log
}

type Door = { readonly own: SocketSettings; readonly seats: Seats }
type Connection = { readonly socket: WebSocket; readonly peer: Peer; readonly open: OpenSocket; isAlive: boolean }

/** Creates the server of all sockets. */
export function createSockets<Req>(options: SocketsOptions<Req>): Sockets<Req> {
  const { settings, messages } = options
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: settings.maxMessage,
  })
  const connections = new Set<Connection>()
  const doors = new Map<string, Door>()
  if (settings.rest !== null)
    doors.set(settings.rest.path, { own: settings.rest, seats: createSeats({ ...settings, most: settings.rest.most }) })
  const heartbeat = settings.heartbeat === null ? null : setInterval(() => beat(connections), settings.heartbeat)
  heartbeat?.unref()

  return {
    serves: (path) => doors.has(path),
    async open({ raw, socket, head, path, visitor }) {
      const door = doors.get(path)
      if (door === undefined) throw new TandemError({ kind: 'route-not-found', path })
      const { own, seats } = door
      const seat = seats.take(callerOf(visitor.project, null, visitor.ip))
      if (seat === null) throw tooMany()
      try {
        const token = await enter(messages, { visitor, seat, own })
        server.handleUpgrade(raw, socket, head, (opened) => {
          begin({ ...options, own, visitor, token }, { socket: opened, seat, connections })
        })
      } catch (error) {
        seat.leave()
        throw error
      }
    },
    close() {
      if (heartbeat !== null) clearInterval(heartbeat)
      for (const { peer, socket } of connections) {
        peer.close(closing.goingAway, 'The server stops')
        setTimeout(() => socket.terminate(), 250)
      }
    },
  }
}

const tooMany = (): TandemError => new TandemError({ kind: 'forbidden', reason: 'Too many connections' })

type Entering<Req> = { readonly visitor: Visitor<Req>; readonly seat: Seat; readonly own: SocketSettings }

/** Where callers must say at once who they are, the token of the request; else null. */
async function enter<Req>(messages: Messages<Req>, { visitor, seat, own }: Entering<Req>): Promise<string | null> {
  if (own.auth !== 'strict') return null
  const request = visitor.as('GET', null, true)
  const ctx = await visitor.context(request)
  if (ctx.actor.kind === 'public') throw new TandemError({ kind: 'unauthenticated' })
  if (!seat.rename(callerOf(visitor.project, ctx.actor, visitor.ip))) throw tooMany()
  return messages.carriedToken(request)
}

type Beginning<Req> = SocketsOptions<Req> & {
  readonly own: SocketSettings
  readonly visitor: Visitor<Req>
  readonly token: string | null
}
type Opened = { readonly socket: WebSocket; readonly seat: Seat; readonly connections: Set<Connection> }

function begin<Req>(options: Beginning<Req>, { socket, seat, connections }: Opened): void {
  const { settings, visitor } = options
  const peer = createPeer(socket, settings.maxBacklog)
  const onCaller = ({ actor }: Context): boolean => {
    if (seat.rename(callerOf(visitor.project, actor, visitor.ip))) return true
    peer.close(closing.tryAgain, 'Too many connections')
    return false
  }
  const open = openItemSocket({ ...options, peer, onCaller })
  const connection: Connection = { socket, peer, open, isAlive: true }
  connections.add(connection)
  socket.on('message', (data, isBinary) => {
    connection.isAlive = true
    if (isBinary) peer.close(1003, 'Expected text')
    else open.receive((data as Buffer).toString())
  })
  // A broken frame ends this connection and nothing else.
  socket.on('error', () => socket.terminate())
  socket.on('close', () => {
    connections.delete(connection)
    seat.leave()
    open.close()
  })
}

/** Ends connections that said nothing since the last beat. */
function beat(connections: ReadonlySet<Connection>): void {
  for (const connection of connections) {
    if (!connection.isAlive) {
      connection.socket.terminate()
      continue
    }
    connection.isAlive = false
    connection.open.ping()
  }
}
