/** Sessions that live and end with a session at the provider, also on other replicas; and those who attack that. */
import { createHmac } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { openBrowser } from './login-browser.ts'
import { publicPem, signToken, strangeKey } from './played-provider.ts'
import { forgetLogins } from './provider-refusals.ts'
import { openProvidersWorld } from './providers-world.ts'
import { dataIn, send } from './send.ts'

const redis = process.env['TEST_REDIS_URL']
const world = await openProvidersWorld({
  ...(redis === undefined ? {} : { REDIS: redis }),
  AUTH_KEYCLOAK_SCOPE: 'openid email offline_access',
  AUTH_GITHUB_SCOPE: 'email offline_access',
  AUTH_OPEN_ALLOW_PUBLIC_REGISTRATION: 'true',
})
const replica = await world.openReplica()
afterAll(() => world.close())

beforeEach(async () => {
  world.provider.lies = {}
  await forgetLogins(world)
})

type Tokens = { readonly access_token: string; readonly refresh_token: string }

async function logIn(claims: object, provider = 'keycloak'): Promise<Tokens> {
  const { status, body } = await world.logIn(provider, { ...claims })
  expect(status).toBe(200)
  return (body as { readonly data: Tokens }).data
}

const statusAt = async (server: string, { access_token: token }: Tokens): Promise<number> =>
  (await fetch(`${server}/users/me`, { headers: { authorization: `Bearer ${token}` } })).status

const refresh = async (token: string, server = world.url) => {
  const answer = await send(server, 'POST /auth/refresh', { body: { refresh_token: token } })
  const body = answer.body as { readonly data?: Tokens; readonly error?: { readonly code: string } }
  return { status: answer.status, code: body.error?.code, data: body.data as Tokens }
}

const event = 'http://schemas.openid.net/event/backchannel-logout'

let count = 0
const honest = (): { readonly [claim: string]: unknown } => {
  const now = Math.floor(Date.now() / 1000)
  count += 1
  return {
    iss: world.provider.url,
    aud: 'tandem',
    iat: now,
    exp: now + 120,
    jti: `logout-${count}`,
    events: { [event]: {} },
  }
}

const logOut = async (token: string, provider = 'keycloak') => {
  const answer = await fetch(`${world.url}/auth/login/${provider}/backchannel-logout`, {
    method: 'POST',
    body: new URLSearchParams({ logout_token: token }),
  })
  return [answer.status, answer.headers.get('cache-control')]
}

describe('a logout at the provider', () => {
  test('ends the session with its name, on all replicas, and no other', async () => {
    const [ended, other] = [await logIn({ sub: 'ann', sid: 'one' }), await logIn({ sub: 'ann', sid: 'two' })]
    for (const each of [ended, other]) expect(await statusAt(replica, each)).toBe(200)
    expect(await logOut(signToken({ ...honest(), sid: 'one' }))).toEqual([204, 'no-store'])
    await expect.poll(() => statusAt(replica, ended)).toBe(401)
    expect([await statusAt(world.url, ended), await statusAt(world.url, other)]).toEqual([401, 200])
    expect((await refresh(ended.refresh_token)).status).toBe(401)
  })

  test('ends all sessions of the person that came from that provider', async () => {
    const [one, two] = [await logIn({ sub: 'bob', sid: 'one' }), await logIn({ sub: 'bob' })]
    const [else_, there] = [await logIn({ sub: 'cyd' }), await logIn({ sub: 'bob' }, 'open')]
    expect(await logOut(signToken({ ...honest(), sub: 'bob' }, { header: { typ: 'logout+jwt' } }))).toEqual([
      204,
      'no-store',
    ])
    for (const [tokens, status] of [
      [one, 401],
      [two, 401],
      [else_, 200],
      [there, 200],
    ] as const)
      expect(await statusAt(world.url, tokens)).toBe(status)
  })

  test('with both names ends what both name', async () => {
    const [mine, yours] = [await logIn({ sub: 'dan', sid: 'same' }), await logIn({ sub: 'eve', sid: 'same' })]
    await logOut(signToken({ ...honest(), sub: 'dan', sid: 'same' }))
    expect([await statusAt(world.url, mine), await statusAt(world.url, yours)]).toEqual([401, 200])
  })

  test('ends sessions of the legacy generation', async () => {
    const token = await logInLegacy({ sub: 'fay', sid: 'legacy', email: 'fay@example.com' })
    const ask = async () =>
      (await fetch(`${world.url}/_/users/me`, { headers: { authorization: `Bearer ${token}` } })).status
    expect(await ask()).toBe(200)
    await logOut(signToken({ ...honest(), sid: 'legacy' }))
    expect(await ask()).toBe(401)
  })
})

const postJson = async (path: string, body: object) => {
  const answer = await send(world.url, `POST ${path}`, { body })
  return { status: answer.status, token: (dataIn(answer) as { token: string } | undefined)?.token }
}

/** Logs in by the legacy generation in mode `jwt`: the token that its page gets. */
async function logInLegacy(claims: object): Promise<string> {
  const browser = openBrowser(world.url)
  const begun = await browser.get('/_/auth/sso/keycloak?mode=jwt&redirect_url=/done')
  const { authorization_url: page } = (begun.body as { readonly data: { readonly authorization_url: string } }).data
  const { location } = await browser.get(world.provider.consent(page, { ...claims }))
  const request_token = new URL(location ?? '').searchParams.get('request_token')
  return (await postJson('/_/auth/sso/access_token', { request_token })).token ?? ''
}

const past = (seconds: number) => Math.floor(Date.now() / 1000) - seconds
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const sid = 'held'

