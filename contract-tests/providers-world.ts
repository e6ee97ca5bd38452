/** A server with identity providers, all of which one played provider is. */
import { type App, createApp } from '../src/app.ts'
import { readConfig } from '../src/config/config.ts'
import { seedIds } from '../src/domain/schema/identity.ts'
import { createTestDatabase, silentLog } from '../src/sql/testing/test-database.ts'
import { hashPassword } from '../src/tokens/password.ts'
import { type LoginBrowser, openBrowser } from './login-browser.ts'
import { type Lies, type PlayedProvider, playProvider } from './played-provider.ts'

/** A role, and a policy that no role has. */
export const editors = '11111111-1111-4111-8111-111111111111'
export const writing = '22222222-2222-4222-8222-222222222222'

/** The key of the server's signatures. */
export const secret = 'a-secret-that-only-these-tests-know'

type Row = { readonly [column: string]: unknown }

export type ProvidersWorld = {
  readonly url: string
  readonly provider: PlayedProvider
  readonly warnings: readonly object[]
  readonly rows: (text: string, values?: readonly unknown[]) => Promise<readonly Row[]>
  /** Logs in with these claims: the answer to the browser that came back. */
  readonly logIn: (
    name: string,
    claims: { readonly [claim: string]: unknown },
    more?: { readonly query?: string; readonly lies?: Lies; readonly browser?: LoginBrowser },
  ) => Promise<Awaited<ReturnType<LoginBrowser['get']>> & { readonly browser: LoginBrowser }>
  /** Creates a user with a password. */
  readonly insertLocal: (email: string) => Promise<void>
  /** Another server over the same database: its address. It is closed with the first one. */
  readonly openReplica: () => Promise<string>
  readonly close: () => Promise<void>
}

/** Starts both. `more` overrides settings. */
export async function openProvidersWorld(more: { readonly [name: string]: string } = {}): Promise<ProvidersWorld> {
  const provider = await playProvider()
  const database = await createTestDatabase()
  const warnings: object[] = []
  const log = { ...silentLog, warn: (detail: object, message: string) => void warnings.push({ ...detail, message }) }
  const open = (own: { readonly [name: string]: string } = {}): Promise<App> =>
    createApp(readConfig({ ...settings(provider), ...more, ...own }, '/tmp'), {
      log,
      db: { ...database.db, close: async () => {} },
    })
  const app = await open()
  const replicas: App[] = []
  const url = (await app.listen()).replace(/\/$/, '')
  const rows = async (text: string, values: readonly unknown[] = []) =>
    (await database.db.run({ text, values })).rows as readonly Row[]
  await rows(`insert into platform_roles (id, name) values ($1, 'Editors')`, [editors])
  await rows(`insert into platform_policies (id, name) values ($1, 'Writing')`, [writing])
  return {
    url,
    provider,
    warnings,
    rows,
    async logIn(name, claims, { query = '', lies = {}, browser = openBrowser(url) } = {}) {
      const page = await browser.begin(name, query)
      return { ...(await browser.get(provider.consent(page, claims, lies))), browser }
    },
    async insertLocal(email) {
      const hash = await hashPassword('correct-horse-42', { memory: 8, passes: 1, parallelism: 1, length: 16 })
      const text = 'insert into platform_users (id, email, password) values (gen_random_uuid(), $1, $2)'
      await rows(text, [email, hash])
    },
    async openReplica() {
      const replica = await open({ PORT: '0' })
      replicas.push(replica)
      return (await replica.listen()).replace(/\/$/, '')
    },
    async close() {
      for (const each of [...replicas, app]) await each.close()
      await database.close()
      await provider.close()
    },
  }
}

const settings = (provider: PlayedProvider): { readonly [name: string]: string } => ({
  HOST: '127.0.0.1',
  PORT: '0',
  SECRET: secret,
  ADMIN_EMAIL: 'admin@example.com',
  ADMIN_PASSWORD: 'correct-horse-42',
  HASH_MEMORY_COST: '8',
  HASH_TIME_COST: '1',
  HASH_PARALLELISM: '1',
  LOGIN_STALL_TIME: '0ms',
  VALIDATE_RESPONSES: 'true',
  RATE_LIMITER_LOGIN_ENABLED: 'false',
  AUTH_IP_ALLOW_LIST: '127.0.0.0/8',
  AUTH_PROVIDERS: 'keycloak,github,open,strict,late',
  AUTH_KEYCLOAK_DRIVER: 'openid',
  AUTH_KEYCLOAK_CLIENT_ID: 'tandem',
  AUTH_KEYCLOAK_CLIENT_SECRET: 'secret-of-the-client',
  AUTH_KEYCLOAK_ISSUER_URL: `${provider.url}/.well-known/openid-configuration`,
  AUTH_KEYCLOAK_LABEL: 'Keycloak',
  AUTH_KEYCLOAK_ALLOW_PUBLIC_REGISTRATION: 'true',
  AUTH_KEYCLOAK_REDIRECT_ALLOW_LIST: 'https://app.example.com/done',
  AUTH_KEYCLOAK_SYNC_USER_INFO: 'true',
  AUTH_KEYCLOAK_ROLE_MAPPING: JSON.stringify({
    editors,
    writers: [editors, writing],
    admins: seedIds.administratorRole,
  }),
  AUTH_GITHUB_DRIVER: 'oauth2',
  AUTH_GITHUB_CLIENT_ID: 'tandem',
  AUTH_GITHUB_CLIENT_SECRET: 'secret-of-the-client',
  AUTH_GITHUB_AUTHORIZE_URL: `${provider.url}/authorize`,
  AUTH_GITHUB_ACCESS_URL: `${provider.url}/token`,
  AUTH_GITHUB_PROFILE_URL: `${provider.url}/userinfo`,
  AUTH_GITHUB_IDENTIFIER_KEY: 'data.id',
  AUTH_GITHUB_ALLOW_PUBLIC_REGISTRATION: 'true',
  AUTH_GITHUB_DEFAULT_ROLE_ID: editors,
  AUTH_GITHUB_MODE: 'cookie',
  AUTH_OPEN_DRIVER: 'openid',
  AUTH_OPEN_CLIENT_ID: 'tandem',
  AUTH_OPEN_CLIENT_TOKEN_ENDPOINT_AUTH_METHOD: 'none',
  AUTH_OPEN_ISSUER_URL: provider.url,
  AUTH_OPEN_LINK_BY_EMAIL: 'true',
  AUTH_LATE_DRIVER: 'openid',
  AUTH_LATE_CLIENT_ID: 'tandem',
  AUTH_LATE_CLIENT_SECRET: 'secret-of-the-client',
  AUTH_LATE_ISSUER_URL: provider.url,
  AUTH_STRICT_DRIVER: 'openid',
  AUTH_STRICT_CLIENT_ID: 'tandem',
  AUTH_STRICT_CLIENT_SECRET: 'secret-of-the-client',
  AUTH_STRICT_ISSUER_URL: provider.url,
  AUTH_STRICT_IDENTIFIER_KEY: 'email',
  AUTH_STRICT_ALLOW_PUBLIC_REGISTRATION: 'true',
  AUTH_STRICT_REQUIRE_VERIFIED_EMAIL: 'true',
  AUTH_STRICT_PARAMS: 'json:{"audience":"api"}',
})
