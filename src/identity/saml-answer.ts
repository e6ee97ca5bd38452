/** Checks of answers of SAML that the library leaves to its users. */
import { assertAlgorithms, assertionNames, decryptElement } from './saml-algorithms.ts'
import { parseMessage } from './saml-metadata.ts'

/** Expected properties of an answer. `request`: id of the request that it answers; null = an unsolicited answer. */
export type Expected = {
  readonly callback: string
  readonly request: string | null
  readonly issuer: string
  /** PEM, for encrypted assertions; null = they are refused. */
  readonly decryptionKey: string | null
}

export const protocol = 'urn:oasis:names:tc:SAML:2.0:protocol'
export const success = 'urn:oasis:names:tc:SAML:2.0:status:Success'
const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'

/** The document is plain XML, and its outer part is for this login. Throws otherwise. */
export async function assertAnswer(xml: string, expected: Expected): Promise<void> {
  const { callback, request, issuer, decryptionKey } = expected
  const root = parseMessage(xml)
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
  assertAlgorithms(await decryptElement(encrypted, decryptionKey))
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

/** A bearer confirmation has an end, and no beginning. */
const isAlive = ({ NotOnOrAfter: end, NotBefore: start }: { readonly [name: string]: string | undefined }): boolean =>
  end !== undefined && start === undefined && Date.parse(end) > Date.now() - 60_000
