/**
 * Single logout of SAML 2.0 (saml-profiles-2.0-os, 4.4): messages that the browser carries between this server and the
 * provider, by an address or a form. All are signed, and each is read from the bytes that its signature covers.
 */
import { sign, verify, X509Certificate } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import type { Profile, SAML } from '@node-saml/node-saml'
import type { Element } from '@xmldom/xmldom'
import type { LogoutAnswer, LogoutMessage, LogoutStart, ProviderLogout } from '../domain/ports/providers.ts'
import { assertAlgorithms, assertionNames, findName } from './saml-algorithms.ts'
import { protocol, success } from './saml-answer.ts'
import { longest, parseMessage, type SamlProvider } from './saml-metadata.ts'

/** Milliseconds for which a message counts after its issue. */
const lifetime = 600_000

/** Milliseconds by which the clock of a provider may differ. */
const skew = 60_000

const rsaWithSha256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'

const digests: { readonly [algorithm: string]: string } = {
  [rsaWithSha256]: 'sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512': 'sha512',
}

/** Settings of both sides that messages need. `open` creates the library for messages to an address. */
export type LogoutParts = {
  readonly provider: SamlProvider
  /** Private key of this server, as PEM. */
  readonly key: string
  /** Key of encrypted names, as PEM; null = they are refused. */
  readonly decryptionKey: string | null
  readonly open: (callback: string, page: string, request: string | null) => Promise<SAML>
}

/** The page of the provider that ends the session there. */
export async function askLogout(start: LogoutStart, { provider, key, open }: LogoutParts): Promise<URL> {
  const { callback, session, nonce, state } = start
  const saml = await open(callback, provider.logout?.page ?? '', `_${nonce}`)
  const [nameQualifier, spNameQualifier] = session.qualifiers
  const profile = {
    issuer: provider.entity,
    nameID: session.subject,
    ...(session.format === null ? {} : { nameIDFormat: session.format }),
    ...(nameQualifier === null ? {} : { nameQualifier }),
    ...(spNameQualifier === null ? {} : { spNameQualifier }),
    ...(session.name === null ? {} : { sessionIndex: session.name }),
  }
  return signPage(await saml.getLogoutUrlAsync(profile as Profile, '', {}), state, key)
}

export async function answerLogout(answer: LogoutAnswer, { provider, key, open }: LogoutParts): Promise<URL> {
  const saml = await open(answer.callback, provider.logout?.answers ?? '', null)
  const request = { ID: answer.request, issuer: provider.entity, nameID: '', nameIDFormat: '' }
  return signPage(await saml.getLogoutResponseUrlAsync(request, '', {}, true), answer.state, key)
}

/**
 * The page with a signature over the message and the state. The library signs a text with other escapes than those of
 * the address that it makes, which providers refuse for some states.
 */
function signPage(address: string, state: string | null, key: string): URL {
  const page = new URL(address)
  const message = [...page.searchParams].filter(([name]) => name === 'SAMLRequest' || name === 'SAMLResponse')
  for (const name of names) page.searchParams.delete(name)
  const signed = [...message, ...(state === null ? [] : [['RelayState', state]]), ['SigAlg', rsaWithSha256]]
    .map(([name = '', value = '']) => `${name}=${escape(value)}`)
    .join('&')
  const signature = sign('sha256', Buffer.from(signed), key).toString('base64')
  page.search = [page.search.slice(1), signed, `Signature=${escape(signature)}`].filter((part) => part !== '').join('&')
  return page
}

/** Percent-encoding that addresses leave as it is. */
const escape = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)

/** Verifies a message. `nonce`: that of the login which an answer is to. Throws for everything else. */
export async function readLogout(message: LogoutMessage, parts: LogoutParts): Promise<ProviderLogout> {
  const root = message.binding === 'query' ? readQuery(message, parts.provider) : await readForm(message, parts)
  const issued = assertMessage(root, message.callback, parts.provider)
  const id = root.getAttribute('ID') ?? ''
  if (root.localName === 'LogoutRequest')
    return { kind: 'request', ...(await readRequest(root, parts)), id, expires: issued }
  if (root.localName !== 'LogoutResponse') throw new Error('The message is no LogoutRequest and no LogoutResponse')
  if (message.nonce === null || root.getAttribute('InResponseTo') !== `_${message.nonce}`)
    throw new Error('The answer is to another request')
  const [code] = [...(children(root, protocol, 'Status')[0]?.childNodes ?? [])].filter(isCode)
  return { kind: 'answer', isEnded: code?.getAttribute('Value') === success }
}

const isCode = (node: Element['childNodes'][number]): node is Element =>
  node.namespaceURI === protocol && node.localName === 'StatusCode'

