/** `Messages`: what a generation answers to messages of a socket. */
import type { Query } from '../query/query.ts'
import type { Context } from './context.ts'
import type { Seen } from './feed.ts'

/** A message as it came: a JSON object. */
export type Message = { readonly [name: string]: unknown }

/** `Req`: the request that opened the socket, as whoever asks now. */
export type Messages<Req> = {
  /** Throws as a read would. */
  readonly readSubscription: (ctx: Context, message: Message) => AskedChanges
  /** Reads or writes items. The members of the answer as JSON text, such as `"data":[]`. */
  readonly answerItems: (ctx: Context, message: Message, request: Req) => Promise<string>
  /** The method of the request that does the same. */
  readonly methodOf: (message: Message) => string
  /** The tokens of a login or a renewal. `access_token` is only verified when it is used. */
  readonly readTokens: (ctx: Context, message: Message, request: Req) => Promise<SocketTokens>
  /** The token that the request itself came with, if any. */
  readonly carriedToken: (request: Req) => string | null
  readonly toError: (error: unknown) => { readonly code: string; readonly message: string }
}

export type SocketTokens = { readonly access: string; readonly refresh: string | null }

/** What a subscription asks. */
export type AskedChanges = {
  readonly query: Query
  /** Only these kinds of changes; null = all, and first the present items. */
  readonly kind: Seen['kind'] | null
  /** JSON text of the present items. */
  readonly readPresent: (ctx: Context) => Promise<string>
}

/** Who has opened a socket. */
export type Visitor<Req> = {
  readonly ip: string | null
  /** What the request says of the project; connections are counted by it. */
  readonly project: string
  /** The request by this method with this token; null = with what it came with, if `isCarried`, else with nothing. */
  readonly as: (method: string, token: string | null, isCarried: boolean) => Req
  /** Authenticates the request. */
  readonly context: (request: Req) => Promise<Context>
  /** Counts a message as a request; rejects if there are too many. */
  readonly admit: () => Promise<void>
}
