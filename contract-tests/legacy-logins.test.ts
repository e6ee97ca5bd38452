/** Logins by identity providers in the legacy generation: OAuth 1.0a and 2.0, request tokens, and those who attack them. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { signRequestToken } from '../src/tokens/request-tokens.ts'
import { type LoginBrowser, openBrowser } from './login-browser.ts'
import { playOAuthOne } from './played-oauth-one.ts'
import { forgetLogins } from './provider-refusals.ts'
import { openProvidersWorld, secret } from './providers-world.ts'
import { dataIn, send } from './send.ts'

const twitter = await playOAuthOne('secret & more')
const world = await openProvidersWorld({
  AUTH_PROVIDERS: 'keycloak,open,twitter',
  AUTH_TWITTER_DRIVER: 'oauth1',
  AUTH_TWITTER_CLIENT_ID: 'tandem',
  AUTH_TWITTER_CLIENT_SECRET: 'secret & more',
  AUTH_TWITTER_REQUEST_URL: `${twitter.url}/request`,
  AUTH_TWITTER_AUTHORIZE_URL: `${twitter.url}/authorize`,
  AUTH_TWITTER_ACCESS_URL: `${twitter.url}/access`,
  AUTH_TWITTER_PROFILE_URL: `${twitter.url}/profile?include_email=true`,
  AUTH_TWITTER_EMAIL_VERIFIED_KEY: 'always',
  AUTH_TWITTER_LINK_BY_EMAIL: 'true',
  CORS_ENABLED: 'true',
  CORS_ORIGIN: 'https://app.example.com',
})
afterAll(async () => {
  await world.close()
  await twitter.close()
})

const ann = { sub: 'ann-1', email: 'ann@example.com', email_verified: true }

beforeEach(async () => {
  twitter.answers = {}
  await forgetLogins(world)
  await world.insertLocal('ann@example.com')
})

type Begun = { readonly browser: LoginBrowser; readonly page: string; readonly state: string }

/** Begins a login for a page of another origin, which gets the address of the login page. */
async function begin(provider: string, mode = 'jwt', page = 'https://app.example.com/in?a=1'): Promise<Begun> {
  const browser = openBrowser(world.url)
  const { status, body } = await browser.get(
    `/_/auth/sso/${provider}?mode=${mode}&redirect_url=${encodeURIComponent(page)}`,
  )
  expect([status, body]).toMatchObject([200, { public: true }])
  const { data } = body as { readonly data: { readonly authorization_url: string; readonly state: string } }
  return { browser, page: data.authorization_url, state: data.state }
}

const post = async (path: string, body: object, headers: { readonly [name: string]: string } = {}) => {
  const response = await send(world.url, `POST /_/auth/sso/${path}`, { body, headers })
  return [response.status, response.body as never] as const
}

const cookieOf = ({ cookies }: LoginBrowser): string => [...cookies].map((each) => each.join('=')).join('; ')

const whoIs = async (token: unknown): Promise<unknown> => {
  return dataIn(await send(world.url, 'GET /_/users/me?fields=email', { token: String(token) }))
}

const tokenIn = (answer: readonly [number, unknown]): unknown =>
  (answer[1] as { readonly data?: { readonly token?: unknown } }).data?.token

const pageOf = (location: string | null) => Object.fromEntries(new URL(location ?? '').searchParams)

test('the names of the providers are listed', async () => {
  const { body } = await openBrowser(world.url).get('/_/auth/sso')
  expect(body).toEqual({ data: ['keycloak', 'open', 'twitter'], public: true })
})

describe.each([
  ['open', (page: string) => world.provider.consent(page, ann)],
  ['twitter', (page: string) => twitter.consent(page, { id_str: '42', email: 'Ann@example.com' })],
] as const)('a login by %s', (name, consent) => {
  test('gives the page a token to exchange, once', async () => {
    const { browser, page } = await begin(name)
    const { status, location } = await browser.get(consent(page))
    const { request_token: token, ...rest } = pageOf(location)
    expect([status, new URL(location ?? '').origin, rest]).toEqual([302, 'https://app.example.com', { a: '1' }])
    const exchanged = await post('access_token', { request_token: token })
    expect([exchanged[0], await whoIs(tokenIn(exchanged))]).toEqual([200, { email: 'ann@example.com' }])
    expect(await post('access_token', { request_token: token })).toMatchObject([500, { error: { code: 109 } }])
  })

  test('gives the browser a cookie', async () => {
    const { browser, page } = await begin(name, 'cookie', '/welcome')
    const { status, location } = await browser.get(consent(page))
    expect([status, location]).toEqual([302, `${world.url}/welcome`])
    expect([...browser.cookies.keys()]).toEqual(['platform-_-session'])
    expect((await browser.get('/_/users/me?fields=email')).body).toMatchObject({ data: { email: 'ann@example.com' } })
  })

  test('takes an answer that a page has got', async () => {
    const { browser, page } = await begin(name)
    const { state: _, iss, ...given } = Object.fromEntries(consent(page).searchParams)
    const body = { ...given, ...(iss === undefined ? {} : { iss }) }
    const answer = await post(name, body, { cookie: cookieOf(browser) })
    expect([answer[0], await whoIs(tokenIn(answer))]).toEqual([200, { email: 'ann@example.com' }])
    expect(await post(name, body, { cookie: cookieOf(browser) })).toMatchObject([401, { error: { code: 101 } }])
  })
})

