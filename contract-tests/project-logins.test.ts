/** Logins by providers in projects other than the default one: the state names the project, and the callback is one address. */
import { afterAll, describe, expect, test } from 'vitest'
import { openTestProjects } from '../src/projects/test-projects.ts'
import { type LoginBrowser, openBrowser } from './login-browser.ts'
import { playProvider } from './played-provider.ts'

/** Both projects have the same provider, and so the same names of cookies. */
const provider = await playProvider()
const okta = { client_id: 'tandem', client_secret: 'secret-of-the-client', base_url: provider.url }
const auth = { social_providers: { okta } }
const files = { _: { auth }, shop: { auth, cors: { enabled: true, origin: ['https://shop.example.com'] } } }
const world = await openTestProjects(files, { AUTH_IP_ALLOW_LIST: '127.0.0.0/8', VALIDATE_RESPONSES: 'true' })
await world.ask('GET /server/ping', { headers: { 'x-platform-project': 'shop' } })
afterAll(async () => {
  await world.close()
  await provider.close()
})

const claimsOf = (name: string) => ({ sub: name, email: `${name}@example.com`, email_verified: true })

/** Begins a login, and returns what the provider would answer. */
async function begin(project: string, browser: LoginBrowser = openBrowser(world.url), more = '') {
  const page = await browser.begin('okta', `?project=${project}${more}`)
  return { browser, page: new URL(page), back: provider.consent(page, claimsOf(project)) }
}

const whoIs = async (token: string, project: string) => {
  const headers = { authorization: `Bearer ${token}`, 'x-platform-project': project }
  const { status, body } = await world.ask('GET /users/me?fields=email', { headers })
  return [status, (body as { readonly data?: { readonly email: string } }).data?.email]
}

const tokenIn = (body: unknown): string => (body as { data: { access_token: string } }).data.access_token

test('its providers are listed with the header', async () => {
  const { body } = await world.ask('GET /auth', { headers: { 'x-platform-project': 'shop' } })
  expect(body).toMatchObject({ data: [{ name: 'okta', driver: 'openid' }] })
})

test('a login returns to the one callback, and opens a session in the project that began it', async () => {
  const { browser, page, back } = await begin('shop')
  expect(page.searchParams.get('redirect_uri')).toBe(`${world.url}/auth/login/okta/callback`)
  expect(page.searchParams.get('state')).toMatch(/^[\w-]{43}\.shop$/)
  const { status, body } = await browser.get(back)
  expect([status, await whoIs(tokenIn(body), 'shop')]).toEqual([200, [200, 'shop@example.com']])
})

test('its token is no good for another project', async () => {
  const { browser, back } = await begin('shop')
  const token = tokenIn((await browser.get(back)).body)
  expect((await whoIs(token, '_'))[0]).toBe(403)
})

test('a login of the default project is as before', async () => {
  const browser = openBrowser(world.url)
  const page = await browser.begin('okta')
  expect(new URL(page).searchParams.get('state')).toMatch(/^[\w-]{43}$/)
  expect((await browser.get(provider.consent(page, claimsOf('_')))).status).not.toBe(404)
})

test('a page of the project gets its session in a cookie', async () => {
  const { browser, back } = await begin('shop', openBrowser(world.url), '&redirect=/done')
  const { status, location } = await browser.get(back)
  expect([status, location]).toEqual([302, `${world.url}/done`])
  const cookie = [...browser.cookies].map((each) => each.join('=')).join('; ')
  const ask = (project: string) =>
    world.ask('GET /users/me?fields=email', { headers: { cookie, 'x-platform-project': project } })
  expect([(await ask('shop')).body, (await ask('_')).status]).toEqual([{ data: { email: 'shop@example.com' } }, 403])
})

test('an answer by form comes back to the project, too', async () => {
  const { browser, back } = await begin('shop')
  const { status, body } = await browser.post(back.pathname, Object.fromEntries(back.searchParams))
  expect([status, await whoIs(tokenIn(body), 'shop')]).toEqual([200, [200, 'shop@example.com']])
})

test('a project that does not exist has no logins', async () => {
  const { status } = await openBrowser(world.url).get('/auth/login/okta?project=nowhere')
  expect(status).toBe(404)
})

const refused = async (browser: LoginBrowser, back: URL) => {
  const { status, body } = await browser.get(back)
  expect([status, body]).toMatchObject([403, { error: { code: 'INVALID_TOKEN' } }])
}
const withState = (back: URL, change: (state: string) => string): URL => {
  const changed = new URL(back)
  changed.searchParams.set('state', change(back.searchParams.get('state') ?? ''))
  return changed
}

describe('an answer opens no session', () => {
  test('in another project than that of its login', async () => {
    const { browser, back } = await begin('shop')
    await refused(
      browser,
      withState(back, (state) => state.replace('.shop', '')),
    )
    const own = await begin('_')
    await refused(
      own.browser,
      withState(own.back, (state) => `${state}.shop`),
    )
  })

  test('with the cookie of another project', async () => {
    const [shop, own] = [await begin('shop'), await begin('_')]
    await refused(own.browser, shop.back)
    await refused(shop.browser, own.back)
  })

  test('by form, with the state of another project', async () => {
    const [shop, own] = [await begin('shop'), await begin('_')]
    for (const [browser, back] of [
      [own.browser, shop.back],
      [shop.browser, own.back],
    ] as const) {
      const answer = await browser.post(back.pathname, Object.fromEntries(back.searchParams))
      expect([answer.status, answer.body]).toMatchObject([403, { error: { code: 'INVALID_TOKEN' } }])
    }
  })

  test('twice', async () => {
    const { browser, back } = await begin('shop')
    const cookies = new Map(browser.cookies)
    expect((await browser.get(back)).status).toBe(200)
    for (const [name, value] of cookies) browser.cookies.set(name, value)
    await refused(browser, back)
  })
})

const allowed = async (path: string) => {
  const headers = { origin: 'https://shop.example.com' }
  return (await fetch(`${world.url}${path}`, { headers, redirect: 'manual' })).headers.get(
    'access-control-allow-origin',
  )
}

test('origins are those of the project', async () => {
  expect(await allowed('/auth/login/okta?project=shop')).toBe('https://shop.example.com')
  expect(await allowed('/auth/login/okta')).toBeNull()
})
