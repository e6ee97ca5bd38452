import type { Database } from '../../domain/ports/context.ts'
import { quoteName } from '../dialects/quoting.ts'

export type CountedColumn = { readonly schema: string | null; readonly table: string; readonly column: string }

/** Moves the sequence of the column behind its highest value. Sequences never move back. */
export async function moveSequence(db: Pick<Database, 'run'>, { schema, table, column }: CountedColumn): Promise<void> {
  const name = [...(schema === null ? [] : [schema]), table].map(quoteName).join('.')
  const text = `
select setval(s.name::regclass, m.most) from (select pg_get_serial_sequence($1, $2) as name) s,
  (select max(${quoteName(column)}) as most from ${name}) m
where s.name is not null and m.most > coalesce(pg_sequence_last_value(s.name::regclass), 0)`
  // The counter of a table moves by itself.
  await db.run({ text, texts: { mysql: 'select 1' }, values: [name, column] })
}

/** A change of numbers leaves the counter of the table where it was, on MariaDB; the lowest value that it takes is behind them all. */
export async function settleCounter(db: Pick<Database, 'run'>, table: string): Promise<void> {
  await db.run({ text: 'select 1', texts: { mysql: `alter table ${table} auto_increment = 1` }, values: [] })
}
