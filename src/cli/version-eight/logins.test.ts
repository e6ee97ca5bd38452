/** Users of version 8 log in by their provider as before: by the verified address, as the same user. */
import type { ChildProcess } from 'node:child_process'
import { afterAll, expect, test, vi } from 'vitest'
import { openBrowser } from '../../../contract-tests/login-browser.ts'
import { consentAt, freePort, startOidcProvider } from '../../../contract-tests/oidc-process.ts'
import { createScratch } from '../../sql/sources/mysql/test-mysql.ts'
import { createDatabase, openServer, run } from '../test-program.ts'
import { magazine } from './test-magazine.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 180_000 })
let provider: ChildProcess | undefined

const source = await createScratch()
await source.run(...magazine())
const database = await createDatabase({ isMigrated: true })
afterAll(async () => {
  provider?.kill()
  await database.remove()
  await source.drop()
})

const bobs = () =>
  database.onDatabase(async (db) => {
    const text = `select number, email, provider, external_identifier from platform_users
      where email like 'bob%' order by number`
    return (await db.run({ text, values: [] })).rows
  })

test('the external id comes along, and a login leads to the same user', async () => {
  expect((await run(database.settings, 'import', 'version-8', '--from', source.url)).code).toBe(0)
  const rows = [
    { number: 4, email: 'bob@example.com', provider: 'default', external_identifier: 'idp-4' },
    { number: 7, email: 'bob+7@example.com', provider: 'default', external_identifier: expect.any(String) },
  ]
  expect(await bobs()).toEqual(rows)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const started = await startOidcProvider(`${url}/_/auth/sso/okta/callback`)
  provider = started.child
  const server = await openServer({
    ...database.settings,
    PORT: String(port),
    ADMIN_SETUP: 'false',
    AUTH_IP_ALLOW_LIST: '127.0.0.0/8',
    AUTH_PROVIDERS: 'okta',
    AUTH_OKTA_DRIVER: 'openid',
    AUTH_OKTA_CLIENT_ID: 'tandem',
    AUTH_OKTA_CLIENT_SECRET: 'secret-of-the-client',
    AUTH_OKTA_ISSUER_URL: started.issuer,
    AUTH_OKTA_LINK_BY_EMAIL: 'true',
    AUTH_OKTA_PARAMS: '{"login_hint":"bob"}',
  })
  try {
    for (let time = 0; time < 2; time += 1) {
      const browser = openBrowser(url)
      const begun = await browser.get(`/_/auth/sso/okta?mode=jwt&redirect_url=${encodeURIComponent(`${url}/done`)}`)
      const { data: login } = begun.body as { readonly data: { readonly authorization_url: string } }
      const { location } = await browser.get(await consentAt(login.authorization_url, url))
      const request_token = new URL(location ?? '', url).searchParams.get('request_token')
      const exchanged = await fetch(`${url}/_/auth/sso/access_token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ request_token }),
      })
      const { data } = (await exchanged.json()) as { readonly data: { readonly token: string } }
      const me = await fetch(`${url}/_/users/me?fields=id`, { headers: { authorization: `Bearer ${data.token}` } })
      expect(await me.json()).toEqual({ data: { id: 4 } })
    }
  } finally {
    await server.close()
  }
  expect(await bobs()).toEqual(rows)
})
