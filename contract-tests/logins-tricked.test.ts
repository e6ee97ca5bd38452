/** Tricks with spellings, headers, tokens of another purpose, and doors beside those of the providers. */
import { once } from 'node:events'
import { request } from 'node:http'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { openBrowser } from './login-browser.ts'
import { directorySettings, person, playDirectory } from './played-directory.ts'
import { type Answer, expectRefused, forgetLogins, mallory, noProof, noToken } from './provider-refusals.ts'
import { editors, openProvidersWorld } from './providers-world.ts'
import { send } from './send.ts'
import { hasSlapd, startSlapd } from './slapd.ts'

const directory = await (hasSlapd() ? startSlapd : playDirectory)([person('ada')])
const world = await openProvidersWorld({
  AUTH_PROVIDERS: 'keycloak,github,open,strict,corp',
  ...directorySettings('CORP', directory),
})
afterAll(async () => {
  await world.close()
  await directory.close()
})
beforeEach(() => forgetLogins(world))

const post = (path: string, body: object, headers: HeadersInit = {}, server: string = world.url) =>
  send(server, `POST ${path}`, { body, headers })

const tokenOf = ({ body }: Pick<Answer, 'body'>): string =>
  (body as { readonly data: { readonly access_token: string } }).data.access_token

const kelvin = '\u212a'

test.each([
  ['with the Kelvin sign in place of a letter', 'open', { ...mallory, email: `mar${kelvin}@example.com` }],
  ['with a dotted capital in place of a letter', 'open', { ...mallory, email: 'n\u0130na@example.com' }],
  ['as identifier, with the Kelvin sign', 'strict', { ...mallory, email: `mar${kelvin}@example.com` }],
])('an address %s is not that of a user', async (_, name, claims) => {
  await world.insertLocal('mark@example.com')
  await world.insertLocal('nina@example.com')
  if (name === 'strict') {
    const text = `update platform_users set provider = 'strict', external_identifier = email where email = 'mark@example.com'`
    await world.rows(text)
  }
  await expectRefused(world, await world.logIn(name, claims), noProof)
})

test.each([' ada', 'ada ', '\u00a0ada', 'ada\ufeff'])(
  'the identifier "%s" is not that of another user',
  async (sub) => {
    expect((await world.logIn('keycloak', { sub: 'ada' })).status).toBe(200)
    await world.rows('delete from platform_sessions')
    await expectRefused(world, await world.logIn('keycloak', { sub }), noProof)
  },
)

test.each([2 ** 53, 1.5, -0.1, 1e300])('the number %d, which has lost digits, is no identifier', async (id) => {
  await expectRefused(world, await world.logIn('github', { sub: 'x', data: { id } }), noProof)
})

test('the token of a session is no cookie of a login, and that cookie is no token of a session', async () => {
  const token = tokenOf(await world.logIn('keycloak', { sub: 'ada' }))
  const browser = openBrowser(world.url)
  const page = await browser.begin('keycloak')
  const cookie = browser.cookies.get('platform_login_keycloak') ?? ''
  const headers = { authorization: `Bearer ${cookie}` }
  const refused = await fetch(`${world.url}/users/me`, { headers })
  expect([refused.status, await refused.json()]).toMatchObject([403, { error: { code: 'INVALID_TOKEN' } }])
  expect((await post('/auth/refresh', { refresh_token: cookie })).status).toBe(401)
  await world.rows('delete from platform_sessions')
  browser.cookies.set('platform_login_keycloak', token)
  await expectRefused(world, await browser.get(world.provider.consent(page, { sub: 'ada' })), noToken)
})

test('headers that name another server do not change the address of the callback', async () => {
  const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' }
  const asked = request(`${world.url}/auth/login/keycloak?redirect=/done`, { headers }).end()
  const [answer] = (await once(asked, 'response')) as [import('node:http').IncomingMessage]
  answer.resume()
  const { searchParams } = new URL(answer.headers.location ?? '')
  expect([answer.statusCode, searchParams.get('redirect_uri')]).toEqual([
    302,
    `${world.url}/auth/login/keycloak/callback`,
  ])
})

test.each(['/%09/evil.example', '/%0a/evil.example', '%09//evil.example', '///evil.example', '/.//evil.example'])(
  'the page %s is none of others',
  async (page) => {
    const browser = openBrowser(world.url)
    const { status, location } = await browser.get(`/auth/login/keycloak?redirect=${page}`)
    if (status === 400) return expect(location).toBeNull()
    const back = await browser.get(world.provider.consent(location ?? '', { sub: 'ada' }))
    expect([status, new URL(back.location ?? '').origin]).toEqual([302, world.url])
  },
)

test('guesses of a password count together, however a directory lets its names be spelled', async () => {
  const limited = await openProvidersWorld({
    AUTH_PROVIDERS: 'corp',
    ...directorySettings('CORP', directory),
    RATE_LIMITER_LOGIN_ENABLED: 'true',
    RATE_LIMITER_LOGIN_POINTS: '3',
  })
  const statuses: number[] = []
  for (const identifier of ['ada', 'A\u00adda', 'ad\uff41', 'ADA', '\u200bada'])
    statuses.push((await post('/auth/login/corp', { identifier, password: 'wrong' }, {}, limited.url)).status)
  await limited.close()
  expect(statuses).toEqual([401, 401, 401, 429, 429])
})

