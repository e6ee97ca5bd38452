/** WebSocket connections (RFC 6455): opened by requests, counted, watched, and closed with the server. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { createRecheck } from '../core/recheck.ts'
import type { Context, Log } from '../domain/ports/context.ts'
import type { Messages, Operations, Visitor } from '../domain/ports/messages.ts'
import { TandemError } from '../domain/rights/errors.ts'
import { callerOf, createSeats, type Seat, type Seats } from './callers.ts'
import { openGraphqlSocket } from './graphql-socket.ts'
import { openItemSocket } from './item-socket.ts'
import type { Entered, OpenSocket, SocketOptions } from './open-socket.ts'
import { closing, createPeer, type Peer } from './peer.ts'
import type { RealtimeSettings, SocketSettings } from './settings.ts'
import { endOfToken } from './token-end.ts'

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
  /** Rights, sessions or users have changed. */
  readonly recheck: () => void
  readonly close: () => void
}

export type SocketsOptions<Req> = {
  readonly settings: RealtimeSettings
  readonly messages: Messages<Req>
  /** Absent = there is no GraphQL over sockets. */
  readonly operations?: Operations<Req> | undefined
  readonly log: Log
}

/** How the sockets of a path are opened. */
type Endpoint<Req> = {
  readonly own: SocketSettings
  readonly seats: Seats
  readonly server: WebSocketServer
  readonly open: (options: SocketOptions<Req>) => OpenSocket
}
type Connection = { readonly socket: WebSocket; readonly peer: Peer; readonly open: OpenSocket; isAlive: boolean }

export function createSockets<Req>(options: SocketsOptions<Req>): Sockets<Req> {
  const { settings, messages } = options
  const connections = new Set<Connection>()
  const doors = openDoors(options)
  const heartbeat = settings.heartbeat === null ? null : setInterval(() => beat(connections), settings.heartbeat)
  heartbeat?.unref()

  return {
    serves: (path) => doors.has(path.toLowerCase()),
    async open({ raw, socket, head, path, visitor }) {
      const door = doors.get(path.toLowerCase())
      if (door === undefined) throw new TandemError({ kind: 'route-not-found', path })
      const { own, seats, server, open } = door
      const seat = seats.take(callerOf(visitor.project, null, visitor.ip))
      if (seat === null) throw tooMany()
      try {
        const entered = await enter(messages, { visitor, seat, own })
        server.handleUpgrade(raw, socket, head, (opened) => {
          begin({ ...options, own, visitor, entered, open }, { socket: opened, seat, connections })
        })
      } catch (error) {
        seat.leave()
        throw error
      }
    },
    recheck: createRecheck(() => Array.from(connections, ({ open }) => open)),
    close() {
      if (heartbeat !== null) clearInterval(heartbeat)
      for (const { peer, socket } of connections) {
        peer.close(closing.goingAway, 'The server stops')
        setTimeout(() => socket.terminate(), 250)
      }
    },
  }
}

/** By their paths. */
function openDoors<Req>(options: SocketsOptions<Req>): ReadonlyMap<string, Endpoint<Req>> {
  const { settings, operations } = options
  const { rest, graphql, perCaller } = settings
  const doors = new Map<string, Endpoint<Req>>()
  if (rest !== null) {
    const seats = createSeats({ most: rest.most, perCaller })
    doors.set(rest.path, { own: rest, seats, server: createServer(settings), open: openItemSocket })
  }
  if (graphql === null || operations === undefined) return doors
  const { subprotocol, createProtocol } = operations
  const openProtocol = createProtocol({ initTimeout: graphql.authTimeout })
  const door = {
    own: graphql,
    seats: createSeats({ most: graphql.most, perCaller }),
    server: createServer(settings, (offered) => offered.has(subprotocol) && subprotocol),
  }
  for (const scope of ['items', 'system'] as const)
    doors.set(scope === 'items' ? graphql.path : `${graphql.path}/system`, {
      ...door,
      open: (socket) => openGraphqlSocket({ ...socket, operations, scope, openProtocol }),
    })
  return doors
}

const createServer = (
  { maxMessage }: RealtimeSettings,
  handleProtocols?: (offered: Set<string>) => string | false,
): WebSocketServer =>
  new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: maxMessage,
    ...(handleProtocols === undefined ? {} : { handleProtocols }),
  })

const tooMany = (): TandemError => new TandemError({ kind: 'forbidden', reason: 'Too many connections' })

type Admission<Req> = { readonly visitor: Visitor<Req>; readonly seat: Seat; readonly own: SocketSettings }

/** Callers say at once who they are where they must, and where the address has a token; else null. */
async function enter<Req>(messages: Messages<Req>, { visitor, seat, own }: Admission<Req>): Promise<Entered | null> {
  const request = visitor.as('GET', null, true)
  if (own.auth !== 'strict' && !messages.hasTokenInAddress(request)) return null
  const ctx = await visitor.context(request, true)
  if (ctx.actor.kind === 'public') throw new TandemError({ kind: 'unauthenticated' })
  if (!seat.rename(callerOf(visitor.project, ctx.actor, visitor.ip))) throw tooMany()
  return { end: endOfToken(messages.carriedToken(request), ctx.actor) }
}

type Beginning<Req> = SocketsOptions<Req> & {
  readonly own: SocketSettings
  readonly visitor: Visitor<Req>
  readonly entered: Entered | null
  readonly open: Endpoint<Req>['open']
}
type OpenedSocket = { readonly socket: WebSocket; readonly seat: Seat; readonly connections: Set<Connection> }

function begin<Req>(options: Beginning<Req>, { socket, seat, connections }: OpenedSocket): void {
  const { settings, visitor } = options
  const peer = createPeer(socket, settings.maxBacklog)
  const onCaller = ({ actor }: Pick<Context, 'actor'>): boolean => {
    if (seat.rename(callerOf(visitor.project, actor, visitor.ip))) return true
    peer.close(closing.tryAgain, 'Too many connections')
    return false
  }
  const open = options.open({ ...options, peer, onCaller, subprotocol: socket.protocol })
  const connection: Connection = { socket, peer, open, isAlive: true }
  connections.add(connection)
  socket.on('message', (data, isBinary) => {
    connection.isAlive = true
    if (isBinary) peer.close(closing.notText, 'Expected text')
    else open.receive((data as Buffer).toString())
  })
  // A broken frame ends this connection and nothing else.
  socket.on('error', () => socket.terminate())
  socket.on('close', (code, reason) => {
    connections.delete(connection)
    seat.leave()
    open.close(code, reason.toString())
  })
}

/** Closes connections that sent nothing since the last heartbeat. */
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