/** Tokens that end nothing. */
const hostile: readonly (readonly [name: string, token: () => string])[] = [
  ['that is no token', () => 'x'],
  ['without a signature', () => `${part({ alg: 'none' })}.${part({ ...honest(), sid })}.`],
  ['of another key', () => signToken({ ...honest(), sid }, { key: strangeKey })],
  [
    'signed with the public key as a secret',
    () => {
      const body = `${part({ alg: 'HS256', kid: 'one' })}.${part({ ...honest(), sid })}`
      return `${body}.${createHmac('sha256', publicPem).update(body).digest('base64url')}`
    },
  ],
  ['of another issuer', () => signToken({ ...honest(), sid, iss: 'https://evil.example' })],
  ['for another client', () => signToken({ ...honest(), sid, aud: 'other' })],
  ['without an audience', () => signToken({ ...honest(), sid, aud: undefined })],
  ['about another event', () => signToken({ ...honest(), sid, events: { 'http://example.com/event': {} } })],
  ['whose event is no object', () => signToken({ ...honest(), sid, events: { [event]: true } })],
  ['without an event, such as an ID token', () => signToken({ ...honest(), sid, events: undefined })],
  ['with a nonce', () => signToken({ ...honest(), sid, nonce: 'n' })],
  ['that names nobody', () => signToken(honest())],
  ['whose name is a list', () => signToken({ ...honest(), sid: [sid] })],
  ['that has expired', () => signToken({ ...honest(), sid, iat: past(400), exp: past(200) })],
  ['without an end', () => signToken({ ...honest(), sid, exp: undefined })],
  ['without a beginning', () => signToken({ ...honest(), sid, iat: undefined })],
  ['that is too old', () => signToken({ ...honest(), sid, iat: past(3600), exp: past(-3600) })],
  ['of the future', () => signToken({ ...honest(), sid, iat: past(-3600), exp: past(-7200) })],
  ['without an id', () => signToken({ ...honest(), sid, jti: undefined })],
  ['of the type of access tokens', () => signToken({ ...honest(), sid }, { header: { typ: 'at+jwt' } })],
]

describe('a logout token', () => {
  let held: Tokens
  beforeEach(async () => {
    held = await logIn({ sub: 'held', sid })
  })

  test.each(hostile)('%s ends no session', async (_, token) => {
    expect([(await logOut(token()))[0], await statusAt(world.url, held)]).toEqual([400, 200])
  })

  test('counts once', async () => {
    const token = signToken({ ...honest(), sid })
    expect(await logOut(token)).toEqual([204, 'no-store'])
    const again = await logIn({ sub: 'held', sid })
    expect([(await logOut(token))[0], await statusAt(world.url, again)]).toEqual([400, 200])
  })

  test('of a provider without OpenID Connect does not exist', async () => {
    for (const name of ['github', 'nobody']) expect((await logOut(signToken({ ...honest(), sid }), name))[0]).toBe(404)
    expect(await statusAt(world.url, held)).toBe(200)
  })
})

describe.each(['keycloak', 'github'])('a session of %s that lives on a refresh token', (provider) => {
  const claims = { sub: 'gus', data: { id: 7 }, email: 'gus@example.com' }

  test('is renewed at the provider too, whose tokens are not stored in plain text', async () => {
    const first = await logIn(claims, provider)
    const asked = world.provider.asked.filter((path) => path === '/token').length
    const second = await refresh(first.refresh_token)
    const third = await refresh(second.data.refresh_token, replica)
    expect([second.status, third.status]).toEqual([200, 200])
    expect(world.provider.asked.filter((path) => path === '/token')).toHaveLength(asked + 2)
    const [row] = await world.rows('select token from platform_provider_sessions')
    expect(row?.['token']).toMatch(/^[\w-]{80,}$/)
  })

  test('ends when the provider refuses', async () => {
    const first = await logIn(claims, provider)
    world.provider.revoke()
    expect(await refresh(first.refresh_token)).toMatchObject({ status: 401, code: 'INVALID_CREDENTIALS' })
    expect([await statusAt(world.url, first), await world.rows('select 1 from platform_provider_sessions')]).toEqual([
      401,
      [],
    ])
  })

  test('stays as it is while the provider gives no answer', async () => {
    const first = await logIn(claims, provider)
    for (const answer of [
      { '/token': (response: { destroy: () => unknown }) => void response.destroy() },
      { '/token': (response: import('node:http').ServerResponse) => void response.writeHead(500).end('down') },
    ]) {
      world.provider.lies = { answer }
      expect(await refresh(first.refresh_token)).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' })
    }
    world.provider.lies = {}
    expect((await refresh(first.refresh_token)).status).toBe(200)
  })
})

test('a session of the legacy generation lives on a refresh token, too', async () => {
  const token = await logInLegacy({ sub: 'ida', email: 'ida@example.com' })
  const asked = world.provider.asked.filter((path) => path === '/token').length
  const second = await postJson('/_/auth/refresh', { token })
  expect([second.status, world.provider.asked.filter((path) => path === '/token').length]).toEqual([200, asked + 1])
  world.provider.revoke()
  expect((await postJson('/_/auth/refresh', { token: second.token })).status).toBe(404)
  expect(await world.rows('select 1 from platform_provider_sessions')).toEqual([])
})

test('a session without a refresh token of the provider does not ask it', async () => {
  const first = await logIn({ sub: 'hal' }, 'open')
  world.provider.asked.length = 0
  expect([(await refresh(first.refresh_token)).status, world.provider.asked]).toEqual([200, []])
})
