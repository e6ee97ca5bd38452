/** The authentication of a socket: by messages or by the request that opened it, until the token expires. */
import type { Context } from '../domain/ports/context.ts'
import type { Message, Messages, SocketTokens, Visitor } from '../domain/ports/messages.ts'
import { isExpired, isLost } from './failures.ts'
import type { Entered } from './open-socket.ts'
import type { Peer } from './peer.ts'
import type { SocketSettings } from './settings.ts'
import { endOfToken } from './token-end.ts'

export type Session<Req> = {
  /** The context of the caller for a message, a request of its API key. Rejects when its session or account has ended. */
  readonly context: (method: string) => Promise<Context>
  /** The present context of the caller, looked up again: no request. Rejects as `context` does. */
  readonly again: () => Promise<Context>
  readonly request: (method: string) => Req
  /** Whether messages other than `auth` are accepted. */
  readonly isOpen: () => boolean
  /** Rejects invalid credentials. Null: the caller has too many connections, and this one is closed. */
  readonly authenticate: (message: Message) => Promise<SocketTokens | null>
  /** If the session has ended, closes the connection or waits for a new token. Never rejects. */
  readonly check: () => Promise<void>
  /** The token has expired: the client must send a new one in time. */
  readonly expire: () => void
  readonly close: () => void
}

export type SessionOptions<Req> = {
  readonly visitor: Visitor<Req>
  readonly messages: Messages<Req>
  readonly settings: SocketSettings
  readonly peer: Peer
  /** Called after authentication. False if the caller has too many connections. */
  readonly onCaller: (ctx: Context) => boolean
  readonly onExpired: () => void
  /** The session or the user has ended. */
  readonly onLost: (error: unknown) => void
  /** No token came in time. */
  readonly onTimeout: () => void
}

/** `entered`: null where callers say by messages who they are. */
export function createSession<Req>(options: SessionOptions<Req>, entered: Entered | null): Session<Req> {
  const { visitor, messages, settings, peer, onCaller } = options
  const state: { token: string | null; isOpen: boolean; isExpired: boolean } = {
    token: null,
    isOpen: entered !== null || settings.auth !== 'handshake',
    isExpired: false,
  }
  let deadline: NodeJS.Timeout | undefined

  const waitForToken = (): void => {
    clearTimeout(deadline)
    deadline = setTimeout(options.onTimeout, settings.authTimeout)
  }
  const expire = (): void => {
    if (state.isExpired || !peer.isOpen()) return
    state.isExpired = true
    options.onExpired()
    waitForToken()
  }
  const ending = createAlarm(expire)
  const request = (method: string): Req => visitor.as(method, state.token, entered !== null && state.token === null)
  const context = (method: string): Promise<Context> => visitor.context(request(method), true)
  const again = (): Promise<Context> => visitor.context(request('GET'), false)

  if (entered !== null) ending.set(entered.end)
  if (!state.isOpen) waitForToken()
  return {
    context,
    again,
    request,
    isOpen: () => state.isOpen,
    expire,
    async check() {
      if (!state.isOpen || state.isExpired) return
      try {
        const { actor } = await again()
        if (actor.kind === 'user' && actor.key !== undefined) ending.set(actor.key.expires)
      } catch (error) {
        if (isExpired(error)) expire()
        else if (isLost(error)) options.onLost(error)
      }
    },
    async authenticate(message) {
      const before = state.token
      try {
        const loginRequest = visitor.as('POST', null, false)
        const { access, refresh } = await messages.readTokens(
          await visitor.context(loginRequest, true),
          message,
          loginRequest,
        )
        state.token = access
        const ctx = await context('GET')
        if (!onCaller(ctx)) return null
        Object.assign(state, { isOpen: true, isExpired: false })
        clearTimeout(deadline)
        ending.set(endOfToken(access, ctx.actor))
        return { access, refresh }
      } catch (error) {
        state.token = before
        throw error
      }
    },
    close() {
      clearTimeout(deadline)
      ending.clear()
    },
  }
}

const longestTimer = 2 ** 31 - 1

/** Calls back at a time in milliseconds; null = never. At once, if it is past. */
function createAlarm(onTime: () => void) {
  let timer: NodeJS.Timeout | undefined
  const set = (time: number | null): void => {
    clearTimeout(timer)
    if (time === null) return
    const left = time - Date.now()
    if (left <= 0) onTime()
    else timer = setTimeout(set, Math.min(left, longestTimer), time)
  }
  return { set, clear: (): void => clearTimeout(timer) }
}
