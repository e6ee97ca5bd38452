/** Users of a project that is taken over log in by their provider as before: nobody registers again. */
import type { ChildProcess } from 'node:child_process'
import { afterAll, expect, test, vi } from 'vitest'
import { openBrowser } from '../../../contract-tests/login-browser.ts'
import { consentAt, freePort, startOidcProvider } from '../../../contract-tests/oidc-process.ts'
import { createDatabase, openServer, run } from '../test-program.ts'
import { newsroom } from './test-newsroom.ts'
import { serveProject, sourceWords } from './test-source.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 180_000 })

const ada = '0000adaa-0000-4000-8000-000000000000'
const bob = '0000b0bb-0000-4000-8000-000000000000'

const people = newsroom.rows['directus_users'] ?? []
const person = (id: string, more: object) => ({ ...people[0], id, email: null, role: null, articles: [], ...more })

/** Ada logs in by a provider; Bob has another address than the provider knows. */
const project = {
  ...newsroom,
  rows: {
    ...newsroom.rows,
    directus_users: [
      ...people,
      person(ada, {
        email: 'ada@example.com',
        provider: 'certified',
        external_identifier: 'ada',
        first_name: 'Before',
      }),
      person(bob, { email: 'robert@example.com', provider: 'certified', external_identifier: 'bob' }),
    ],
  },
}
let provider: ChildProcess | undefined

const database = await createDatabase({ isMigrated: true })
const source = await serveProject(project)
afterAll(async () => {
  provider?.kill()
  await source.close()
  await database.remove()
})

const users = () =>
  database.onDatabase(async (db) => {
    const text = `select id::text, email, provider, external_identifier, first_name from platform_users
      where provider <> 'default' order by external_identifier`
    return (await db.run({ text, values: [] })).rows
  })

test('provider and identifier come along, and a login leads to the same user', async () => {
  expect((await run(database.settings, ...sourceWords(source), '--yes')).code).toBe(0)
  const rows = [
    { id: ada, email: 'ada@example.com', provider: 'certified', external_identifier: 'ada', first_name: 'Before' },
    { id: bob, email: 'robert@example.com', provider: 'certified', external_identifier: 'bob', first_name: 'Given' },
  ]
  expect(await users()).toEqual(rows)
  const port = await freePort()
  const started = await startOidcProvider(`http://127.0.0.1:${port}/auth/login/certified/callback`)
  provider = started.child
  const settings = {
    ...database.settings,
    PORT: String(port),
    ADMIN_SETUP: 'false',
    AUTH_IP_ALLOW_LIST: '127.0.0.0/8',
    AUTH_PROVIDERS: 'certified',
    AUTH_CERTIFIED_DRIVER: 'openid',
    AUTH_CERTIFIED_CLIENT_ID: 'tandem',
    AUTH_CERTIFIED_CLIENT_SECRET: 'secret-of-the-client',
    AUTH_CERTIFIED_ISSUER_URL: started.issuer,
    AUTH_CERTIFIED_ALLOW_PUBLIC_REGISTRATION: 'true',
  }
  const server = await openServer(settings)
  const url = `http://127.0.0.1:${port}`
  try {
    for (const [hint, id] of [
      ['ada', ada],
      ['bob', bob],
    ] as const) {
      const browser = openBrowser(url)
      const page = new URL(await browser.begin('certified'))
      page.searchParams.set('login_hint', hint)
      const { status, body } = await browser.get(await consentAt(page.href, url))
      expect(status).toBe(200)
      const { access_token: token } = (body as { readonly data: { readonly access_token: string } }).data
      const me = await fetch(`${url}/users/me?fields=id`, { headers: { authorization: `Bearer ${token}` } })
      expect(await me.json()).toEqual({ data: { id } })
    }
  } finally {
    await server.close()
  }
  expect(await users()).toEqual(rows)
})
