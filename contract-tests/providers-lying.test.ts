/** A hostile provider: its lies open no session, and other logins go on. */
import { createHmac } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { openBrowser } from './login-browser.ts'
import { type Lies, publicPem, strangeKey } from './played-provider.ts'
import { expectRefused, forgetLogins, mallory, noAnswer, noProof, type Refusal } from './provider-refusals.ts'
import { openProvidersWorld } from './providers-world.ts'
import { send } from './send.ts'

const world = await openProvidersWorld({ AUTH_PROVIDER_TIMEOUT: '400ms' })
afterAll(() => world.close())
beforeEach(() => forgetLogins(world))

const now = (): number => Math.floor(Date.now() / 1000)

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const claimsIn = (token: string): object =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as object
const hs256 = (token: string, key: string): string => {
  const body = `${encode({ alg: 'HS256', kid: 'one' })}.${encode(claimsIn(token))}`
  return `${body}.${createHmac('sha256', key).update(body).digest('base64url')}`
}

const tokens: readonly (readonly [name: string, lies: Lies])[] = [
  ['without a signature', { token: (honest) => `${encode({ alg: 'none' })}.${encode(claimsIn(honest))}.` }],
  ['with "none" and the signature', { token: (honest) => honest.replace(/^[^.]+/, encode({ alg: 'none' })) }],
  ['signed with the public key as a secret', { token: (honest) => hs256(honest, publicPem) }],
  ['signed with the secret of the client', { token: (honest) => hs256(honest, 'secret-of-the-client') }],
  ['signed with an empty secret', { token: (honest) => hs256(honest, '') }],
  ['signed with another key', { key: strangeKey }],
  ['signed with a key of another name', { key: strangeKey, header: { kid: 'two' } }],
  [
    'with a key in its own header',
    { key: strangeKey, header: { kid: 'two', jwk: strangeKey.export({ format: 'jwk' }) } },
  ],
  ['with the address of a key', { key: strangeKey, header: { kid: 'two', jku: 'http://127.0.0.1/keys' } }],
  ['with a critical header', { header: { crit: ['other'], other: true } }],
  ['whose signature is cut off', { token: (honest) => honest.slice(0, -10) }],
  [
    'with other claims under the signature',
    { token: (honest) => honest.replace(/\.[^.]+\./, `.${encode({ ...claimsIn(honest), sub: 'admin' })}.`) },
  ],
  ['that is no token', { token: () => 'a.b.c' }],
  ['that is missing', { token: () => undefined }],
  ['of another issuer', { claims: { iss: 'https://accounts.example.com' } }],
  [
    'of an issuer below this one',
    {
      get claims() {
        return { iss: `${world.provider.url}/other` }
      },
    },
  ],
  ['for another client', { claims: { aud: 'another' } }],
  ['for several other clients', { claims: { aud: ['another', 'third'] } }],
  ['for several clients, used by another one', { claims: { aud: ['tandem', 'another'], azp: 'another' } }],
  ['for several clients, used by nobody', { claims: { aud: ['tandem', 'another'] } }],
  ['without an audience', { claims: { aud: undefined } }],
  ['that has expired', { claims: { exp: 1_000_000_000 } }],
  ['that never expires', { claims: { exp: undefined } }],
  ['whose expiry is a text', { claims: { exp: 'never' } }],
  [
    'that is valid later',
    {
      get claims() {
        return { nbf: now() + 3600 }
      },
    },
  ],
  ['without a time', { claims: { iat: undefined } }],
  ['without a nonce', { claims: { nonce: undefined } }],
  ['with another nonce', { claims: { nonce: 'another' } }],
  ['without a subject', { claims: { sub: undefined } }],
  ['whose subject is a list', { claims: { sub: ['mallory'] } }],
  ['whose subject is another one than that of the user info', { user: { sub: 'admin' } }],
]

test.each(tokens)('an ID token %s', async (_, lies) => {
  await expectRefused(world, await world.logIn('keycloak', mallory, { lies }), noProof)
})

type Answering = NonNullable<Lies['answer']>[string]

const sendJson =
  (value: unknown): Answering =>
  (response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))

