/** What a generation answers to messages of a socket: `Messages` on items, `Operations` of GraphQL. */
import type { Query } from '../query/query.ts'
import type { Context } from './context.ts'
import type { Seen } from './feed.ts'

/** A message as it came: a JSON object. */
export type Message = { readonly [name: string]: unknown }

/** `Req`: the request that opened the socket, with the current credentials. */
export type Messages<Req> = {
  /** Throws as a read would. */
  readonly readSubscription: (ctx: Context, message: Message) => ChangesQuery
  /** Reads or writes items. The members of the answer as JSON text, such as `"data":[]`. */
  readonly answerItems: (ctx: Context, message: Message, request: Req) => Promise<string>
  /** The method of the request that does the same. */
  readonly methodOf: (message: Message) => string
  /** The tokens of a login or a renewal. `access_token` is only verified when it is used. */
  readonly readTokens: (ctx: Context, message: Message, request: Req) => Promise<SocketTokens>
  /** The token that the request itself came with, if any. */
  readonly carriedToken: (request: Req) => string | null
  readonly hasTokenInAddress: (request: Req) => boolean
  readonly toError: (error: unknown) => { readonly code: string; readonly message: string }
}

export type SocketTokens = { readonly access: string; readonly refresh: string | null }

/** The query of a subscription. */
export type ChangesQuery = {
  readonly query: Query
  /** Only these kinds of changes; null = all, and first the present items. */
  readonly kind: Seen['kind'] | null
  /** JSON text of the present items. */
  readonly readPresent: (ctx: Context) => Promise<string>
}

/** Who has opened a socket. */
export type Visitor<Req> = {
  readonly ip: string | null
  /** The project that the request names; connections are counted per project. */
  readonly project: string
  /** The request by this method with this token; null = with what it came with, if `isCarried`, else with nothing. */
  readonly as: (method: string, token: string | null, isCarried: boolean) => Req
  /** Authenticates the request. `counts`: it is one of its API key, not a caller looked up again. */
  readonly context: (request: Req, counts: boolean) => Promise<Context>
  /** Counts a message as a request; rejects if there are too many. */
  readonly admit: () => Promise<void>
}

/** An error in the form of GraphQL. */
export type OperationError = { readonly message: string; readonly extensions?: { readonly [name: string]: unknown } }

/** The parameters of an operation as they came: `query`, `variables` and others. */
export type OperationPayload = { readonly [name: string]: unknown }

/** What an operation is. */
export type BegunOperation =
  | { readonly kind: 'refused'; readonly errors: readonly OperationError[] }
  /** A query or mutation that has been run, with its answer as JSON text. */
  | { readonly kind: 'answer'; readonly text: string }
  | {
      readonly kind: 'changes'
      readonly query: Query
      /** Only these kinds of changes; null = all. */
      readonly event: Seen['kind'] | null
      /** The context in which the query is judged. */
      readonly judgeIn: (ctx: Context) => Context
      /** The message about the change, as JSON text. */
      readonly tell: (seen: Seen) => string
    }

/** The endpoint: that of user collections or that of system collections. */
export type OperationScope = 'items' | 'system'

/** `Req`: the request that opened the socket, with the current credentials. */
export type Operations<Req> = {
  /** Rejects with errors that concern the whole operation. */
  readonly begin: (
    ctx: Context,
    wanted: { readonly scope: OperationScope; readonly payload: OperationPayload; readonly request: Req },
  ) => Promise<BegunOperation>
  readonly toError: (error: unknown) => OperationError
  /** The name of the WebSocket subprotocol. */
  readonly subprotocol: string
  readonly createProtocol: CreateProtocol
}

/** A socket, as the protocol uses it. */
export type TextSocket = {
  readonly protocol: string
  readonly send: (text: string) => void
  readonly close: (code?: number, reason?: string) => void
}

/** An operation that goes on until `ended`, which rejects with an error that is sent to the client. */
export type RunningOperation = { readonly ended: Promise<void>; readonly stop: () => void }

/** Handles the messages of one socket. */
export type Conversation = {
  /** The first message. False closes the socket as forbidden. */
  readonly connect: (parameters: { readonly [name: string]: unknown }) => Promise<boolean>
  /** A new operation; the list of errors refuses it. */
  readonly begin: (id: string, payload: OperationPayload) => Promise<RunningOperation | readonly OperationError[]>
}

/** `receive` rejects for failures of the server; `end` is called when the socket is closed. */
export type OpenProtocol = {
  readonly receive: (text: string) => Promise<void>
  readonly end: (code: number, reason: string) => Promise<void>
}

/** `initTimeout`: milliseconds for the first message. */
export type CreateProtocol = (settings: {
  readonly initTimeout: number
}) => (socket: TextSocket, conversation: Conversation) => OpenProtocol
