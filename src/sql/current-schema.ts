/** Which schema of the database new tables go to. */
import type { Database } from '../domain/context.ts'

/** The first of the search path that is there and may be used; null when none is. */
export async function currentSchema(db: Database): Promise<string | null> {
  const { rows } = await db.run({ text: 'select current_schema() as name', values: [] })
  return (rows[0] as { readonly name: string | null }).name
}
