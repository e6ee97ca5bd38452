/** Logins by a provider through the served pages, and by the flow of the legacy generation, in Chromium. */
import type { ChildProcess } from 'node:child_process'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { browserOptions } from './browser.ts'
import { freePort, startOidcProvider } from './oidc-process.ts'
import { openProvidersWorld, type ProvidersWorld } from './providers-world.ts'

let world: ProvidersWorld
let browser: Browser
const providers: ChildProcess[] = []

beforeAll(async () => {
  const port = await freePort()
  const current = await startOidcProvider(`http://127.0.0.1:${port}/auth/login/certified/callback`)
  const legacy = await startOidcProvider(`http://127.0.0.1:${port}/_/auth/sso/legacy/callback`)
  providers.push(current.child, legacy.child)
  const shared = { DRIVER: 'openid', CLIENT_ID: 'tandem', CLIENT_SECRET: 'secret-of-the-client' }
  const settings = (name: string, issuer: string, person: string) =>
    Object.fromEntries(
      Object.entries({
        ...shared,
        ISSUER_URL: issuer,
        ALLOW_PUBLIC_REGISTRATION: 'true',
        PARAMS: JSON.stringify({ login_hint: person }),
      }).map(([key, value]) => [`AUTH_${name}_${key}`, value]),
    )
  world = await openProvidersWorld({
    PORT: String(port),
    AUTH_PROVIDERS: 'certified,legacy',
    AUTH_CERTIFIED_LABEL: 'Certified',
    ...settings('CERTIFIED', current.issuer, 'ada'),
    ...settings('LEGACY', legacy.issuer, 'bob'),
  })
  browser = await chromium.launch(browserOptions())
})
afterAll(async () => {
  await browser?.close()
  await world?.close()
  for (const each of providers) each.kill()
})

test('whoever clicks on a provider comes back to the page, logged in', async () => {
  const page = await (await browser.newContext()).newPage()
  await page.goto(`${world.url}/`)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('link', { name: 'Log in with Certified' }).click()
  await page.getByRole('button', { name: 'Log out' }).waitFor()
  expect(page.url()).toBe(`${world.url}/`)
  expect(await world.rows('select email from platform_users where provider = $1', ['certified'])).toEqual([
    { email: 'ada@example.com' },
  ])
})

test('a page of the server logs in by the legacy generation', async () => {
  const page = await (await browser.newContext()).newPage()
  await page.goto(`${world.url}/`)
  await page.evaluate(() => location.assign('/_/auth/sso/legacy?mode=jwt&redirect_url=/server/ping'))
  await page.waitForURL(/request_token=/)
  const { pathname, searchParams } = new URL(page.url())
  expect([pathname, searchParams.get('error')]).toEqual(['/server/ping', null])
  const exchanged = await fetch(`${world.url}/_/auth/sso/access_token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ request_token: searchParams.get('request_token') }),
  })
  expect([exchanged.status, await exchanged.json()]).toMatchObject([200, { data: { token: expect.any(String) } }])
})
