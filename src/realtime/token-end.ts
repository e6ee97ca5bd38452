import type { Actor } from '../domain/rights/actor.ts'

/** When the token of the caller ends, in milliseconds: its API key, or an access token, read without verifying it. */
export function endOfToken(token: string | null, actor: Actor): number | null {
  if (actor.kind === 'user' && actor.key !== undefined) return actor.key.expires
  try {
    const [, claims = ''] = (token ?? '').split('.')
    const { exp } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { readonly exp?: unknown }
    return typeof exp === 'number' ? exp * 1000 : null
  } catch {
    return null
  }
}
