/** An OpenID Connect and OAuth 2.0 provider for tests, played in the test: it can be honest, or lie in any way. */
import { createHash, createSign, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { listen } from './listen.ts'

type Json = { readonly [name: string]: unknown }

/** What a code stands for: the parameters of the login page, and what is said of the user. */
type Grant = { readonly page: URLSearchParams; readonly claims: Json; readonly lies: Lies }

/** What refresh tokens stand for; each works once. */
type Renewals = Map<string, Grant>

/** What the provider does otherwise than it should. Absent = it is honest. */
export type Lies = {
  readonly header?: Json
  readonly claims?: Json
  /** Claims of the user info. */
  readonly user?: Json
  readonly key?: KeyObject
  /** Makes the ID token another text. */
  readonly token?: (honest: string) => string | undefined
  /** Answers requests to a path in place of the provider. */
  readonly answer?: { readonly [path: string]: (response: ServerResponse) => void }
}

export type PlayedProvider = {
  readonly url: string
  /** Paths of requests, in order. */
  readonly asked: string[]
  /** Logs somebody in on the login page: the address to which the browser returns. */
  readonly consent: (page: string, claims: Json, lies?: Lies) => URL
  /** Tells all requests from now on lies. */
  lies: Lies
  /** Forgets all refresh tokens that it gave. */
  readonly revoke: () => void
  readonly close: () => Promise<void>
}

const encode = (value: Json): string => Buffer.from(JSON.stringify(value)).toString('base64url')

const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })

/** A key that no provider announces. */
export const strangeKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey

/** Signs a token with RS256. */
export function signToken(
  claims: Json,
  { header = {}, key = keys.privateKey }: Pick<Lies, 'header' | 'key'> = {},
): string {
  const body = `${encode({ alg: 'RS256', kid: 'one', ...header })}.${encode(claims)}`
  return `${body}.${createSign('sha256').update(body).sign(key, 'base64url')}`
}

/** A logout token for the client `tandem`, with an id of its own. */
export function logoutTokenOf(issuer: string, claims: Json): string {
  const now = Math.floor(Date.now() / 1000)
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
  return signToken({ iss: issuer, aud: 'tandem', iat: now, exp: now + 120, jti: randomUUID(), events, ...claims })
}

/** The public key as PEM: what a confusion of algorithms takes as a secret. */
export const publicPem = keys.publicKey.export({ type: 'spki', format: 'pem' }) as string

const send = (response: ServerResponse, status: number, body: unknown): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

/** Starts the provider on a free port. */
export async function playProvider(): Promise<PlayedProvider> {
  const grants = new Map<string, Grant>()
  const tokens = new Map<string, Grant>()
  const renewals: Renewals = new Map()
  const asked: string[] = []
  const { url, close } = await listen((request, response) => void answer(request, response))

  const renew = (token: string): Json | null => {
    const grant = renewals.get(token)
    renewals.delete(token)
    return grant === undefined ? null : { access_token: randomUUID(), token_type: 'bearer', ...offline(grant) }
  }

  const offline = (grant: Grant): Json => {
    if (!(grant.page.get('scope') ?? '').includes('offline_access')) return {}
    const refresh_token = randomUUID()
    renewals.set(refresh_token, grant)
    return { refresh_token }
  }

  const exchange = (form: URLSearchParams): Json | null => {
    if (form.get('grant_type') === 'refresh_token') return renew(form.get('refresh_token') ?? '')
    const code = form.get('code') ?? ''
    const grant = grants.get(code)
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isHonest = grant !== undefined && challenge === grant.page.get('code_challenge')
    if (!isHonest || form.get('redirect_uri') !== grant.page.get('redirect_uri')) return null
    grants.delete(code)
    const access_token = randomUUID()
    tokens.set(access_token, grant)
    const { lies, page, claims } = grant
    if (!(page.get('scope') ?? '').includes('openid')) return { access_token, token_type: 'bearer', ...offline(grant) }
    const now = Math.floor(Date.now() / 1000)
    const honest = { iss: url, aud: page.get('client_id'), nonce: page.get('nonce'), iat: now, exp: now + 300 }
    const signed = signToken({ ...honest, ...claims, ...lies.claims }, lies)
    const id_token = lies.token === undefined ? signed : lies.token(signed)
    return { access_token, token_type: 'bearer', id_token, ...offline(grant) }
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = new URL(request.url ?? '/', url).pathname
    asked.push(path)
    const lie = played.lies.answer?.[path]
    if (lie !== undefined) return lie(response)
    if (path === '/.well-known/openid-configuration') return send(response, 200, discovery(url))
    if (path === '/jwks') {
      const jwk = { ...keys.publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }
      return send(response, 200, { keys: [jwk] })
    }
    if (path === '/token') {
      const found = exchange(new URLSearchParams(await text(request)))
      return send(response, found === null ? 400 : 200, found ?? { error: 'invalid_grant' })
    }
    const grant = tokens.get(String(request.headers.authorization).replace(/^bearer /i, ''))
    if (path !== '/userinfo' || grant === undefined) return send(response, 404, {})
    send(response, 200, { ...grant.claims, ...grant.lies.user })
  }

  const played: PlayedProvider = {
    url,
    asked,
    lies: {},
    revoke: () => renewals.clear(),
    consent(page, claims, lies = {}) {
      const { searchParams } = new URL(page)
      const code = randomUUID()
      grants.set(code, { page: searchParams, claims, lies })
      const back = new URL(searchParams.get('redirect_uri') ?? '')
      back.search = new URLSearchParams({ code, state: searchParams.get('state') ?? '', iss: url }).toString()
      return back
    },
    close,
  }
  return played
}

const discovery = (url: string): Json => ({
  issuer: url,
  authorization_endpoint: `${url}/authorize`,
  token_endpoint: `${url}/token`,
  userinfo_endpoint: `${url}/userinfo`,
  jwks_uri: `${url}/jwks`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
  authorization_response_iss_parameter_supported: true,
})
