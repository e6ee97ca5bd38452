/** Messages of a SAML identity provider about logouts, honest or lying in any way. */
import { createSign, createVerify, randomUUID, X509Certificate } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { SigningKey } from './certificate.ts'
import { entity, samlKey, signXml } from './played-saml.ts'

const page = 'https://login.example.com/slo'

/** For the metadata of the provider. */
export const logoutService = `<md:SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${page}" ResponseLocation="${page}/answers"/>`

/** What is otherwise than it should be. Absent = honest. */
export type LogoutLies = {
  readonly key?: SigningKey
  readonly issuer?: string
  readonly destination?: string
  readonly version?: string
  /** Milliseconds from now. */
  readonly issued?: number
  readonly ends?: number
  readonly status?: string
  readonly algorithm?: string
  readonly signs?: boolean
  /** Changes the document before it is signed, or afterwards. */
  readonly before?: (xml: string) => string
  readonly after?: (xml: string) => string
}

/** A message, as an address or as a form. */
export type LogoutMessage = {
  /** With a detached signature. */
  readonly toQuery: () => string
  readonly toForm: () => { readonly [field: string]: string }
}

const time = (offset: number): string => new Date(Date.now() + offset).toISOString()

const head = (name: string, destination: string, lies: LogoutLies, more = ''): string =>
  [
    `<samlp:${name} xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"`,
    ` ID="_${randomUUID()}" Version="${lies.version ?? '2.0'}" IssueInstant="${time(lies.issued ?? -1000)}"`,
    ` Destination="${lies.destination ?? destination}"${more}><saml:Issuer>${lies.issuer ?? entity}</saml:Issuer>`,
  ].join('')

/** A request of the provider to end sessions. */
export function askToLogOut(
  destination: string,
  { subject, sessions = [] }: { readonly subject: string; readonly sessions?: readonly string[] },
  lies: LogoutLies = {},
  state?: string,
): LogoutMessage {
  const end = lies.ends === undefined ? '' : ` NotOnOrAfter="${time(lies.ends)}"`
  const names = sessions.map((each) => `<samlp:SessionIndex>${each}</samlp:SessionIndex>`).join('')
  const xml = `${head('LogoutRequest', destination, lies, end)}<saml:NameID>${subject}</saml:NameID>${names}</samlp:LogoutRequest>`
  return messageOf('SAMLRequest', xml, { lies, state })
}

/** The answer of the provider to a request of this server. */
export function answerLogout(
  destination: string,
  { request, state }: { readonly request: string; readonly state: string },
  lies: LogoutLies = {},
): LogoutMessage {
  const status = lies.status ?? 'urn:oasis:names:tc:SAML:2.0:status:Success'
  const xml = `${head('LogoutResponse', destination, lies, ` InResponseTo="${request}"`)}<samlp:Status><samlp:StatusCode Value="${status}"/></samlp:Status></samlp:LogoutResponse>`
  return messageOf('SAMLResponse', xml, { lies, state })
}

/** Percent-encoding that addresses leave as it is. */
const escape = (text: string): string => encodeURIComponent(text).replaceAll("'", '%27')

const pack = (field: string, xml: string): string =>
  `${field}=${encodeURIComponent(deflateRawSync(xml).toString('base64'))}`

const rsa256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'

function messageOf(
  field: 'SAMLRequest' | 'SAMLResponse',
  plain: string,
  { lies, state }: { readonly lies: LogoutLies; readonly state: string | undefined },
): LogoutMessage {
  const { key = samlKey, algorithm = rsa256, signs = true, before = (xml) => xml, after = (xml) => xml } = lies
  const own = state === undefined ? {} : { RelayState: state }
  return {
    toQuery() {
      const more = state === undefined ? '' : `&RelayState=${escape(state)}`
      const xml = before(plain)
      const signed = `${pack(field, xml)}${more}&SigAlg=${encodeURIComponent(algorithm)}`
      const digest = algorithm.includes('sha1') ? 'sha1' : 'sha256'
      const signature = createSign(digest).update(signed).sign(key.key, 'base64')
      const sent = signed.replace(/^[^&]*/, pack(field, after(xml)))
      return signs ? `${sent}&Signature=${encodeURIComponent(signature)}` : sent.replace(/&SigAlg=.*$/, '')
    },
    toForm() {
      const xml = before(plain)
      const signed = signs ? signXml(xml, 'message', { key, algorithm }) : xml
      return { [field]: Buffer.from(after(signed)).toString('base64'), ...own }
    },
  }
}

/** A message of this server in the address of a page of the provider, if its certificate signed it. */
export function readMessage(address: string, certificate: string) {
  const url = new URL(address)
  const signed = url.search.slice(1).replace(/&Signature=.*$/, '')
  const signature = url.searchParams.get('Signature') ?? ''
  const { publicKey } = new X509Certificate(Buffer.from(certificate, 'base64'))
  if (!createVerify('sha256').update(signed).verify(publicKey, signature, 'base64')) throw new Error('Not signed')
  const packed = url.searchParams.get('SAMLRequest') ?? url.searchParams.get('SAMLResponse') ?? ''
  const xml = inflateRawSync(Buffer.from(packed, 'base64')).toString()
  return {
    page: `${url.origin}${url.pathname}`,
    xml,
    id: / ID="([^"]*)"/.exec(xml)?.[1] ?? '',
    state: url.searchParams.get('RelayState') ?? '',
  }
}
