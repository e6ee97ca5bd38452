/** Signed tokens in mails: each is valid for one purpose, one account in one state, and a limited time. */

import { createHmac } from 'node:crypto'
import { isUuid } from '../domain/conditions/literals.ts'
import { TandemError } from '../domain/rights/errors.ts'
import { isSameText } from './digest.ts'
import { invalidToken, readClaims, signClaims, type TokenSettings } from './jwt.ts'

/** The action that the token allows, once. */
export type AccountPurpose = 'password-reset' | 'invitation' | 'registration'

export type AccountClaims = {
  readonly purpose: AccountPurpose
  /** Id of the user. */
  readonly user: string
  /** Seal of the required state of the account; see `sealState`. */
  readonly seal: string
}

/** Claims for pages that read the token, such as the address of the account. The server does not trust them. */
export type ShownClaims = { readonly [claim: string]: string | number | null }

/** Signs a token; `ttl` is in milliseconds. */
export const signAccountToken = (
  { shown = {}, ...claims }: AccountClaims & { readonly shown?: ShownClaims },
  times: { readonly issuedAt: Date; readonly ttl: number },
  settings: TokenSettings,
): string => signClaims({ ...shown, ...claims }, times, settings)

/** Verifies a token. Throws `invalid-token`, `token-expired`, or `forbidden` for a valid token of another purpose. */
export function readAccountToken(
  token: string,
  purpose: AccountPurpose,
  { secret, project, now }: TokenSettings & { readonly now: Date },
): AccountClaims {
  const claims = readClaims(token, secret, now)
  const { user, seal } = claims
  if (claims['project'] !== project || claims['purpose'] !== purpose)
    throw new TandemError({ kind: 'forbidden', reason: 'The token was made for another purpose' })
  if (typeof user !== 'string' || !isUuid(user) || typeof seal !== 'string') throw invalidToken()
  return { purpose, user, seal }
}

/** A keyed hash of the state of an account. It changes with every part of the state, and reveals nothing of it. */
export function sealState(parts: readonly (string | null)[], secret: string): string {
  return createHmac('sha256', secret).update('account state\0').update(JSON.stringify(parts)).digest('base64url')
}

/** Whether the seal belongs to this state; compares in constant time. */
export function isSealOf(seal: string, parts: readonly (string | null)[], secret: string): boolean {
  return isSameText(sealState(parts, secret), seal)
}
