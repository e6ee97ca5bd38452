/** A hostile page, or a hostile person at an honest provider: nobody gets into the account of somebody else. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { signFlow } from '../src/tokens/flow-tokens.ts'
import { codeAt } from '../src/tokens/one-time-codes.ts'
import { type LoginBrowser, openBrowser } from './login-browser.ts'
import { signToken } from './played-provider.ts'
import {
  type Answer,
  expectRefused,
  forgetLogins,
  mallory,
  noProof,
  noToken,
  notYours,
  type Refusal,
} from './provider-refusals.ts'
import { editors, openProvidersWorld, secret } from './providers-world.ts'

const world = await openProvidersWorld()
afterAll(() => world.close())
beforeEach(() => forgetLogins(world))

type Begun = { readonly browser: LoginBrowser; readonly page: string; readonly back: URL }

const begin = async (name = 'keycloak', claims: object = mallory): Promise<Begun> => {
  const browser = openBrowser(world.url)
  const page = await browser.begin(name)
  return { browser, page, back: world.provider.consent(page, { ...claims }) }
}

const changed = (back: URL, change: (search: URLSearchParams) => void): URL => {
  const url = new URL(back)
  change(url.searchParams)
  return url
}

const cookie = 'platform_login_keycloak'

const flow = (key: string, project = '_'): string => {
  const id = '33333333-3333-4333-8333-333333333333'
  const callback = `${world.url}/auth/login/keycloak/callback`
  const made = { id, provider: 'keycloak', callback, page: null, mode: 'json', otp: null, memory: null }
  return signFlow(made, { issuedAt: new Date(), ttl: 60_000 }, { secret: key, project })
}

/** An answer to the browser that began the login, with other parameters. */
const answered = (change: (search: URLSearchParams) => void) => async (): Promise<Answer> => {
  const { browser, back } = await begin()
  return browser.get(changed(back, change))
}

/** The honest answer to a browser with another cookie. */
const carrying = (held: () => string) => async (): Promise<Answer> => {
  const { browser, back } = await begin()
  browser.cookies.set(cookie, held())
  return browser.get(back)
}

/** The answer of one provider at the callback of another, with these cookies. */
const mixedUp = (carry: (browser: LoginBrowser) => void) => async (): Promise<Answer> => {
  const { browser, back } = await begin()
  carry(browser)
  const url = new URL(back)
  url.pathname = '/auth/login/strict/callback'
  return browser.get(url)
}

const codeOfAnother = async (): Promise<Answer> => {
  const { back } = await begin()
  return answered((search) => search.set('code', back.searchParams.get('code') ?? ''))()
}

const twice: Refusal = [400, 'INVALID_QUERY']

const ways: readonly (readonly [name: string, attack: () => Promise<Answer>, expected: Refusal])[] = [
  ['the answer of an attacker', async () => openBrowser(world.url).get((await begin()).back), noToken],
  ['the answer of an attacker during a login', async () => (await begin()).browser.get((await begin()).back), noToken],
  ['an answer without state', answered((search) => search.delete('state')), twice],
  ['an answer with another state', answered((search) => search.set('state', 'x'.repeat(43))), noToken],
  ['an answer with an empty state', answered((search) => search.set('state', '')), noToken],
  ['an answer with two states', answered((search) => search.append('state', 'other')), twice],
  ['an answer with two codes', answered((search) => search.append('code', 'other')), twice],
  ['an answer without code', answered((search) => search.delete('code')), noProof],
  ['the code of another login', codeOfAnother, noProof],
  ['an invented code', answered((search) => search.set('code', 'invented')), noProof],
  ['an error beside a code', answered((search) => search.set('error', 'access_denied')), noProof],
  ['an answer of another issuer (mix-up)', answered((search) => search.set('iss', 'https://other.example')), noProof],
  ['an answer of no issuer (mix-up)', answered((search) => search.delete('iss')), noProof],
  ['the answer of another provider (mix-up)', mixedUp(() => {}), noToken],
  [
    'the answer and the cookie of another provider (mix-up)',
    mixedUp(({ cookies }) => cookies.set('platform_login_strict', cookies.get(cookie) ?? '')),
    noToken,
  ],
  ['an ID token beside a code', answered((search) => search.set('id_token', signToken(mallory))), noProof],
  ['a cookie that is signed with another key', carrying(() => flow('another-key-of-the-attacker-itself')), noToken],
  ['a cookie of another project', carrying(() => flow(secret, 'blog')), noToken],
  ['a cookie that is no token', carrying(() => 'x'), noToken],
  ['a cookie of 6 kB', carrying(() => 'x'.repeat(6000)), noToken],
]

describe('an answer that does not belong to the login', () => {
  test.each(ways)('%s', async (_, attack, expected) => {
    await expectRefused(world, await attack(), expected)
  })
})

test('an answer counts once, in the same browser too', async () => {
  const { browser, back } = await begin()
  const held = browser.cookies.get(cookie) ?? ''
  expect((await browser.get(back)).status).toBe(200)
  await world.rows('delete from platform_sessions')
  expect(browser.cookies.has(cookie)).toBe(false)
  browser.cookies.set(cookie, held)
  await expectRefused(world, await browser.get(back), noToken)
})

