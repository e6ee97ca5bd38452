/**
 * A fresh migrated database per test file: the embedded database, loaded from an archive that is made once per set of
 * migrations, or, if TEST_DATABASE_URL names a server, a database of its own that is dropped at the end.
 */
import { access, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database, Log } from '../../domain/ports/context.ts'
import { hashText } from '../../domain/schema/hash-text.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import { type OpenDatabase, openDatabase, openEmbedded, type ServerOptions } from '../database.ts'
import { unpackImage } from '../embedded/image.ts'
import { makeImage } from '../embedded/make-image.ts'
import { loadSchema } from '../schema/load-schema.ts'
import { migrate } from '../schema/migrate.ts'
import { scriptOf } from './mysql-script.ts'
import { copyDatabase } from './mysql-template.ts'
import { worldSql } from './test-world.ts'

export type TestDatabase = {
  readonly db: OpenDatabase
  /** The present schema. Call it again after a change. */
  readonly loadSchema: () => Promise<Schema>
  /** Opens the same server database again; null for the embedded database. */
  readonly openAgain: ((more?: Pick<ServerOptions, 'searchPath' | 'pool'>) => Promise<OpenDatabase>) | null
  readonly close: () => Promise<void>
}

export const silentLog: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/**
 * `sql` runs after the migrations; `worldSql` of `test-world.ts` is the usual one.
 * @example const { db, close } = await createTestDatabase({ sql: worldSql })
 */
export async function createTestDatabase(options: { readonly sql?: string } = {}): Promise<TestDatabase> {
  const seed = options.sql === worldSql ? 'world' : 'empty'
  const server = testServer()
  const { db, openAgain, drop } = await openCopy(server, seed)
  if (seed === 'empty' && options.sql !== undefined) await runScript(db, options.sql)
  return {
    db,
    loadSchema: () => loadSchema(db, { exclude: [], log: silentLog }),
    openAgain,
    close: async () => {
      await db.close()
      await drop()
    },
  }
}

function openCopy(server: string | undefined, seed: Seed): Promise<Copy> {
  if (server === undefined) return openEmbeddedCopy(seed)
  return /^(mysql|mariadb):/.test(server) ? openMySqlCopy(server, seed) : openServerCopy(server, seed)
}

/** The text of a test, which is written for Postgres, for the database. */
export const textFor = ({ dialect }: Pick<Database, 'dialect'>, text: string): string =>
  dialect.startsWith('mysql') ? scriptOf(text) : text

const runScript = async (db: Database, sql: string): Promise<void> =>
  void (await db.run({ text: textFor(db, sql), values: [] }))

const fromEntries = (_name: string, value: unknown): unknown => {
  const { $map: entries } = (value ?? {}) as { readonly $map?: readonly (readonly [string, unknown])[] }
  return entries === undefined ? value : new Map(entries)
}

/** The code that makes the schema of a database. */
const makers = ['../schema/', '../dialects/', '../../domain/model/', '../../domain/schema/']

/** The schema of the usual world without its database: it is read once per version of the code, and kept as a file. */
export async function worldSchema(): Promise<Schema> {
  const texts = (await Promise.all(makers.map(textsIn))).flat()
  // Servers of one vendor tell the same schema in different words.
  const server = testServer() ?? 'embedded'
  const path = join(
    tmpdir(),
    `tandem-schema-${hashText([server, await fingerprint('world'), ...texts].join('\n'))}.json`,
  )
  if (!(await exists(path))) {
    const database = await createTestDatabase({ sql: worldSql })
    const draft = `${path}.${process.pid}.${crypto.randomUUID()}`
    await writeFile(draft, schemaText(await database.loadSchema()))
    await database.close()
    await rename(draft, path)
  }
  return JSON.parse(await readFile(path, 'utf8'), fromEntries) as Schema
}

export const schemaText = (schema: Schema): string =>
  JSON.stringify(schema, (_name, value: unknown) => (value instanceof Map ? { $map: [...value] } : value))

type Seed = 'empty' | 'world'
type Copy = {
  readonly db: OpenDatabase
  readonly openAgain: TestDatabase['openAgain']
  readonly drop: () => Promise<void>
}

/** Tests select their database by the environment, not by the configuration of a server. */
const testServer = (): string | undefined => process.env['TEST_DATABASE_URL']

/** Long, because all test files share two cores. */
const timeouts = { acquireTimeout: 60_000 }

async function openEmbeddedCopy(seed: Seed): Promise<Copy> {
  const dump = await preparedArchive(seed)
  const db = await openDatabase({ kind: 'pglite', dataDir: null, dump, ...timeouts })
  return { db, openAgain: null, drop: () => Promise.resolve() }
}

/** Makes the files of a migrated database in a new folder, which is faster than to load the archive by an engine. */
export async function unpackArchive(folder: string): Promise<void> {
  await unpackImage(await preparedArchive(), folder)
}

/** An archive for `openDatabase`. Two workers may make it concurrently; the rename selects one, and both are valid. */
export async function preparedArchive(seed: Seed = 'empty'): Promise<string> {
  const path = join(tmpdir(), `tandem-archive-${await fingerprint(seed)}.tar`)
  if (await exists(path)) return path
  const db = await openEmbedded({ kind: 'pglite', dataDir: null, dump: await makeImage(), ...timeouts })
  await prepare(db, seed)
  // Without a checkpoint, sequences would skip some numbers compared to a server.
  await db.run({ text: 'checkpoint', values: [] })
  const draft = `${path}.${process.pid}.${crypto.randomUUID()}`
  await db.dump(draft)
  await db.close()
  await rename(draft, path)
  return path
}

