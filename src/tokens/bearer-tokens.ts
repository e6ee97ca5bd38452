/** The tokens of requests, told apart by their form: access tokens (JWT), API keys, and static tokens. */

import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Credentials } from '../domain/rights/actor.ts'
import { invalidToken, issuer, longestToken, type TokenSettings, type Verified, verifyAccessToken } from './jwt.ts'

/** Number of verified tokens that are cached. Clients send the same token with every request. */
const remembered = 5000

/**
 * Creates a function that reads bearer tokens. A signed token of Tandem gives a `session`, any other text is a `static`
 * token. Throws `invalid-token` and `token-expired`.
 */
export function createTokenReader(settings: TokenSettings, clock: () => Date): (token: string) => Credentials {
  const verified = new LRUCache<string, Verified>({ max: remembered })
  return (token) => {
    const cached = verified.get(token)
    const now = clock()
    if (cached !== undefined && cached.expires > now.getTime()) return cached.credentials
    verified.delete(token)
    if (token.length > longestToken) throw invalidToken()
    if (!isOwnToken(token)) return { kind: 'static', token }
    const fresh = verifyAccessToken(token, settings, now)
    verified.set(token, fresh)
    return fresh.credentials
  }
}

/** Whether the token says of itself that Tandem has signed it. */
function isOwnToken(token: string): boolean {
  if (!/^[\w-]+\.[\w-]+\.[\w-]*$/.test(token)) return false
  try {
    const text = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()
    const claims: { readonly iss?: unknown } | null = JSON.parse(text)
    return claims?.iss === issuer
  } catch {
    return false
  }
}

const apiKeyMark = 'tk_'

/** Generates an API key. Its prefix distinguishes it from other tokens. */
export const createApiKey = (): string => `${apiKeyMark}${randomBytes(36).toString('base64url')}`

export const isApiKey = (token: string): boolean => token.length === 51 && token.startsWith(apiKeyMark)

/** The part of an API key that may be shown. */
export const apiKeyPrefix = (key: string): string => key.slice(0, 11)
