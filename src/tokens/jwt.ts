/** Access tokens: signed, short-lived, tied to one session, one purpose, one project and one algorithm. */
import jwt from 'jsonwebtoken'
import type { Credentials } from '../domain/actor.ts'
import { TandemError } from '../domain/errors.ts'
import { isUuid } from '../domain/literals.ts'

/** What the platform's tokens carry as their issuer. */
export const issuer = 'platform'

const algorithm = 'HS256'
const purpose = 'access'

export type TokenSettings = { readonly secret: string; readonly project: string }

export type AccessClaims = {
  /** uuid of the session row. */
  readonly session: string
  readonly issuedAt: Date
  /** Milliseconds. */
  readonly ttl: number
  /** What clients like to read; never trusted. */
  readonly shown: { readonly [claim: string]: unknown }
}

/** Signs an access token. */
export function signAccessToken(claims: AccessClaims, settings: TokenSettings): string {
  const iat = Math.floor(claims.issuedAt.getTime() / 1000)
  const exp = Math.floor((claims.issuedAt.getTime() + claims.ttl) / 1000)
  const { session, shown } = claims
  const payload = { ...shown, session, purpose, project: settings.project, iat, exp, iss: issuer }
  return jwt.sign(payload, settings.secret, { algorithm })
}

type Verified = { readonly credentials: Credentials; readonly expires: number }

/** Tokens that were verified lately; a client repeats its token with every request. */
const remembered = 5000

/** Longest token that is looked at. */
const longest = 4096

/**
 * Makes the reader of tokens: a signed one of ours becomes `session`, anything else `static`, to be looked up.
 * It throws `invalid-token` and `token-expired`.
 */
export function createTokenReader(settings: TokenSettings, clock: () => Date): (token: string) => Credentials {
  const verified = new Map<string, Verified>()
  return (token) => {
    const known = verified.get(token)
    const now = clock()
    if (known !== undefined && known.expires > now.getTime()) return known.credentials
    verified.delete(token)
    if (token.length > longest) throw new TandemError({ kind: 'invalid-token' })
    if (!isOurs(token)) return { kind: 'static', token }
    const fresh = verify(token, settings, now)
    if (verified.size >= remembered) verified.delete(verified.keys().next().value as string)
    verified.set(token, fresh)
    return fresh.credentials
  }
}

function isOurs(token: string): boolean {
  if (!/^[\w-]+\.[\w-]+\.[\w-]*$/.test(token)) return false
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    return typeof claims === 'object' && claims !== null && 'iss' in claims && claims.iss === issuer
  } catch {
    return false
  }
}

function verify(token: string, { secret, project }: TokenSettings, now: Date): Verified {
  const clockTimestamp = Math.floor(now.getTime() / 1000)
  try {
    const claims = jwt.verify(token, secret, { algorithms: [algorithm], issuer, clockTimestamp })
    if (typeof claims === 'string' || claims['purpose'] !== purpose || claims['project'] !== project) throw invalid()
    const session: unknown = claims['session']
    if (claims.exp === undefined || typeof session !== 'string' || !isUuid(session)) throw invalid()
    return { credentials: { kind: 'session', session: session.toLowerCase() }, expires: claims.exp * 1000 }
  } catch (cause) {
    if (cause instanceof TandemError) throw cause
    throw new TandemError(
      { kind: cause instanceof jwt.TokenExpiredError ? 'token-expired' : 'invalid-token' },
      { cause },
    )
  }
}

const invalid = (): TandemError => new TandemError({ kind: 'invalid-token' })
