/**
 * SAML 2.0: requests by the address of the login page, answers by a form of the provider. A library verifies signatures,
 * times and audience; what the profile for browsers also demands (saml-profiles-2.0-os, 4.1.4) is checked here.
 */
import type { SAML, SamlConfig } from '@node-saml/node-saml'
import type { FlowAnswer, FlowBeginning, FlowStart, Identity, UnsolicitedAnswer } from '../domain/ports/providers.ts'
import { TandemError } from '../domain/rights/errors.ts'
import { type Claims, toIdentity } from './claims.ts'
import { beginning, type Dependencies, finishing } from './openid-client.ts'
import { type Assertion, assertAnswer, bearerOf, type Expected } from './saml-answer.ts'
import type { SamlProvider } from './saml-metadata.ts'
import type { SamlSettings } from './settings.ts'

/** Milliseconds by which the clock of a provider may differ. */
const skew = 60_000

/** Milliseconds after which nobody answers a request any more. */
const requestTtl = 600_000

const nameIdClaim = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/nameidentifier'
const transient = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'

type Parts = { readonly provider: SamlProvider; readonly ownEntity: string | null }

/** The provider. Throws if one of the metadata cannot be used. */
export async function createSaml(settings: SamlSettings, around: Dependencies) {
  const parts = await readParts(settings)
  const open = async (callback: string, more: Partial<SamlConfig> = {}) => {
    const library = await import('@node-saml/node-saml')
    return new library.SAML({ ...optionsOf(settings, parts, callback), ...more })
  }
  const read = async (answer: Pick<FlowAnswer, 'callback' | 'parameters'>, request: string | null) => {
    const { callback, parameters } = answer
    const expected = { callback, request, issuer: parts.provider.entity, decryptionKey: settings.decryptionKey }
    return readAnswer(parameters, expected, await open(callback, await requestCheck(request)))
  }
  return {
    begin: (start: FlowStart): Promise<FlowBeginning> =>
      beginning(settings.name, around, async () => {
        const saml = await open(start.callback, { generateUniqueId: () => idOf(start.nonce) })
        return { page: new URL(await saml.getAuthorizeUrlAsync(start.state, undefined, {})), memory: null }
      }),
    finish: (answer: FlowAnswer): Promise<Identity> =>
      finishing(settings.name, around, async () =>
        toIdentity((await read(answer, idOf(answer.nonce))).claims, settings.claims),
      ),
    accept: settings.allowUnsolicited
      ? (answer: Pick<FlowAnswer, 'callback' | 'parameters'>): Promise<UnsolicitedAnswer> =>
          finishing(settings.name, around, async () => {
            const { claims, id, expires } = await read(answer, null)
            return { identity: toIdentity(claims, settings.claims), id, expires }
          })
      : null,
    describe: async (callback: string): Promise<string> => settings.ownMetadata ?? describeSelf(settings, callback),
  }
}

async function readParts({ name, providerMetadata, ownMetadata }: SamlSettings): Promise<Parts> {
  const { readOwnEntity, readProviderMetadata } = await import('./saml-metadata.ts')
  try {
    return {
      provider: readProviderMetadata(providerMetadata),
      ownEntity: ownMetadata === null ? null : readOwnEntity(ownMetadata),
    }
  } catch (cause) {
    throw new Error(`Metadata of the provider "${name}" cannot be used: ${(cause as Error).message}`, { cause })
  }
}

/** The id of the request of a login; it begins with a letter or an underscore. */
const idOf = (nonce: string): string => `_${nonce}`

function optionsOf(settings: SamlSettings, { provider, ownEntity }: Parts, callback: string): SamlConfig {
  const { name, privateKey, decryptionKey } = settings
  return {
    entryPoint: provider.loginPage,
    issuer: ownEntity ?? entityAt(callback, name),
    callbackUrl: callback,
    idpCert: [...provider.certificates],
    idpIssuer: provider.entity,
    ...(privateKey === null ? {} : { privateKey }),
    ...(decryptionKey === null ? {} : { decryptionPvk: decryptionKey }),
    signatureAlgorithm: 'sha256',
    // The provider chooses how somebody proves who it is, and the form of the NameID.
    identifierFormat: null,
    disableRequestedAuthnContext: true,
    // Some providers sign the answer, others the assertion in it: one of both has to be signed.
    wantAuthnResponseSigned: false,
    wantAssertionsSigned: false,
    acceptedClockSkewMs: skew,
  }
}

/** The usual name of this server: the address of its metadata. Callbacks of both generations lead to it. */
const entityAt = (callback: string, name: string): string =>
  `${callback.replace(/\/(?:auth\/login|[^/]+\/auth\/sso)\/[^/]+\/[^/]+$/, '')}/auth/login/${name}/metadata`

/** The answer must be to this request; without one, it must be to none. The library asks a store for known requests. */
async function requestCheck(request: string | null): Promise<Partial<SamlConfig>> {
  const { ValidateInResponseTo } = await import('@node-saml/node-saml')
  const known = async (id: string | null) => (id !== null && id === request ? new Date().toISOString() : null)
  return {
    validateInResponseTo: request === null ? ValidateInResponseTo.ifPresent : ValidateInResponseTo.always,
    requestIdExpirationPeriodMs: requestTtl,
    cacheProvider: { getAsync: known, removeAsync: known, saveAsync: async () => null },
  }
}

type Read = { readonly claims: Claims; readonly id: string; readonly expires: Date }

async function readAnswer(parameters: URLSearchParams, expected: Expected, saml: SAML): Promise<Read> {
  const [encoded = '', ...others] = parameters.getAll('SAMLResponse')
  if (encoded === '' || others.length > 0) throw new TandemError({ kind: 'invalid-credentials' })
  await assertAnswer(Buffer.from(encoded, 'base64').toString('utf8'), expected)
  const { profile } = await saml.validatePostResponseAsync({ SAMLResponse: encoded })
  if (profile === null) throw new Error('The answer has no assertion')
  if (profile.issuer !== expected.issuer) throw new Error('The assertion has another issuer')
  const { Assertion: assertion } = (profile.getAssertion?.() ?? {}) as { readonly Assertion?: Assertion }
  const { id, expires } = bearerOf(assertion, expected)
  const attributes = (profile['attributes'] ?? {}) as Claims
  const named = profile.nameIDFormat === transient ? {} : { [nameIdClaim]: profile.nameID, nameID: profile.nameID }
  return { claims: { ...named, ...attributes }, id, expires: new Date(expires.getTime() + skew) }
}

async function describeSelf(settings: SamlSettings, callback: string): Promise<string> {
  const { name, decryptionKey, encryptionCertificate } = settings
  const { generateServiceProviderMetadata } = await import('@node-saml/node-saml')
  return generateServiceProviderMetadata({
    issuer: entityAt(callback, name),
    callbackUrl: callback,
    identifierFormat: null,
    wantAssertionsSigned: true,
    generateUniqueId: () => `_${name}`,
    ...(decryptionKey === null || encryptionCertificate === null
      ? {}
      : { decryptionPvk: decryptionKey, decryptionCert: encryptionCertificate }),
  })
}
