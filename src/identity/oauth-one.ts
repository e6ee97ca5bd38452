/** OAuth 1.0a (RFC 5849), for the providers that still have it. Requests are signed with HMAC-SHA1. */

import type { FlowAnswer, FlowBeginning, FlowStart, Identity } from '../domain/ports/providers.ts'
import { TandemError } from '../domain/rights/errors.ts'
import { compareTexts } from '../domain/sorted-names.ts'
import { type Claims, toIdentity } from './claims.ts'
import { beginning, type Dependencies, finishing } from './openid-client.ts'
import type { OAuthOneSettings } from './settings.ts'

/** A token with its secret; both are empty before the provider has given one. */
type Token = { readonly token: string; readonly secret: string }

const noToken: Token = { token: '', secret: '' }

/** The provider. */
export function createOAuthOne(settings: OAuthOneSettings, around: Dependencies) {
  return {
    begin: (start: FlowStart): Promise<FlowBeginning> =>
      beginning(settings.name, around, () => requestToken(start, settings, around)),
    finish: (answer: FlowAnswer): Promise<Identity> =>
      finishing(settings.name, around, () => readIdentity(answer, settings, around)),
  }
}

/** The request token goes into the address of the page. Its secret has no use without that of the client. */
async function requestToken(
  start: FlowStart,
  settings: OAuthOneSettings,
  around: Dependencies,
): Promise<FlowBeginning> {
  const callback = new URL(start.callback)
  callback.searchParams.set('state', start.state)
  const own = { oauth_callback: callback.href }
  const answer = await askForm('POST', settings.requestUrl, { token: noToken, own, settings, around })
  if (answer.get('oauth_callback_confirmed') !== 'true') throw new Error('The callback is not confirmed')
  const token = tokenOf(answer)
  const page = new URL(settings.authorizeUrl)
  for (const [name, value] of Object.entries(settings.parameters)) page.searchParams.set(name, value)
  page.searchParams.set('oauth_token', token.token)
  return { page, memory: JSON.stringify(token) }
}

/** The token of the answer must be the one of this login. */
async function readIdentity(answer: FlowAnswer, settings: OAuthOneSettings, around: Dependencies): Promise<Identity> {
  const token = JSON.parse(answer.memory ?? '{}') as Partial<Token>
  const [input, ...others] = answer.parameters.getAll('oauth_token')
  const [verifier, ...more] = answer.parameters.getAll('oauth_verifier')
  const isOwn = input !== undefined && input === token.token && others.length + more.length === 0
  if (!isOwn || token.secret === undefined || verifier === undefined || verifier === '')
    throw new TandemError({ kind: 'invalid-credentials' })
  const own = { oauth_verifier: verifier }
  const temporary = { token: input, secret: token.secret }
  const access = tokenOf(await askForm('POST', settings.accessUrl, { token: temporary, own, settings, around }))
  const profile: unknown = JSON.parse(
    await ask('GET', settings.profileUrl, { token: access, own: {}, settings, around }),
  )
  if (typeof profile !== 'object' || profile === null || Array.isArray(profile))
    throw new Error('The profile is no object')
  return toIdentity(profile as Claims, settings.claims)
}

type SignedRequest = {
  readonly token: Token
  /** Parameters of this step. */
  readonly own: { readonly [name: string]: string }
  readonly settings: OAuthOneSettings
  readonly around: Dependencies
}

const askForm = async (...wanted: Parameters<typeof ask>): Promise<URLSearchParams> =>
  new URLSearchParams(await ask(...wanted))

function tokenOf(form: URLSearchParams): Token {
  const [token, secret] = [form.get('oauth_token') ?? '', form.get('oauth_token_secret') ?? '']
  if (token === '' || token.length + secret.length > 1000) throw new Error('The answer has no token')
  return { token, secret }
}

async function ask(
  method: 'GET' | 'POST',
  address: string,
  { token, own, settings, around }: SignedRequest,
): Promise<string> {
  const { clientId, clientSecret } = settings
  const parameters = {
    oauth_consumer_key: clientId,
    oauth_nonce: crypto.randomUUID(),
    oauth_signature_method: 'HMAC-SHA1',
    oauth_timestamp: String(Math.floor(Date.now() / 1000)),
    oauth_version: '1.0',
    ...(token.token === '' ? {} : { oauth_token: token.token }),
    ...own,
  }
  const key = `${escape(clientSecret)}&${escape(token.secret)}`
  const oauth_signature = await sign(textToSign(method, address, parameters), key)
  const listed = Object.entries({ ...parameters, oauth_signature })
  const authorization = `OAuth ${listed.map(([name, value]) => `${escape(name)}="${escape(value)}"`).join(', ')}`
  const response = await around.fetch(address, { method, headers: { authorization, 'user-agent': 'tandem' } })
  if (response.status !== 200) throw new Error(`The provider answers ${response.status}`)
  return response.text()
}

/**
 * The signature base string (RFC 5849, section 3.4.1).
 * @example textToSign('GET', 'https://a.example/b?c=d', { e: 'f' }) // GET&https%3A%2F%2Fa.example%2Fb&c%3Dd%26e%3Df
 */
function textToSign(method: string, address: string, parameters: { readonly [name: string]: string }): string {
  const url = new URL(address)
  const pairs = [...Object.entries(parameters), ...url.searchParams].map(([name, value]) => [
    escape(name),
    escape(value),
  ])
  const sorted = pairs.toSorted(([a = '', b = ''], [c = '', d = '']) =>
    a === c ? compareTexts(b, d) : compareTexts(a, c),
  )
  const joined = sorted.map((pair) => pair.join('=')).join('&')
  return [method, `${url.origin}${url.pathname}`, joined].map(escape).join('&')
}

async function sign(text: string, key: string): Promise<string> {
  const encoder = new TextEncoder()
  const algorithm = { name: 'HMAC', hash: 'SHA-1' }
  const imported = await crypto.subtle.importKey('raw', encoder.encode(key), algorithm, false, ['sign'])
  return Buffer.from(await crypto.subtle.sign('HMAC', imported, encoder.encode(text))).toString('base64')
}

/** Percent-encoding of RFC 3986. */
const escape = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)