test('two pages to return to are refused', async () => {
  const { status } = await openBrowser(world.url).get('/auth/login/keycloak?redirect=/a&redirect=https://evil.example/')
  expect(status).toBe(400)
})

test.each(['prompt', 'otp'])('%s adds no parameters to the page of the provider', async (name) => {
  const value = encodeURIComponent('login&redirect_uri=https://evil.example/&client_id=other#x')
  const { status, location } = await openBrowser(world.url).get(`/auth/login/keycloak?${name}=${value}`)
  const { searchParams, hash } = new URL(location ?? world.url)
  const found = [searchParams.getAll('redirect_uri'), searchParams.getAll('client_id'), hash]
  if (status === 302) expect(found).toEqual([[`${world.url}/auth/login/keycloak/callback`], ['tandem'], ''])
  else expect(status).toBe(400)
})

test('what a provider says of an error is not shown', async () => {
  const browser = openBrowser(world.url)
  const { searchParams } = new URL(await browser.begin('keycloak'))
  const script = '<script>alert(1)</script>'
  const state = searchParams.get('state') ?? ''
  const query = new URLSearchParams({ state, error: script, error_description: script, error_uri: script })
  const answer = await browser.get(`/auth/login/keycloak/callback?${query}`)
  expect(JSON.stringify(answer.body)).not.toContain('script')
  await expectRefused(world, answer, noProof)
})

test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
  'a form of another site (%s) logs nobody in by a directory',
  async (type) => {
    const body = { identifier: 'ada', password: 'correct-horse-42', mode: 'session' }
    const answer = await post('/auth/login/corp', body, { 'content-type': type, origin: 'https://evil.example' })
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([415, []])
    expect(await world.rows('select id from platform_sessions')).toEqual([])
  },
)

test('a password in the account of a provider opens no session by password, in either generation', async () => {
  await world.logIn('keycloak', { sub: 'ada', email: 'ada@example.com', email_verified: true })
  await world.insertLocal('local@example.com')
  await world.rows(`update platform_users set password =
    (select l.password from (select password from platform_users where email = 'local@example.com') l)
    where email = 'ada@example.com'`)
  await world.rows('delete from platform_sessions')
  const login = { email: 'ada@example.com', password: 'correct-horse-42' }
  expect((await post('/auth/login', login)).status).toBe(401)
  expect((await post('/_/auth/authenticate', login)).body).toMatchObject({ error: { code: 100 } })
  expect((await post('/auth/login', { ...login, email: 'local@example.com' })).status).toBe(200)
})

test.each([
  ['open', mallory, 'The person has no account here, and nobody may register'],
  ['keycloak', { ...mallory, email: 'admin@example.com' }, 'A user of this server has the address already'],
  ['strict', { ...mallory, email_verified: false }, 'The address that identifies the person is not verified'],
])('the log names the cause of a refusal at %s', async (name, claims, reason) => {
  const before = world.warnings.length
  expect((await world.logIn(name, claims)).status).toBeGreaterThanOrEqual(401)
  const message = 'A login by a provider failed'
  expect(world.warnings.slice(before)).toEqual([{ provider: name, reason, message }])
})

test('the log names the setting that allows a provider at a private address', async () => {
  const closed = await openProvidersWorld({ AUTH_IP_ALLOW_LIST: '10.0.0.0/8' })
  const { status } = await openBrowser(closed.url).get('/auth/login/keycloak')
  await closed.close()
  const reason = expect.stringMatching(/The address is not allowed: AUTH_IP_ALLOW_LIST allows private ones$/)
  expect([status, closed.warnings[0]]).toMatchObject([503, { provider: 'keycloak', reason }])
})

test('nobody occupies the identity of somebody else', async () => {
  const token = tokenOf(await world.logIn('keycloak', { sub: 'mallory' }))
  await world.rows('update platform_users set role = $1', [editors])
  await world.rows(`insert into platform_access (id, role, policy) values (gen_random_uuid(), $1, $2)`, [
    editors,
    '22222222-2222-4222-8222-222222222222',
  ])
  for (const action of ['read', 'update', 'create'])
    await world.rows(
      `insert into platform_permissions (policy, collection, action, fields) values ($1, 'platform_users', $2, '*')`,
      ['22222222-2222-4222-8222-222222222222', action],
    )
  const headers = { authorization: `Bearer ${token}` }
  const change = { provider: 'keycloak', external_identifier: 'victim' }
  const patched = await send(world.url, 'PATCH /users/me', { body: change, token })
  expect(patched.status).toBe(403)
  expect((await post('/users', { email: 'x@example.com', ...change }, headers)).status).toBe(403)
  await world.rows('update platform_settings set public_registration = true')
  const registered = await post('/users/register', { email: 'y@example.com', password: 'correct-horse-42', ...change })
  expect(registered.status).toBe(400)
  expect(await world.rows(`select id from platform_users where external_identifier = 'victim'`)).toEqual([])
})
