/** A SAML identity provider for tests, played in the test: it can be honest, or lie in any way. */
import { constants, createCipheriv, publicEncrypt, randomBytes, randomUUID, X509Certificate } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import { SamlLib } from 'samlify'
import { createSigningKey, type SigningKey } from './certificate.ts'

/** What the request of a login says. */
export type SamlRequest = {
  readonly id: string
  readonly callback: string
  readonly issuer: string
  readonly state: string
}

/** What is otherwise than it should be. Absent = honest. */
export type SamlLies = {
  readonly key?: SigningKey
  readonly issuer?: string
  readonly audience?: string
  readonly recipient?: string
  readonly destination?: string
  /** Null = the answer names no request. */
  readonly inResponseTo?: string | null
  readonly status?: string
  readonly method?: string
  /** Milliseconds from now until the assertion ends. */
  readonly ends?: number
  /** Milliseconds from now until it begins. */
  readonly begins?: number
  readonly nameId?: string
  readonly format?: string
  /** Name of the session at the provider. */
  readonly session?: string
  readonly algorithm?: string
  /** `none`, or what is signed. */
  readonly signs?: 'assertion' | 'response' | 'none'
  /** Changes the document before it is signed. */
  readonly before?: (xml: string) => string
  /** Changes it afterwards. */
  readonly after?: (xml: string) => string
}

export type Person = {
  readonly id: string
  readonly attributes?: { readonly [name: string]: string | readonly string[] }
}

/** What the browser sends to the callback. */
export type SamlForm = { readonly SAMLResponse: string; readonly RelayState: string }

export const entity = 'https://login.example.com/saml'
export const samlKey = createSigningKey('login.example.com')

/** A key that no metadata contains. */
export const strangeSamlKey = createSigningKey('login.example.com')

export const samlMetadata = (
  { issuer = entity, key = samlKey }: { readonly issuer?: string; readonly key?: SigningKey } = {},
  more = '',
): string =>
  `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${issuer}"><md:IDPSSODescriptor WantAuthnRequestsSigned="false" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>${key.certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>${more}<md:NameIDFormat>urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified</md:NameIDFormat><md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://login.example.com/sso"/></md:IDPSSODescriptor></md:EntityDescriptor>`

