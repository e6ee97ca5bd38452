/** The world of the contract tests: a new server with a few collections and one user of every kind. */

import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createApp } from '../src/app.ts'
import { loadConfig } from '../src/config/config.ts'
import { exportTurns, inExportTurn } from '../src/core/items/export-items.ts'
import type { Log } from '../src/domain/ports/context.ts'
import type { Outbound } from '../src/domain/ports/outbound.ts'
import { TandemError } from '../src/domain/rights/errors.ts'
import { createTestDatabase, silentLog, unpackArchive } from '../src/sql/testing/test-database.ts'
import { loginQueue, requestQueue } from '../src/tokens/hash-turns.ts'
import { hashToken } from '../src/tokens/opaque.ts'
import { hashPassword } from '../src/tokens/password.ts'
import type { Answer } from '../verify/src/http/exchange.ts'
import type { Operation } from '../verify/src/spec/operations.ts'
import { createSigningKey } from './certificate.ts'
import { directorySettings, person, playDirectory } from './played-directory.ts'
import { type KeyState, withPlayedKeys } from './played-keys.ts'
import { type PlayedProvider, playProvider } from './played-provider.ts'
import { samlMetadata } from './played-saml.ts'
import { logoutService } from './played-saml-logout.ts'
import { type Accounts, createAccounts } from './world-accounts.ts'
import { password, picture, spareObjects } from './world-data.ts'
import { postgresWorld, type Row } from './world-database.ts'
import { mysqlWorld } from './world-mysql.ts'

export const userKinds = ['public', 'nobody', 'writer', 'editor', 'admin'] as const

/** Without a token; without a policy; with write but no read permission; with limited permissions; administrator. */
export type UserKind = (typeof userKinds)[number]

/** What a request may have changed. */
export type Changed = 'rows' | 'model'

/** The world is reset only after successful writes and confirmation links; changes of the data model reset the tables too. */
export function changedBy({ path, method }: Operation, { status }: Answer): Changed | null {
  if (path === '/users/register/verify-email') return status < 400 ? 'rows' : null
  if (method === 'GET' || status >= 300 || path === '/schema/diff') return null
  return /^(\/\{project\})?\/(collections|fields|relations|schema)(\/|$)/.test(path) ? 'model' : 'rows'
}

export type World = {
  readonly url: string
  /** The data directory. */
  readonly folder: string
  readonly tokens: { readonly [Kind in UserKind]: string | null }
  readonly accounts: Accounts
  /** The identity provider `keycloak`. */
  readonly provider: PlayedProvider
  /** All rows of all tables, as JSON values without nulls. */
  readonly readRows: () => Promise<{ readonly [table: string]: readonly Row[] }>
  /** Restores all rows; after changes of the data model, all tables too. */
  readonly reset: (changed?: Changed) => Promise<void>
  /** Runs the work while the data directory is missing. */
  readonly withoutStorage: <T>(work: () => Promise<T>) => Promise<T>
  /** Runs the work while the database does not answer when it is asked whether it does. */
  readonly withoutDatabase: <T>(work: () => Promise<T>) => Promise<T>
  /** Runs the work while each `Idempotency-Key` is that of another request, or its request is in progress. */
  readonly withKeys: <T>(state: KeyState, work: () => Promise<T>) => Promise<T>
  /** Runs the work while the storage fails. */
  readonly withoutUploads: <T>(work: () => Promise<T>) => Promise<T>
  /** Runs the work while the hashing queue is full. */
  readonly withoutHashTurns: <T>(work: () => Promise<T>) => Promise<T>
  /** Runs the work while the maximum number of exports is running. */
  readonly withoutExportTurns: <T>(work: () => Promise<T>) => Promise<T>
  /** Provides the embedded database of an earlier installation of a project. */
  readonly seedProject: (key: string) => Promise<void>
  /** Runs the work while no project may be created or deleted. */
  readonly withLockedProjects: <T>(work: () => Promise<T>) => Promise<T>
  readonly close: () => Promise<void>
}

export const superAdminToken = 'the-token-of-the-operator'

const secret = 'a-secret-that-only-contract-tests-know'

