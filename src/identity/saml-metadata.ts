/** Metadata of SAML 2.0 (saml-metadata-2.0-os): where a provider takes requests, and the keys that it signs with. */
import { DOMParser, type Element } from '@xmldom/xmldom'

const names = {
  metadata: 'urn:oasis:names:tc:SAML:2.0:metadata',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
  redirect: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect',
} as const

/** The properties of a provider that logins need. */
export type SamlProvider = {
  readonly entity: string
  /** Address that takes login requests. */
  readonly loginPage: string
  /** Certificates in base64. */
  readonly certificates: readonly string[]
  /** Addresses that take requests to log out, and answers to those of the provider; null = it has none. */
  readonly logout: { readonly page: string; readonly answers: string } | null
}

const refuse = (_: string, message: string): never => {
  throw new Error(`The XML cannot be read: ${message}`)
}

/** The root element. Throws for what is no plain XML: a document type, entities, comments and instructions are refused. */
export function parsePlainXml(xml: string): Element {
  const body = xml.trim().replace(/^<\?xml\s[^?<>]*\?>/, '')
  if (/<[!?]/.test(body)) throw new Error('The XML has a document type, a comment, CDATA or an instruction')
  const root = new DOMParser({ onError: refuse }).parseFromString(body, 'text/xml').documentElement
  if (root === null) throw new Error('The XML has no element')
  return root
}

/** Characters of a message. */
export const longest = 250_000

/** Tags of a message. The library takes time that grows with their square. */
const mostTags = 3000

/** The root element of a message that anybody may have sent. Throws for what is no plain XML, or too large. */
export function parseMessage(xml: string): Element {
  if (xml.length > longest) throw new Error(`The message has more than ${longest} characters`)
  if (xml.split('<', mostTags + 2).length > mostTags + 1) throw new Error(`The message has more than ${mostTags} tags`)
  return parsePlainXml(xml)
}

/** Reads the metadata of a provider. Throws if they do not describe one that takes requests by the address of a page. */
export function readProviderMetadata(xml: string): SamlProvider {
  const root = parsePlainXml(withoutComments(xml))
  const entities = root.localName === 'EntityDescriptor' ? [root] : within(root, 'EntityDescriptor')
  const providers = entities.filter((each) => within(each, 'IDPSSODescriptor').length > 0)
  const [described] = providers
  if (described === undefined || providers.length > 1)
    throw new Error(`Expected one EntityDescriptor with IDPSSODescriptor but received ${providers.length}`)
  const [role] = within(described, 'IDPSSODescriptor')
  if (role === undefined) throw new Error('Expected IDPSSODescriptor')
  const service = within(role, 'SingleSignOnService').find((each) => each.getAttribute('Binding') === names.redirect)
  const loginPage = service?.getAttribute('Location') ?? ''
  if (!isPage(loginPage))
    throw new Error('Expected SingleSignOnService with the binding HTTP-Redirect and a web address')
  return { entity: entityOf(described), loginPage, certificates: certificatesOf(role), logout: logoutOf(role) }
}

function logoutOf(role: Element): SamlProvider['logout'] {
  const services = within(role, 'SingleLogoutService')
  const service = services.find((each) => each.getAttribute('Binding') === names.redirect)
  if (service === undefined) return null
  const page = service.getAttribute('Location') ?? ''
  const answers = service.getAttribute('ResponseLocation') ?? page
  if (!isPage(page) || !isPage(answers)) throw new Error('Expected SingleLogoutService with a web address')
  return { page, answers }
}

const isPage = (address: string): boolean => /^https?:\/\//.test(address) && URL.canParse(address)

/** The entityID in the metadata of this server. */
export const readOwnEntity = (xml: string): string => entityOf(parsePlainXml(withoutComments(xml)))

/** The operator wrote these documents, with comments that are for people. */
const withoutComments = (xml: string): string => xml.replaceAll(/<!--[\s\S]*?-->/g, '')

function entityOf(element: Element): string {
  const entity = element.getAttribute('entityID') ?? ''
  if (entity === '') throw new Error('Expected EntityDescriptor with entityID')
  return entity
}

function certificatesOf(role: Element): readonly string[] {
  const keys = within(role, 'KeyDescriptor').filter((each) => (each.getAttribute('use') ?? 'signing') === 'signing')
  const certificates = keys.flatMap((key) =>
    [...key.getElementsByTagNameNS(names.signature, 'X509Certificate')].map((each) =>
      (each.textContent ?? '').replaceAll(/\s/g, ''),
    ),
  )
  if (certificates.length === 0 || certificates.some((each) => !/^[A-Za-z0-9+/]+=*$/.test(each)))
    throw new Error('Expected KeyDescriptor for signing with X509Certificate')
  return certificates
}

const within = (element: Element, name: string): readonly Element[] => [
  ...element.getElementsByTagNameNS(names.metadata, name),
]
