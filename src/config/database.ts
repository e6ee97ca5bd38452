/** Opens the configured database. Errors caused by a setting name the setting. */
import { mkdir } from 'node:fs/promises'
import type { Log } from '../domain/ports/context.ts'
import { type OpenDatabase, openDatabase } from '../sql/database.ts'
import { withReplicas } from '../sql/replicas.ts'
import { carriesPreparedStatements, currentSchema, missingInPooledSession } from '../sql/schema/session-facts.ts'
import type { MySqlServerOptions } from '../sql/wire/mysql/open.ts'
import { ConfigError } from './error.ts'
import type { Config } from './sections.ts'

/** Creates the data directory if it does not exist. */
export async function makeDataDir(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 })
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'an error'
    throw new ConfigError('DATA_DIR', 'a folder that can be written', `${reason} for ${JSON.stringify(path)}`)
  }
}

/** Opens the embedded database, or connects to a server and checks that the configured schema exists. */
export async function openConfigured({ database, replicas, dataDir, redis }: Config, log: Log): Promise<OpenDatabase> {
  if (database.kind === 'pglite') await makeDataDir(dataDir)
  const db = await openDatabase(
    database.kind === 'mysql' ? await withSignals(database, redis, log) : { ...database, log },
  )
  try {
    if (database.kind !== 'pg') return db
    await assertSchema(db, database.searchPath ?? [])
    if (database.pooler !== undefined) await assertPooledSession(db)
    if (database.pooler?.isPrepared === true) await assertPrepared(db, { ...database, log, pool: { max: 1 } })
    if (replicas === null) return db
    const servers = await Promise.all(replicas.servers.map((server) => openDatabase({ ...server, log })))
    return await withReplicas(db, servers, { ...replicas, log })
  } catch (error) {
    await db.close()
    throw error
  }
}

/** A pooler takes no settings of a session, so the role or the database must have them. */
async function assertPooledSession(db: OpenDatabase): Promise<void> {
  const missing = await missingInPooledSession(db)
  if (missing === null) return
  const wanted = "a role with timezone UTC and datestyle ISO (alter role … set timezone = 'UTC')"
  throw new ConfigError('DB_POOLER', wanted, missing)
}

/** With a pooler that does not carry prepared statements, requests fail as soon as their statements meet. */
async function assertPrepared(db: OpenDatabase, options: Parameters<typeof openDatabase>[0]): Promise<void> {
  const other = await openDatabase(options)
  try {
    if (await carriesPreparedStatements(db, other)) return
  } finally {
    await other.close()
  }
  const wanted = 'false, or a pooler that carries prepared statements (PgBouncer 1.21 with max_prepared_statements)'
  throw new ConfigError('DB_POOLER_PREPARED', wanted, 'true for a pooler that does not')
}

/** Replicas on a database without notifications wake each other by Redis, if there is one. */
async function withSignals(database: MySqlServerOptions, redis: string | null, log: Log) {
  if (redis === null) return { ...database, log }
  const { openSignals } = await import('../cache/signals.ts')
  const { databaseOf } = await import('../sql/wire/mysql/open.ts')
  return { ...database, log, signals: openSignals(redis, `tandem:${databaseOf(database)}`, log) }
}

/** Checks the first schema. Otherwise the system tables could be created in another one. */
async function assertSchema(db: OpenDatabase, [first]: readonly string[]): Promise<void> {
  const actual = await currentSchema(db)
  if (actual !== null && (first === undefined || first === actual || first === '$user')) return
  throw new ConfigError(
    'DB_SEARCH_PATH',
    'an existing schema that the database user may use',
    JSON.stringify(first ?? null),
  )
}
