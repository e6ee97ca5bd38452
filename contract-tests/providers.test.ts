import { afterAll, beforeEach, expect, test } from 'vitest'
import { seedIds } from '../src/domain/schema/identity.ts'
import { openBrowser } from './login-browser.ts'
import { editors, openProvidersWorld, type ProvidersWorld, writing } from './providers-world.ts'
import { send } from './send.ts'

const world = await openProvidersWorld()
const url = world.url
afterAll(() => world.close())

const rows: ProvidersWorld['rows'] = (...given) => world.rows(...given)
const logIn = (name: string, claims: object, query = '') => world.logIn(name, { ...claims }, { query })

beforeEach(async () => {
  world.provider.lies = {}
  await rows(`delete from platform_users where email is distinct from 'admin@example.com'`)
})

const ann = { sub: 'ann-1', email: 'Ann@Example.com', email_verified: true, given_name: 'Ann', family_name: 'Lee' }

const userOf = async (identifier: string) => {
  const text = `select provider, external_identifier, email, first_name, last_name, role, status from platform_users
    where external_identifier = $1`
  return (await rows(text, [identifier]))[0]
}

const idOf = async (identifier: string) =>
  (await rows('select id from platform_users where external_identifier = $1', [identifier]))[0]

test('the providers are listed', async () => {
  expect((await openBrowser(url).get('/auth')).body).toEqual({
    data: [
      { name: 'keycloak', label: 'Keycloak', driver: 'openid', icon: 'account_circle' },
      { name: 'github', label: 'github', driver: 'oauth2', icon: 'account_circle' },
      { name: 'open', label: 'open', driver: 'openid', icon: 'account_circle' },
      { name: 'strict', label: 'strict', driver: 'openid', icon: 'account_circle' },
      { name: 'late', label: 'late', driver: 'openid', icon: 'account_circle' },
    ],
    disableDefault: false,
  })
})

test('a login asks with PKCE, state and nonce, and what the settings add', async () => {
  const page = new URL(await openBrowser(url).begin('strict', '?prompt'))
  expect(Object.fromEntries(page.searchParams)).toEqual({
    client_id: 'tandem',
    response_type: 'code',
    redirect_uri: `${url}/auth/login/strict/callback`,
    scope: 'openid profile email',
    audience: 'api',
    prompt: 'consent',
    code_challenge_method: 'S256',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
  })
})

test('an unknown identity gets an account, and the same one the next time', async () => {
  const first = await logIn('keycloak', { ...ann, groups: ['editors'] })
  expect([first.status, first.headers.get('cache-control')]).toEqual([200, 'no-store'])
  expect(await userOf('ann-1')).toEqual({
    provider: 'keycloak',
    external_identifier: 'ann-1',
    email: 'ann@example.com',
    first_name: 'Ann',
    last_name: 'Lee',
    role: editors,
    status: 'active',
  })
  const { data } = first.body as { data: { access_token: string; refresh_token: string } }
  const me = await fetch(`${url}/users/me?fields=id`, { headers: { authorization: `Bearer ${data.access_token}` } })
  expect(await me.json()).toEqual({ data: await idOf('ann-1') })
  const renewed = await send(url, 'POST /auth/refresh', { body: { refresh_token: data.refresh_token } })
  expect(renewed.status).toBe(200)
  await logIn('keycloak', { ...ann, given_name: 'Anna', groups: ['editors'] })
  expect(await rows(`select first_name from platform_users where external_identifier = 'ann-1'`)).toEqual([
    { first_name: 'Anna' },
  ])
})

test.each([
  ['/admin/content', '/admin/content', 'platform_session_token'],
  ['https://app.example.com/done?from=here', 'https://app.example.com/done?from=here', 'platform_session_token'],
  ['/admin/content&mode=cookie', '/admin/content', 'platform_refresh_token'],
])('with redirect=%s the browser gets a cookie on %s', async (query, page, cookie) => {
  const { status, location, browser } = await logIn('keycloak', ann, `?redirect=${query}`)
  expect([status, location]).toEqual([302, new URL(page, url).href])
  expect([...browser.cookies.keys()]).toEqual([cookie])
})

test('a failure is told on the page to return to', async () => {
  const { status, location } = await logIn('open', { sub: 'nobody' }, '?redirect=/admin/login?a=1')
  expect([status, location]).toEqual([302, `${url}/admin/login?a=1&reason=INVALID_CREDENTIALS`])
})

