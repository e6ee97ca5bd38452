/** Environment files of Directus with identity providers start this server as they are. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { type App, createApp } from '../src/app.ts'
import { loadConfig } from '../src/config/config.ts'
import { createTestDatabase, silentLog } from '../src/sql/testing/test-database.ts'

const database = await createTestDatabase()
afterAll(() => database.close())

/** The providers that a file lists, and its variables of providers that have no effect. */
const files: readonly (readonly [file: string, providers: readonly string[], ignored: readonly string[]])[] = [
  ['keycloak', ['keycloak openid'], []],
  ['entra', ['microsoft openid'], ['AUTH_MICROSOFT_CLIENT_TIMEOUT']],
  ['google', ['google openid'], []],
  ['okta', ['okta openid'], []],
  ['auth0', ['auth0 openid'], []],
  ['github', ['github oauth2'], []],
  ['discord', ['discord oauth2'], []],
  ['apple', ['apple openid'], []],
  ['directory', ['ad ldap'], ['AUTH_AD_CLIENT_TLSOPTIONS__REJECT_UNAUTHORIZED']],
  ['several', ['corp saml', 'aws saml', 'keycloak openid'], ['AUTH_CORP_SP_messageSigningOrder']],
]

/** The providers that a browser sees, asked at a port of its own: the public address is that of the file. */
async function listedBy({ app }: App): Promise<readonly string[]> {
  const server = createServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/auth`)
  const { data } = (await answer.json()) as {
    readonly data: readonly { readonly name: string; readonly driver: string }[]
  }
  server.closeAllConnections()
  await new Promise((resolve) => void server.close(resolve))
  return data.map(({ name, driver }) => `${name} ${driver}`)
}

test.each(files)('%s', async (file, providers, ignored) => {
  const environment = parseEnv(readFileSync(join(import.meta.dirname, 'environments', `${file}.env`), 'utf8'))
  const config = loadConfig({ ...environment, HOST: '127.0.0.1', PORT: '0' }, '/tmp')
  expect(config.misspelt.filter(({ name }) => name.startsWith('AUTH_'))).toEqual(
    ignored.map((name) => ({ name, suggestion: null })),
  )
  const app = await createApp(config, { log: silentLog, db: { ...database.db, close: async () => {} } })
  try {
    expect(await listedBy(app)).toEqual(providers)
  } finally {
    await app.close()
  }
})

/** Settings that `docs/providers.md` says have no effect. */
const idle: readonly string[] = [
  'AUTH_K_CLIENT_HTTP_TIMEOUT',
  'AUTH_K_CLIENT_DEFAULT_MAX_AGE',
  'AUTH_K_CLIENT_USERINFO_SIGNED_RESPONSE_ALG',
  'AUTH_K_ISSUER_DISCOVERY_MUST_SUCCEED',
  'AUTH_K_PLAIN_CODE_CHALLENGE',
  'AUTH_K_LOGIN_TIMEOUT',
  'AUTH_K_COOKIE_SECURE',
  'AUTH_K_COOKIE_SAME_SITE',
  'AUTH_D_CLIENT_TLS_OPTIONS__REJECT_UNAUTHORIZED',
  'AUTH_S_IDP_isAssertionEncrypted',
  'AUTH_S_SP_messageSigningOrder',
]

test.each(idle)('%s is named at the start as without effect', (name) => {
  const config = loadConfig(
    {
      AUTH_PROVIDERS: 'k,d,s',
      AUTH_K_DRIVER: 'openid',
      AUTH_K_CLIENT_ID: 'tandem',
      AUTH_K_CLIENT_SECRET: 'secret',
      AUTH_K_ISSUER_URL: 'https://login.example.com',
      AUTH_D_DRIVER: 'ldap',
      AUTH_D_CLIENT_URL: 'ldaps://directory.example.com:636',
      AUTH_D_USER_DN: 'ou=people,dc=example,dc=com',
      AUTH_S_DRIVER: 'saml',
      AUTH_S_IDP_metadata: '<EntityDescriptor/>',
      [name]: 'x',
    },
    '/tmp',
  )
  expect(config.misspelt.filter((each) => each.name.startsWith('AUTH_'))).toEqual([{ name, suggestion: null }])
})
