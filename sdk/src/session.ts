/** Tokens of a logged-in user, renewed before they expire, once for all waiting requests. */

import { isApiError } from './errors.ts'
import { memoryStorage } from './storage.ts'
import type { TokenStorage, Tokens } from './token-storage.ts'

export type Session = {
  /** The token for the next request, renewed shortly before it expires; null without a session. */
  readonly token: () => Promise<string | null>
  /** Renews immediately; concurrent callers share one renewal. */
  readonly renew: () => Promise<Tokens>
  readonly read: () => Promise<Tokens | null>
  readonly write: (tokens: Tokens | null) => Promise<void>
}

export type SessionOptions = {
  /** `tokens` is null if only a cookie identifies the session. */
  readonly renew: (tokens: Tokens | null) => Promise<Tokens>
  readonly storage?: TokenStorage
  readonly now?: () => number
  /** Milliseconds before its expiry at which a token is renewed. */
  readonly margin?: number
}

/** Creates a session from a function that renews tokens. */
export function createSession(options: SessionOptions): Session {
  const { renew, storage = memoryStorage(), now = Date.now, margin = 30_000 } = options
  let flight: Promise<Tokens> | null = null

  const renewStored = async (expiring?: Tokens): Promise<Tokens> => {
    const tokens = await storage.get()
    // Another tab has renewed them meanwhile, and the old refresh token is spent.
    if (expiring !== undefined && tokens !== null && tokens.access !== expiring.access) return tokens
    try {
      const renewed = await renew(tokens)
      await storage.set(renewed)
      return renewed
    } catch (error) {
      if (isApiError(error) && error.status < 500) await storage.set(null)
      throw error
    }
  }

  const renewOnce = (expiring?: Tokens): Promise<Tokens> => {
    const work = () => renewStored(expiring)
    flight ??= (storage.lock?.(work) ?? work()).finally(() => {
      flight = null
    })
    return flight
  }

  return {
    renew: () => renewOnce(),
    read: async () => storage.get(),
    write: async (tokens) => storage.set(tokens),
    token: async () => {
      const tokens = await storage.get()
      if (tokens === null) return null
      const isFresh = tokens.expires === null || tokens.expires - margin > now()
      return isFresh ? tokens.access : (await renewOnce(tokens)).access
    },
  }
}
