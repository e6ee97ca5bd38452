/** A socket that has been opened, whatever its messages are. */
import type { Context, Log } from '../domain/ports/context.ts'
import type { Messages, Visitor } from '../domain/ports/messages.ts'
import type { Peer } from './peer.ts'
import type { RealtimeSettings, SocketSettings } from './settings.ts'

/** The caller as whom the request opened the socket. `end`: of its token, in milliseconds; null = never. */
export type Entered = { readonly end: number | null }

export type SocketOptions<Req> = {
  readonly visitor: Visitor<Req>
  readonly messages: Messages<Req>
  readonly peer: Peer
  readonly log: Log
  readonly settings: RealtimeSettings
  readonly own: SocketSettings
  /** The protocol that client and server have agreed on; empty = none. */
  readonly subprotocol: string
  readonly entered: Entered | null
  /** Called after authentication. False if the caller has too many connections. */
  readonly onCaller: (ctx: Context) => boolean
}

export type OpenSocket = {
  /** A message of the client. */
  readonly receive: (text: string) => void
  readonly ping: () => void
  /** Ends the connection if its caller no longer exists. Never rejects. */
  readonly check: () => Promise<void>
  /** The connection has ended. */
  readonly close: (code: number, reason: string) => void
}
