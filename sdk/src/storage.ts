/** Storages of a session's tokens. */
import type { TokenStorage, Tokens } from './token-storage.ts'

/** Keeps tokens as long as the program runs. */
export function memoryStorage(): TokenStorage {
  let stored: Tokens | null = null
  return {
    get: () => stored,
    set: (tokens) => {
      stored = tokens
    },
  }
}

export type WebStorageOptions = {
  /** Name of the entry; `tandem` by default. */
  readonly key?: string
  /** `localStorage` by default, which all tabs share; `sessionStorage` is one tab's. */
  readonly area?: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
}

/**
 * Keeps tokens in the browser, across reloads. Tabs that share the storage renew them once, where the browser has locks.
 * Every script of the page can read them: `mode: 'cookie'` keeps the refresh token away from scripts.
 */
export function webStorage({ key = 'tandem', area = localStorage }: WebStorageOptions = {}): TokenStorage {
  const locks = globalThis.navigator?.locks
  return {
    get: () => readTokens(area.getItem(key)),
    set: (tokens) => (tokens === null ? area.removeItem(key) : area.setItem(key, JSON.stringify(tokens))),
    ...(locks && { lock: async (work) => locks.request(key, work) }),
  }
}

export type CookieStorageOptions = {
  /** Name of the cookie; `tandem` by default. */
  readonly name?: string
  /** Lifetime in seconds; 7 days by default. */
  readonly maxAge?: number
  /** Reads the `Cookie` header; that of the page by default. On a server, that of the request. */
  readonly read?: () => string
  /** Writes a `Set-Cookie` header; to the page by default. On a server, to the response. */
  readonly write?: (cookie: string) => void
}

/** Keeps tokens in a cookie of the application's own, so that its server renders pages for the same session. */
export function cookieStorage(options: CookieStorageOptions = {}): TokenStorage {
  const { name = 'tandem', maxAge = 604_800, read = () => document.cookie } = options
  const write = options.write ?? ((cookie: string) => void (document.cookie = cookie))
  const rules = 'Path=/; SameSite=Lax; Secure'
  return {
    get: () => {
      const found = read()
        .split(/; */)
        .find((pair) => pair.startsWith(`${name}=`))
      return found === undefined ? null : readTokens(decodeURIComponent(found.slice(name.length + 1)))
    },
    set: (tokens) =>
      write(
        tokens === null
          ? `${name}=; Max-Age=0; ${rules}`
          : `${name}=${encodeURIComponent(JSON.stringify(tokens))}; Max-Age=${maxAge}; ${rules}`,
      ),
  }
}

/** Null for what is no session, such as an entry of another program. */
function readTokens(text: string | null): Tokens | null {
  try {
    const found = JSON.parse(text ?? 'null') as Tokens | null
    return typeof found?.access === 'string' ? found : null
  } catch {
    return null
  }
}
