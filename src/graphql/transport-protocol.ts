/** The protocol `graphql-transport-ws`, by the library. The runner of an operation sends its results, as text. */
import { buildSchema, GraphQLError, parse } from 'graphql'
import { GRAPHQL_TRANSPORT_WS_PROTOCOL, makeServer } from 'graphql-ws'
import type {
  Conversation,
  CreateProtocol,
  OpenProtocol,
  OperationError,
  RunningOperation,
} from '../domain/ports/messages.ts'

/** The name that clients ask for. */
export const subprotocol: string = GRAPHQL_TRANSPORT_WS_PROTOCOL

/** A document for the library, which executes it only to wait for the end. */
const schema = buildSchema('type Query { ended: Boolean } type Subscription { ended: Boolean }')
const document = parse('subscription { ended }', { noLocation: true })

/** A running operation travels through the library as the context of the execution. */
type Carried = { readonly running: RunningOperation }

export const createProtocol: CreateProtocol = ({ initTimeout }) => {
  const server = makeServer<{ [name: string]: unknown }, Conversation>({
    connectionInitWaitTimeout: initTimeout,
    onConnect: ({ connectionParams = {}, extra }) => extra.connect(connectionParams),
    async onSubscribe({ extra }, id, payload) {
      const begun = await extra.begin(id, { ...payload })
      if ('ended' in begun) {
        const contextValue: Carried = { running: begun }
        return { schema, document, contextValue }
      }
      return begun.map(toGraphqlError)
    },
    subscribe: ({ contextValue }) => untilEnd((contextValue as Carried).running),
  })
  return (socket, conversation) => {
    let receive: OpenProtocol['receive'] | undefined
    const end = server.opened(
      {
        ...socket,
        onMessage: (listener) => {
          receive = listener
        },
      },
      conversation,
    )
    return { receive: async (text) => receive?.(text), end }
  }
}

const toGraphqlError = ({ message, extensions = {} }: OperationError): GraphQLError =>
  new GraphQLError(message, { extensions })

/** Yields nothing, and stops the operation as soon as the client has enough. A generator would wait for the next value. */
function untilEnd({ ended, stop }: RunningOperation): AsyncGenerator<never, undefined> {
  const done = { done: true, value: undefined } as const
  return {
    async next() {
      await ended
      return done
    },
    async return() {
      stop()
      return done
    },
    async throw(error) {
      stop()
      throw error
    },
    async [Symbol.asyncDispose]() {
      stop()
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
