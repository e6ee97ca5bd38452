/** Opens the database that the settings name; what the settings are to blame for is told by their names. */
import { mkdir } from 'node:fs/promises'
import { ConfigError } from './config-error.ts'
import type { Config } from './config-sections.ts'
import type { Log } from './domain/context.ts'
import { currentSchema } from './sql/current-schema.ts'
import { type OpenDatabase, openDatabase } from './sql/database.ts'

/** The folder of what is kept outside of the database, made where it is missing. */
export async function makeDataDir(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 })
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'an error'
    throw new ConfigError('DATA_DIR', 'a folder that can be written', `${reason} for ${JSON.stringify(path)}`)
  }
}

/** The embedded database, or connections to a server whose schemas are there. */
export async function openConfigured({ database, dataDir }: Config, log: Log): Promise<OpenDatabase> {
  if (database.kind === 'pglite') await makeDataDir(dataDir)
  const db = await openDatabase({ ...database, log })
  try {
    if (database.kind === 'pg') await assertSchema(db, database.searchPath ?? [])
    return db
  } catch (error) {
    await db.close()
    throw error
  }
}

/** Otherwise the system tables would go elsewhere, or nowhere. */
async function assertSchema(db: OpenDatabase, [first]: readonly string[]): Promise<void> {
  const found = await currentSchema(db)
  if (found !== null && (first === undefined || first === found || first === '$user')) return
  throw new ConfigError('DB_SEARCH_PATH', 'a schema that is there and may be used', JSON.stringify(first ?? null))
}
