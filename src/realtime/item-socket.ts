/** The messages of `/websocket`: authentication, items and subscriptions as JSON objects. */
import type { Message } from '../domain/ports/messages.ts'
import { invalidPayload, TandemError } from '../domain/rights/errors.ts'
import { isExpired, isLost } from './failures.ts'
import { createItemSubscriptions, uidText } from './item-subscriptions.ts'
import type { OpenSocket, SocketOptions } from './open-socket.ts'
import { closing } from './peer.ts'
import { createSession, type Session } from './session.ts'

/** Messages that wait for those before them. */
const mostWaiting = 100

export function openItemSocket<Req>(options: SocketOptions<Req>): OpenSocket {
  const { messages, peer, settings } = options
  const answers = createAnswers(options)
  const session = openSession(options, answers)
  const subscriptions = createItemSubscriptions({
    messages,
    peer,
    most: settings.subscriptions,
    context: session.context,
    again: session.again,
    onEnd(error, uid) {
      if (isExpired(error)) session.expire()
      else if (isLost(error)) answers.lose(error)
      else answers.fail('subscribe', error, uid)
    },
  })
  const handlers: Handlers = {
    async auth(message) {
      if (await authenticate(message, options, { answers, session })) await subscriptions.resume()
    },
    ping: ({ uid }) => answers.send({ type: 'pong', uid }),
    pong: () => undefined,
    async items(message) {
      const method = messages.methodOf(message)
      const members = await messages.answerItems(await session.context(method), message, session.request(method))
      peer.send(`{"type":"items",${members}${uidText(message['uid'])}}`)
    },
    subscribe: (message) => subscriptions.add(message),
    unsubscribe(message) {
      answers.send({ type: 'subscription', event: 'unsubscribe', uid: subscriptions.remove(message) })
    },
  }
  return {
    receive: inTurn(
      (text) => handle(text, handlers, { options, answers, session }),
      () => peer.close(closing.policy, 'Too many messages at once'),
    ),
    ping: () => answers.send({ type: 'ping' }),
    check: session.check,
    close() {
      session.close()
      subscriptions.clear()
    },
  }
}

type Handlers = { readonly [type: string]: (message: Message) => Promise<void> | void }
type Answers = ReturnType<typeof createAnswers>
type SocketState<Req> = { readonly answers: Answers; readonly session: Session<Req> }

/** Messages to the client besides results. */
function createAnswers<Req>({ messages, peer, log }: SocketOptions<Req>) {
  const send = (answer: object): void => peer.send(JSON.stringify(answer))
  const deny = (code: string, message: string, uid?: unknown): void =>
    send({ type: 'auth', status: 'error', error: { code, message }, uid })
  return {
    send,
    /** A failed authentication. */
    deny,
    /** The session or the user has ended. */
    lose(error: unknown): void {
      deny('AUTH_FAILED', messages.toError(error).message)
      peer.close(closing.policy, 'The session has ended')
    },
    /** A message that could not be answered. */
    fail(type: string, error: unknown, uid?: unknown): void {
      if (!(error instanceof TandemError)) log.error({ err: error }, 'A message could not be answered')
      send({ type, status: 'error', error: messages.toError(error), uid })
    },
  }
}

const openSession = <Req>(options: SocketOptions<Req>, answers: Answers): Session<Req> =>
  createSession(
    {
      ...options,
      settings: options.own,
      onExpired: () => answers.deny('TOKEN_EXPIRED', 'Token expired.'),
      onLost: (error) => answers.lose(error),
      onTimeout() {
        answers.deny('AUTH_TIMEOUT', 'Authentication timed out.')
        options.peer.close(closing.policy, 'Authentication timed out')
      },
    },
    options.entered,
  )

/** Whether the message has authenticated the caller; else the client has its answer. */
async function authenticate<Req>(
  message: Message,
  { messages, peer, own }: SocketOptions<Req>,
  { answers, session }: SocketState<Req>,
): Promise<boolean> {
  const { uid } = message
  try {
    const tokens = await session.authenticate(message)
    if (tokens === null) return false
    const { refresh } = tokens
    answers.send({ type: 'auth', status: 'ok', uid, ...(refresh === null ? {} : { refresh_token: refresh }) })
    return true
  } catch (error) {
    answers.deny(isExpired(error) ? 'TOKEN_EXPIRED' : 'AUTH_FAILED', messages.toError(error).message, uid)
    if (own.auth !== 'public') peer.close(closing.policy, 'Authentication failed')
    return false
  }
}

/** Messages that a client may send before it has authenticated, among them the answer to a heartbeat. */
const unauthenticated: ReadonlySet<string> = new Set(['auth', 'pong'])

/** Answers one message. */
async function handle<Req>(
  text: string,
  handlers: Handlers,
  { options, answers, session }: SocketState<Req> & { readonly options: SocketOptions<Req> },
): Promise<void> {
  let type = 'server'
  let uid: unknown
  try {
    const message = readMessage(text)
    const handler = Object.hasOwn(handlers, message.type) ? handlers[message.type] : undefined
    if (handler === undefined)
      throw invalidPayload('type', `Expected one of ${Object.keys(handlers).join(', ')} for "type"`)
    ;({ type, uid } = message)
    if (!unauthenticated.has(type)) await options.visitor.admit()
    if (unauthenticated.has(type) || session.isOpen()) return await handler(message)
    answers.deny('AUTH_FAILED', 'Authentication failed.', uid)
    options.peer.close(closing.policy, 'The first message must authenticate')
  } catch (error) {
    if (isExpired(error)) session.expire()
    answers.fail(type, error, uid)
  }
}

/** Handles messages one after the other. */
function inTurn(handle: (text: string) => Promise<void>, onTooMany: () => void): (text: string) => void {
  let waiting = 0
  let last = Promise.resolve()
  return (text) => {
    waiting += 1
    if (waiting > mostWaiting) return onTooMany()
    last = last
      .then(() => handle(text))
      .finally(() => {
        waiting -= 1
      })
  }
}

function readMessage(text: string): Message & { readonly type: string; readonly uid?: unknown } {
  let message: unknown
  try {
    message = JSON.parse(text)
  } catch (cause) {
    throw invalidPayload(null, 'Expected a JSON object for the message', cause)
  }
  if (typeof message !== 'object' || message === null || Array.isArray(message))
    throw invalidPayload(null, 'Expected a JSON object for the message')
  if (!('type' in message) || typeof message.type !== 'string')
    throw invalidPayload('type', 'Expected a text for "type"')
  return message as Message & { readonly type: string }
}