test('OAuth 2.0: the profile says who it is, and the mode of the provider counts', async () => {
  const { status, browser } = await logIn('github', { data: { id: 4711 }, email: 'dev@example.com' }, '?redirect=/')
  expect([status, [...browser.cookies.keys()]]).toEqual([302, ['platform_refresh_token']])
  expect(await userOf('4711')).toMatchObject({ provider: 'github', email: 'dev@example.com', role: editors })
})

const directPolicies = async () =>
  (
    await rows(
      `select policy from platform_access where "user" in (select id from platform_users where external_identifier = 'ann-1')`,
    )
  ).map(({ policy }) => policy)

test('groups give and take roles and policies in each login', async () => {
  await logIn('keycloak', { ...ann, groups: ['writers'] })
  expect([(await userOf('ann-1'))?.['role'], await directPolicies()]).toEqual([editors, [writing]])
  await logIn('keycloak', { ...ann, groups: ['editors'] })
  expect([(await userOf('ann-1'))?.['role'], await directPolicies()]).toEqual([editors, []])
  await logIn('keycloak', { ...ann, groups: [] })
  expect((await userOf('ann-1'))?.['role']).toBe(null)
})

test('a role that no group gives stays as an administrator gave it', async () => {
  await rows(`insert into platform_roles (id, name) values (gen_random_uuid(), 'Own')`)
  const [made] = await rows(`select id from platform_roles where name = 'Own'`)
  await logIn('keycloak', ann)
  await rows(`update platform_users set role = $1 where external_identifier = 'ann-1'`, [made?.['id']])
  await logIn('keycloak', { ...ann, groups: ['unknown'] })
  expect((await userOf('ann-1'))?.['role']).toBe(made?.['id'])
})

test('the last administrator keeps the role without the group', async () => {
  await rows(`update platform_users set status = 'suspended' where email = 'admin@example.com'`)
  try {
    await logIn('keycloak', { ...ann, groups: ['admins'] })
    const { status } = await logIn('keycloak', { ...ann, groups: [] })
    expect([status, (await userOf('ann-1'))?.['role']]).toEqual([200, seedIds.administratorRole])
  } finally {
    await rows(`update platform_users set status = 'active' where email = 'admin@example.com'`)
  }
})

test('an account of this server is linked by a verified address, keeps its password, and knows the person', async () => {
  await world.insertLocal('ann@example.com')
  expect((await logIn('open', ann)).status).toBe(200)
  expect((await logIn('open', { ...ann, email: 'other@example.com' })).status).toBe(200)
  const recycled = await logIn('open', { ...ann, sub: 'ann-2' })
  expect([recycled.status, recycled.body]).toMatchObject([403, { error: { code: 'INVALID_PROVIDER' } }])
  const login = { email: 'ann@example.com', password: 'correct-horse-42' }
  const local = await send(url, 'POST /auth/login', { body: login })
  expect(local.status).toBe(200)
})

test('an identifier that is an address is compared without regard to case', async () => {
  await rows(
    `insert into platform_users (id, provider, external_identifier) values (gen_random_uuid(), 'strict', 'ANN@example.com')`,
  )
  expect((await logIn('strict', ann)).status).toBe(200)
  expect(await rows(`select count(*)::int as one from platform_users where provider = 'strict'`)).toEqual([{ one: 1 }])
})

test('two providers may both know the same identifier: they are two people', async () => {
  expect((await logIn('keycloak', { sub: '1', email: 'one@example.com' })).status).toBe(200)
  const { status } = await logIn('github', { data: { id: 1 }, email: 'other@example.com' })
  expect(status).toBe(200)
  const text = `select provider, email from platform_users where external_identifier = '1' order by provider`
  const both = [
    { provider: 'github', email: 'other@example.com' },
    { provider: 'keycloak', email: 'one@example.com' },
  ]
  expect(await rows(text)).toEqual(both)
  await logIn('keycloak', { sub: '1', email: 'one@example.com' })
  expect(await rows(text)).toEqual(both)
  const twice = `insert into platform_users (id, provider, external_identifier) values (gen_random_uuid(), 'github', '1')`
  await expect(rows(twice)).rejects.toThrow()
})
