/** Signed tokens in mails: each is valid for one purpose, one account in one state, and a limited time. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import jwt from 'jsonwebtoken'
import { isUuid } from '../domain/conditions/literals.ts'
import { TandemError } from '../domain/rights/errors.ts'
import { issuer, type TokenSettings } from './jwt.ts'

/** What the token allows, once. */
export type AccountPurpose = 'password-reset' | 'invitation' | 'registration'

export type AccountClaims = {
  readonly purpose: AccountPurpose
  /** Id of the user. */
  readonly user: string
  /** Seal of the required state of the account; see `sealState`. */
  readonly seal: string
}

const algorithm = 'HS256'

/** Limit of characters of a token. */
const longest = 4096

/** Signs a token; `ttl` is in milliseconds. */
export function signAccountToken(
  claims: AccountClaims,
  { issuedAt, ttl }: { readonly issuedAt: Date; readonly ttl: number },
  { secret, project }: TokenSettings,
): string {
  const iat = Math.floor(issuedAt.getTime() / 1000)
  const exp = Math.floor((issuedAt.getTime() + ttl) / 1000)
  return jwt.sign({ ...claims, project, iat, exp, iss: issuer }, secret, { algorithm })
}

/** Verifies a token. Throws `invalid-token`, `token-expired`, or `forbidden` for a valid token of another purpose. */
export function readAccountToken(
  token: string,
  purpose: AccountPurpose,
  { secret, project, now }: TokenSettings & { readonly now: Date },
): AccountClaims {
  const claims = verify(token, secret, now)
  const { user, seal } = claims
  if (claims['project'] !== project || claims['purpose'] !== purpose) throw new TandemError({ kind: 'forbidden' })
  if (typeof user !== 'string' || !isUuid(user) || typeof seal !== 'string' || claims.exp === undefined) throw invalid()
  return { purpose, user, seal }
}

function verify(token: string, secret: string, now: Date): jwt.JwtPayload {
  if (token.length > longest) throw invalid()
  try {
    const clockTimestamp = Math.floor(now.getTime() / 1000)
    const claims = jwt.verify(token, secret, { algorithms: [algorithm], issuer, clockTimestamp })
    if (typeof claims === 'string') throw invalid()
    return claims
  } catch (cause) {
    if (cause instanceof jwt.TokenExpiredError) throw new TandemError({ kind: 'token-expired' }, { cause })
    throw new TandemError({ kind: 'invalid-token' }, { cause })
  }
}

const invalid = (): TandemError => new TandemError({ kind: 'invalid-token' })

/** A keyed hash of the state of an account. It changes with every part of the state, and reveals nothing of it. */
export function sealState(parts: readonly (string | null)[], secret: string): string {
  return createHmac('sha256', secret).update('account state\0').update(JSON.stringify(parts)).digest('base64url')
}

/** Whether the seal belongs to this state; compares in constant time. */
export function isSealOf(seal: string, parts: readonly (string | null)[], secret: string): boolean {
  const expected = Buffer.from(sealState(parts, secret))
  const given = Buffer.from(seal)
  return expected.length === given.length && timingSafeEqual(expected, given)
}
