/** Access tokens (JWT): short-lived, and bound to one session, one purpose, one project and one algorithm. */
import jwt from 'jsonwebtoken'
import { isUuid } from '../domain/conditions/literals.ts'
import type { Credentials, Renewal } from '../domain/rights/actor.ts'
import { TandemError } from '../domain/rights/errors.ts'

/** The `iss` claim of all tokens. */
export const issuer = 'platform'

const algorithm = 'HS256'
const purpose = 'access'

export type TokenSettings = { readonly secret: string; readonly project: string }

export type AccessClaims = {
  /** Id of the session. */
  readonly session: string
  readonly issuedAt: Date
  /** Lifetime in milliseconds. */
  readonly ttl: number
  /** How the token may be renewed; absent = not at all. */
  readonly renewal?: Renewal | undefined
  /** Claims for the client. The server does not trust them. */
  readonly shown: { readonly [claim: string]: unknown }
}

export function signAccessToken({ session, shown, renewal, ...times }: AccessClaims, settings: TokenSettings): string {
  return signClaims({ ...shown, renewal, session, purpose }, times, settings)
}

/** Signs claims for one project; `ttl` is in milliseconds. */
export function signClaims(
  claims: object,
  { issuedAt, ttl }: { readonly issuedAt: Date; readonly ttl: number },
  { secret, project }: TokenSettings,
): string {
  const iat = Math.floor(issuedAt.getTime() / 1000)
  const exp = Math.floor((issuedAt.getTime() + ttl) / 1000)
  return jwt.sign({ ...claims, project, iat, exp, iss: issuer }, secret, { algorithm })
}

const renewals: readonly Renewal[] = ['session-cookie', 'temporary', 'prolonged-cookie']

export type Verified = { readonly credentials: Credentials; readonly expires: number }

/** Limit of characters of a token. */
export const longestToken = 4096

/** The session that an access token names, and when it ends. Throws `invalid-token` and `token-expired`. */
export function verifyAccessToken(token: string, { secret, project }: TokenSettings, now: Date): Verified {
  const claims = readClaims(token, secret, now)
  const session: unknown = claims['session']
  if (claims['purpose'] !== purpose || claims['project'] !== project) throw invalidToken()
  if (typeof session !== 'string' || !isUuid(session)) throw invalidToken()
  const renewal = renewals.find((each) => each === claims['renewal'])
  const named = { kind: 'session', session: session.toLowerCase() } as const
  return { credentials: renewal === undefined ? named : { ...named, renewal }, expires: claims.exp * 1000 }
}

/** The claims of a token that Tandem has signed, which has an end. Throws `invalid-token` and `token-expired`. */
export function readClaims(token: string, secret: string, now: Date): jwt.JwtPayload & { readonly exp: number } {
  if (token.length > longestToken) throw invalidToken()
  const clockTimestamp = Math.floor(now.getTime() / 1000)
  try {
    const claims = jwt.verify(token, secret, { algorithms: [algorithm], issuer, clockTimestamp })
    if (typeof claims === 'string' || claims.exp === undefined) throw invalidToken()
    return { ...claims, exp: claims.exp }
  } catch (cause) {
    const kind = cause instanceof jwt.TokenExpiredError ? 'token-expired' : 'invalid-token'
    throw new TandemError({ kind }, { cause })
  }
}

/** The error for tokens that Tandem has not signed, or for something else. */
export const invalidToken = (): TandemError => new TandemError({ kind: 'invalid-token' })
