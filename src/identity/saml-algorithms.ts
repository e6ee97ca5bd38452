/** Algorithms of SAML messages that count, and what is encrypted for this server. */
import { type Element, XMLSerializer } from '@xmldom/xmldom'
import { parseMessage } from './saml-metadata.ts'

export const assertionNames = 'urn:oasis:names:tc:SAML:2.0:assertion'

/** Algorithms of signatures; SHA-1 is not among them. */
const algorithms: ReadonlySet<string | null> = new Set([
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  'http://www.w3.org/2001/04/xmlenc#sha256',
  'http://www.w3.org/2001/04/xmlenc#sha512',
  'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
  'http://www.w3.org/2001/10/xml-exc-c14n#',
])

/**
 * Algorithms of encryption that the library reads. RSA 1.5 and Triple DES, which give texts away, are not among them; nor
 * is OAEP of XML Encryption 1.1, which the library does not read.
 */
const encryption: ReadonlySet<string | null> = new Set([
  'http://www.w3.org/2009/xmlenc11#aes128-gcm',
  'http://www.w3.org/2009/xmlenc11#aes256-gcm',
  'http://www.w3.org/2001/04/xmlenc#aes128-cbc',
  'http://www.w3.org/2001/04/xmlenc#aes256-cbc',
  'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
])

/** The digest of OAEP, where nothing depends on collisions. The library reads no other one. */
const paddingDigest = 'http://www.w3.org/2000/09/xmldsig#sha1'

/** All algorithms that the document names are allowed. Throws otherwise. */
export function assertAlgorithms(root: Element): void {
  const used = [...root.getElementsByTagName('*')].filter((each) => each.hasAttribute('Algorithm'))
  const refused = used.find((each) => !isAllowed(each))?.getAttribute('Algorithm')
  if (refused !== undefined) throw new Error(`The message uses the algorithm ${refused}`)
}

function isAllowed(element: Element): boolean {
  const name = element.getAttribute('Algorithm')
  if (element.localName === 'EncryptionMethod') return encryption.has(name)
  const parent = element.parentNode as Element | null
  return parent?.localName === 'EncryptionMethod' ? name === paddingDigest : algorithms.has(name)
}

/** The element that another one has encrypted for this key (PEM). Throws for algorithms that do not count. */
export async function decryptElement(encrypted: Element, key: string): Promise<Element> {
  assertAlgorithms(encrypted)
  const library = await import('xml-encryption')
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const xml = new XMLSerializer().serializeToString(encrypted)
  library.decrypt(xml, { key, disallowDecryptionWithInsecureAlgorithm: true }, (error, text) => {
    if (error === null) resolve(text)
    else reject(error)
  })
  return parseMessage(await promise)
}

const isName = ({ namespaceURI, localName }: Element, name: string): boolean =>
  namespaceURI === assertionNames && localName === name

/** The name of a person among the children of an element, decrypted if need be. Throws unless there is exactly one. */
export async function findName(parent: Element, key: string | null): Promise<Element> {
  const [name, ...others] = ([...parent.childNodes] as Element[]).filter(
    (each) => isName(each, 'NameID') || isName(each, 'EncryptedID'),
  )
  if (name === undefined || others.length > 0) throw new Error('Expected one NameID')
  if (name.localName === 'NameID') return name
  if (key === null) throw new Error('The name is encrypted, and there is no key for it')
  const decrypted = await decryptElement(name, key)
  if (!isName(decrypted, 'NameID')) throw new Error('Expected an encrypted NameID')
  return decrypted
}
