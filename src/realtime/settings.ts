/** Settings of live connections. Times are in milliseconds, sizes in bytes. */

/** How callers say who they are: by a message, by the request that opens the socket, or perhaps not at all. */
export type AuthMode = 'public' | 'handshake' | 'strict'

export type SocketSettings = {
  readonly path: string
  readonly auth: AuthMode
  /** Time for the message that authenticates. */
  readonly authTimeout: number
  /** Connections altogether. */
  readonly most: number
}

export type RealtimeSettings = {
  /** Messages of items and subscriptions. */
  readonly rest: SocketSettings | null
  /** Operations of GraphQL. */
  readonly graphql: SocketSettings | null
  /** Interval of the pings that detect lost clients; null = none. */
  readonly heartbeat: number | null
  /** Connections of one user, or of one address without user. */
  readonly perCaller: number
  /** Subscriptions of one connection. */
  readonly subscriptions: number
  /** Size of a message of a client. */
  readonly maxMessage: number
  /** Largest size of unsent data for a client; beyond it the connection is closed. */
  readonly maxBacklog: number
}