async function openMySqlCopy(server: string, seed: Seed): Promise<Copy> {
  const name = `tandem_test_${crypto.randomUUID().replaceAll('-', '')}`
  const admin = await openDatabase({ kind: 'mysql', connectionString: onServer(server, ''), ...timeouts })
  await copyDatabase(server, await makeMySqlTemplate(admin, server, seed), name)
  const connectionString = onServer(server, name)
  const open = (more: Pick<ServerOptions, 'pool'> = {}) =>
    openDatabase({ kind: 'mysql', connectionString, pool: { max: 4 }, ...timeouts, ...more })
  const drop = async (): Promise<void> => {
    await admin.run({ text: `drop database if exists ${name}`, values: [] })
    await admin.close()
  }
  return { db: await open(), openAgain: open, drop }
}

/** Makes a migrated database on the server of MariaDB. */
export async function createPreparedMySql(server: string, name: string): Promise<void> {
  const admin = await openDatabase({ kind: 'mysql', connectionString: onServer(server, ''), ...timeouts })
  try {
    await copyDatabase(server, await makeMySqlTemplate(admin, server, 'empty'), name)
  } finally {
    await admin.close()
  }
}

/** The collation of a template that is finished; its copies have another one. */
const prepared = 'utf8mb4_unicode_ci'

/** One process makes it, while the others wait. */
async function makeMySqlTemplate(admin: Database, server: string, seed: Seed): Promise<string> {
  const makers = (await Promise.all(['../dialects/mysql/', '../wire/mysql/'].map(textsIn))).flat()
  const template = `tandem_template_${hashText([await fingerprint(seed), ...makers].join('')).slice(0, 32)}`
  await admin.transaction(async (session) => {
    const run = async (text: string, ...values: readonly unknown[]) => session.run({ text, values })
    await run('select get_lock($1, 600)', template)
    try {
      const finished = `select 1 from information_schema.schemata where schema_name = $1 and default_collation_name = '${prepared}'`
      if ((await run(finished, template)).count > 0) return
      await run(`drop database if exists ${template}`)
      // The collation that a server gives a new database.
      await run(`create database ${template} character set utf8mb4 collate utf8mb4_general_ci`)
      const db = await openDatabase({ kind: 'mysql', connectionString: onServer(server, template), ...timeouts })
      await migrate(db, silentLog)
      await run(`alter database ${template} collate utf8mb4_bin`)
      await prepare(db, seed)
      await db.close()
      await run(`alter database ${template} collate ${prepared}`)
    } finally {
      await run('select release_lock($1)', template)
    }
  })
  return template
}

async function openServerCopy(server: string, seed: Seed): Promise<Copy> {
  const name = `tandem_test_${crypto.randomUUID().replaceAll('-', '')}`
  // Creating and dropping databases needs a checkpoint, which is slow during other writes.
  const statementTimeout = 170_000
  const admin = await openDatabase({ kind: 'pg', connectionString: server, statementTimeout, ...timeouts })
  try {
    const template = await makeTemplate(admin, server, seed)
    await admin.run({ text: `create database ${name} template ${template}`, values: [] })
  } catch (error) {
    await admin.close()
    throw error
  }
  const connectionString = onServer(server, name)
  const open = (more: Pick<ServerOptions, 'searchPath' | 'pool'> = {}) =>
    openDatabase({ kind: 'pg', connectionString, pool: { max: 4 }, ...timeouts, ...more })
  const drop = async (): Promise<void> => {
    await admin.run({ text: `drop database if exists ${name} with (force)`, values: [] })
    await admin.close()
  }
  return { db: await open(), openAgain: open, drop }
}

/** The name of a database on the server that can be copied. */
export async function preparedTemplate(server: string, seed: Seed = 'empty'): Promise<string> {
  const admin = await openDatabase({ kind: 'pg', connectionString: server, ...timeouts })
  try {
    return await makeTemplate(admin, server, seed)
  } finally {
    await admin.close()
  }
}

/** Made under another name and renamed, so that no half-written file is copied. */
async function makeTemplate(admin: Database, server: string, seed: Seed): Promise<string> {
  const template = `tandem_template_${await fingerprint(seed)}`
  const isKnown = async (): Promise<boolean> => {
    const entry = { text: 'select 1 from pg_database where datname = $1', values: [template] }
    return (await admin.run(entry)).count > 0
  }
  if (await isKnown()) return template
  const draft = `tandem_draft_${crypto.randomUUID().replaceAll('-', '')}`
  await admin.run({ text: `create database ${draft}`, values: [] })
  const db = await openDatabase({ kind: 'pg', connectionString: onServer(server, draft), ...timeouts })
  await prepare(db, seed)
  await db.close()
  try {
    await admin.run({ text: `alter database ${draft} rename to ${template}`, values: [] })
  } catch (error) {
    if (!(await isKnown())) throw error
    await admin.run({ text: `drop database if exists ${draft}`, values: [] })
  }
  return template
}

async function prepare(db: Database, seed: Seed): Promise<void> {
  await migrate(db, silentLog)
  if (seed === 'world') await runScript(db, worldSql)
}

/** Depends on everything that the prepared databases contain. */
async function fingerprint(seed: Seed): Promise<string> {
  const texts = await textsIn('../schema/migrations/')
  return hashText([...texts, seed === 'world' ? worldSql : ''].join('\n'))
}

async function textsIn(place: string): Promise<readonly string[]> {
  const folder = new URL(place, import.meta.url)
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts')).toSorted()
  return Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')))
}

function onServer(server: string, database: string): string {
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
