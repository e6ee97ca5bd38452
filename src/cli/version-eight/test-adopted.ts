/** What a database holds, for comparisons of installations that were adopted in several ways. */
import type { ScratchDatabase } from '../../sql/sources/mysql/test-mysql.ts'

const catalog = {
  columns: `select table_name, column_name, column_type, is_nullable, column_default, extra
    from information_schema.columns where table_schema = $ order by table_name, ordinal_position`,
  indexes: `select table_name, index_name, seq_in_index, column_name, non_unique
    from information_schema.statistics where table_schema = $ order by table_name, index_name, seq_in_index`,
  constraints: `select table_name, constraint_name, constraint_type
    from information_schema.table_constraints where table_schema = $ order by table_name, constraint_name`,
  triggers: `select trigger_name, event_object_table, action_statement
    from information_schema.triggers where trigger_schema = $ order by trigger_name`,
}

type Texts = { readonly [name: string]: string }

const ask = (source: ScratchDatabase, text: string) => source.run(text.replace('$', `'${source.name}'`))

/** Tables with their columns, indexes, constraints and triggers. */
export async function catalogOf(source: ScratchDatabase): Promise<Texts> {
  const found: { [name: string]: string } = {}
  for (const [name, text] of Object.entries(catalog)) found[name] = JSON.stringify(await ask(source, text))
  return found
}

/** All rows by table, without the keys and moments that each run makes for itself. */
export async function contentsOf(source: ScratchDatabase): Promise<Texts> {
  const numbers = new Map<string, string>()
  for (const table of ['roles', 'users', 'files', 'folders']) {
    for (const { id, number } of await source.run(`select id, number from platform_${table}`))
      numbers.set(String(id), `${table} ${String(number)}`)
  }
  const tables = await ask(
    source,
    "select table_name as name from information_schema.tables where table_schema = $ and table_type = 'BASE TABLE'",
  )
  const found: { [name: string]: string } = {}
  for (const name of tables.map((row) => String(row['name']))) {
    const isOfThisPlace = name === 'platform_imports' || name === 'platform_announcements'
    const rows = await source.run(`select * from \`${name}\``)
    found[name] = rows
      .map((row) => plain(JSON.stringify(row), { numbers, isOfThisPlace }))
      .toSorted()
      .join('\n')
  }
  return found
}

type Own = { readonly numbers: ReadonlyMap<string, string>; readonly isOfThisPlace: boolean }

/** Imports and announcements have the name of the database in them, and digests of keys. */
const plain = (text: string, { numbers, isOfThisPlace }: Own): string =>
  (isOfThisPlace ? text.replaceAll(/tandem_v8_[0-9a-f]+|[0-9a-f]{24,}/g, 'own') : text)
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => numbers.get(id) ?? 'uuid')
    .replaceAll(/"20[2-9]\d-\d\d-\d\dT[^"]*"/g, '"moment"')
