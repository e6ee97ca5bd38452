/** Functions that both drivers of openid-client share. The library is loaded on first use. */
import type { ClientAuth, Configuration } from 'openid-client'
import type { FlowBeginning, FlowStart } from '../domain/ports/providers.ts'
import { type Failure, TandemError } from '../domain/rights/errors.ts'
import type { ClientMethod, OAuthSettings, OpenIdSettings } from './settings.ts'

export type Library = typeof import('openid-client')

export type Fetch = (
  address: string,
  request: {
    readonly method?: string
    readonly headers?: { readonly [name: string]: string }
    readonly body?: unknown
    readonly signal?: AbortSignal | undefined
  },
) => Promise<Response>

/** Facts from outside that providers need. */
export type Dependencies = { readonly fetch: Fetch; readonly warn: (detail: object, message: string) => void }

type Settings = OpenIdSettings | OAuthSettings

export const loadLibrary = (): Promise<Library> => import('openid-client')

/** How the client proves itself, unless the settings say so. */
export function toClientAuth(
  library: Library,
  { clientSecret, clientMethod }: Settings,
  key: CryptoKey | null,
): ClientAuth {
  const secret = clientSecret ?? ''
  const methods: { readonly [Method in ClientMethod]: () => ClientAuth } = {
    client_secret_basic: () => library.ClientSecretBasic(secret),
    client_secret_post: () => library.ClientSecretPost(secret),
    client_secret_jwt: () => library.ClientSecretJwt(secret),
    private_key_jwt: () => {
      if (key === null) throw new Error('The client has no private key')
      return library.PrivateKeyJwt(key)
    },
    none: () => library.None(),
  }
  return methods[clientMethod ?? 'client_secret_basic']()
}

/** The address of the login page, with PKCE. */
export async function toLoginPage(
  library: Library,
  configuration: Configuration,
  { settings, start, nonce }: { readonly settings: Settings; readonly start: FlowStart; readonly nonce?: string },
): Promise<FlowBeginning> {
  const { callback, prompt, state, verifier } = start
  const page = library.buildAuthorizationUrl(configuration, {
    ...settings.parameters,
    ...(prompt === null ? {} : { prompt }),
    scope: settings.scope,
    redirect_uri: callback,
    state,
    code_challenge: await library.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(nonce === undefined ? {} : { nonce }),
  })
  return { page, memory: null }
}

/** Codes with which people end a login on the page of the provider, or the provider does. */
const refusals: ReadonlySet<string> = new Set([
  'access_denied',
  'login_required',
  'consent_required',
  'interaction_required',
  'account_selection_required',
])

/** Begins a login. Every failure is `unavailable`; the log has the reason. */
export const beginning = <T>(name: string, around: Dependencies, step: () => Promise<T>): Promise<T> =>
  reporting(name, around, {
    step,
    otherwise: { kind: 'unavailable', service: 'provider', reason: 'No login can begin', retryAfter: 30 },
  })

/** Finishes a login. An answer that proves nothing is `invalid-credentials`; no answer is `unavailable`. */
export const finishing = <T>(name: string, around: Dependencies, step: () => Promise<T>): Promise<T> =>
  reporting(name, around, { step, otherwise: { kind: 'invalid-credentials' } })

/** Errors by which a provider reports that a refresh token is no longer valid. */
const ends: ReadonlySet<unknown> = new Set(['invalid_grant', 'invalid_token', 'access_denied', 'login_required'])

/** The next refresh token, for the same person. Throws `invalid-credentials` if the provider refuses, or `unavailable`. */
export async function renewToken(
  library: Library,
  configuration: Configuration,
  { token, subject }: { readonly token: string; readonly subject: string },
): Promise<string> {
  const tokens = await library.refreshTokenGrant(configuration, token).catch((cause: unknown) => {
    const isRefused = causes(cause).some((each) => 'error' in each && ends.has(each.error))
    if (isRefused) throw new TandemError({ kind: 'invalid-credentials' }, { cause })
    throw new TandemError(
      { kind: 'unavailable', service: 'provider', reason: 'It renews no token', retryAfter: 30 },
      { cause },
    )
  })
  const claims = tokens.claims()
  if (claims !== undefined && claims.sub !== subject) throw new TandemError({ kind: 'invalid-credentials' })
  return tokens.refresh_token ?? token
}

type Step<T> = { readonly step: () => Promise<T>; readonly otherwise: Failure }

async function reporting<T>(name: string, { warn }: Dependencies, { step, otherwise }: Step<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    const reason = reasonOf(error)
    if (!refusals.has(reason)) warn({ provider: name, reason }, 'A login by a provider failed')
    const ownError = causes(error).find((each) => each instanceof TandemError)
    throw ownError ?? new TandemError(otherwise, { cause: error })
  }
}

/** The code of the error, or its text; never a parameter, which can be a secret. */
function reasonOf(error: unknown): string {
  const answer = causes(error).find((each) => 'error' in each && typeof each.error === 'string') as
    | { error?: string }
    | undefined
  const text =
    answer?.error ??
    causes(error)
      .map(({ message }) => message)
      .join(': ')
      .replace(/The address is not allowed$/, '$&: AUTH_IP_ALLOW_LIST allows private ones')
  return text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 300)
}

function causes(error: unknown): readonly Error[] {
  const errors: Error[] = []
  for (let each = error; each instanceof Error && errors.length < 5; each = each.cause) errors.push(each)
  return errors
}
