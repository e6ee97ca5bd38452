/** Migrates the system tables. Each migration is one transaction; replicas that start together run them one after another. */

import type { Knex } from 'knex'
import type { Database, Log } from '../../domain/ports/context.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { dialectOf } from '../dialects/dialects.ts'
import { refusalOf } from '../errors/refusals.ts'
import { initial } from './migrations/0001-initial.ts'
import type { Migration } from './migrations/migration.ts'

/** In order. Until the first release there is one; a released migration is never changed, and new ones are appended. */
export const migrations: readonly Migration[] = [initial]

/** Runs the missing migrations and returns their names. */
export async function migrate(db: Database, log: Log, wanted = migrations): Promise<readonly string[]> {
  await dialectOf(db).assertServer?.(db)
  // A first check without a lock.
  if ((await findPendingMigrations(db, wanted)).length === 0) return []
  // knex is loaded only if there is something to migrate, which saves time and memory at other starts.
  const { default: createKnex } = await import('knex')
  const knex = createKnex({ client: 'pg' })
  const done: string[] = []
  const run = dialectOf(db).transactionalDdl ? runOnce : runInSteps
  for (const migration of wanted) {
    const ran = await db.transaction((inner) => run(inner, migration, knex))
    if (!ran) continue
    log.info({ migration: migration.name }, 'Migrated the system tables')
    done.push(migration.name)
  }
  return done
}

/** The names of those that have not run. Nothing is changed: on a new database, which has no ledger, the attempt is rolled back. */
export async function findPendingMigrations(db: Database, wanted = migrations): Promise<readonly string[]> {
  const ran = await db.transaction(readVersions).catch(() => new Set<string>())
  return wanted.map(({ name }) => name).filter((name) => !ran.has(name))
}

async function readVersions(db: Database): Promise<ReadonlySet<string>> {
  const { rows } = await db.run({ text: 'select version from platform_migrations', values: [] })
  return new Set((rows as readonly { readonly version: string }[]).map(({ version }) => version))
}

/** Returns false if the migration has already run, possibly in another replica during the wait for the lock. */
async function runOnce(inner: Database, migration: Migration, knex: Knex): Promise<boolean> {
  await inner.run({ text: dialectOf(inner).migrationLock, values: [] })
  await inner.run({ text: createLedger(dialectOf(inner)), values: [] })
  if ((await readVersions(inner)).has(migration.name)) return false
  for (const statement of toStatements(migration, knex, dialectOf(inner))) await inner.run(statement)
  await inner.run(note(migration.name))
  return true
}

const note = (version: string) => ({
  text: 'insert into platform_migrations (version, name) values ($1, $1)',
  values: [version],
})

/**
 * Where a change of tables ends the transaction, each statement is a step with an entry of its own. After a stop in
 * between, the rest is run. The first step without an entry may have been run before the stop; then it says that what it
 * makes is there.
 */
async function runInSteps(inner: Database, migration: Migration, knex: Knex): Promise<boolean> {
  const { migrationLock, migrationUnlock = '' } = dialectOf(inner)
  await inner.run({ text: migrationLock, values: [] })
  try {
    await inner.run({ text: createLedger(dialectOf(inner)), values: [] })
    const done = await readVersions(inner)
    if (done.has(migration.name)) return false
    let isFirst = true
    for (const [at, statement] of toStatements(migration, knex, dialectOf(inner)).entries()) {
      const step = `${migration.name}#${at}`
      if (done.has(step)) continue
      await inner.run(statement).catch((error: unknown) => {
        if (!isFirst || !repeated.has(refusalOf(error)?.sqlState ?? '')) throw error
      })
      isFirst = false
      await inner.run(note(step))
    }
    await inner.run(note(migration.name))
    return true
  } finally {
    await inner.run({ text: migrationUnlock, values: [] })
  }
}

/** A table, index, column, constraint, trigger or row already exists, or the part to drop is missing. */
const repeated: ReadonlySet<string> = new Set(['42P07', '42701', '42710', '23505', '42704'])

function toStatements(
  migration: Migration,
  knex: Knex,
  { triggers, tableOptions }: Dialect,
): { text: string; values: readonly unknown[] }[] {
  return migration.statements(knex, triggers).flatMap((builder) => {
    const made = builder.toSQL()
    return (Array.isArray(made) ? made : [made.toNative()]).map(({ sql, bindings }) => ({
      text: sql.startsWith('create table ') ? sql + tableOptions : sql,
      values: [...(bindings ?? [])],
    }))
  })
}

const createLedger = ({ tableOptions }: Dialect): string => `create table if not exists platform_migrations (
  version varchar(255) primary key, name varchar(255) not null, timestamp timestamptz default current_timestamp)${tableOptions}`