test('two answers at once open one session', async () => {
  const { browser, back } = await begin()
  const statuses = (await Promise.all([browser.get(back), browser.get(back), browser.get(back)])).map(
    ({ status }) => status,
  )
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 403, 403])
})

test('a session that an attacker has put into the browser is not the one of the user', async () => {
  const attacker = await world.logIn('keycloak', mallory, { query: '?redirect=/' })
  const planted = attacker.browser.cookies.get('platform_session_token') ?? ''
  const browser = openBrowser(world.url)
  browser.cookies.set('platform_session_token', planted)
  await world.logIn('keycloak', { sub: 'victim' }, { query: '?redirect=/', browser })
  expect(browser.cookies.get('platform_session_token')).not.toBe(planted)
  const users = await world.rows('select distinct "user" from platform_sessions')
  expect(users).toHaveLength(2)
})

const pages = [
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  'https:evil.example/',
  'http://127.0.0.1:1/',
  'javascript:alert(1)',
  'data:text/html,x',
  'https://app.example.com/',
  'https://app.example.com/done/more',
  'https://app.example.com/done/../other',
  'https://app.example.com.evil.example/done',
  'https://user@app.example.com/done',
  'http://app.example.com/done',
  'https://app.example.com:444/done',
  '\thttps://evil.example',
  'https://evil.example/%0d%0aSet-Cookie:a=b',
  'ht\ntps://evil.example',
]

test.each(pages)('no login leads to %j', async (page) => {
  const { status, body } = await openBrowser(world.url).get(`/auth/login/keycloak?redirect=${encodeURIComponent(page)}`)
  expect([status, body]).toMatchObject([
    400,
    { error: { code: 'INVALID_QUERY', message: expect.stringContaining('redirect') } },
  ])
})

test('a page cannot add headers to the answer', async () => {
  const page = encodeURIComponent('/a\r\nset-cookie: b=c\r\n\r\n<p>')
  const { status, location, browser } = await world.logIn('keycloak', mallory, { query: `?redirect=${page}` })
  expect([status, location]).toEqual([302, `${world.url}/aset-cookie:%20b=c%3Cp%3E`])
  expect([...browser.cookies.keys()]).toEqual(['platform_session_token'])
})

test('tokens never go into the address of a page', async () => {
  const { status, body } = await openBrowser(world.url).get('/auth/login/keycloak?redirect=/&mode=json')
  expect([status, body]).toMatchObject([400, { error: { code: 'INVALID_QUERY' } }])
})

const adminEmail = { sub: 'mallory', email: 'admin@example.com' }

const takeovers: readonly (readonly [name: string, provider: string, claims: object, expected: Refusal])[] = [
  ['an address that the provider has not verified', 'open', { ...adminEmail, email_verified: false }, notYours],
  ['an address of which the provider says nothing', 'open', adminEmail, notYours],
  ['a verdict that is a text', 'open', { ...adminEmail, email_verified: 'yes' }, notYours],
  ['a verdict that is a number', 'open', { ...adminEmail, email_verified: 1 }, notYours],
  ['a verdict that is an object', 'open', { ...adminEmail, email_verified: { valueOf: true } }, notYours],
  ['an address in capitals', 'open', { ...adminEmail, email: 'ADMIN@EXAMPLE.COM' }, notYours],
  ['a verified address where the operator links none', 'keycloak', { ...adminEmail, email_verified: true }, notYours],
  [
    'a verified address with white space around it',
    'open',
    { ...adminEmail, email: ' admin@example.com', email_verified: true },
    noProof,
  ],
  [
    'an identifier with white space around the address of another user',
    'strict',
    { ...adminEmail, email: '\u00a0admin@example.com', email_verified: true },
    noProof,
  ],
  ['an unverified address as identifier', 'strict', { ...adminEmail, email_verified: false }, noProof],
  ['an identifier that is an address of another user', 'strict', { ...adminEmail, email_verified: true }, notYours],
  ['an address that is not verified, for a new account', 'strict', { sub: 'x', email: 'new@example.com' }, noProof],
  ['no address where it is the identifier', 'strict', { sub: 'x', email_verified: true }, noProof],
  ['an identifier with control characters', 'github', { data: { id: 'admin\u0000' } }, noProof],
  ['an identifier that is too long', 'github', { data: { id: 'a'.repeat(256) } }, noProof],
  ['an identifier that is an object', 'github', { data: { id: { id: 1 } } }, noProof],
  ['an identifier from a prototype', 'github', { data: { __proto__: { id: 'admin' } } }, noProof],
  ['an unknown person where nobody registers', 'open', mallory, noProof],
]

test.each(takeovers)('no account is taken over by %s', async (_, name, claims, expected) => {
  await expectRefused(world, await world.logIn(name, { ...claims }), expected)
})

const owner = { sub: 'owner', email: 'owner@example.com', email_verified: true }

