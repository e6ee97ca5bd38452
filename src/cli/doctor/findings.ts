import { Readable } from 'node:stream'
import { describeIdlePermissions } from '../../core/access/idle-permissions.ts'
import { findMissingIndexes } from '../../core/server/missing-indexes.ts'
import type { Storage } from '../../domain/ports/storage.ts'
import type { OpenDatabase } from '../../sql/database.ts'
import type { Dialect } from '../../sql/dialects/dialect.ts'
import { dialectOf } from '../../sql/dialects/dialects.ts'
import { loadSchema } from '../../sql/schema/load-schema.ts'
import { findPendingMigrations } from '../../sql/schema/migrate.ts'
import { type DatabaseFacts, readDatabaseFacts } from '../../sql/statements/operation/examinations.ts'
import { findFailingWebhooks } from '../../sql/statements/webhooks/webhooks.ts'
import { type LocationsOptions, openLocations } from '../../storage/locations.ts'
import { quietLog } from '../database.ts'

/** `error`: the server does not work, or not wholly. `warn`: it works, less well or less safely than it could. */
export type Finding = {
  readonly component: string
  readonly state: 'ok' | 'warn' | 'error'
  readonly text: string
  readonly advice?: string
}

export const isFine = (component: string, text: string): Finding => ({ component, state: 'ok', text })

const advising =
  (state: Finding['state']) =>
  (component: string, text: string, advice: string): Finding => ({ component, state, text, advice })

export const warns = advising('warn')
export const fails = advising('error')

/** Milliseconds. */
const most = { roundTrip: 20, skew: 2000 } as const

/** The findings about an open database, which is not changed. */
export async function databaseFindings(db: OpenDatabase, exclude: readonly string[]): Promise<readonly Finding[]> {
  const started = performance.now()
  const before = Date.now()
  const facts = await readDatabaseFacts(db)
  const ms = performance.now() - started
  const pending = await findPendingMigrations(db)
  return [
    versionFinding(dialectOf(db).server, facts),
    speedFinding(ms),
    clockFinding(Date.parse(facts.now) - (before + ms / 2)),
    ...(pending.length > 0 ? [migrationFinding(pending)] : await modelFindings(db, exclude)),
  ]
}

function versionFinding(
  { name, faultOf }: Dialect['server'],
  { version, isReadOnly }: Pick<DatabaseFacts, 'version' | 'isReadOnly'>,
): Finding {
  const text = `${name} ${version}`
  if (isReadOnly) return fails('database', `${text} is a replica and takes no writes`, 'Connect to the primary')
  const fault = faultOf(version)
  return fault === null ? isFine('database', text) : fails('database', `${text} is not served`, fault)
}

/** The first statement also opens the connection, so that only much is too much. */
function speedFinding(ms: number): Finding {
  const text = `The first answer took ${Math.round(ms)} ms`
  if (ms <= most.roundTrip * 10) return isFine('database', text)
  return warns('database', text, 'Run the server close to its database: each read is one round trip')
}

function clockFinding(skew: number): Finding {
  const text = `The clocks of this machine and of the database differ by ${Math.abs(Math.round(skew))} ms`
  if (Math.abs(skew) <= most.skew) return isFine('clock', text)
  const advice = 'Synchronise both by NTP: tokens and sessions end by this clock, and $NOW in rules means it'
  return warns('clock', text, advice)
}

function migrationFinding(pending: readonly string[]): Finding {
  const text = `${pending.length} migrations of the system tables have not run: ${pending.join(', ')}`
  return warns('database', text, 'Run tandem migrate, or start the server, which does it')
}

async function modelFindings(db: OpenDatabase, exclude: readonly string[]): Promise<readonly Finding[]> {
  const schema = await loadSchema(db, { exclude, log: quietLog })
  const idle = await describeIdlePermissions(db, schema)
  const indexes = await findMissingIndexes(db, schema)
  return [
    ...idle.map((text) => warns('rights', text, 'Correct or delete the permission')),
    ...indexes.map(({ table, column, rows, uses }) => {
      const text = `"${table}"."${column}" has no index, in about ${rows} rows; used by ${uses.join(', ')}`
      return warns('indexes', text, dialectOf(db).ddl.indexInUse(table, column))
    }),
    ...(indexes.length === 0 ? [isFine('indexes', 'No index is missing for relations and rules')] : []),
    ...(await webhookFindings(db)),
  ]
}

/** Addresses may contain secrets, so only their origin is shown. */
async function webhookFindings(db: OpenDatabase): Promise<readonly Finding[]> {
  return (await findFailingWebhooks(db)).map(({ id, name, url, status, failure, dead }): Finding => {
    const { origin } = new URL(url)
    const off = status === 'active' ? '' : ', and is turned off'
    return warns(
      'webhooks',
      `Webhook ${id} "${name}" to ${origin} fails${off}: ${failure}; ${dead} deliveries were given up`,
      `Look at GET /webhooks/${id}/deliveries, and replay them by POST /webhooks/${id}/replay`,
    )
  })
}

/** Writes, reads and deletes an object in each location. */
export async function storageFindings(options: LocationsOptions): Promise<readonly Finding[]> {
  const { locations, close } = await openLocations(options)
  try {
    return await Promise.all([...locations].map(([name, storage]) => locationFinding(name, storage)))
  } finally {
    close()
  }
}

async function locationFinding(name: string, storage: Storage): Promise<Finding> {
  const key = `tandem-doctor-${crypto.randomUUID()}`
  try {
    await storage.write(key, Readable.from([Buffer.from(key)]))
    const read: string[] = []
    for await (const chunk of await storage.read(key)) read.push(String(chunk))
    await storage.delete(key)
    if (read.join('') !== key) throw new Error('what was written is not what is read')
    return isFine('storage', `Location "${name}" takes, gives and deletes files`)
  } catch (error) {
    const text = `Location "${name}" fails: ${(error as Error).message}`
    return fails('storage', text, `Check STORAGE_${name.toUpperCase()}_…, and what this user may do there`)
  }
}