/** Reads the request in the address of the login page. */
export function readSamlRequest(page: string): SamlRequest {
  const { searchParams } = new URL(page)
  const xml = inflateRawSync(Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64')).toString()
  const attribute = (name: string): string => new RegExp(` ${name}="([^"]*)"`).exec(xml)?.[1] ?? ''
  return {
    id: attribute('ID'),
    callback: attribute('AssertionConsumerServiceURL'),
    issuer: /<saml:Issuer[^>]*>([^<]*)</.exec(xml)?.[1] ?? '',
    state: searchParams.get('RelayState') ?? '',
  }
}

const time = (offset: number): string => new Date(Date.now() + offset).toISOString()

const attributesOf = ({ attributes = {} }: Person): string =>
  Object.entries(attributes)
    .map(([name, value]) => {
      const values = [value].flat().map((each) => `<saml:AttributeValue>${each}</saml:AttributeValue>`)
      return `<saml:Attribute Name="${name}">${values.join('')}</saml:Attribute>`
    })
    .join('')

/** The assertion, not signed. */
export function assertionXml(request: SamlRequest, person: Person, lies: SamlLies = {}): string {
  const { callback, issuer } = request
  const { recipient = callback, audience = issuer, ends = 300_000, begins = -1000, inResponseTo = request.id } = lies
  const answers = inResponseTo === null ? '' : ` InResponseTo="${inResponseTo}"`
  const attributes = attributesOf(person)
  return [
    `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_${randomUUID()}" Version="2.0" IssueInstant="${time(-1000)}">`,
    `<saml:Issuer>${lies.issuer ?? entity}</saml:Issuer>`,
    `<saml:Subject><saml:NameID Format="${lies.format ?? 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified'}">${lies.nameId ?? person.id}</saml:NameID>`,
    `<saml:SubjectConfirmation Method="${lies.method ?? 'urn:oasis:names:tc:SAML:2.0:cm:bearer'}"><saml:SubjectConfirmationData Recipient="${recipient}" NotOnOrAfter="${time(ends)}"${answers}/></saml:SubjectConfirmation></saml:Subject>`,
    `<saml:Conditions NotBefore="${time(begins)}" NotOnOrAfter="${time(ends)}"><saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>`,
    `<saml:AuthnStatement AuthnInstant="${time(-1000)}"${lies.session === undefined ? '' : ` SessionIndex="${lies.session}"`}><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:unspecified</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>`,
    attributes === '' ? '' : `<saml:AttributeStatement>${attributes}</saml:AttributeStatement>`,
    '</saml:Assertion>',
  ].join('')
}

/** The answer around an assertion, not signed. */
export function responseXml(request: SamlRequest, assertion: string, lies: SamlLies = {}): string {
  const { inResponseTo = request.id, destination = request.callback } = lies
  const answers = inResponseTo === null ? '' : ` InResponseTo="${inResponseTo}"`
  return [
    `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_${randomUUID()}" Version="2.0" IssueInstant="${time(-1000)}" Destination="${destination}"${answers}>`,
    `<saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${lies.issuer ?? entity}</saml:Issuer>`,
    `<samlp:Status><samlp:StatusCode Value="${lies.status ?? 'urn:oasis:names:tc:SAML:2.0:status:Success'}"/></samlp:Status>`,
    assertion,
    '</samlp:Response>',
  ].join('')
}

const paths = {
  assertion: "/*[local-name(.)='Response']/*[local-name(.)='Assertion']",
  response: "/*[local-name(.)='Response']",
  message: '/*',
} as const

/** Signs the assertion in an answer, the answer itself, or another message. */
export function signXml(
  xml: string,
  what: 'assertion' | 'response' | 'message',
  { key = samlKey, algorithm }: Pick<SamlLies, 'key' | 'algorithm'> = {},
): string {
  const path = paths[what]
  return SamlLib.constructSAMLSignature({
    rawSamlMessage: xml,
    referenceTagXPath: path,
    privateKey: key.key,
    signatureAlgorithm: algorithm ?? 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    signingCert: key.certificate,
    isBase64Output: false,
    signatureConfig: {
      prefix: 'ds',
      location: { reference: `${path}/*[local-name(.)='Issuer']`, action: 'after' },
    },
  })
}

/** Algorithms of an encrypted assertion. */
type EncryptionLies = { readonly data?: string; readonly key?: string; readonly digest?: string }

/** Encrypts the assertion in an answer for the key with this certificate (DER in base64), with AES-256-GCM and OAEP. */
export const encryptAssertion = (xml: string, certificate: string, lies: EncryptionLies = {}): string =>
  xml.replace(/<saml:Assertion .*<\/saml:Assertion>/s, (each) =>
    encrypt(each, 'EncryptedAssertion', { certificate, lies }),
  )

/** Encrypts the name of the person in a message in the same way. */
export const encryptName = (xml: string, certificate: string, lies: EncryptionLies = {}): string =>
  xml.replace(/<saml:NameID.*<\/saml:NameID>/s, (each) =>
    encrypt(each.replace('<saml:NameID', `<saml:NameID ${assertionNames}`), 'EncryptedID', { certificate, lies }),
  )

const assertionNames = 'xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"'

function encrypt(
  xml: string,
  around: 'EncryptedAssertion' | 'EncryptedID',
  { certificate, lies }: { readonly certificate: string; readonly lies: EncryptionLies },
): string {
  const {
    data = 'http://www.w3.org/2009/xmlenc11#aes256-gcm',
    key: way = 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
    digest = 'http://www.w3.org/2000/09/xmldsig#sha1',
  } = lies
  const [secret, start] = [randomBytes(32), randomBytes(12)]
  const cipher = createCipheriv('aes-256-gcm', secret, start)
  const body = Buffer.concat([start, cipher.update(xml, 'utf8'), cipher.final(), cipher.getAuthTag()])
  const { publicKey: key } = new X509Certificate(Buffer.from(certificate, 'base64'))
  const oaepHash = digest.includes('sha256') ? 'sha256' : 'sha1'
  const wrapped = publicEncrypt({ key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash }, secret)
  return [
    `<saml:${around} ${assertionNames}><xenc:EncryptedData xmlns:xenc="http://www.w3.org/2001/04/xmlenc#" Type="http://www.w3.org/2001/04/xmlenc#Element">`,
    `<xenc:EncryptionMethod Algorithm="${data}"/><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><xenc:EncryptedKey><xenc:EncryptionMethod Algorithm="${way}"><ds:DigestMethod Algorithm="${digest}"/></xenc:EncryptionMethod>`,
    `<xenc:CipherData><xenc:CipherValue>${wrapped.toString('base64')}</xenc:CipherValue></xenc:CipherData></xenc:EncryptedKey></ds:KeyInfo>`,
    `<xenc:CipherData><xenc:CipherValue>${body.toString('base64')}</xenc:CipherValue></xenc:CipherData></xenc:EncryptedData></saml:${around}>`,
  ].join('')
}

export const toForm = (xml: string, state: string): SamlForm => ({
  SAMLResponse: Buffer.from(xml).toString('base64'),
  RelayState: state,
})

export function answerSaml(request: SamlRequest, person: Person, lies: SamlLies = {}): SamlForm {
  const { signs = 'assertion', before = (xml) => xml, after = (xml) => xml } = lies
  const plain = before(responseXml(request, assertionXml(request, person, lies), lies))
  return toForm(after(signs === 'none' ? plain : signXml(plain, signs, lies)), request.state)
}
