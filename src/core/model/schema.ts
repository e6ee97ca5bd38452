/** The schema in memory. It is loaded again after each notification of a change. */

import type { Database, Log } from '../../domain/ports/context.ts'
import type { CatalogRename, OtherNames, Schema, Sizes } from '../../domain/schema/schema.ts'
import { dialectOf } from '../../sql/dialects/dialects.ts'
import { type Loaded, reloadSchema } from '../../sql/schema/load-schema.ts'
import { type Measured, readSizes, unmeasured } from '../../sql/schema/sizes.ts'
import { type Announcements, announce } from '../announcements.ts'
import { oneAtATime } from '../recurring.ts'

export type SchemaCache = {
  /** The schema for new requests. Running requests keep theirs. */
  readonly current: () => Schema
  /** Loads the schema over this connection without storing it; with `renames`, as it will be after them. */
  load(db: Database, renames?: readonly CatalogRename[]): Promise<Schema>
  /** Loads the schema again. For the replica that changed it. */
  refresh(): Promise<Schema>
  /** Notifies the other replicas of a change, at the end of its transaction. This one calls `refresh` after the commit. */
  announce(inner: Database): Promise<void>
  /** Starts no further loads. */
  close(): Promise<void>
}

export type SchemaCacheOptions = {
  readonly exclude: readonly string[]
  readonly log: Log
  readonly announcements: Announcements
  readonly otherNames?: OtherNames
}

/** Loads the schema and keeps it current by notifications. */
export async function createSchemaCache(db: Database, options: SchemaCacheOptions): Promise<SchemaCache> {
  const names = new Set<string>()
  const self = crypto.randomUUID()
  const sizes = await keepSizes(db, options.log)
  const { otherNames } = options
  const added = otherNames === undefined ? { sizes } : { sizes, otherNames }
  const read = async (inner: Database, before: Loaded | null, renames?: readonly CatalogRename[]): Promise<Loaded> => {
    const loaded = await reloadSchema(inner, renames === undefined ? options : { ...options, renames }, before)
    return loaded.schema === before?.schema ? loaded : { ...loaded, schema: { ...loaded.schema, ...added } }
  }
  let served = await read(db, null)
  let { schema } = served
  tellUnserved(schema, names, options.log)

  const load = async (): Promise<Schema> => {
    served = await read(db, served)
    const { schema: loaded } = served
    tellUnserved(loaded, names, options.log)
    // An unchanged version keeps its object, so that values derived from it are kept too.
    if (loaded.version !== schema.version) {
      const changed = changedTables(schema, loaded)
      schema = loaded
      if (changed === null || changed.length > 0) void sizes.measure(changed)
      options.log.info({ version: schema.version, collections: schema.collections.size }, 'The schema changed')
    }
    return schema
  }

  let isClosed = false
  // A second try, because this replica gets no message about its own change.
  const loads = oneAtATime(async () => (isClosed ? schema : load().catch(load)))
  const stop = options.announcements.on('schema', (from) => {
    if (from === self) return
    loads.run().catch((error: unknown) => options.log.error({ err: error }, 'The schema could not be loaded again'))
  })

  return {
    current: () => schema,
    load: async (inner, renames) => (await read(inner, served, renames)).schema,
    refresh: loads.run,
    announce: (inner) => announce(inner, 'schema', { from: self }),
    close: async () => {
      stop()
      isClosed = true
      await Promise.allSettled([loads.settled(), sizes.close()])
    },
  }
}

/** The tables that are others than before; null for many. */
function changedTables(before: Schema, now: Schema): readonly string[] | null {
  const changed = [...now.collections].flatMap(([name, collection]) =>
    collection.table !== null && before.collections.get(name) !== collection ? [name] : [],
  )
  return changed.length > mostMeasured ? null : changed
}

const mostMeasured = 100

/** Logs once for each table and column why it is not served. */
function tellUnserved({ unserved }: Schema, names: Set<string>, log: Log): void {
  for (const each of unserved) {
    const name = JSON.stringify(each)
    if (names.has(name)) continue
    names.add(name)
    const { reason, ...address } = each
    log.warn(address, `A ${each.column === undefined ? 'table' : 'column'} is not served: ${reason}`)
  }
}

export type StoredSizes = Sizes & {
  /** Measures these tables again, or all (null); a failure keeps the known sizes. */
  readonly measure: (only: readonly string[] | null) => Promise<void>
  /** Measures no more, and waits for a running measurement. */
  readonly close: () => Promise<void>
}

/** Milliseconds between two measurements. */
const interval = 60_000

/** Measures the tables now, and from time to time. */
async function keepSizes(db: Database, log: Log): Promise<StoredSizes> {
  let current: Measured = unmeasured
  let running: Promise<void> = Promise.resolve()
  let ofAll: Promise<void> | null = null
  let isClosed = false
  const read = async (only: readonly string[] | null): Promise<void> => {
    if (isClosed) return
    try {
      current = await readSizes(db, current, only)
    } catch (error) {
      log.warn({ err: error }, 'The sizes of tables could not be measured')
    }
  }
  const measure = (only: readonly string[] | null): Promise<void> => {
    if (only === null && ofAll !== null) return ofAll
    running = running.then(() => read(only))
    if (only === null) {
      ofAll = running.finally(() => {
        ofAll = null
      })
    }
    return running
  }
  await measure(null)
  const timer = setInterval(() => void measure(null), interval).unref()
  return {
    latest: () => current.sizes,
    scansLists: dialectOf(db).scan !== undefined,
    measure,
    async close() {
      isClosed = true
      clearInterval(timer)
      await running
    },
  }
}
