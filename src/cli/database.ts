/** `tandem migrate`, `tandem introspect` and `tandem untrack`. */

import { loadConfig } from '../config.ts'
import { openConfigured } from '../config-database.ts'
import type { Config } from '../config-sections.ts'
import { registerMetadata } from '../core/introspect.ts'
import { untrack } from '../core/untrack.ts'
import type { Log } from '../domain/context.ts'
import type { OpenDatabase } from '../sql/database.ts'
import { loadSchema } from '../sql/load-schema.ts'
import { migrate } from '../sql/migrate.ts'
import { withProgress } from './progress.ts'

/** One line on standard output. */
export const print = (line: string): void => void process.stdout.write(`${line}\n`)

const warn = (detail: object, message: string): void => {
  const facts = Object.entries(detail).map(([name, value]) => `${name} ${tell(value)}`)
  process.stderr.write(`${[message, ...facts].join(', ')}\n`)
}

const tell = (value: unknown): string =>
  value instanceof Error ? value.message : typeof value === 'string' ? value : JSON.stringify(value)

/** Warnings and errors of a command go to standard error; the rest of the log is for servers. */
export const quietLog: Log = { debug: () => {}, info: () => {}, warn, error: warn }

/** Opens the configured database for one command and closes it whatever happens. */
export async function withDatabase<T>(work: (db: OpenDatabase, config: Config) => Promise<T>): Promise<T> {
  const config = loadConfig()
  const db = await withProgress('Opening the database', () => openConfigured(config, quietLog))
  try {
    return await work(db, config)
  } finally {
    await db.close()
  }
}

/** Brings the system tables up to date. */
export const migrateDatabase = (): Promise<void> =>
  withDatabase(async (db) => {
    const done = await withProgress('Migrating', () => migrate(db, quietLog))
    for (const name of done) print(`Migrated ${name}`)
    if (done.length === 0) print('The system tables are up to date.')
  })

/** Registers what the database's constraints tell. */
export const introspectDatabase = (): Promise<void> =>
  withDatabase(async (db, config) => {
    await withProgress('Migrating', () => migrate(db, quietLog))
    const options = { exclude: config.excludeTables, log: quietLog }
    const done = await withProgress('Introspecting', () => registerMetadata(db, (inner) => loadSchema(inner, options)))
    for (const line of done) print(line)
    if (done.length === 0) print('Nothing is left to register; nothing changed.')
  })

/** Forgets what was said about a table. */
export const untrackTable = (name: string): Promise<void> =>
  withDatabase(async (db, config) => {
    await withProgress('Migrating', () => migrate(db, quietLog))
    const options = { exclude: config.excludeTables, log: quietLog }
    await untrack(db, (inner) => loadSchema(inner, options), name)
    print(`Untracked ${name}; its table is as it was.`)
  })