/** The name of the person and of the sessions. Only the signed element itself counts. */
async function readRequest(
  root: Element,
  { decryptionKey }: LogoutParts,
): Promise<{ readonly subject: string; readonly names: readonly string[] }> {
  const end = root.getAttribute('NotOnOrAfter')
  if (end !== null && !(Date.parse(end) > Date.now() - skew)) throw new Error('The request has expired')
  const subject = textOf(await findName(root, decryptionKey))
  return { subject, names: children(root, protocol, 'SessionIndex').map(textOf) }
}

/** The facts that every message has; when it stops to count. */
function assertMessage(root: Element, callback: string, { entity }: SamlProvider): Date {
  if (root.namespaceURI !== protocol || root.getAttribute('Version') !== '2.0')
    throw new Error('The message is none of SAML 2.0')
  if ((root.getAttribute('ID') ?? '') === '') throw new Error('The message has no id')
  if (root.getAttribute('Destination') !== callback) throw new Error('The message is for another destination')
  const [issuer, ...others] = children(root, assertionNames, 'Issuer')
  if (issuer === undefined || others.length > 0 || textOf(issuer) !== entity)
    throw new Error('The message has another issuer')
  const issued = Date.parse(root.getAttribute('IssueInstant') ?? '')
  const age = Date.now() - issued
  if (!(age > -skew && age < lifetime + skew)) throw new Error('The message is of another time')
  return new Date(issued + lifetime + 2 * skew)
}

/**
 * The message in an address, whose signature covers parameters as they came (saml-bindings-2.0-os, 3.4.4.1). They are
 * looked up by their exact names, so that what was signed is what is read.
 */
function readQuery({ parameters: query }: { readonly parameters: string }, { certificates }: SamlProvider): Element {
  const pairs = query.split('&')
  const find = (name: string): string | undefined => {
    const [parameter, ...others] = pairs.filter((pair) => pair.startsWith(`${name}=`))
    if (others.length > 0) throw new Error(`The message has several ${name}`)
    return parameter
  }
  const [request, response, state, algorithm, signature] = names.map(find)
  const message = request ?? response
  if (message === undefined || (request !== undefined && response !== undefined))
    throw new Error('Expected one message')
  if (algorithm === undefined || signature === undefined) throw new Error('The message is not signed')
  const digest = digests[valueOf(algorithm)]
  if (digest === undefined) throw new Error(`The message uses the algorithm ${valueOf(algorithm)}`)
  const signed = Buffer.from([message, ...(state === undefined ? [] : [state]), algorithm].join('&'))
  const bytes = Buffer.from(valueOf(signature), 'base64')
  if (!certificates.some((each) => verify(digest, signed, keyOf(each), bytes)))
    throw new Error('The signature is of another key')
  const packed = Buffer.from(valueOf(message), 'base64')
  const root = parseMessage(inflateRawSync(packed, { maxOutputLength: longest }).toString('utf8'))
  assertKind(root, request === undefined)
  return root
}

const names = ['SAMLRequest', 'SAMLResponse', 'RelayState', 'SigAlg', 'Signature'] as const

const valueOf = (pair: string): string => decodeURIComponent(pair.slice(pair.indexOf('=') + 1).replaceAll('+', ' '))

const keyOf = (certificate: string) => new X509Certificate(Buffer.from(certificate, 'base64')).publicKey

/** The message in a form, whose root element is signed. */
async function readForm(
  { callback, parameters: form }: Extract<LogoutMessage, { readonly binding: 'form' }>,
  { open }: LogoutParts,
): Promise<Element> {
  const [[request, ...requests], [response, ...responses]] = [form.getAll('SAMLRequest'), form.getAll('SAMLResponse')]
  const message = request ?? response ?? ''
  if ((request === undefined) === (response === undefined) || requests.length + responses.length > 0)
    throw new Error('Expected one message')
  if (message.length > longest) throw new Error(`The message has more than ${longest} characters`)
  const root = parseMessage(Buffer.from(message, 'base64').toString('utf8'))
  assertKind(root, request === undefined)
  assertAlgorithms(root)
  // The request that an answer belongs to is compared later.
  const saml = await open(callback, '', null)
  if (request === undefined) await saml.validatePostResponseAsync({ SAMLResponse: message })
  else await saml.validatePostRequestAsync({ SAMLRequest: message })
  return root
}

/** The parameter name determines the kind of the message. */
function assertKind(root: Element, isAnswer: boolean): void {
  const expected = isAnswer ? 'LogoutResponse' : 'LogoutRequest'
  if (root.localName !== expected) throw new Error(`The message is no ${expected}`)
}

const children = (element: Element, namespace: string, name: string): readonly Element[] =>
  [...element.childNodes].filter((each): each is Element => each.namespaceURI === namespace && each.localName === name)

function textOf(element: Element): string {
  const text = element.textContent?.trim() ?? ''
  if (text === '' || [...element.childNodes].some(({ nodeType }) => nodeType !== element.TEXT_NODE))
    throw new Error(`Expected a text in ${element.localName}`)
  return text
}