const ownersLost: readonly (readonly [name: string, change: string, expected: Refusal])[] = [
  ['is suspended', `update platform_users set status = 'suspended' where email = 'owner@example.com'`, notYours],
  ['is a draft', `update platform_users set status = 'draft' where email = 'owner@example.com'`, notYours],
  [
    'belongs to another provider',
    `update platform_users set provider = 'github' where email = 'owner@example.com'`,
    notYours,
  ],
  [
    'may have been registered by anybody',
    'update platform_settings set public_registration = true, public_registration_verify_email = false',
    notYours,
  ],
]

test.each(ownersLost)('no account is linked that %s', async (_, change, expected) => {
  await world.insertLocal('owner@example.com')
  await world.rows(change)
  await expectRefused(world, await world.logIn('open', owner), expected)
})

test('a linked account that is suspended stays closed', async () => {
  await world.insertLocal('owner@example.com')
  expect((await world.logIn('open', owner)).status).toBe(200)
  await world.rows(`update platform_users set status = 'suspended' where email = 'owner@example.com'`)
  await world.rows('delete from platform_sessions')
  await expectRefused(world, await world.logIn('open', owner), [401, 'USER_SUSPENDED'])
})

test('the identifier of a user is not that of a user of another provider', async () => {
  const [admin] = await world.rows(
    `select external_identifier as id from platform_users where email = 'admin@example.com'`,
  )
  expect((await world.logIn('keycloak', { sub: admin?.['id'] })).status).toBe(200)
  expect((await world.logIn('github', { data: { id: 'shared' } })).status).toBe(200)
  expect((await world.logIn('keycloak', { sub: 'shared' })).status).toBe(200)
  // Each login is of an account of its own, and none of the administrator's.
  const sessions = await world.rows(`select u.provider, u.external_identifier, u.email
    from platform_sessions s join platform_users u on u.id = s."user" order by u.provider, u.external_identifier`)
  const github = { provider: 'github', external_identifier: 'shared', email: null }
  const ofKeycloak = [admin?.['id'], 'shared'].map((external_identifier) => ({
    provider: 'keycloak',
    external_identifier,
    email: null,
  }))
  expect(sessions).toHaveLength(3)
  expect(sessions).toEqual(expect.arrayContaining([github, ...ofKeycloak]))
})

test('an unverified address is not kept from its owner', async () => {
  expect((await world.logIn('keycloak', { ...mallory, email: 'free@example.com', email_verified: false })).status).toBe(
    200,
  )
  expect(await world.rows(`select email from platform_users where external_identifier = 'mallory'`)).toEqual([
    { email: null },
  ])
})

const roleOf = async (identifier: string): Promise<unknown> =>
  (await world.rows('select role from platform_users where external_identifier = $1', [identifier]))[0]?.['role']

test.each([
  ['of an object', { toString: 'admins', constructor: {}, __proto__: { admins: 1 } }],
  ['with other spelling', ['Admins', ' admins', 'admins\u0000', 'ADMINS']],
  ['in a list in a list', [['admins']]],
  ['in an object in a list', [{ name: 'admins' }]],
  ['separated by commas', 'editors-no,admins'],
  ['that are numbers', 42],
  ['of an object that denies them', { admins: false, editors: null }],
])('nobody is promoted by names of groups %s', async (_, groups) => {
  expect((await world.logIn('keycloak', { ...mallory, groups })).status).toBe(200)
  expect(await roleOf('mallory')).toBe(null)
})

test('nobody is promoted by groups that the operator does not map', async () => {
  await world.logIn('github', { data: { id: 'mallory' }, groups: ['admins'], role: 'admin', admin_access: true })
  expect(await roleOf('mallory')).toBe(editors)
})

test('names cannot carry control characters or more than their columns hold', async () => {
  await world.logIn('keycloak', { ...mallory, given_name: 'a\r\nb', family_name: '🎉'.repeat(500) })
  expect(
    await world.rows(`select first_name, last_name from platform_users where external_identifier = 'mallory'`),
  ).toEqual([{ first_name: null, last_name: '🎉'.repeat(50) }])
})

test('a second factor is asked for, and counts once', async () => {
  await world.logIn('keycloak', mallory)
  const key = 'WS36IYF5QGENQ3NE3UTBJN2AVYXYFX4G'
  await world.rows(`update platform_users set tfa_secret = $1 where external_identifier = 'mallory'`, [key])
  await world.rows('delete from platform_sessions')
  await expectRefused(world, await world.logIn('keycloak', mallory), [401, 'INVALID_OTP'])
  await expectRefused(world, await world.logIn('keycloak', mallory, { query: '?otp=000000' }), [401, 'INVALID_OTP'])
  const query = `?otp=${codeAt(key, new Date())}`
  expect((await world.logIn('keycloak', mallory, { query })).status).toBe(200)
  await world.rows('delete from platform_sessions')
  await expectRefused(world, await world.logIn('keycloak', mallory, { query }), [401, 'INVALID_OTP'])
})
