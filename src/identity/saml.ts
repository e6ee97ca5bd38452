/**
 * SAML 2.0: requests by the address of the login page, answers by a form of the provider. A library verifies signatures,
 * times and audience; what the profile for browsers also demands (saml-profiles-2.0-os, 4.1.4) is checked here.
 */
import type { Profile, SAML, SamlConfig } from '@node-saml/node-saml'
import type { Element } from '@xmldom/xmldom'
import type {
  FlowAnswer,
  FlowBeginning,
  FlowStart,
  Identity,
  ProviderSession,
  SingleLogout,
  UnsolicitedAnswer,
} from '../domain/ports/providers.ts'
import { invalidPayload, TandemError } from '../domain/rights/errors.ts'
import { type Claims, columnText, toIdentity } from './claims.ts'
import { beginning, type Dependencies, finishing } from './openid-client.ts'
import { findName } from './saml-algorithms.ts'
import { type Assertion, assertAnswer, bearerOf, type Expected } from './saml-answer.ts'
import { answerLogout, askLogout, type LogoutParts, readLogout } from './saml-logout.ts'
import { parsePlainXml, type SamlProvider } from './saml-metadata.ts'
import type { SamlSettings } from './settings.ts'

/** Milliseconds by which the clock of a provider may differ. */
const skew = 60_000

/** Milliseconds after which nobody answers a request any more. */
const requestTtl = 600_000

const nameIdClaim = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/nameidentifier'
const transient = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'

type SamlParts = { readonly provider: SamlProvider; readonly ownEntity: string | null }

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
  const { privateKey } = settings
  const logout =
    privateKey === null || parts.provider.logout === null
      ? null
      : createLogout({ provider: parts.provider, key: privateKey, decryptionKey: settings.decryptionKey }, open)
  const proven = ({ claims, session }: Read): Identity => ({
    ...toIdentity(claims, settings.claims),
    session: logout === null ? null : session,
  })
  return {
    begin: (start: FlowStart): Promise<FlowBeginning> =>
      beginning(settings.name, around, async () => {
        const saml = await open(start.callback, { generateUniqueId: () => idOf(start.nonce) })
        return { page: new URL(await saml.getAuthorizeUrlAsync(start.state, undefined, {})), memory: null }
      }),
    finish: (answer: FlowAnswer): Promise<Identity> =>
      finishing(settings.name, around, async () => proven(await read(answer, idOf(answer.nonce)))),
    accept: settings.allowUnsolicited
      ? (answer: Pick<FlowAnswer, 'callback' | 'parameters'>): Promise<UnsolicitedAnswer> =>
          finishing(settings.name, around, async () => {
            const profile = await read(answer, null)
            return { identity: proven(profile), id: profile.id, expires: profile.expires }
          })
      : null,
    logout,
    describe: async (callback: string): Promise<string> =>
      settings.ownMetadata ?? describeSelf(settings, callback, logout !== null),
  }
}

type Open = (callback: string, more?: Partial<SamlConfig>) => Promise<SAML>

function createLogout(own: Omit<LogoutParts, 'open'>, open: Open): SingleLogout {
  const parts: LogoutParts = {
    ...own,
    open: async (callback, logoutUrl, request) => {
      const id = request === null ? {} : { generateUniqueId: () => request }
      return open(callback, { logoutUrl, ...id, ...(await requestCheck(request)) })
    },
  }
  return {
    begin: (start) => askLogout(start, parts),
    answer: (answer) => answerLogout(answer, parts),
    async read(message) {
      try {
        return await readLogout(message, parts)
      } catch (cause) {
        throw invalidPayload(null, `Expected a message that the provider signed: ${(cause as Error).message}`, cause)
      }
    },
  }
}

