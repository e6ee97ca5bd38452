/** Logins by `oidc-provider`, a certified implementation of OpenID Connect, in a process of its own. */
import { generateKeyPairSync } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { openBrowser } from './login-browser.ts'
import { consentAt, followPages, freePort, startOidcProvider } from './oidc-process.ts'
import { openProvidersWorld } from './providers-world.ts'
import { dataIn, send } from './send.ts'

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
afterAll(async () => {
  await world.close()
  provider.kill()
})

const settingsOf = (name: string, values: { readonly [key: string]: string }): { readonly [name: string]: string } =>
  Object.fromEntries(
    Object.entries({ DRIVER: 'openid', ALLOW_PUBLIC_REGISTRATION: 'true', ...values }).map(([key, value]) => [
      `AUTH_${name}_${key}`,
      value,
    ]),
  )

const port = await freePort()
const callback = `http://127.0.0.1:${port}/auth/login/certified/callback`
const started = await startOidcProvider(callback, publicKey.export({ format: 'jwk' }))
const provider = started.child
const issuer = started.issuer
const world = await openProvidersWorld({
  PORT: String(port),
  AUTH_PROVIDERS: 'certified,signer,form,lasting',
  ...settingsOf('LASTING', {
    CLIENT_ID: 'lasting',
    CLIENT_SECRET: 'secret-of-the-lasting',
    ISSUER_URL: started.issuer,
    SCOPE: 'openid email offline_access',
    PARAMS: '{"login_hint":"dan","prompt":"consent"}',
  }),
  ...settingsOf('SIGNER', {
    CLIENT_ID: 'signer',
    CLIENT_TOKEN_ENDPOINT_AUTH_METHOD: 'private_key_jwt',
    CLIENT_PRIVATE_KEYS: JSON.stringify([{ ...privateKey.export({ format: 'jwk' }), alg: 'ES256' }]),
    ISSUER_URL: started.issuer,
    PARAMS: '{"login_hint":"bob"}',
  }),
  ...settingsOf('FORM', {
    CLIENT_ID: 'form',
    CLIENT_SECRET: 'secret-of-the-form',
    ISSUER_URL: started.issuer,
    PARAMS: '{"login_hint":"cyd","response_mode":"form_post"}',
  }),
  AUTH_CERTIFIED_DRIVER: 'openid',
  AUTH_CERTIFIED_CLIENT_ID: 'tandem',
  AUTH_CERTIFIED_CLIENT_SECRET: 'secret-of-the-client',
  AUTH_CERTIFIED_ISSUER_URL: `${started.issuer}/.well-known/openid-configuration`,
  AUTH_CERTIFIED_ALLOW_PUBLIC_REGISTRATION: 'true',
  AUTH_CERTIFIED_REQUIRE_VERIFIED_EMAIL: 'true',
  AUTH_CERTIFIED_PARAMS: '{"login_hint":"ada"}',
})

test('a login by a certified provider opens a session, and its answer counts once', async () => {
  const browser = openBrowser(world.url)
  const back = await consentAt(await browser.begin('certified', '?redirect=/done'), world.url)
  const held = new Map(browser.cookies)
  const { status, location } = await browser.get(back)
  expect([status, location, [...browser.cookies.keys()]]).toEqual([
    302,
    `${world.url}/done`,
    ['platform_session_token'],
  ])
  const text = 'select external_identifier, email, first_name, last_name from platform_users where provider = $1'
  expect(await world.rows(text, ['certified'])).toEqual([
    { external_identifier: 'ada', email: 'ada@example.com', first_name: 'Ada', last_name: 'ada' },
  ])
  for (const [name, value] of held) browser.cookies.set(name, value)
  expect((await browser.get(back)).location).toBe(`${world.url}/done?reason=INVALID_TOKEN`)
})

test('a client proves itself by a signature of its private key', async () => {
  const browser = openBrowser(world.url)
  const { status, location } = await browser.get(
    await consentAt(await browser.begin('signer', '?redirect=/done'), world.url),
  )
  expect([status, location]).toEqual([302, `${world.url}/done`])
  const text = 'select external_identifier from platform_users where provider = $1'
  expect(await world.rows(text, ['signer'])).toEqual([{ external_identifier: 'bob' }])
})

test('a provider that answers by a form opens a session', async () => {
  const browser = openBrowser(world.url)
  const { text } = await followPages(await browser.begin('form', '?redirect=/done'), world.url)
  const action = /action="([^"]*)"/.exec(text)?.[1] ?? ''
  const fields = [...text.matchAll(/name="([^"]*)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value])
  expect(action).toBe(`${world.url}/auth/login/form/callback`)
  const { status, location } = await browser.post(action, Object.fromEntries(fields) as { [field: string]: string })
  expect([status, location]).toEqual([302, `${world.url}/done`])
})

test('a session lives on the refresh token of the provider, and ends with the session there', async () => {
  const browser = openBrowser(world.url)
  const there = new Map<string, string>()
  const { at } = await followPages(await browser.begin('lasting'), world.url, there)
  let { data } = (await browser.get(at)).body as { readonly data: { access_token: string; refresh_token: string } }
  for (let time = 0; time < 2; time += 1) {
    const renewed = await send(world.url, 'POST /auth/refresh', { body: { refresh_token: data.refresh_token } })
    expect(renewed.status).toBe(200)
    data = dataIn(renewed) as typeof data
  }
  const me = async () =>
    (await fetch(`${world.url}/users/me`, { headers: { authorization: `Bearer ${data.access_token}` } })).status
  expect(await me()).toBe(200)
  const cookieText = () => [...there].map((each) => each.join('=')).join('; ')
  const asked = await fetch(`${issuer}/session/end`, { headers: { cookie: cookieText() } })
  for (const each of asked.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? []
    there.set(name, value)
  }
  const xsrf = /name="xsrf" value="([^"]*)"/.exec(await asked.text())?.[1] ?? ''
  const ended = await fetch(`${issuer}/session/end/confirm`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: cookieText() },
    body: new URLSearchParams({ xsrf, logout: 'yes' }),
  })
  expect(ended.status).toBe(303)
  await expect.poll(me, { timeout: 5000 }).toBe(401)
})
