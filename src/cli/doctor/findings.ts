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
  const component = 'database'
  const text = `${name} ${version}`
  if (isReadOnly)
    return {
      component,
      state: 'error',
      text: `${text} is a replica and takes no writes`,
      advice: 'Connect to the primary',
    }
  const fault = faultOf(version)
  return fault === null
    ? { component, state: 'ok', text }
    : { component, state: 'error', text: `${text} is not served`, advice: fault }
}

/** The first statement also opens the connection, so that only much is too much. */
function speedFinding(ms: number): Finding {
  const text = `The first answer took ${Math.round(ms)} ms`
  if (ms <= most.roundTrip * 10) return { component: 'database', state: 'ok', text }
  return {
    component: 'database',
    state: 'warn',
    text,
    advice: 'Run the server close to its database: each read is one round trip',
  }
}

function clockFinding(skew: number): Finding {
  const text = `The clocks of this machine and of the database differ by ${Math.abs(Math.round(skew))} ms`
  if (Math.abs(skew) <= most.skew) return { component: 'clock', state: 'ok', text }
  return {
    component: 'clock',
    state: 'warn',
    text,
    advice: 'Synchronise both by NTP: tokens and sessions end by this clock, and $NOW in rules means it',
  }
}

const migrationFinding = (pending: readonly string[]): Finding => ({
  component: 'database',
  state: 'warn',
  text: `${pending.length} migrations of the system tables have not run: ${pending.join(', ')}`,
  advice: 'Run tandem migrate, or start the server, which does it',
})

async function modelFindings(db: OpenDatabase, exclude: readonly string[]): Promise<readonly Finding[]> {
  const schema = await loadSchema(db, { exclude, log: quietLog })
  const idle = await describeIdlePermissions(db, schema)
  const indexes = await findMissingIndexes(db, schema)
  return [
    ...idle.map(
      (text): Finding => ({ component: 'rights', state: 'warn', text, advice: 'Correct or delete the permission' }),
    ),
    ...indexes.map(
      ({ table, column, rows, uses }): Finding => ({
        component: 'indexes',
        state: 'warn',
        text: `"${table}"."${column}" has no index, in about ${rows} rows; used by ${uses.join(', ')}`,
        advice: dialectOf(db).ddl.indexInUse(table, column),
      }),
    ),
    ...(indexes.length === 0 ? [noIndexMissing] : []),
    ...(await webhookFindings(db)),
  ]
}

/** Addresses may contain secrets, so only their origin is shown. */
async function webhookFindings(db: OpenDatabase): Promise<readonly Finding[]> {
  return (await findFailingWebhooks(db)).map(({ id, name, url, status, failure, dead }): Finding => {
    const { origin } = new URL(url)
    const off = status === 'active' ? '' : ', and is turned off'
    return {
      component: 'webhooks',
      state: 'warn',
      text: `Webhook ${id} "${name}" to ${origin} fails${off}: ${failure}; ${dead} deliveries were given up`,
      advice: `Look at GET /webhooks/${id}/deliveries, and replay them by POST /webhooks/${id}/replay`,
    }
  })
}

const noIndexMissing: Finding = {
  component: 'indexes',
  state: 'ok',
  text: 'No index is missing for relations and rules',
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
  const component = 'storage'
  const key = `tandem-doctor-${crypto.randomUUID()}`
  try {
    await storage.write(key, Readable.from([Buffer.from(key)]))
    const read: string[] = []
    for await (const chunk of await storage.read(key)) read.push(String(chunk))
    await storage.delete(key)
    if (read.join('') !== key) throw new Error('what was written is not what is read')
    return { component, state: 'ok', text: `Location "${name}" takes, gives and deletes files` }
  } catch (error) {
    const text = `Location "${name}" fails: ${(error as Error).message}`
    return {
      component,
      state: 'error',
      text,
      advice: `Check STORAGE_${name.toUpperCase()}_…, and what this user may do there`,
    }
  }
}
