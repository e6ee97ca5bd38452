/** Conditions of tables and columns (CHECK), from the catalog of MariaDB or MySQL, which knows no level. */
import type { Database } from '../../../domain/ports/context.ts'

type CheckRow = {
  readonly table: string
  readonly name: string
  readonly level: 'Column' | 'Table'
  readonly clause: string
}

const checksText = `
select /*M! c.table_name */ /*!80000 t.table_name */ as "table", c.constraint_name as name,
  /*M! c.level */ /*!80000 'Table' */ as level, c.check_clause as clause
from information_schema.check_constraints c
  /*!80000 join information_schema.table_constraints t on t.constraint_schema = c.constraint_schema
    and t.constraint_name = c.constraint_name and t.constraint_type = 'CHECK' */
where c.constraint_schema = database() order by 1, 2`

/** The conditions of a column, by the names that errors give them. */
export type Checks = {
  /** Whether the column holds JSON: such a column is a text with a condition of its name. */
  readonly isJson: (table: string, column: string) => boolean
  readonly namesOf: (table: string, column: string) => readonly string[]
}

export async function readChecks(db: Database): Promise<Checks> {
  const rows = (await db.run({ text: checksText, values: [] })).rows as readonly CheckRow[]
  const tables = Map.groupBy(
    rows.map((row) => ({ ...row, clause: withoutSets(row.clause) })),
    ({ table }) => table,
  )
  const checksOf = (table: string) => tables.get(table) ?? []
  return {
    isJson: (table, column) => checksOf(table).some((check) => isOfJson(check) && check.name === column),
    namesOf: (table, column) =>
      checksOf(table)
        .filter((check) => !isOfJson(check) && columnsOf(check).has(column))
        .map(({ name, level }) => (level === 'Column' ? `${table}.${name}` : name)),
  }
}

/** MySQL writes each text with its character set, and a backslash before its quotes. */
export const withoutSets = (sql: string): string =>
  /\b_\w+\\'/.test(sql) ? sql.replaceAll(/\b_\w+(?=\\')/g, '').replaceAll("\\'", "'") : sql

const isOfJson = ({ clause }: CheckRow): boolean => clause.toLowerCase().startsWith('json_valid(')

/** The quoted names of a condition; texts are passed over. */
const quoted = /'(?:[^'\\]|''|\\.)*'|(["`])((?:(?!\1).|\1\1)+)\1/gs

/** @example columnsOf({ clause: `"price" > 0 and "word" <> 'a "b"'`, … }) → Set { 'price', 'word' } */
const columnsOf = ({ clause, level, name }: CheckRow): ReadonlySet<string> =>
  new Set([
    ...(level === 'Column' ? [name] : []),
    ...[...clause.matchAll(quoted)].flatMap(([, quote = '', text]) =>
      text === undefined ? [] : [text.replaceAll(quote + quote, quote)],
    ),
  ])
