/** Logouts at a SAML provider of browsers with a session cookie of the legacy generation. */
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createSigningKey } from './certificate.ts'
import { type LoginBrowser, openBrowser } from './login-browser.ts'
import { answerSaml, type Person, readSamlRequest, samlMetadata } from './played-saml.ts'
import { answerLogout, logoutService, readMessage } from './played-saml-logout.ts'
import { forgetLogins } from './provider-refusals.ts'
import { ada, logInBySaml, openSamlWorld, otherEntity } from './saml-world.ts'

const own = createSigningKey('data.example.com')
const done = 'https://app.example.com/done'
const cookie = 'platform-_-session'
const world = await openSamlWorld({
  AUTH_CORP_IDP_metadata: samlMetadata({}, logoutService),
  AUTH_CORP_SP_privateKey: own.key,
  AUTH_OTHER_IDP_metadata: samlMetadata({ issuer: otherEntity }, logoutService),
  AUTH_OTHER_SP_privateKey: own.key,
})
afterAll(() => world.close())
beforeEach(() => forgetLogins(world))

/** A browser that logged in by the legacy generation. */
async function browse(name = 'corp'): Promise<LoginBrowser> {
  const browser = openBrowser(world.url)
  const begun = await browser.get(`/_/auth/sso/${name}?mode=cookie&redirect_url=/welcome`)
  const { data } = begun.body as { readonly data: { readonly authorization_url: string } }
  const request = readSamlRequest(data.authorization_url)
  const { status } = await browser.post(request.callback, answerSaml(request, ada, liesOf('old', name)))
  expect([status, [...browser.cookies.keys()]]).toEqual([302, [cookie]])
  return browser
}

const liesOf = (session: string, name: string) => (name === 'other' ? { session, issuer: otherEntity } : { session })

/** The refresh token of a login by the current generation. */
async function logIn(name: string, person: Person): Promise<string> {
  const { status, body } = await logInBySaml(world.url, { name, person, lies: liesOf('one', name) })
  expect(status).toBe(200)
  return (body as { readonly data: { readonly refresh_token: string } }).data.refresh_token
}

const sessions = async (): Promise<number> => (await world.rows('select id from platform_sessions')).length

test('the session ends here, then at the provider, which leads back', async () => {
  const browser = await browse()
  const { status, location } = await browser.post('/auth/login/corp/logout', { redirect: done })
  expect([status, await sessions(), [...browser.cookies.keys()]]).toEqual([302, 0, ['platform_logout_corp']])
  const request = readMessage(location ?? '', own.certificate)
  expect([request.page, request.xml]).toEqual([
    'https://login.example.com/slo',
    expect.stringMatching(/SessionIndex[^>]*>old</),
  ])
  const address = `${world.url}/auth/login/corp/slo`
  const back = await browser.get(`${address}?${answerLogout(address, { ...request, request: request.id }).toQuery()}`)
  expect([back.status, back.location, [...browser.cookies.keys()]]).toEqual([302, done, []])
})

test.each([
  ['corp', 'other', 'one'],
  ['other', 'corp', 'old'],
])('with cookies of both generations, from %s and %s, both sessions end', async (name, legacy, index) => {
  const browser = await browse(legacy)
  browser.cookies.set('platform_refresh_token', await logIn(name, { id: 'ada-1' }))
  const { location } = await browser.post('/auth/login/corp/logout', { redirect: done })
  expect([await sessions(), [...browser.cookies.keys()]]).toEqual([0, ['platform_logout_corp']])
  expect(readMessage(location ?? '', own.certificate).xml).toMatch(new RegExp(`SessionIndex[^>]*>${index}<`))
})

test('a refresh token in the form ends no session of a cookie', async () => {
  const browser = await browse()
  const { location } = await browser.post('/auth/login/corp/logout', { refresh_token: await logIn('corp', ada) })
  expect([await sessions(), browser.cookies.has(cookie)]).toEqual([1, true])
  expect(readMessage(location ?? '', own.certificate).xml).toMatch(/SessionIndex[^>]*>one</)
})

test('a cookie that nobody signed, or of another project, ends nothing', async () => {
  const token = (await browse()).cookies.get(cookie) ?? ''
  for (const [name, value] of [
    [cookie, `${token}x`],
    [cookie, 'static-text'],
    ['platform-other-session', token],
  ] as const) {
    const browser = openBrowser(world.url)
    browser.cookies.set(name, value)
    const { location } = await browser.post('/auth/login/corp/logout', { redirect: done })
    expect([location, await sessions()]).toEqual([done, 1])
  }
})

test('a page of another site ends nothing', async () => {
  const token = (await browse()).cookies.get(cookie) ?? ''
  const answer = await fetch(`${world.url}/auth/login/corp/logout`, {
    method: 'POST',
    headers: { cookie: `${cookie}=${token}`, origin: 'https://evil.example' },
    body: new URLSearchParams({ redirect: done }),
  })
  expect([answer.status, await sessions()]).toEqual([403, 1])
})
