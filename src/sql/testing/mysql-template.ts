/** Copies a prepared database of MariaDB, which is faster than migrating each one. */
import { createConnection } from 'mysql2/promise'

type Row = { readonly [name: string]: unknown }

/** Makes a database with the tables, rows and triggers of another one on the same server. */
export async function copyDatabase(server: string, template: string, name: string): Promise<void> {
  const connection = await createConnection({ uri: server, multipleStatements: true })
  const ask = async (text: string): Promise<readonly Row[]> => (await connection.query(text))[0] as readonly Row[]
  const createText = async (kind: string, of: string, column: string): Promise<string> =>
    String((await ask(`show create ${kind} \`${template}\`.\`${of}\``))[0]?.[column])
  try {
    await ask('set group_concat_max_len = 100000')
    const columns = await ask(
      `select c.table_name as "table", t.table_type = 'VIEW' as "isView",
  group_concat('\`', c.column_name, '\`' order by c.ordinal_position) as names
  from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
  where c.table_schema = '${template}' and coalesce(c.generation_expression, '') = '' group by c.table_name, t.table_type`,
    )
    const filled = columns.filter(({ isView }) => Number(isView) === 0)
    const views = columns.filter(({ isView }) => Number(isView) !== 0)
    const tables = await Promise.all(filled.map(({ table }) => createText('table', String(table), 'Create Table')))
    const shown = await Promise.all(views.map(({ table }) => createText('view', String(table), 'Create View')))
    const rows = filled.map(
      ({ table, names }) =>
        `insert into \`${String(table)}\` (${String(names)}) select ${String(names)} from \`${template}\`.\`${String(table)}\` order by 1`,
    )
    const triggers = await ask(`show triggers from \`${template}\``)
    const made = await Promise.all(
      triggers.map(({ Trigger: trigger }) => createText('trigger', String(trigger), 'SQL Original Statement')),
    )
    const start = [
      `create database \`${name}\` character set utf8mb4 collate utf8mb4_bin`,
      `use \`${name}\``,
      'set foreign_key_checks = 0',
      "set sql_mode = concat(@@sql_mode, ',NO_AUTO_VALUE_ON_ZERO')",
    ]
    const own = shown.map((text) => text.replaceAll(`\`${template}\`.`, ''))
    // A trigger runs in the mode in which it was made.
    const mode = `set sql_mode = '${(triggers[0]?.['sql_mode'] as string | undefined) ?? ''}'`
    await ask([...start, ...tables, ...rows, ...own, mode, ...made].join(';\n'))
  } finally {
    await connection.end()
  }
}