/** Default settings, except for cheap hashes and a free port. */
const settings = {
  HOST: '127.0.0.1',
  PORT: '0',
  IMPORT_MAX_FILE_SIZE: '1mb',
  MAX_SCHEMA_SIZE: '1900kb',
  SECRET: secret,
  ADMIN_SETUP: 'true',
  LOGIN_STALL_TIME: '0ms',
  REGISTER_STALL_TIME: '0ms',
  // All requests come from one client.
  RATE_LIMITER_REGISTRATION_ENABLED: 'false',
  RATE_LIMITER_EMAIL_ENABLED: 'false',
  PASSWORD_RESET_URL_ALLOW_LIST: 'https://app.example.com/reset',
  USER_INVITE_URL_ALLOW_LIST: 'https://app.example.com/join',
  USER_REGISTER_URL_ALLOW_LIST: 'https://app.example.com/confirm',
  HASH_MEMORY_COST: '8',
  HASH_TIME_COST: '1',
  HASH_PARALLELISM: '1',
  VALIDATE_RESPONSES: 'true',
  TUS_ENABLED: 'true',
  SUPER_ADMIN_TOKEN: superAdminToken,
  EXTENSIONS_PATH: join(import.meta.dirname, 'extensions'),
  FILES_MAX_UPLOAD_SIZE: '1mb',
  // The machine may be busy with other tests, so pressure limits are off.
  PRESSURE_LIMITER_ENABLED: 'false',
  ASSETS_TRANSFORM_MAX_CONCURRENT: '1',
  ASSETS_TRANSFORM_TIMEOUT: '59s',
  // The address at port 9 has no server.
  AUTH_PROVIDERS: 'keycloak,gone,directory,away,corp,hub',
  AUTH_CORP_DRIVER: 'saml',
  AUTH_CORP_IDP_metadata: samlMetadata({}, logoutService),
  AUTH_CORP_SP_privateKey: createSigningKey('tandem').key,
  AUTH_CORP_ALLOW_PUBLIC_REGISTRATION: 'true',
  AUTH_CORP_ALLOW_UNSOLICITED: 'true',
  AUTH_HUB_DRIVER: 'openid',
  AUTH_HUB_CLIENT_ID: 'tandem',
  AUTH_HUB_CLIENT_SECRET: 'secret-of-the-client',
  AUTH_KEYCLOAK_DRIVER: 'oauth2',
  AUTH_KEYCLOAK_SCOPE: 'email offline_access',
  AUTH_KEYCLOAK_CLIENT_ID: 'tandem',
  AUTH_KEYCLOAK_CLIENT_SECRET: 'secret-of-the-client',
  AUTH_KEYCLOAK_ALLOW_PUBLIC_REGISTRATION: 'true',
  AUTH_GONE_DRIVER: 'openid',
  AUTH_GONE_CLIENT_ID: 'tandem',
  AUTH_GONE_CLIENT_SECRET: 'secret-of-the-client',
  AUTH_GONE_ISSUER_URL: 'http://127.0.0.1:9',
  AUTH_IP_ALLOW_LIST: '127.0.0.1',
}

const addressesOf = ({ url }: PlayedProvider) => ({
  AUTH_HUB_ISSUER_URL: url,
  AUTH_KEYCLOAK_AUTHORIZE_URL: `${url}/authorize`,
  AUTH_KEYCLOAK_ACCESS_URL: `${url}/token`,
  AUTH_KEYCLOAK_PROFILE_URL: `${url}/userinfo`,
})

