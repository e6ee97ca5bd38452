/** Tokens that a page gets in its address after a login by a provider, to be exchanged for a session at once. */
import { isUuid } from '../domain/conditions/literals.ts'
import { invalidToken, longest, readClaims, signClaims, type TokenSettings } from './jwt.ts'

const purpose = 'session-request'

/** The session of a provider that the login came from. */
type Origin = {
  readonly provider: string
  readonly subject: string
  readonly format: string | null
  readonly name: string | null
}

/** `id`: uuid of the token, which works once. `user`: uuid of the user. */
export type RequestClaims = { readonly id: string; readonly user: string; readonly origin?: Origin | undefined }

/** Signs a token; `ttl` is in milliseconds, and `shown` are claims for clients. */
export const signRequestToken = (
  { id, user, origin, shown }: RequestClaims & { readonly shown: { readonly [claim: string]: string | number } },
  times: { readonly issuedAt: Date; readonly ttl: number },
  settings: TokenSettings,
): string =>
  signClaims({ ...shown, purpose, jti: id, user, ...(origin === undefined ? {} : { origin }) }, times, settings)

/** Verifies a token. Throws `invalid-token` or `token-expired`. */
export function readRequestToken(
  token: string,
  { secret, project, now }: TokenSettings & { readonly now: Date },
): RequestClaims & { readonly expires: Date } {
  if (token.length > longest) throw invalidToken()
  const { jti, exp, ...claims } = readClaims(token, secret, now)
  const user: unknown = claims['user']
  if (claims['purpose'] !== purpose || claims['project'] !== project || exp === undefined) throw invalidToken()
  if (typeof user !== 'string' || !isUuid(user) || jti === undefined || !isUuid(jti)) throw invalidToken()
  // The signature vouches for its form.
  return { id: jti, user, origin: claims['origin'] as Origin | undefined, expires: new Date(exp * 1000) }
}
