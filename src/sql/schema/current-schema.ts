/** Finds the database schema of new tables. */
import type { Database } from '../../domain/ports/context.ts'

/** The first usable schema on the search path; null if there is none. */
export async function currentSchema(db: Database): Promise<string | null> {
  const { rows } = await db.run({ text: 'select current_schema() as name', values: [] })
  return (rows[0] as { readonly name: string | null }).name
}
