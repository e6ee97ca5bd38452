/** Checks of answers of SAML that the library leaves to its users. */
import { type Element, XMLSerializer } from '@xmldom/xmldom'
import { parsePlainXml } from './saml-metadata.ts'

/** What an answer must say of itself. `request`: id of the request that it answers; null = it answers none. */
export type Expected = {
  readonly callback: string
  readonly request: string | null
  readonly issuer: string
  /** PEM, for encrypted assertions; null = they are refused. */
  readonly decryptionKey: string | null
}

export const protocol = 'urn:oasis:names:tc:SAML:2.0:protocol'
export const assertionNames = 'urn:oasis:names:tc:SAML:2.0:assertion'
export const success = 'urn:oasis:names:tc:SAML:2.0:status:Success'
const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'

/** Algorithms of signatures; SHA-1 is not among them. */
const algorithms: ReadonlySet<string | null> = new Set([
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  'http://www.w3.org/2001/04/xmlenc#sha256',
  'http://www.w3.org/2001/04/xmlenc#sha512',
  'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
  'http://www.w3.org/2001/10/xml-exc-c14n#',
])

/** Algorithms of encrypted assertions. RSA 1.5 and Triple DES, which give texts away, are not among them. */
const encryption: ReadonlySet<string | null> = new Set([
  'http://www.w3.org/2009/xmlenc11#aes128-gcm',
  'http://www.w3.org/2009/xmlenc11#aes256-gcm',
  'http://www.w3.org/2001/04/xmlenc#aes128-cbc',
  'http://www.w3.org/2001/04/xmlenc#aes256-cbc',
  'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
  'http://www.w3.org/2009/xmlenc11#rsa-oaep',
])

/** The digest of OAEP, where nothing depends on collisions. */
const paddingDigest = 'http://www.w3.org/2000/09/xmldsig#sha1'

/** Characters of a message. */
export const longest = 250_000

/** The document is plain XML, and its outer part is for this login. Throws otherwise. */
export async function assertAnswer(xml: string, expected: Expected): Promise<void> {
  const { callback, request, issuer, decryptionKey } = expected
  if (xml.length > longest) throw new Error(`The answer has more than ${longest} characters`)
  const root = parsePlainXml(xml)
  if (root.namespaceURI !== protocol || root.localName !== 'Response') throw new Error('The answer is no Response')
  const code = root.getElementsByTagNameNS(protocol, 'StatusCode')[0]?.getAttribute('Value')
  if (code !== success) throw new Error(`The provider refuses: ${code}`)
  const destination = root.getAttribute('Destination')
  if (destination !== null && destination !== '' && destination !== callback)
    throw new Error('The answer is for another destination')
  if ((root.getAttribute('InResponseTo') ?? null) !== request) throw new Error('The answer is to another request')
  const issuers = [...root.childNodes].filter((each) => each.namespaceURI === assertionNames)
  const own = issuers.find((each) => each.localName === 'Issuer')
  if (own !== undefined && own.textContent?.trim() !== issuer) throw new Error('The answer has another issuer')
  assertAlgorithms(root)
  const [encrypted] = root.getElementsByTagNameNS(assertionNames, 'EncryptedAssertion')
  if (encrypted === undefined) return
  if (decryptionKey === null) throw new Error('The assertion is encrypted, and there is no key for it')
  // The library decrypts it too; which algorithms sign it is looked at here.
  assertAlgorithms(parsePlainXml(await decrypt(new XMLSerializer().serializeToString(encrypted), decryptionKey)))
}

async function decrypt(xml: string, key: string): Promise<string> {
  const library = await import('xml-encryption')
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  library.decrypt(xml, { key, disallowDecryptionWithInsecureAlgorithm: true }, (error, text) => {
    if (error === null) resolve(text)
    else reject(error)
  })
  return promise
}

/** All algorithms that the document names are allowed. Throws otherwise. */
export function assertAlgorithms(root: Element): void {
  const used = [...root.getElementsByTagName('*')].filter((each) => each.hasAttribute('Algorithm'))
  const refused = used.find((each) => !isAllowed(each))?.getAttribute('Algorithm')
  if (refused !== undefined) throw new Error(`The answer uses the algorithm ${refused}`)
}

function isAllowed(element: Element): boolean {
  const name = element.getAttribute('Algorithm')
  if (element.localName === 'EncryptionMethod') return encryption.has(name)
  const parent = element.parentNode as Element | null
  if (parent?.localName === 'EncryptionMethod') return name === paddingDigest || algorithms.has(name)
  return algorithms.has(name)
}

type Tagged = { readonly $?: { readonly [attribute: string]: string | undefined } }

/** A signed assertion as the library reads it. */
export type Assertion = Tagged & {
  readonly Subject?: readonly { readonly SubjectConfirmation?: readonly Confirmation[] }[]
}

type Confirmation = Tagged & { readonly SubjectConfirmationData?: readonly Tagged[] }

/**
 * The id of the assertion and when it expires, if its subject is whoever brings it to this callback now. Throws
 * otherwise. Times are compared by the library.
 */
export function bearerOf(assertion: Assertion | undefined, { callback, request }: Expected) {
  const confirmations = assertion?.Subject?.[0]?.SubjectConfirmation ?? []
  const data = confirmations
    .filter((each) => each.$?.['Method'] === bearer)
    .flatMap((each) => each.SubjectConfirmationData?.slice(0, 1).map(({ $ }) => $ ?? {}) ?? [])
  const fitting = data.find(
    (each) => each['Recipient'] === callback && (each['InResponseTo'] ?? null) === request && isAlive(each),
  )
  const id = assertion?.$?.['ID']
  if (fitting === undefined || id === undefined || id === '')
    throw new Error('The assertion has no bearer confirmation for this server, request and time')
  return { id, expires: new Date(fitting['NotOnOrAfter'] ?? '') }
}

/** Such a confirmation has an end, and no beginning. */
const isAlive = ({ NotOnOrAfter: end, NotBefore: start }: { readonly [name: string]: string | undefined }): boolean =>
  end !== undefined && start === undefined && Date.parse(end) > Date.now() - 60_000
