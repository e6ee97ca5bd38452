/** OAuth 2.0 with a profile: providers that know no OpenID Connect. */
import type { Configuration } from 'openid-client'
import type { FlowAnswer, FlowStart, Identity } from '../domain/ports/providers.ts'
import { TandemError } from '../domain/rights/errors.ts'
import { type Claims, toIdentity } from './claims.ts'
import {
  beginning,
  finishing,
  type Library,
  loadLibrary,
  type Surroundings,
  toClientAuth,
  toLoginPage,
} from './openid-client.ts'
import type { OAuthSettings } from './settings.ts'

/** The provider. */
export function createOAuth(settings: OAuthSettings, around: Surroundings) {
  return {
    begin: (start: FlowStart): Promise<URL> =>
      beginning(settings.name, around, async () => {
        const library = await loadLibrary()
        return toLoginPage(library, configure(library, settings, around), { settings, start })
      }),
    finish: (answer: FlowAnswer): Promise<Identity> =>
      finishing(settings.name, around, async () => readIdentity(answer, settings, around)),
  }
}

function configure(library: Library, settings: OAuthSettings, { fetch }: Surroundings): Configuration {
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

async function readIdentity(answer: FlowAnswer, settings: OAuthSettings, around: Surroundings): Promise<Identity> {
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
  const profile = await readProfile(settings.profileUrl, tokens.access_token, around)
  return toIdentity(profile, settings.claims)
}

async function readProfile(address: string, token: string, { fetch }: Surroundings): Promise<Claims> {
  const response = await fetch(address, {
    headers: { authorization: `Bearer ${token}`, accept: 'application/json', 'user-agent': 'tandem' },
  })
  const found: unknown = response.status === 200 ? JSON.parse(await response.text()) : null
  if (typeof found === 'object' && found !== null && !Array.isArray(found)) return found as Claims
  throw new TandemError({ kind: 'invalid-credentials' }, { cause: new Error(`The profile answers ${response.status}`) })
}