test('a page of this server, or one that the operator trusts, is led on', async () => {
  for (const referer of [`${world.url}/login`, 'https://app.example.com/login']) {
    const path = '/_/auth/sso/open?mode=jwt&redirect_url=/in'
    const answer = await fetch(`${world.url}${path}`, { redirect: 'manual', headers: { referer } })
    expect([answer.status, answer.headers.get('location')]).toEqual([
      302,
      expect.stringContaining(`${world.provider.url}/authorize`),
    ])
  }
})

test.each([
  ['an unknown person', { sub: 'x', email: 'x@example.com', email_verified: true }, '107'],
  ['an unknown person without a proven address', { sub: 'x', email: 'x@example.com' }, '100'],
  ['an unverified address', { ...ann, email_verified: false }, '100'],
])('%s is told to the page by a code', async (_, claims, code) => {
  const { browser, page } = await begin('open')
  const { status, location } = await browser.get(world.provider.consent(page, claims))
  expect([status, pageOf(location)]).toEqual([302, { a: '1', code, error: '1' }])
})

const change = (set: string) => world.rows(`update platform_users set ${set} where email = 'ann@example.com'`)
const told = async () => {
  const { browser, page } = await begin('open')
  return pageOf((await browser.get(world.provider.consent(page, ann))).location)['code']
}

test('users with a second factor, and suspended ones, are told to the page', async () => {
  await told()
  await change(`tfa_secret = 'WS36IYF5QGENQ3NE3UTBJN2AVYXYFX4G'`)
  expect(await told()).toBe('115')
  await change(`tfa_secret = null, status = 'suspended'`)
  expect(await told()).toBe('103')
})

const sign = (changes: object, ttl = 60_000, key = secret, project = '_') =>
  signRequestToken(
    {
      id: '33333333-3333-4333-8333-333333333333',
      session: '44444444-4444-4444-8444-444444444444',
      shown: {},
      ...changes,
    },
    { issuedAt: new Date(), ttl },
    { secret: key, project },
  )

test.each([
  ['that is no token', () => 'x', 109],
  ['of another key', () => sign({}, 60_000, 'another-key-of-the-attacker-itself'), 109],
  ['of another project', () => sign({}, 60_000, secret, 'blog'), 109],
  ['of no session', () => sign({}), 109],
  ['that has expired', () => sign({}, -1000), 110],
  ['that is too long', () => `${sign({})}${'x'.repeat(3500)}`, 109],
])('a request token %s opens no session', async (_, token, code) => {
  expect(await post('access_token', { request_token: token() })).toMatchObject([500, { error: { code } }])
  expect(await world.rows('select id from platform_sessions')).toEqual([])
})

test('a token of a session is no request token, and a request token is no token of a session', async () => {
  const { browser, page } = await begin('open')
  const { location } = await browser.get(world.provider.consent(page, ann))
  const token = pageOf(location)['request_token'] ?? ''
  const asked = await fetch(`${world.url}/_/users/me`, { headers: { authorization: `Bearer ${token}` } })
  expect(asked.status).toBe(401)
  const session = tokenIn(await post('access_token', { request_token: token }))
  expect(await post('access_token', { request_token: session })).toMatchObject([500, { error: { code: 109 } }])
})

test('a session that no page takes over ends with its token', async () => {
  const { browser, page } = await begin('open')
  const { location } = await browser.get(world.provider.consent(page, ann))
  const lifetime = async () => {
    const [row] = await world.rows('select expires, created from platform_sessions')
    return (new Date(String(row?.['expires'])).getTime() - new Date(String(row?.['created'])).getTime()) / 1000
  }
  expect(await lifetime()).toBe(300)
  await post('access_token', { request_token: pageOf(location)['request_token'] })
  expect(await lifetime()).toBeGreaterThan(600_000)
})

