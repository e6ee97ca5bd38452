/** OpenID Connect: discovery, the login page, and the ID token with the claims of the user. */

import type { JWTVerifyGetKey } from 'jose'
import type { ClientMetadata, Configuration, CustomFetch } from 'openid-client'
import type {
  EndedSession,
  FlowAnswer,
  FlowBeginning,
  FlowStart,
  Identity,
  ProviderSession,
} from '../domain/ports/providers.ts'
import { TandemError } from '../domain/rights/errors.ts'
import { columnText, toIdentity } from './claims.ts'
import { type LogoutTokenRules, openKeys, publicAlgorithms, readLogoutToken } from './logout-tokens.ts'
import {
  beginning,
  type Dependencies,
  finishing,
  type Library,
  loadLibrary,
  renewToken,
  toClientAuth,
  toLoginPage,
} from './openid-client.ts'
import type { OpenIdSettings } from './settings.ts'

const wellKnown = '/.well-known/openid-configuration'

type OpenedProvider = {
  readonly library: Library
  readonly configuration: Configuration
  /** The keys of the provider, which are read with the first logout token. */
  readonly keys: () => Promise<JWTVerifyGetKey>
}

/** The provider. It is asked for its endpoints with the first login, and again after a failure. */
export function createOpenId(settings: OpenIdSettings, around: Dependencies) {
  let opened: Promise<OpenedProvider> | null = null
  const open = (): Promise<OpenedProvider> => {
    const opening = (opened ??= discover(settings, around))
    opening.catch(() => {
      if (opened === opening) opened = null
    })
    return opening
  }
  return {
    answersBy: settings.parameters['response_mode'] === 'form_post' ? ('form' as const) : ('query' as const),
    begin: (start: FlowStart): Promise<FlowBeginning> =>
      beginning(settings.name, around, async () => {
        const { library, configuration } = await open()
        return toLoginPage(library, configuration, { settings, start, nonce: start.nonce })
      }),
    finish: (answer: FlowAnswer): Promise<Identity> =>
      finishing(settings.name, around, async () => readIdentity(await open(), answer, settings)),
    renew: (held: { readonly token: string; readonly subject: string }): Promise<string> =>
      beginning(settings.name, around, async () => {
        const { library, configuration } = await open()
        return renewToken(library, configuration, held)
      }),
    readLogoutToken: (token: string): Promise<EndedSession> =>
      beginning(settings.name, around, async () => {
        const { configuration, keys } = await open()
        return readLogoutToken(token, await keys(), rulesOf(configuration, settings))
      }),
  }
}

async function discover(settings: OpenIdSettings, { fetch, warn }: Dependencies): Promise<OpenedProvider> {
  const library = await loadLibrary()
  const address = settings.issuer.includes('/.well-known/') ? settings.issuer : `${settings.issuer}${wellKnown}`
  // An issuer without TLS is only for networks that the operator trusts.
  const isPlain = address.startsWith('http:')
  const metadata: Partial<ClientMetadata> =
    settings.algorithm === null ? {} : { id_token_signed_response_alg: settings.algorithm }
  const key = settings.privateKey === null ? null : await importKey(settings.privateKey)
  const configuration = await library.discovery(
    new URL(address),
    settings.clientId,
    metadata,
    toClientAuth(library, settings, key),
    {
      [library.customFetch]: fetch as unknown as CustomFetch,
      // The signature of an ID token is checked although it comes from the token endpoint itself.
      execute: [library.enableNonRepudiationChecks, ...(isPlain ? [library.allowInsecureRequests] : [])],
    },
  )
  const { issuer } = configuration.serverMetadata()
  if (trimmed(issuer) !== trimmed(address.slice(0, address.lastIndexOf('/.well-known/')))) {
    warn({ provider: settings.name, issuer }, 'The discovery document of a provider names another issuer')
    throw new TandemError({
      kind: 'unavailable',
      service: settings.name,
      reason: 'Its issuer is another one',
      retryAfter: 30,
    })
  }
  let keys: Promise<JWTVerifyGetKey> | null = null
  return { library, configuration, keys: () => (keys ??= openKeys(configuration, fetch)) }
}

/** Rules for logout tokens. The provider signs them as it signs ID tokens. */
function rulesOf(configuration: Configuration, { clientId, algorithm }: OpenIdSettings): LogoutTokenRules {
  const { issuer, id_token_signing_alg_values_supported: announced = ['RS256'] } = configuration.serverMetadata()
  const algorithms = (algorithm === null ? announced : [algorithm]).filter((each) => publicAlgorithms.has(each))
  return { issuer, clientId, algorithms }
}

const trimmed = (address: string): string => address.replace(/\/+$/, '')

/** Algorithms of the keys that clients sign with. */
const algorithms: { readonly [curve: string]: EcKeyImportParams | { readonly name: string; readonly hash?: string } } =
  {
    RSA: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
    PS256: { name: 'RSA-PSS', hash: 'SHA-256' },
    'P-256': { name: 'ECDSA', namedCurve: 'P-256' },
    'P-384': { name: 'ECDSA', namedCurve: 'P-384' },
    Ed25519: { name: 'Ed25519' },
  }

async function importKey(key: { readonly [part: string]: unknown }): Promise<CryptoKey> {
  const algorithm = algorithms[String(key['alg'] === 'PS256' ? 'PS256' : (key['crv'] ?? key['kty']))]
  if (algorithm === undefined) throw new Error('The private key of the client has a type that is not supported')
  const { key_ops: _, use: __, ...jwk } = key
  return crypto.subtle.importKey('jwk', jwk as JsonWebKey, algorithm, false, ['sign'])
}

/** The ID token decides who it is; the claims of the user info complete it if they are about the same user. */
async function readIdentity(
  { library, configuration }: OpenedProvider,
  answer: FlowAnswer,
  settings: OpenIdSettings,
): Promise<Identity> {
  const address = new URL(answer.callback)
  address.search = answer.parameters.toString()
  const tokens = await library.authorizationCodeGrant(configuration, address, {
    expectedState: answer.state,
    expectedNonce: answer.nonce,
    pkceCodeVerifier: answer.verifier,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (claims === undefined) throw new TandemError({ kind: 'invalid-credentials' })
  const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined
  const more = hasMore ? await library.fetchUserInfo(configuration, tokens.access_token, claims.sub) : {}
  const identity = toIdentity({ ...more, ...claims }, settings.claims)
  const subject = columnText(claims.sub)
  if (subject === null) return identity
  const session: ProviderSession = {
    subject,
    format: null,
    qualifiers: [null, null],
    name: columnText(claims['sid']),
    token: tokens.refresh_token ?? null,
  }
  return { ...identity, session }
}