const answers: readonly (readonly [name: string, path: string, answer: Answering, expected: Refusal])[] = [
  ['tokens never', '/token', () => {}, noAnswer],
  ['tokens never to their end', '/token', (response) => void response.writeHead(200).write('{'), noAnswer],
  ['tokens by hanging up', '/token', (response) => void response.destroy(), noAnswer],
  ['tokens with 10 MB', '/token', (response) => void response.end(`"${'a'.repeat(10_000_000)}"`), noAnswer],
  ['user info with 10 MB', '/userinfo', (response) => void response.end(`"${'a'.repeat(10_000_000)}"`), noAnswer],
  ['tokens elsewhere', '/token', (response) => void response.writeHead(307, { location: '/userinfo' }).end(), noProof],
  [
    'tokens at a private address',
    '/token',
    (response) => void response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
    noProof,
  ],
  [
    'tokens as a page',
    '/token',
    (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
    noProof,
  ],
  ['tokens as a list', '/token', sendJson([]), noProof],
  ['tokens as null', '/token', sendJson(null), noProof],
  ['tokens of another type', '/token', sendJson({ access_token: 'a', token_type: 'mac', id_token: 'b' }), noProof],
  ['tokens with a bug', '/token', (response) => void response.writeHead(500).end('at secret.js:1'), noProof],
  ['user info of nobody', '/userinfo', sendJson({}), noProof],
  ['user info as a list', '/userinfo', sendJson([]), noProof],
]

test.each(answers)('a provider that answers %s', async (_, path, answer, expected) => {
  const browser = openBrowser(world.url)
  const back = world.provider.consent(await browser.begin('keycloak'), mallory)
  world.provider.lies = { answer: { [path]: answer } }
  const started = performance.now()
  await expectRefused(world, await browser.get(back), expected)
  expect(performance.now() - started).toBeLessThan(2000)
})

test('other logins go on while a provider is silent', async () => {
  const browser = openBrowser(world.url)
  const back = world.provider.consent(await browser.begin('keycloak'), mallory)
  world.provider.lies = { answer: { '/token': () => {} } }
  const waiting = browser.get(back)
  const login = { email: 'admin@example.com', password: 'correct-horse-42' }
  const local = await send(world.url, 'POST /auth/login', { body: login })
  expect(local.status).toBe(200)
  expect((await waiting).status).toBe(503)
})

const discovered =
  (changes: object): Answering =>
  (response) => {
    const { url } = world.provider
    const honest = {
      issuer: url,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      jwks_uri: `${url}/jwks`,
    }
    sendJson({ ...honest, ...changes })(response)
  }

describe('a discovery document', () => {
  /** A provider that no login has asked before. */
  test.each<readonly [name: string, answer: Answering]>([
    ['of another issuer', discovered({ issuer: 'https://accounts.example.com' })],
    ['without an issuer', discovered({ issuer: undefined })],
    ['that is elsewhere', (response) => void response.writeHead(302, { location: 'http://10.0.0.1/' }).end()],
    ['that is missing', (response) => void response.writeHead(404).end()],
    ['with 10 MB', (response) => void response.end('a'.repeat(10_000_000))],
    ['that never comes', () => {}],
  ])('%s begins no login', async (_, answer) => {
    world.provider.lies = { answer: { '/.well-known/openid-configuration': answer } }
    await expectRefused(world, await openBrowser(world.url).get('/auth/login/late'), noAnswer)
  })

  test('that is missing leads back to the page of the login, with the reason', async () => {
    world.provider.lies = {
      answer: { '/.well-known/openid-configuration': (response) => void response.writeHead(404).end() },
    }
    const { status, location } = await openBrowser(world.url).get('/auth/login/late?redirect=/admin%3Fa=1')
    expect([status, location]).toEqual([302, `${world.url}/admin?a=1&reason=SERVICE_UNAVAILABLE`])
    const refused = await openBrowser(world.url).get('/auth/login/late?redirect=https://evil.example')
    expect([refused.status, refused.location]).toEqual([400, null])
  })

  test('with a private token endpoint sends no code there', async () => {
    world.provider.lies = {
      answer: { '/.well-known/openid-configuration': discovered({ token_endpoint: 'http://10.0.0.1/token' }) },
    }
    await expectRefused(world, await world.logIn('late', mallory), noAnswer)
  })
})
