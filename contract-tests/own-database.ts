/** The whole program over a database that a test makes, with one administrator. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type App, createApp } from '../src/app.ts'
import { loadConfig } from '../src/config/config.ts'
import type { Database, Log } from '../src/domain/ports/context.ts'
import { createTestDatabase, silentLog, textFor } from '../src/sql/testing/test-database.ts'
import { hashToken } from '../src/tokens/opaque.ts'
import { type Reply, type RequestOptions, send } from './send.ts'

export type OwnDatabase = {
  readonly db: Database
  readonly app: App
  readonly url: string
  readonly adminToken: string
  /** `ask('PATCH /items/shop/1', {body})`, as the administrator unless a token, or null, is given. */
  readonly ask: (request: string, options?: RequestOptions) => Promise<Reply>
  readonly rows: (text: string, values?: readonly unknown[]) => Promise<readonly Record<string, unknown>[]>
  /** Adds a user with a policy of these permissions; returns its token. */
  readonly addUser: (permissions: readonly Permission[]) => Promise<string>
  /** Another server over the same database, with other settings if they are given. It is closed with the first one. */
  readonly openReplica: (others?: { readonly [name: string]: string }) => Promise<Pick<OwnDatabase, 'ask' | 'url'>>
  readonly close: () => Promise<void>
}

export type Permission = {
  readonly collection: string
  readonly action: string
  readonly permissions?: object | null
  readonly fields?: string
}

export const secret = 'a-secret-that-only-these-tests-know'
const settings = {
  HOST: '127.0.0.1',
  PORT: '0',
  SECRET: secret,
  VALIDATE_RESPONSES: 'true',
  PRESSURE_LIMITER_ENABLED: 'false',
}

/** `sql` makes the tables; `more` overrides settings of the server. */
export async function openOwnDatabase(
  sql: string,
  more: { readonly [name: string]: string } = {},
  log: Log = { ...silentLog, error: (detail, message) => console.error(message, detail) },
): Promise<OwnDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-own-'))
  const database = await createTestDatabase({
    sql: `${sql};${userSql('admin', "'00000000-0000-4000-8000-000000000001'")}`,
  })
  const open = (others: { readonly [name: string]: string } = {}): Promise<App> =>
    createApp(loadConfig({ ...settings, DATA_DIR: folder, ...more, ...others }, folder), {
      log,
      db: { ...database.db, close: async () => {} },
    })
  const app = await open()
  const replicas: App[] = []
  const url = (await app.listen()).replace(/\/$/, '')
  const rows: OwnDatabase['rows'] = async (text, values = []) =>
    (await database.db.run({ text: textFor(database.db, text), values: [...values] })).rows as readonly Record<
      string,
      unknown
    >[]
  const openReplica: OwnDatabase['openReplica'] = async (others = {}) => {
    const replica = await open(others)
    replicas.push(replica)
    const address = (await replica.listen()).replace(/\/$/, '')
    return { url: address, ask: askerOf(address) }
  }
  return {
    db: database.db,
    app,
    url,
    adminToken: tokenOf('admin'),
    rows,
    ask: askerOf(url),
    addUser: async (permissions) => {
      const name = `user-${crypto.randomUUID()}`
      const policy = crypto.randomUUID()
      await rows(userSql(name, 'null'))
      await rows('insert into platform_policies (id, name) values ($1, $2)', [policy, name])
      await rows(
        `insert into platform_access (id, "user", policy) select $1, id, $2 from platform_users where email = $3`,
        [crypto.randomUUID(), policy, `${name}@example.com`],
      )
      for (const { collection, action, permissions: filter = null, fields = '*' } of permissions) {
        await rows(
          'insert into platform_permissions (policy, collection, action, permissions, fields) values ($1, $2, $3, $4, $5)',
          [policy, collection, action, filter === null ? null : JSON.stringify(filter), fields],
        )
      }
      await app.refresh()
      return tokenOf(name)
    },
    openReplica,
    close: async () => {
      for (const each of [...replicas, app]) await each.close()
      await database.close()
      rmSync(folder, { recursive: true })
    },
  }
}

const askerOf =
  (url: string): OwnDatabase['ask'] =>
  (request, options = {}) =>
    send(url, request, { token: tokenOf('admin'), ...options })

const tokenOf = (name: string): string => `static-token-of-${name}-of-this-test`

const userSql = (name: string, role: string): string =>
  `insert into platform_users (id, email, token, status, role) values
    ('${crypto.randomUUID()}', '${name}@example.com', '${hashToken(tokenOf(name), secret)}', 'active', ${role})`
