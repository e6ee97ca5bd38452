/** The messages of `/graphql`: operations by the protocol of GraphQL, with the rights of the moment of each change. */
import type { Seen } from '../domain/ports/feed.ts'
import type {
  BegunOperation,
  Conversation,
  OpenProtocol,
  OperationError,
  OperationPayload,
  OperationScope,
  Operations,
  RunningOperation,
  TextSocket,
} from '../domain/ports/messages.ts'
import { invalidPayload, TandemError } from '../domain/rights/errors.ts'
import { isExpired, isLost } from './failures.ts'
import type { OpenSocket, SocketOptions } from './open-socket.ts'
import { closing } from './peer.ts'
import { createSession, type Session } from './session.ts'

export type GraphqlSocketOptions<Req> = SocketOptions<Req> & {
  readonly operations: Operations<Req>
  readonly scope: OperationScope
  readonly openProtocol: (socket: TextSocket, conversation: Conversation) => OpenProtocol
}

/** Operations that wait for those before them. */
const mostWaiting = 100

type Changes = Extract<BegunOperation, { readonly kind: 'changes' }>

export function openGraphqlSocket<Req>(options: GraphqlSocketOptions<Req>): OpenSocket {
  const { peer, own, log } = options
  const session = createSession<Req>(
    {
      ...options,
      settings: own,
      onExpired: () => peer.close(closing.forbidden, 'The token has expired'),
      onLost: () => peer.close(closing.forbidden, 'The session has ended'),
      onTimeout: () => peer.close(closing.initTimeout, 'Connection initialisation timeout'),
    },
    options.entered,
  )
  const { subprotocol, openProtocol } = options
  const protocol = openProtocol(
    { protocol: subprotocol, send: peer.send, close: (code = closing.normal, reason = '') => peer.close(code, reason) },
    { connect: connectIn(session, log), begin: beginIn(options, session) },
  )
  return {
    receive(text) {
      protocol.receive(text).catch((error: unknown) => {
        log.error({ err: error }, 'A message of GraphQL could not be handled')
        peer.close(closing.failed, 'Internal server error')
      })
    },
    ping: () => peer.send('{"type":"ping"}'),
    check: session.check,
    close(code, reason) {
      session.close()
      protocol
        .end(code, reason)
        .catch((error: unknown) => log.error({ err: error }, 'A connection of GraphQL could not be ended'))
    },
  }
}

/** Authenticates with the token of the first message; without one, the connection is that of its request. */
const connectIn =
  <Req>(session: Session<Req>, log: SocketOptions<Req>['log']): Conversation['connect'] =>
  async ({ access_token: token }) => {
    try {
      if (token === undefined || token === null) return session.isOpen()
      return (await session.authenticate({ access_token: token })) !== null
    } catch (error) {
      if (!(error instanceof TandemError)) log.error({ err: error }, 'A caller could not be authenticated')
      return false
    }
  }

/** Begins operations in the order of their messages, up to a number of those that run. */
function beginIn<Req>(options: GraphqlSocketOptions<Req>, session: Session<Req>): Conversation['begin'] {
  const { peer, settings } = options
  let running = 0
  let waiting = 0
  let last: Promise<unknown> = Promise.resolve()
  const begin = async (id: string, payload: OperationPayload): Promise<StartedSubscription> => {
    try {
      const most = settings.subscriptions
      if (running >= most) throw invalidPayload(null, `Expected at most ${most} running operations of one connection`)
      const begun = await beginOne(options, session, { id, payload })
      if (!('ended' in begun)) return begun
      const finished = (): void => {
        running -= 1
      }
      running += 1
      begun.ended.then(finished, finished)
      return begun
    } catch (error) {
      return [toOperationError(options, session, error)]
    }
  }
  return (id, payload) => {
    waiting += 1
    if (waiting > mostWaiting) peer.close(closing.policy, 'Too many messages at once')
    const turn = last.then(() => (peer.isOpen() ? begin(id, payload) : []))
    last = turn.finally(() => {
      waiting -= 1
    })
    return turn
  }
}

type StartedSubscription = RunningOperation | readonly OperationError[]
type StartedOperation = { readonly id: string; readonly payload: OperationPayload }

async function beginOne<Req>(
  options: GraphqlSocketOptions<Req>,
  session: Session<Req>,
  { id, payload }: StartedOperation,
): Promise<StartedSubscription> {
  const { visitor, operations, scope, peer } = options
  await visitor.admit()
  const request = session.request('POST')
  const begun = await operations.begin(await session.context('POST'), { scope, payload, request })
  if (begun.kind === 'refused') return begun.errors
  const tell = (text: string): void => peer.send(`{"id":${JSON.stringify(id)},"type":"next","payload":${text}}`)
  if (begun.kind === 'changes') return follow(options, session, { changes: begun, tell })
  tell(begun.text)
  return { ended: Promise.resolve(), stop: () => undefined }
}

type Following = { readonly changes: Changes; readonly tell: (text: string) => void }

/** Subscribes to the changes, until the client, the caller's rights or the server end it. */
async function follow<Req>(
  options: GraphqlSocketOptions<Req>,
  session: Session<Req>,
  { changes, tell }: Following,
): Promise<RunningOperation> {
  const ctx = await session.again()
  if (ctx.subscriptions === undefined) throw new Error('The project has no feed')
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>()
  const isMeant = ({ kind }: Seen): boolean => changes.event === null || kind === changes.event
  const subscribed = await ctx.subscriptions.subscribe({
    query: changes.query,
    caller: async () => changes.judgeIn(await session.again()),
    onSeen: (seen) => {
      for (const each of seen) if (isMeant(each)) tell(changes.tell(each))
    },
    onEnd: (error) => reject(toError(toOperationError(options, session, error))),
  })
  // The protocol may have ended already; the error is dropped then.
  ended.catch(() => undefined)
  return {
    ended,
    stop() {
      subscribed.stop()
      resolve()
    },
  }
}

/** Reports a failure to the client. A failed authentication ends the connection, because it concerns all operations. */
function toOperationError<Req>(
  { operations, peer, log }: GraphqlSocketOptions<Req>,
  session: Session<Req>,
  error: unknown,
): OperationError {
  if (isExpired(error)) session.expire()
  else if (isLost(error)) peer.close(closing.forbidden, 'The session has ended')
  else if (!(error instanceof TandemError)) log.error({ err: error }, 'An operation failed with an unexpected error')
  return operations.toError(error)
}

const toError = ({ message, extensions }: OperationError): Error => Object.assign(new Error(message), { extensions })