async function readParts({ name, providerMetadata, ownMetadata }: SamlSettings): Promise<SamlParts> {
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

function optionsOf(settings: SamlSettings, { provider, ownEntity }: SamlParts, callback: string): SamlConfig {
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

/** The usual name of this server: the address of its metadata, which both generations share. */
const entityAt = (callback: string, name: string): string => siblingAddress(callback, name, 'metadata')

/** An address of the same provider and project with another last segment. The legacy generation names the project in the path. */
function siblingAddress(callback: string, name: string, last: string): string {
  const [base = '', project] = callback.split(/\/(?:auth\/login|([^/]+)\/auth\/sso)\/[^/]+\/[^/]+$/)
  const query = project === undefined || project === '_' ? new URL(callback).search : `?project=${project}`
  return `${base}/auth/login/${name}/${last}${query}`
}

/** The answer must be to this request; without one, it must be to none. The library asks a store for known requests. */
async function requestCheck(request: string | null): Promise<Partial<SamlConfig>> {
  const { ValidateInResponseTo } = await import('@node-saml/node-saml')
  const requestTime = async (id: string | null) => (id !== null && id === request ? new Date().toISOString() : null)
  return {
    validateInResponseTo: request === null ? ValidateInResponseTo.ifPresent : ValidateInResponseTo.always,
    requestIdExpirationPeriodMs: requestTtl,
    cacheProvider: { getAsync: requestTime, removeAsync: requestTime, saveAsync: async () => null },
  }
}

type Read = {
  readonly claims: Claims
  readonly id: string
  readonly expires: Date
  readonly session: ProviderSession | null
}

async function readAnswer(parameters: URLSearchParams, expected: Expected, saml: SAML): Promise<Read> {
  const [encoded = '', ...others] = parameters.getAll('SAMLResponse')
  if (encoded === '' || others.length > 0) throw new TandemError({ kind: 'invalid-credentials' })
  await assertAnswer(Buffer.from(encoded, 'base64').toString('utf8'), expected)
  const { profile: answered } = await saml.validatePostResponseAsync({ SAMLResponse: encoded })
  if (answered === null) throw new Error('The answer has no assertion')
  const profile = { ...answered, ...(await encryptedName(answered, expected)) }
  if (profile.issuer !== expected.issuer) throw new Error('The assertion has another issuer')
  const { Assertion: assertion } = (profile.getAssertion?.() ?? {}) as { readonly Assertion?: Assertion }
  const { id, expires } = bearerOf(assertion, expected)
  const attributes = (profile['attributes'] ?? {}) as Claims
  const named = profile.nameIDFormat === transient ? {} : { [nameIdClaim]: profile.nameID, nameID: profile.nameID }
  const session = sessionOf(profile)
  return { claims: unformatted({ ...named, ...attributes }), id, expires: new Date(expires.getTime() + skew), session }
}

/** Texts without the white space around them that formatted documents have. */
const unformatted = (claims: Claims): Claims =>
  Object.fromEntries(
    Object.entries(claims).map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value]),
  )

/** The decrypted name, which the library omits; it belongs to the verified assertion. */
async function encryptedName(profile: Profile, expected: Expected): Promise<Partial<Profile>> {
  const xml = profile.nameID === undefined ? profile.getAssertionXml?.() : undefined
  if (xml === undefined) return {}
  const subject = [...parsePlainXml(xml).childNodes].find((each) => each.localName === 'Subject')
  const isNamed = [...(subject?.childNodes ?? [])].some((each) => each.localName === 'EncryptedID')
  if (!isNamed) return {}
  const name = await findName(subject as Element, expected.decryptionKey)
  const attribute = (key: string) => name.getAttribute(key) ?? undefined
  return {
    nameID: name.textContent?.trim(),
    nameIDFormat: attribute('Format'),
    nameQualifier: attribute('NameQualifier'),
    spNameQualifier: attribute('SPNameQualifier'),
  } as Partial<Profile>
}

/** The session of the provider; null if its texts do not fit into columns. */
function sessionOf({ nameID, nameIDFormat, nameQualifier, spNameQualifier, sessionIndex }: Profile) {
  const subject = columnText(nameID)
  if (subject === null) return null
  const qualifiers = [columnText(nameQualifier), columnText(spNameQualifier)] as const
  return { subject, format: columnText(nameIDFormat), qualifiers, name: columnText(sessionIndex), token: null }
}

async function describeSelf(settings: SamlSettings, callback: string, takesLogouts: boolean): Promise<string> {
  const { name, privateKey, signingCertificate, decryptionKey, encryptionCertificate } = settings
  const { generateServiceProviderMetadata } = await import('@node-saml/node-saml')
  const xml = generateServiceProviderMetadata({
    issuer: entityAt(callback, name),
    callbackUrl: callback,
    identifierFormat: null,
    wantAssertionsSigned: true,
    generateUniqueId: () => `_${name}`,
    ...(takesLogouts ? { logoutCallbackUrl: siblingAddress(callback, name, 'slo') } : {}),
    ...(privateKey === null || signingCertificate === null ? {} : { privateKey, publicCerts: signingCertificate }),
    ...(decryptionKey === null || encryptionCertificate === null
      ? {}
      : { decryptionPvk: decryptionKey, decryptionCert: encryptionCertificate }),
  })
  // The library names one of the two bindings.
  return xml.replace(/<SingleLogoutService [^>]*>/, (each) => each.replace('HTTP-POST', 'HTTP-Redirect') + each)
}
