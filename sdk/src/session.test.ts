import { expect, test } from 'vitest'
import { createCurrentClient } from './current.ts'
import { TandemApiError } from './errors.ts'
import { createLegacyClient } from './legacy.ts'
import { observedFetch } from './observed-fetch.ts'
import { createSession } from './session.ts'
import type { Tokens } from './token-storage.ts'

type Schema = { articles: { id: number }[] }

const issued = (name: string) => ({
  body: { data: { access_token: name, refresh_token: `${name}-r`, expires: 900_000 } },
})
const found = { body: { data: [{ id: 1 }] } }

const token = (exp: number) => `x.${btoa(JSON.stringify({ exp }))}.y`
const reply = (exp: number) => ({ body: { data: { token: token(exp) } } })

test('concurrent requests share one renewal', async () => {
  let renewals = 0
  const session = createSession({
    now: () => 0,
    renew: async () => ({ access: `new-${++renewals}`, refresh: 'r', expires: 1 }),
  })
  await session.write({ access: 'old', refresh: 'r', expires: 10 })
  expect(await Promise.all([session.token(), session.token(), session.token()])).toEqual(['new-1', 'new-1', 'new-1'])
  expect(await session.token()).toBe('new-2')
})

test('a token is renewed when the margin before its expiry begins', async () => {
  let now = 0
  const renewed: Tokens = { access: 'new', refresh: 'r', expires: 1_000_000 }
  const session = createSession({ now: () => now, renew: async () => renewed, margin: 30 })
  await session.write({ access: 'old', refresh: 'r', expires: 100 })
  now = 69
  expect(await session.token()).toBe('old')
  now = 70
  expect(await session.token()).toBe('new')
})

test('a refused renewal ends the session, a failed one keeps it', async () => {
  const tokens: Tokens = { access: 'old', refresh: 'r', expires: 0 }
  const outcomes = [new TypeError('offline'), new TandemApiError('current', 401, null)]
  const session = createSession({ now: () => 0, renew: async () => Promise.reject(outcomes.shift()) })
  await session.write(tokens)
  await expect(session.token()).rejects.toThrow('offline')
  expect(await session.read()).toBe(tokens)
  await expect(session.token()).rejects.toMatchObject({ status: 401 })
  expect(await session.read()).toBeNull()
  expect(await session.token()).toBeNull()
})

test('a client of the current generation logs in, renews before the expiry and logs out', async () => {
  let now = 0
  const { fetch, asked } = observedFetch([issued('a'), found, issued('b'), found, { status: 204 }, found])
  const client = createCurrentClient<Schema>({ url: 'http://api.example', fetch, now: () => now })
  await client.login({ email: 'a@example.com', password: 'p' })
  await client.items('articles').read()
  now = 880_000
  await client.items('articles').read()
  await client.logout()
  await client.items('articles').read()
  expect(
    asked.map(({ method, url, headers }) => [method, new URL(url).pathname, headers.get('authorization')]),
  ).toEqual([
    ['POST', '/auth/login', null],
    ['GET', '/items/articles', 'Bearer a'],
    ['POST', '/auth/refresh', null],
    ['GET', '/items/articles', 'Bearer b'],
    ['POST', '/auth/logout', null],
    ['GET', '/items/articles', null],
  ])
  expect(asked[2]?.body).toBe('{"mode":"json","refresh_token":"a-r"}')
  expect(asked[4]?.body).toBe('{"mode":"json","refresh_token":"b-r"}')
})

test('in cookie mode the refresh token stays with the browser', async () => {
  const cookieIssued = { body: { data: { access_token: 'a', expires: 900_000 } } }
  const { fetch, asked } = observedFetch([cookieIssued])
  const client = createCurrentClient<Schema>({ url: 'http://api.example', fetch, mode: 'cookie' })
  await client.refresh()
  expect(asked[0]?.body).toBe('{"mode":"cookie"}')
})

test('a client of the legacy generation reads the expiry from the token', async () => {
  let now = 0
  const { fetch, asked } = observedFetch([reply(1200), found, reply(2400), found])
  const client = createLegacyClient<Schema>({ url: 'http://api.example', fetch, now: () => now })
  await client.login({ email: 'a@example.com', password: 'p' })
  await client.items('articles').read()
  now = 1_180_000
  await client.items('articles').read()
  expect(asked.map(({ url, headers }) => [new URL(url).pathname, headers.get('authorization')])).toEqual([
    ['/_/auth/authenticate', null],
    ['/_/items/articles', `Bearer ${token(1200)}`],
    ['/_/auth/refresh', null],
    ['/_/items/articles', `Bearer ${token(2400)}`],
  ])
})

test('a static token is sent as it is and never renewed', async () => {
  const { fetch, asked } = observedFetch([found])
  await createLegacyClient<Schema>({ url: 'http://api.example', fetch, token: 't', project: 'shop' })
    .items('articles')
    .read()
  expect(asked[0]).toMatchObject({ url: 'http://api.example/shop/items/articles' })
  expect(asked[0]?.headers.get('authorization')).toBe('Bearer t')
})

const named = { url: 'http://api.example', client: 'shop-frontend/2.3', token: 't', project: 'shop' } as const

test('the name of the application goes with every request, in both generations', async () => {
  const { fetch, asked } = observedFetch([found, found, found])
  await createCurrentClient<Schema>({ ...named, fetch })
    .items('articles')
    .read()
  await createLegacyClient<Schema>({ ...named, fetch })
    .items('articles')
    .read()
  const headers = { 'X-Client': 'shop-backend/1' }
  await createLegacyClient<Schema>({ ...named, fetch, headers })
    .items('articles')
    .read()
  expect(asked.map((each) => each.headers.get('x-client'))).toEqual([named.client, named.client, 'shop-backend/1'])
  // @ts-expect-error A name without a version is none.
  createCurrentClient<Schema>({ ...named, client: 'shop-frontend' })
})

test('headers of the application go with every request, beside the project', async () => {
  const { fetch, asked } = observedFetch([found])
  const headers = { 'X-Client': 'shop-frontend/2.3' }
  await createCurrentClient<Schema>({ url: 'http://api.example', fetch, token: 't', project: 'shop', headers })
    .items('articles')
    .read()
  const sent = asked[0]?.headers
  expect([sent?.get('x-client'), sent?.get('x-platform-project')]).toEqual(['shop-frontend/2.3', 'shop'])
})
