/** DDL of MySQL, which has no blocks of statements: what MariaDB asks before a change, the change itself refuses there. */
import type { ColumnPlan, Ddl } from '../ddl-plan.ts'
import { isCheck, ddl as onMariaDb } from './ddl.ts'

const withoutChecks = (texts: readonly string[]): readonly string[] => texts.filter((text) => !isCheck(text))

/** Columns of these types have no constants for defaults. */
const large: ReadonlySet<string> = new Set(['text', 'csv', 'json', 'binary', 'geometry'])

const isNow = (text: string): boolean => /^(now\(\)|current_timestamp)$/i.test(text)

/** Defaults that are computed stand in parentheses. */
function planned(column: ColumnPlan): ColumnPlan {
  const { default: value, type } = column
  if (value === null || (value.kind === 'expression' && isNow(value.text))) return column
  if (value.kind === 'constant' && !large.has(type)) return column
  const text = value.kind === 'constant' ? `'${value.text.replaceAll("'", "''")}'` : value.text
  return { ...column, default: { kind: 'expression', text: `(${text})` } }
}

export const ddl: Ddl = {
  ...onMariaDb,
  createTable: (table, columns, comment) => onMariaDb.createTable(table, columns.map(planned), comment),
  addColumn: (table, column) => {
    if (column.nullable || column.default !== null || column.primaryKey)
      return onMariaDb.addColumn(table, planned(column))
    // Rows would get a value of the server, such as 0; by a default of null it refuses them.
    const refused = { ...column, default: { kind: 'expression', text: '(null)' } } as const
    return [
      ...withoutChecks(onMariaDb.addColumn(table, refused)),
      `alter table "${table.replaceAll('"', '""')}" alter column "${column.name.replaceAll('"', '""')}" drop default`,
    ]
  },
  alterType: (table, column) => withoutChecks(onMariaDb.alterType(table, planned(column))),
  alterNullable: (table, column) => withoutChecks(onMariaDb.alterNullable(table, planned(column))),
  alterDefault: (table, column) => onMariaDb.alterDefault(table, planned(column)),
  commentColumn: (table, column) => onMariaDb.commentColumn(table, planned(column)),
}
