/** Tokens that a page gets in its address after a login by a provider, to take over a session at once. */
import { isUuid } from '../domain/conditions/literals.ts'
import { invalidToken, readClaims, signClaims, type TokenSettings } from './jwt.ts'

const purpose = 'session-request'

/** `id`: uuid of the token, which works once. `session`: uuid of the session that it is for. */
export type RequestClaims = { readonly id: string; readonly session: string }

/** Signs a token; `ttl` is in milliseconds, and `shown` are claims for clients. */
export const signRequestToken = (
  { id, session, shown }: RequestClaims & { readonly shown: { readonly [claim: string]: string | number } },
  times: { readonly issuedAt: Date; readonly ttl: number },
  settings: TokenSettings,
): string => signClaims({ ...shown, purpose, jti: id, session }, times, settings)

/** Verifies a token. Throws `invalid-token` or `token-expired`. */
export function readRequestToken(
  token: string,
  { secret, project, now }: TokenSettings & { readonly now: Date },
): RequestClaims & { readonly expires: Date } {
  const { jti, exp, ...claims } = readClaims(token, secret, now)
  const session: unknown = claims['session']
  if (claims['purpose'] !== purpose || claims['project'] !== project) throw invalidToken()
  if (typeof session !== 'string' || !isUuid(session) || jti === undefined || !isUuid(jti)) throw invalidToken()
  return { id: jti, session, expires: new Date(exp * 1000) }
}