/** Starts the world. `more` overrides settings of the server. */
export async function openWorld(more: { readonly [name: string]: string } = {}, log: Log = silentLog): Promise<World> {
  const tokens = {
    public: null,
    nobody: tokenOf('nobody'),
    writer: tokenOf('writer'),
    editor: tokenOf('editor'),
    admin: tokenOf('admin'),
  }
  const folder = mkdtempSync(join(tmpdir(), 'tandem-world-'))
  const projects = join(folder, 'projects-of-the-world')
  const provider = await playProvider()
  const directory = await playDirectory([person('ada'), person('mallory', { mail: 'admin@example.com' })])
  const places = {
    DATA_DIR: folder,
    PROJECTS_DIR: projects,
    ...addressesOf(provider),
    ...directorySettings('DIRECTORY', directory),
    ...directorySettings('AWAY', { url: 'ldap://127.0.0.1:9' }),
  }
  const config = loadConfig({ ...settings, ...places, ...more }, folder)
  const passwordHash = await hashPassword(password, config.security.hash)
  const people = userKinds.flatMap((kind) => {
    const token = tokens[kind]
    return token === null ? [] : [{ kind, passwordHash, tokenHash: hashToken(token, secret) }]
  })
  const database = await createTestDatabase()
  const own = database.db.dialect.startsWith('mysql') ? mysqlWorld : postgresWorld
  await own.create(database.db, people)
  const storeObjects = (): void => {
    mkdirSync(join(folder, 'uploads'), { recursive: true })
    writeFileSync(join(folder, 'uploads', picture.key), picture.bytes)
    for (const name of Object.values(spareObjects)) writeFileSync(join(folder, 'uploads', name), 'hello')
  }
  storeObjects()
  let isCut = false
  const ping = () => (isCut ? Promise.reject(new Error('cut')) : database.db.ping())
  let keys: KeyState = null
  const db = withPlayedKeys({ ...database.db, ping, close: async () => {} }, () => keys)
  const app = await createApp(config, { log, db, outbound: theWeb })
  const url = (await app.listen()).replace(/\/$/, '')
  return {
    url,
    folder,
    provider,
    withLockedProjects: async (work) => {
      mkdirSync(projects, { recursive: true })
      writeFileSync(join(projects, '.lock'), '')
      const result = await work()
      rmSync(join(projects, '.lock'))
      return result
    },
    seedProject: async (key) => {
      const place = join(folder, 'projects', key, 'database')
      if (!existsSync(place)) await unpackArchive(place)
    },
    tokens,
    accounts: createAccounts(database.db, secret),
    readRows: async () => {
      const all: Record<string, readonly Row[]> = {}
      for (const name of await own.tableNames(database.db)) all[name] = await own.readTable(database.db, name)
      return all
    },
    reset: async (changed = 'rows') => {
      if (changed === 'model') await insist(() => own.restoreModel(database.db))
      await insist(() => own.reset(database.db))
      storeObjects()
      if (changed === 'model') await app.refresh()
    },
    withoutDatabase: async (work) => {
      isCut = true
      return work().finally(() => {
        isCut = false
      })
    },
    withKeys: async (state, work) => {
      keys = state
      return work().finally(() => {
        keys = null
      })
    },
    withoutStorage: async (work) => {
      rmSync(folder, { recursive: true })
      const result = await work()
      storeObjects()
      return result
    },
    withoutUploads: async (work) => {
      rmSync(join(folder, 'uploads'), { recursive: true, force: true })
      writeFileSync(join(folder, 'uploads'), '')
      const result = await work()
      rmSync(join(folder, 'uploads'))
      return result
    },
    withoutHashTurns: (work) => whileQueued(loginQueue, () => whileQueued(requestQueue, work)),
    withoutExportTurns: (work) => whileTaken(exportTurns, inExportTurn, work),
    close: async () => {
      await app.close()
      await database.close()
      await provider.close()
      await directory.close()
      rmSync(folder, { recursive: true })
    },
  }
}

/** Repeats a reset that met the server's work in the background, which locks the tables in another order. */
async function insist(work: () => Promise<unknown>, tries = 5): Promise<void> {
  try {
    await work()
  } catch (error) {
    const isDeadlock = error instanceof TandemError && (error.cause as { code?: string } | undefined)?.code === '40P01'
    if (!isDeadlock || tries === 1) throw error
    await insist(work, tries - 1)
  }
}

/** Runs the work while all slots of a queue are taken. */
async function whileTaken<T>(
  count: number,
  take: (work: () => Promise<void>) => Promise<void>,
  work: () => Promise<T>,
): Promise<T> {
  const gate = Promise.withResolvers<void>()
  const turns = Array.from({ length: count }, () => take(() => gate.promise))
  try {
    return await work()
  } finally {
    gate.resolve()
    await Promise.all(turns)
  }
}

/** Each job has a different caller, because slots per caller are limited. */
function whileQueued<T>({ bounds, take }: typeof loginQueue, work: () => Promise<T>): Promise<T> {
  let caller = 0
  return whileTaken(bounds.running + bounds.waiting, (held) => take(`busy ${(caller += 1)}`, held), work)
}

const tokenOf = (kind: UserKind): string => `static-token-of-${kind}-in-this-world`

/** The outbound port of the world: it knows one image. */
const theWeb: Outbound = {
  async fetchFile(address) {
    const url = new URL(address)
    if (url.pathname.endsWith('.jpg'))
      return { url, type: 'image/jpeg', stream: Readable.from([Buffer.from('no jpeg')]) }
    throw new TandemError({ kind: 'unavailable', service: 'external-file', reason: 'Nothing is there', retryAfter: 1 })
  },
}
