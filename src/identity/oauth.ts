/** OAuth 2.0 with a profile, for providers without OpenID Connect. */

import type { Configuration } from 'openid-client'
import { isRecord } from '../domain/is-record.ts'
import type { FlowAnswer, FlowBeginning, FlowStart, Identity } from '../domain/ports/providers.ts'
import { TandemError } from '../domain/rights/errors.ts'
import { type Claims, toIdentity } from './claims.ts'
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
import type { OAuthSettings } from './settings.ts'

/** The provider. */
export function createOAuth(settings: OAuthSettings, around: Dependencies) {
  return {
    begin: (start: FlowStart): Promise<FlowBeginning> =>
      beginning(settings.name, around, async () => {
        const library = await loadLibrary()
        return toLoginPage(library, configure(library, settings, around), { settings, start })
      }),
    finish: (answer: FlowAnswer): Promise<Identity> =>
      finishing(settings.name, around, async () => readIdentity(answer, settings, around)),
    renew: (held: { readonly token: string; readonly subject: string }): Promise<string> =>
      beginning(settings.name, around, async () => {
        const library = await loadLibrary()
        return renewToken(library, configure(library, settings, around), held)
      }),
  }
}

function configure(library: Library, settings: OAuthSettings, { fetch }: Dependencies): Configuration {
  const { authorizeUrl, accessUrl, clientId } = settings
  const server = {
    // No document names the issuer, so it is the origin of the login page.
    issuer: new URL(authorizeUrl).origin,
    authorization_endpoint: authorizeUrl,
    token_endpoint: accessUrl,
  }
  const configuration = new library.Configuration(server, clientId, {}, toClientAuth(library, settings, null))
  configuration[library.customFetch] = fetch
  if (accessUrl.startsWith('http:')) library.allowInsecureRequests(configuration)
  return configuration
}

async function readIdentity(answer: FlowAnswer, settings: OAuthSettings, around: Dependencies): Promise<Identity> {
  const library = await loadLibrary()
  const configuration = configure(library, settings, around)
  const address = new URL(answer.callback)
  address.search = answer.parameters.toString()
  // Without OpenID Connect there is no rule for the issuer of an answer, and some providers send one.
  address.searchParams.delete('iss')
  const tokens = await library.authorizationCodeGrant(configuration, address, {
    expectedState: answer.state,
    pkceCodeVerifier: answer.verifier,
  })
  const { access_token: token } = tokens
  const identity = await readProfile(token, settings, around)
  const { identifier: subject } = identity
  return {
    ...identity,
    session: { subject, format: null, qualifiers: [null, null], name: null, token: tokens.refresh_token ?? null },
  }
}

async function readProfile(token: string, settings: OAuthSettings, around: Dependencies): Promise<Identity> {
  const profile = await readClaims(settings.profileUrl, token, around)
  if (settings.emailUrl === null) return toIdentity(profile, settings.claims)
  const primary = primaryOf(await readJson(settings.emailUrl, token, around))
  return toIdentity({ ...profile, ...primary }, { ...settings.claims, email: 'email', verified: 'email_verified' })
}

/** The primary one of a list of addresses; without one there is no address. */
function primaryOf(list: unknown): Claims {
  const primary = (Array.isArray(list) ? list : []).find(
    (each: unknown) => (each as Claims | null)?.['primary'] === true,
  )
  const { email, verified } = (primary ?? {}) as Claims
  return { email, email_verified: verified === true }
}

async function readClaims(...parameters: Parameters<typeof readJson>): Promise<Claims> {
  const profile = await readJson(...parameters)
  if (isRecord(profile)) return profile
  throw new TandemError({ kind: 'invalid-credentials' }, { cause: new Error('The profile is no object') })
}

async function readJson(address: string, token: string, { fetch }: Dependencies): Promise<unknown> {
  const response = await fetch(address, {
    headers: { authorization: `Bearer ${token}`, accept: 'application/json', 'user-agent': 'tandem' },
  })
  if (response.status === 200) return JSON.parse(await response.text()) as unknown
  throw new TandemError({ kind: 'invalid-credentials' }, { cause: new Error(`The profile answers ${response.status}`) })
}
