/** Logout tokens of OpenID Connect Back-Channel Logout 1.0: which session of a provider has ended. */
import type { FetchImplementation, JWTPayload, JWTVerifyGetKey } from 'jose'
import type { Configuration } from 'openid-client'
import type { EndedSession } from '../domain/ports/providers.ts'
import { TandemError } from '../domain/rights/errors.ts'
import type { Fetch } from './openid-client.ts'

/** Values that a logout token for this server must have. */
export type LogoutTokenRules = {
  readonly issuer: string
  readonly clientId: string
  readonly algorithms: readonly string[]
}

/** Seconds by which the clock of a provider may differ. */
const skew = 60

/** Maximum age of a token in seconds, regardless of its own expiry. */
const longestAge = 600

const event = 'http://schemas.openid.net/event/backchannel-logout'

const types: ReadonlySet<string | undefined> = new Set([undefined, 'logout+jwt', 'jwt'])

/** Algorithms with a public key; a secret that both know proves nothing about who signed. */
export const publicAlgorithms: ReadonlySet<string> = new Set([
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
])

/** The keys of a provider, read again when a token names an unknown one. */
export async function openKeys(configuration: Configuration, fetch: Fetch): Promise<JWTVerifyGetKey> {
  const { createRemoteJWKSet, customFetch } = await import('jose')
  const { jwks_uri: address = '' } = configuration.serverMetadata()
  const send: FetchImplementation = (url, { headers, signal }) =>
    fetch(url, { headers: Object.fromEntries(headers), signal })
  return createRemoteJWKSet(new URL(address), { [customFetch]: send })
}

/** Verifies a token. Throws `invalid-payload`, or `unavailable` if the keys of the provider cannot be read. */
export async function readLogoutToken(
  token: string,
  keys: JWTVerifyGetKey,
  rules: LogoutTokenRules,
): Promise<EndedSession> {
  const { jwtVerify } = await import('jose')
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      issuer: rules.issuer,
      audience: rules.clientId,
      algorithms: [...rules.algorithms],
      clockTolerance: skew,
      maxTokenAge: longestAge,
      requiredClaims: ['exp', 'iat', 'jti'],
    })
    if (!types.has(protectedHeader.typ?.toLowerCase())) throw new Error('The token has another type')
    return toEndedSession(payload)
  } catch (cause) {
    throw causeOf(cause) ?? (isUnread(cause) ? unavailable(cause) : refusal(cause))
  }
}

function toEndedSession(payload: JWTPayload): EndedSession {
  const { events, nonce, sub, sid, jti, exp } = payload
  const members = typeof events === 'object' && events !== null ? (events as { readonly [name: string]: unknown }) : {}
  const isLogout = Object.hasOwn(members, event) && typeof members[event] === 'object' && members[event] !== null
  if (!isLogout) throw new Error('The token is about another event')
  if (nonce !== undefined) throw new Error('The token has a nonce, as ID tokens have')
  const [subject, name] = [textOf(sub), textOf(sid)]
  if (subject === null && name === null) throw new Error('The token names neither a person nor a session')
  if (textOf(jti) === null || exp === undefined) throw new Error('The token has no id or no end')
  return { id: String(jti), expires: new Date((exp + skew) * 1000), subject, name }
}

function textOf(value: unknown): string | null {
  if (value === undefined) return null
  if (typeof value === 'string' && value !== '' && value.length <= 255 && value.isWellFormed()) return value
  throw new Error('The token names a person or a session by no usable text')
}

/** An error of the request for the keys. */
function causeOf(error: unknown): TandemError | undefined {
  if (error instanceof TandemError) return error
  return error instanceof Error && error.cause !== undefined ? causeOf(error.cause) : undefined
}

/** Whether the keys of the provider could not be read. */
const isUnread = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && unread.has(String(error.code))

const unread: ReadonlySet<string> = new Set(['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID'])

const unavailable = (cause: unknown): TandemError =>
  new TandemError(
    { kind: 'unavailable', service: 'provider', reason: 'Its keys cannot be read', retryAfter: 30 },
    { cause },
  )

function refusal(cause: unknown): TandemError {
  const reason = 'Expected a logout token of the provider for this server in "logout_token" but received another one'
  return new TandemError({ kind: 'invalid-payload', name: 'logout_token', reason }, { cause })
}
