/** A server with several projects for tests: each on a schema of one Postgres database, or embedded. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type App, createApp } from '../app.ts'
import { readConfig } from '../config/config.ts'
import type { Log } from '../domain/ports/context.ts'
import { createTestDatabase, type TestDatabase, textFor, unpackArchive } from '../sql/testing/test-database.ts'
import { isOnMariaDb } from '../sql/testing/test-vendors.ts'

type Contents = { readonly [attribute: string]: unknown }

type Line = { readonly level: string; readonly detail: object; readonly message: string }

export type Answer = { readonly status: number; readonly body: unknown; readonly headers: Headers }

type Asking = Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> }

export type TestProjects = {
  /** Folder of the configuration files. */
  readonly folder: string
  /** Database of the default project; the others are in schemas of it, unless they are embedded. */
  readonly database: TestDatabase
  readonly lines: readonly Line[]
  readonly url: string
  /** `ask('GET /blog/users')` */
  readonly ask: (request: string, asking?: Asking) => Promise<Answer>
  /** A configuration with a database of its own. */
  readonly contentsOf: (name: string, contents?: Contents) => Promise<Contents>
  /** Prepares the embedded database of a project, for tests that are not about its first start. */
  readonly seed: (name: string) => Promise<void>
  readonly write: (file: string, contents: Contents | string) => void
  readonly close: () => Promise<void>
}

export const superAdminToken = 'the-token-of-the-operator'

/** A setting that keeps hashes cheap. */
const cheap = { HASH_MEMORY_COST: '8', HASH_TIME_COST: '1', HASH_PARALLELISM: '1', LOGIN_STALL_TIME: '0ms' }

/** The administrator of each project has this token, with the name of the project at its end. */
export const tokenOf = (project: string): string => `token-of-the-administrator-of-${project}`

/** Starts the server with these configuration files, by project. */
export async function openTestProjects(
  files: { readonly [key: string]: Contents },
  settings: { readonly [name: string]: string } = {},
): Promise<TestProjects> {
  const root = mkdtempSync(join(tmpdir(), 'tandem-projects-'))
  const folder = join(root, 'config')
  mkdirSync(folder)
  const database = await createTestDatabase()
  const write = (file: string, contents: Contents | string): void =>
    writeFileSync(join(folder, file), typeof contents === 'string' ? contents : JSON.stringify(contents))
  const contentsOf = async (name: string, contents: Contents = {}): Promise<Contents> => ({
    database: await databaseOf(database, name),
    admin: { email: `${name}@example.com`, password: 'correct-horse-42', token: tokenOf(name) },
    ...contents,
  })
  const seed = async (name: string): Promise<void> => {
    if (process.env['TEST_DATABASE_URL'] === undefined)
      await unpackArchive(join(root, 'data/projects', name, 'database'))
  }
  for (const [key, contents] of Object.entries(files)) {
    if (contents['database'] === undefined) await seed(key)
    write(key === '_' ? 'api.json' : `api.${key}.json`, await contentsOf(key, contents))
  }
  const { app, lines } = await startApp({ root, folder, database }, settings)
  const url = (await app.listen()).replace(/\/$/, '')
  return {
    folder,
    database,
    lines,
    url,
    ask: (request, asking) => ask(url, request, asking),
    contentsOf,
    seed,
    write,
    async close() {
      await app.close()
      await dropOthers(database)
      await database.close()
      rmSync(root, { recursive: true })
    },
  }
}

type ProjectFiles = { readonly root: string; readonly folder: string; readonly database: TestDatabase }

async function startApp({ root, folder, database }: ProjectFiles, settings: { readonly [name: string]: string }) {
  const given = {
    HOST: '127.0.0.1',
    PORT: '0',
    DATA_DIR: join(root, 'data'),
    PROJECTS_DIR: folder,
    SUPER_ADMIN_TOKEN: superAdminToken,
    ADMIN_EMAIL: 'default@example.com',
    ADMIN_PASSWORD: 'correct-horse-42',
    ADMIN_TOKEN: tokenOf('_'),
    PRESSURE_LIMITER_ENABLED: 'false',
    VALIDATE_RESPONSES: 'true',
    ...cheap,
    ...settings,
  }
  const lines: Line[] = []
  const say = (level: string) => (detail: object, message: string) => void lines.push({ level, detail, message })
  const log: Log = { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') }
  const db = { ...database.db, close: async () => {} }
  const app: App = await createApp(readConfig(given, root), { log, db })
  return { app, lines }
}

/** A new schema in the database of the test, a new database beside it, or an embedded database. */
async function databaseOf({ db, openAgain }: TestDatabase, name: string): Promise<Contents> {
  const server = process.env['TEST_DATABASE_URL']
  if (server === undefined || openAgain === null) return { type: 'embedded' }
  const { hostname, port, username, password } = new URL(server)
  const access = { username: decodeURIComponent(username), password: decodeURIComponent(password) }
  const current = await currentName(db)
  if (isOnMariaDb) {
    const own = `${current}_${name.toLowerCase()}`.slice(0, 64)
    await db.run({ text: `create database if not exists "${own}" character set utf8mb4`, values: [] })
    return { type: 'mysql', host: hostname, port: Number(port || 3306), name: own, ...access }
  }
  await db.run({ text: `create schema if not exists "${name}"`, values: [] })
  return { type: 'postgres', host: hostname, port: Number(port || 5432), name: current, schema: name, ...access }
}

async function currentName(db: TestDatabase['db']): Promise<string> {
  const text = textFor(db, 'select current_database() as name')
  const { rows } = await db.run({ text, values: [] })
  return (rows as readonly { readonly name?: string }[])[0]?.name ?? ''
}

/** The databases of projects on MariaDB, which are no part of that of the test. */
async function dropOthers({ db }: TestDatabase): Promise<void> {
  if (!isOnMariaDb) return
  const prefix = `${await currentName(db)}_`
  const text = 'select schema_name as name from information_schema.schemata where left(schema_name, $2) = $1'
  const { rows } = await db.run({ text, values: [prefix, prefix.length] })
  for (const { name } of rows as readonly { readonly name: string }[])
    await db.run({ text: `drop database "${name}"`, values: [] })
}

async function ask(url: string, request: string, { headers, ...init }: Asking = {}): Promise<Answer> {
  const [method = 'GET', path = ''] = request.split(' ')
  const typed = init.body === undefined ? {} : { 'content-type': 'application/json' }
  const response = await fetch(`${url}${path}`, {
    method,
    redirect: 'manual',
    ...init,
    headers: { ...typed, ...headers },
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') === true
  return { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers }
}

/** The numeric code of a failure, or the word of the other generation. */
export const codeOf = ({ status, body }: Answer): readonly [status: number, code: unknown] => [
  status,
  (body as { readonly error?: { readonly code?: unknown } }).error?.code,
]

export const as = (token: string): { readonly headers: { readonly authorization: string } } => ({
  headers: { authorization: `Bearer ${token}` },
})
