/** Properties of a session that a start depends on: the schema of new tables, and what a pooler does to sessions. */
import type { Database } from '../../domain/ports/context.ts'

/** The first usable schema on the search path; null if there is none. */
export async function currentSchema(db: Database): Promise<string | null> {
  const { rows } = await db.run({ text: 'select current_schema() as name', values: [] })
  return (rows[0] as { readonly name: string | null }).name
}

/** The setting that sessions behind a pooler need and lack; null = none. Tandem cannot set it there. */
export async function missingInPooledSession(db: Database): Promise<string | null> {
  const text = `select current_setting('TimeZone') as zone, current_setting('DateStyle') as style`
  const [session] = (await db.run({ text, values: [] })).rows as readonly {
    readonly zone: string
    readonly style: string
  }[]
  if (!/^(etc\/)?(utc|gmt|uct|zulu)$/i.test(session?.zone ?? '')) return `TimeZone ${session?.zone}`
  return /^iso\b/i.test(session?.style ?? '') ? null : `DateStyle ${session?.style}`
}

/**
 * Whether prepared statements belong to a connection to the pooler. Otherwise (PgBouncer before 1.21) both connections
 * reach one session of the database, where the second cannot prepare another statement of the same name.
 */
export async function carriesPreparedStatements(db: Database, other: Database): Promise<boolean> {
  const name = `tandem-${crypto.randomUUID()}`
  await db.run({ text: 'select 1', values: [], name })
  try {
    await other.run({ text: 'select 2', values: [], name })
    return true
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === alreadyPrepared) return false
    throw error
  }
}

/** `duplicate_prepared_statement` */
const alreadyPrepared = '42P05'
