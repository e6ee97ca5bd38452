/** The schema in memory: loaded once, loaded anew when any replica says that it changed. */
import type { Database, Log } from '../../domain/ports/context.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import { loadSchema } from '../../sql/schema/load-schema.ts'
import { type Announcements, announce } from '../announcements.ts'

export type SchemaCache = {
  /** What requests that begin now work with; those under way keep what they began with. */
  current(): Schema
  /** Reads it through this connection and keeps nothing. */
  load(db: Database): Promise<Schema>
  /** Loads again, unless nothing changed since; for the replica that made the change. */
  refresh(): Promise<Schema>
  /** Loads again and tells the other replicas. */
  announce(): Promise<void>
  /** No loads are begun any more. */
  close(): Promise<void>
}

export type SchemaCacheOptions = {
  readonly exclude: readonly string[]
  readonly log: Log
  readonly announcements: Announcements
}

/** Loads the schema; `announcements` keep it fresh. */
export async function createSchemaCache(db: Database, options: SchemaCacheOptions): Promise<SchemaCache> {
  const told = new Set<string>()
  let schema = await loadSchema(db, options)
  tellUnserved(schema, told, options.log)
  let running: Promise<Schema> | null = null
  let waiting: Promise<Schema> | null = null
  let closed = false

  const load = async (): Promise<Schema> => {
    const loaded = await loadSchema(db, options)
    tellUnserved(loaded, told, options.log)
    // The same version is the same value, so that what is made per schema stays.
    if (loaded.version !== schema.version) {
      schema = loaded
      options.log.info({ version: schema.version, collections: schema.collections.size }, 'The schema changed')
    }
    return schema
  }

  /** A load that began before the change may miss it: callers during a load share one more after it. */
  const refresh = (): Promise<Schema> => {
    if (closed) return Promise.resolve(schema)
    if (running === null) {
      running = load().finally(() => {
        running = null
      })
      return running
    }
    waiting ??= running
      .catch(() => schema)
      .then(() => {
        waiting = null
        return refresh()
      })
    return waiting
  }

  const stop = options.announcements.on('schema', () => {
    refresh().catch((error: unknown) => options.log.error({ err: error }, 'The schema could not be loaded again'))
  })

  return {
    current: () => schema,
    load: (inner) => loadSchema(inner, options),
    refresh,
    announce: async () => {
      await refresh()
      await announce(db, 'schema')
    },
    close: async () => {
      closed = true
      stop()
      await Promise.allSettled([running, waiting])
    },
  }
}

/** Says once of each table, and of each column, why it is not served. */
function tellUnserved({ unserved }: Schema, told: Set<string>, log: Log): void {
  for (const each of unserved) {
    const name = JSON.stringify(each)
    if (told.has(name)) continue
    told.add(name)
    const { reason, ...place } = each
    log.warn(place, `A ${each.column === undefined ? 'table' : 'column'} is not served: ${reason}`)
  }
}
