/** Tokens of a logged-in user: kept, and renewed before they expire, once for all who wait. */
import { isApiError } from './errors.ts'

export type Tokens = {
  readonly access: string
  /** What renews them; null when a cookie or the access token itself does. */
  readonly refresh: string | null
  /** Milliseconds since 1970; null = never. */
  readonly expires: number | null
}

/** Where tokens are kept; the default is memory. */
export type TokenStorage = {
  readonly get: () => Tokens | null | Promise<Tokens | null>
  readonly set: (tokens: Tokens | null) => void | Promise<void>
}

export type Session = {
  /** The token for the next request, renewed when it is about to expire; null when nobody is logged in. */
  readonly token: () => Promise<string | null>
  /** Renews at once; every caller that asks meanwhile gets the same renewal. */
  readonly renew: () => Promise<Tokens>
  readonly read: () => Promise<Tokens | null>
  readonly write: (tokens: Tokens | null) => Promise<void>
}

export type SessionOptions = {
  /** `tokens` is null when only a cookie knows the session. */
  readonly renew: (tokens: Tokens | null) => Promise<Tokens>
  readonly storage?: TokenStorage
  readonly now?: () => number
  /** Milliseconds before the expiry at which a token counts as used up. */
  readonly margin?: number
}

/** Makes a session around the call that renews tokens. */
export function createSession(options: SessionOptions): Session {
  const { renew, storage = memoryStorage(), now = Date.now, margin = 30_000 } = options
  let flight: Promise<Tokens> | null = null

  const renewStored = async (): Promise<Tokens> => {
    const tokens = await storage.get()
    try {
      const renewed = await renew(tokens)
      await storage.set(renewed)
      return renewed
    } catch (error) {
      if (isApiError(error) && error.status < 500) await storage.set(null)
      throw error
    }
  }

  const renewOnce = (): Promise<Tokens> => {
    flight ??= renewStored().finally(() => {
      flight = null
    })
    return flight
  }

  return {
    renew: renewOnce,
    read: async () => storage.get(),
    write: async (tokens) => storage.set(tokens),
    token: async () => {
      const tokens = await storage.get()
      if (tokens === null) return null
      const isFresh = tokens.expires === null || tokens.expires - margin > now()
      return isFresh ? tokens.access : (await renewOnce()).access
    },
  }
}

function memoryStorage(): TokenStorage {
  let kept: Tokens | null = null
  return {
    get: () => kept,
    set: (tokens) => {
      kept = tokens
    },
  }
}
