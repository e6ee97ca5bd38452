/** The messages of `/websocket`: authentication, items and subscriptions as JSON objects. */
import type { Seen, Subscribed } from '../domain/ports/feed.ts'
import type { ChangesQuery, Message } from '../domain/ports/messages.ts'
import { invalidPayload, TandemError } from '../domain/rights/errors.ts'
import { isExpired, isLost } from './failures.ts'
import type { OpenSocket, SocketOptions } from './open-socket.ts'
import { closing, type Peer } from './peer.ts'
import { createSession, type Session } from './session.ts'

type Entry = {
  readonly changes: ChangesQuery
  readonly uid: string | undefined
  /** Changes that arrive before the initial message is sent; null = it was sent. */
  held: Seen[] | null
  place: number
  subscribed: Subscribed | null
  /** Whether it waits for a new token. */
  isPaused: boolean
}

/** Messages that wait for those before them. */
const mostWaiting = 100

export function openItemSocket<Req>(options: SocketOptions<Req>): OpenSocket {
  const { visitor, messages, peer, settings, own } = options
  const entries = new Map<string, Entry>()
  const send = (answer: object): void => peer.send(JSON.stringify(answer))
  const fail = (type: string, error: unknown, uid?: unknown): void => {
    if (!(error instanceof TandemError)) options.log.error({ err: error }, 'A message could not be answered')
    send({ type, status: 'error', error: messages.toError(error), uid })
  }
  const onFailure = (code: string, message: string, uid?: unknown): void =>
    send({ type: 'auth', status: 'error', error: { code, message }, uid })
  const session: Session<Req> = createSession(
    {
      ...options,
      settings: own,
      onExpired: () => onFailure('TOKEN_EXPIRED', 'Token expired.'),
      onLost(error) {
        onFailure('AUTH_FAILED', messages.toError(error).message)
        peer.close(closing.policy, 'The session has ended')
      },
      onTimeout() {
        onFailure('AUTH_TIMEOUT', 'Authentication timed out.')
        peer.close(closing.policy, 'Authentication timed out')
      },
    },
    { token: options.token },
  )

  const drop = (name: string): void => {
    entries.get(name)?.subscribed?.stop()
    entries.delete(name)
  }
  const ended = (name: string, entry: Entry, error: unknown): void => {
    if (entries.get(name) !== entry) return
    if (isExpired(error)) {
      entry.isPaused = true
      return session.expire()
    }
    drop(name)
    if (!isLost(error)) return fail('subscribe', error, entry.uid)
    onFailure('AUTH_FAILED', messages.toError(error).message)
    peer.close(closing.policy, 'The session has ended')
  }
  const listen = async (name: string, entry: Entry, from?: number): Promise<void> => {
    const { subscriptions } = await session.context()
    if (subscriptions === undefined) throw new Error('The project has no feed')
    entry.subscribed = await subscriptions.subscribe({
      query: entry.changes.query,
      caller: () => session.context(),
      ...(from === undefined ? {} : { from }),
      onSeen(seen, place) {
        entry.place = place
        if (entry.held !== null) entry.held.push(...seen)
        else sendChanges(peer, entry, seen)
      },
      onEnd: (error) => ended(name, entry, error),
    })
    // It was dropped or replaced in the meantime.
    if (entries.get(name) !== entry) entry.subscribed.stop()
  }
  const subscribe = async (message: Message): Promise<void> => {
    const uid = readUid(message)
    const name = uid ?? ''
    const ctx = await session.context()
    const askedChanges = messages.readSubscription(ctx, message)
    drop(name)
    if (entries.size >= settings.subscriptions)
      throw invalidPayload('uid', `Expected at most ${settings.subscriptions} subscriptions of one connection`)
    const entry: Entry = { changes: askedChanges, uid, held: [], place: 0, subscribed: null, isPaused: false }
    entries.set(name, entry)
    try {
      await listen(name, entry)
      const present = askedChanges.kind === null ? `,"data":${await askedChanges.readPresent(ctx)}` : ''
      entry.place = Math.max(entry.place, entry.subscribed?.position ?? 0)
      peer.send(`{"type":"subscription","event":"init"${present}${uidText(uid)}}`)
      const held = entry.held ?? []
      entry.held = null
      sendChanges(peer, entry, held)
    } catch (error) {
      drop(name)
      throw error
    }
  }
  const unsubscribe = (message: Message): void => {
    const uid = readUid(message)
    for (const name of uid === undefined ? [...entries.keys()] : [uid]) drop(name)
    send({ type: 'subscription', event: 'unsubscribe', uid })
  }
  const resume = async (): Promise<void> => {
    for (const [name, entry] of entries) {
      if (!entry.isPaused) continue
      entry.isPaused = false
      await listen(name, entry, entry.place).catch((error: unknown) => ended(name, entry, error))
    }
  }
  const answerItems = async (message: Message): Promise<void> => {
    const method = messages.methodOf(message)
    const members = await messages.answerItems(await session.context(method), message, session.request(method))
    peer.send(
      `{"type":"items",${members}${message['uid'] === undefined ? '' : `,"uid":${JSON.stringify(message['uid'])}`}}`,
    )
  }
  const authenticate = async (message: Message): Promise<void> => {
    const { uid } = message
    try {
      const tokens = await session.authenticate(message)
      if (tokens === null) return
      send({ type: 'auth', status: 'ok', uid, ...(tokens.refresh === null ? {} : { refresh_token: tokens.refresh }) })
    } catch (error) {
      onFailure(isExpired(error) ? 'TOKEN_EXPIRED' : 'AUTH_FAILED', messages.toError(error).message, uid)
      if (own.auth !== 'public') peer.close(closing.policy, 'Authentication failed')
      return
    }
    await resume()
  }
  const kinds: { readonly [type: string]: (message: Message) => Promise<void> | void } = {
    auth: authenticate,
    ping: (message) => send({ type: 'pong', uid: message['uid'] }),
    pong: () => undefined,
    items: answerItems,
    subscribe,
    unsubscribe,
  }
  const handle = async (text: string): Promise<void> => {
    let type = 'server'
    let uid: unknown
    try {
      const message = readMessage(text)
      const answer = Object.hasOwn(kinds, message.type) ? kinds[message.type] : undefined
      if (answer === undefined)
        throw invalidPayload('type', `Expected one of ${Object.keys(kinds).join(', ')} for "type"`)
      ;({ type, uid } = message)
      if (type !== 'auth' && type !== 'pong') await visitor.admit()
      if (type === 'auth' || session.isOpen()) return await answer(message)
      onFailure('AUTH_FAILED', 'Authentication failed.', uid)
      peer.close(closing.policy, 'The first message must authenticate')
    } catch (error) {
      if (isExpired(error)) session.expire()
      fail(type, error, uid)
    }
  }

  return {
    receive: inTurn(handle, () => peer.close(closing.policy, 'Too many messages at once')),
    ping: () => send({ type: 'ping' }),
    check: session.check,
    close() {
      session.close()
      for (const name of Array.from(entries.keys())) drop(name)
    },
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

function readUid({ uid }: Message): string | undefined {
  if (uid === undefined || uid === null) return undefined
  const text = typeof uid === 'string' ? uid : typeof uid === 'number' ? String(uid) : null
  if (text === null || text.length > 255)
    throw invalidPayload('uid', 'Expected a text of at most 255 characters or a number for "uid"')
  return text
}

const uidText = (uid: string | undefined): string => (uid === undefined ? '' : `,"uid":${JSON.stringify(uid)}`)

/** Sends changes; those of one kind that follow each other go in one message. */
function sendChanges(peer: Peer, { changes, uid }: Entry, seen: readonly Seen[]): void {
  const notice = changes.kind === null ? seen : seen.filter(({ kind }) => kind === changes.kind)
  for (let at = 0; at < notice.length; ) {
    const kind = notice[at]?.kind
    const end = notice.findIndex((each, index) => index > at && each.kind !== kind)
    const some = notice.slice(at, end === -1 ? notice.length : end)
    const data = some.map(({ json, key }) => json ?? JSON.stringify(key)).join(',')
    peer.send(`{"type":"subscription","event":"${kind}","data":[${data}]${uidText(uid)}}`)
    at += some.length
  }
}
