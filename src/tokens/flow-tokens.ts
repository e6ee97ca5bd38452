/**
 * Tokens of logins by a provider: what a login remembers while somebody is on the page of the provider. They are signed,
 * and hold no secret: the secrets of a login are derived from its id with the key of the server.
 */
import { createHmac } from 'node:crypto'
import { isUuid } from '../domain/conditions/literals.ts'
import type { FlowSecrets } from '../domain/ports/providers.ts'
import { invalidToken, readClaims, signClaims, type TokenSettings } from './jwt.ts'

const defaultProject = '_'
const purpose = 'provider-login'
const logoutPurpose = 'provider-logout'

/** A login that has begun. */
export type Flow = {
  /** uuid; each works once. */
  readonly id: string
  readonly provider: string
  /** Where the provider answers. */
  readonly callback: string
  /** Page to return to; null = the answer holds the tokens. */
  readonly page: string | null
  readonly mode: string
  readonly otp: string | null
  /** Values that the provider needs with the answer. */
  readonly memory: string | null
}

/** Signs the token; `ttl` is in milliseconds. */
export const signFlow = (
  flow: Flow,
  times: { readonly issuedAt: Date; readonly ttl: number },
  settings: TokenSettings,
): string => signClaims({ purpose, ...flow }, times, settings)

/** The login of a token of this provider, and when it ends. Throws `invalid-token` or `token-expired`. */
export function readFlow(
  token: string,
  provider: string,
  { secret, project, now }: TokenSettings & { readonly now: Date },
): Flow & { readonly expires: Date } {
  const claims = readClaims(token, secret, now)
  const { id, callback, page, mode, otp, memory, exp } = claims
  if (claims['purpose'] !== purpose || claims['project'] !== project || claims['provider'] !== provider)
    throw invalidToken()
  if (typeof id !== 'string' || !isUuid(id)) throw invalidToken()
  if (typeof callback !== 'string' || typeof mode !== 'string') throw invalidToken()
  const flow = { id, provider, callback, mode, expires: new Date(exp * 1000) }
  return { ...flow, page: textOrNull(page), otp: textOrNull(otp), memory: textOrNull(memory) }
}

export type LogoutFlow = Pick<Flow, 'id' | 'provider' | 'callback'> & { readonly page: string }

/** Signs the token of a logout; `ttl` is in milliseconds. */
export const signLogoutFlow = (
  flow: LogoutFlow,
  times: { readonly issuedAt: Date; readonly ttl: number },
  settings: TokenSettings,
): string => signClaims({ purpose: logoutPurpose, ...flow }, times, settings)

/** The logout of a token of this provider. Throws `invalid-token` or `token-expired`. */
export function readLogoutFlow(
  token: string,
  provider: string,
  { secret, project, now }: TokenSettings & { readonly now: Date },
): LogoutFlow {
  const claims = readClaims(token, secret, now)
  const { id, callback, page } = claims
  if (claims['purpose'] !== logoutPurpose || claims['project'] !== project || claims['provider'] !== provider)
    throw invalidToken()
  if (typeof id !== 'string' || !isUuid(id) || typeof callback !== 'string' || typeof page !== 'string')
    throw invalidToken()
  return { id, provider, callback, page }
}

/** The project that a state names; null = none. */
export const projectOfState = (state: string): string | null => /^[\w-]{43}\.(.+)$/.exec(state)?.[1] ?? null

/** The project that a token of a login names, which is not verified; null = none. */
export function projectOfFlow(token: string): string | null {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    return textOrNull((claims as { readonly project?: unknown } | null)?.project)
  } catch {
    return null
  }
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** The secrets of a login. The state of a project other than the default one ends with its key, to come back there. */
export function secretsOf(id: string, { secret, project }: TokenSettings): FlowSecrets {
  const derive = (part: string): string =>
    createHmac('sha256', secret).update(`provider login\0${part}\0`).update(id).digest('base64url')
  const state = project === defaultProject ? derive('state') : `${derive('state')}.${project}`
  return { state, nonce: derive('nonce'), verifier: derive('verifier') }
}
