/** The system tables of a database as a whole. */
import type { Database } from '../../domain/ports/context.ts'

const names = `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = current_schema() and c.relkind in ('r', 'p') and starts_with(c.relname, 'platform_')`

/** Whether the schema has system tables. */
export async function hasSystemTables(db: Database): Promise<boolean> {
  return (await db.run({ text: `${names} limit 1`, values: [] })).count > 0
}

const functions = `select p.proname as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where n.nspname = current_schema() and p.pronargs = 0 and starts_with(p.proname, 'platform_')`

/** Drops the system tables, their functions, and the foreign keys that refer to them. Other tables keep their rows. */
export async function dropSystemTables(db: Database): Promise<void> {
  await db.transaction(async (inner) => {
    const drop = async (kind: string, text: string): Promise<void> => {
      const { rows } = await inner.run({ text, values: [] })
      const found = (rows as readonly { readonly name: string }[]).map(({ name }) => `"${name.replaceAll('"', '""')}"`)
      if (found.length > 0) await inner.run({ text: `drop ${kind} ${found.join(', ')} cascade`, values: [] })
    }
    await drop('table', names)
    await drop('function', functions)
  })
}
