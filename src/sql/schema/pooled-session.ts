import type { Database } from '../../domain/ports/context.ts'

/** What sessions behind a pooler must have by themselves, and have not; null = nothing is missing. */
export async function missingInPooledSession(db: Database): Promise<string | null> {
  const text = `select current_setting('TimeZone') as zone, current_setting('DateStyle') as style`
  const [session] = (await db.run({ text, values: [] })).rows as readonly {
    readonly zone: string
    readonly style: string
  }[]
  if (!/^(etc\/)?(utc|gmt|uct|zulu)$/i.test(session?.zone ?? '')) return `TimeZone ${session?.zone}`
  return /^iso\b/i.test(session?.style ?? '') ? null : `DateStyle ${session?.style}`
}