test('the user of a request token must still be active', async () => {
  const { browser, page } = await begin('open')
  const { location } = await browser.get(world.provider.consent(page, ann))
  await world.rows(`update platform_users set status = 'suspended' where email = 'ann@example.com'`)
  expect(await post('access_token', { request_token: pageOf(location)['request_token'] })).toMatchObject([
    500,
    { error: { code: 109 } },
  ])
})

test.each(['https://evil.example/', '//evil.example', 'https://app.example.com.evil.example/', 'javascript:alert(1)'])(
  'no login leads to %s',
  async (page) => {
    const { status, body } = await openBrowser(world.url).get(
      `/_/auth/sso/open?mode=jwt&redirect_url=${encodeURIComponent(page)}`,
    )
    expect([status, body]).toMatchObject([400, { error: { code: 4 } }])
  },
)

/** Answers of OAuth 1.0a that do not belong to the login, or prove nothing. */
const changes: readonly (readonly [name: string, change: (back: URL, other: URL) => void])[] = [
  [
    'with the token of another login',
    (back, other) => back.searchParams.set('oauth_token', other.searchParams.get('oauth_token') ?? ''),
  ],
  [
    'with the verifier of another login',
    (back, other) => back.searchParams.set('oauth_verifier', other.searchParams.get('oauth_verifier') ?? ''),
  ],
  [
    'with token and verifier of another login',
    (back, other) => {
      back.search = other.search.replace(/state=[^&]*/, `state=${back.searchParams.get('state')}`)
    },
  ],
  ['without verifier', (back) => back.searchParams.delete('oauth_verifier')],
  ['with an empty verifier', (back) => back.searchParams.set('oauth_verifier', '')],
  ['with two tokens', (back) => back.searchParams.append('oauth_token', 'other')],
  [
    'that was denied',
    (back) => {
      back.searchParams.delete('oauth_token')
      back.searchParams.set('denied', 'x')
    },
  ],
]

test.each(changes)('an answer of OAuth 1.0 %s opens no session', async (_, change) => {
  const profile = { id_str: '42', email: 'ann@example.com' }
  const { browser, page } = await begin('twitter')
  const back = twitter.consent(page, profile)
  change(back, twitter.consent((await begin('twitter')).page, profile))
  const { status, location, body } = await browser.get(back)
  if (status === 302) expect(pageOf(location)).toEqual({ a: '1', code: '100', error: '1' })
  else expect([status, body]).toMatchObject([400, { error: { code: 4 } }])
  expect(await world.rows('select id from platform_sessions')).toEqual([])
})

test.each([
  ['/request', 'oauth_token=a&oauth_token_secret=b'],
  ['/request', 'oauth_callback_confirmed=true'],
  ['/request', `oauth_token=${'a'.repeat(2000)}&oauth_token_secret=b&oauth_callback_confirmed=true`],
])('a provider of OAuth 1.0 that answers %s with %s begins no login', async (path, answer) => {
  twitter.answers = { [path]: answer }
  const { status, body } = await openBrowser(world.url).get('/_/auth/sso/twitter?mode=jwt&redirect_url=/')
  expect([status, body]).toMatchObject([503, { error: { code: 21 } }])
})

test('a browser whose login cannot begin goes back to its page, with the code', async () => {
  twitter.answers = { '/request': 'nothing' }
  const asked = `${world.url}/_/auth/sso/twitter?mode=jwt&redirect_url=/in%3Fa=1`
  const headers = { origin: world.url }
  const { status, headers: answered } = await fetch(asked, { headers, redirect: 'manual' })
  expect([status, answered.get('location')]).toEqual([302, `${world.url}/in?a=1&code=21&error=1`])
})

test.each([
  ['/access', 'nothing'],
  ['/profile', '[]'],
  ['/profile', '{"email":"ann@example.com"}'],
  ['/profile', 'no JSON'],
])('a provider of OAuth 1.0 that answers %s with %s opens no session', async (path, answer) => {
  const { browser, page } = await begin('twitter')
  const back = twitter.consent(page, { id_str: '42', email: 'ann@example.com' })
  twitter.answers = { [path]: answer }
  expect(pageOf((await browser.get(back)).location)).toEqual({ a: '1', code: '100', error: '1' })
  expect(await world.rows('select id from platform_sessions')).toEqual([])
})
