import type { Database } from '../../domain/ports/context.ts'
import { dialectOf } from '../dialects/dialects.ts'
import { quoteName } from '../dialects/quoting.ts'

const names = `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = current_schema() and c.relkind in ('r', 'p') and starts_with(c.relname, 'platform_')`

const namesInstead = `select table_name as name, case table_type when 'VIEW' then 'view' else 'table' end as kind from information_schema.tables
  where table_schema = database() and table_name like 'platform\\_%' escape '\\'`

export async function hasSystemTables(db: Database): Promise<boolean> {
  return (await db.run({ text: `${names} limit 1`, texts: { mysql: namesInstead }, values: [] })).count > 0
}

const functions = `select p.proname as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where n.nspname = current_schema() and p.pronargs = 0 and starts_with(p.proname, 'platform_')`

/** Drops the system tables, their functions, and the foreign keys that refer to them. Other tables keep their rows. */
export async function dropSystemTables(db: Database): Promise<void> {
  if (!dialectOf(db).transactionalDdl) return dropOneByOne(db)
  await db.transaction(async (inner) => {
    const drop = async (kind: string, text: string): Promise<void> => {
      const { rows } = await inner.run({ text, values: [] })
      const tables = (rows as readonly { readonly name: string }[]).map(({ name }) => quoteName(name))
      if (tables.length > 0) await inner.run({ text: `drop ${kind} ${tables.join(', ')} cascade`, values: [] })
    }
    await drop('table', names)
    await drop('function', functions)
  })
}

/** The server refuses to drop a table that another one references, unless the session turns that check off. */
async function dropOneByOne(db: Database): Promise<void> {
  await db.transaction(async (inner) => {
    const { rows } = await inner.run({ text: namesInstead, values: [] })
    await inner.run({ text: 'set foreign_key_checks = 0', values: [] })
    try {
      for (const { name, kind } of rows as readonly { readonly name: string; readonly kind: string }[]) {
        await inner.run({ text: `drop ${kind} ${quoteName(name)}`, values: [] })
      }
    } finally {
      await inner.run({ text: 'set foreign_key_checks = 1', values: [] })
    }
  })
}
