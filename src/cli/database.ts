/** `tandem migrate`, `tandem introspect` and `tandem untrack`. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfig } from '../config/config.ts'
import { openConfigured } from '../config/database.ts'
import { warnOf } from '../config/misspelt.ts'
import type { Config } from '../config/sections.ts'
import { describeIdlePermissions } from '../core/access/idle-permissions.ts'
import { registerMetadata } from '../core/model/introspect.ts'
import { untrack } from '../core/model/untrack.ts'
import type { Log } from '../domain/ports/context.ts'
import type { OpenDatabase } from '../sql/database.ts'
import { loadSchema } from '../sql/schema/load-schema.ts'
import { migrate } from '../sql/schema/migrate.ts'
import { withProgress } from './progress.ts'

export const print = (line: string): void => void process.stdout.write(`${line}\n`)

const warn = (detail: object, message: string): void => {
  const facts = Object.entries(detail).map(([name, value]) => `${name} ${tell(value)}`)
  process.stderr.write(`${[message, ...facts].join(', ')}\n`)
}

const tell = (value: unknown): string =>
  value instanceof Error ? value.message : typeof value === 'string' ? value : JSON.stringify(value)

/** Log of commands: only warnings and errors, on standard error. */
export const quietLog: Log = { debug: () => {}, info: () => {}, warn, error: warn }

/** Runs `work` with the configured database, and always closes it. */
export async function withDatabase<T>(work: (db: OpenDatabase, config: Config) => Promise<T>): Promise<T> {
  const config = loadConfig()
  warnOf(config.misspelt, quietLog)
  const isNew = config.database.kind === 'pglite' && !existsSync(join(config.dataDir, 'database'))
  const db = await withProgress('Opening the database', () => openConfigured(config, quietLog))
  if (isNew) warn({}, `Made a new embedded database in ${config.dataDir}: DATA_DIR names another folder`)
  try {
    return await work(db, config)
  } finally {
    await db.close()
  }
}

/** The same, with the system tables of this version. */
export const withTables = <T>(work: (db: OpenDatabase, config: Config) => Promise<T>): Promise<T> =>
  withDatabase(async (db, config) => {
    await withProgress('Migrating', () => migrate(db, quietLog))
    return work(db, config)
  })

export const migrateDatabase = (): Promise<void> =>
  withDatabase(async (db) => {
    const done = await withProgress('Migrating', () => migrate(db, quietLog))
    for (const name of done) print(`Migrated ${name}`)
    if (done.length === 0) print('The system tables are up to date.')
  })

/** Registers relations that foreign keys imply. */
export const introspectDatabase = (): Promise<void> =>
  withTables(async (db, config) => {
    const options = { exclude: config.excludeTables, log: quietLog }
    const { done, unserved } = await withProgress('Introspecting', () =>
      registerMetadata(db, (inner) => loadSchema(inner, options)),
    )
    for (const line of done) print(line)
    for (const line of unserved) print(line)
    for (const line of await describeIdlePermissions(db, await loadSchema(db, options))) print(line)
    if (done.length === 0) print('Everything is registered already; nothing changed.')
  })

export const untrackTable = (name: string): Promise<void> =>
  withTables(async (db, config) => {
    const options = { exclude: config.excludeTables, log: quietLog }
    await untrack(db, (inner) => loadSchema(inner, options), name)
    print(`Untracked ${name}; its table is unchanged.`)
  })
