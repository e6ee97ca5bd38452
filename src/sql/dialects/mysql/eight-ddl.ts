/** DDL of MySQL, which has no blocks of statements: what MariaDB asks before a change, the change itself refuses there. */
import type { ColumnPlan, Ddl } from '../ddl-plan.ts'
import { quoteName, quoteText } from '../quoting.ts'
import { isCheck, ddl as onMariaDb } from './ddl.ts'

const withoutChecks = (texts: readonly string[]): readonly string[] => texts.filter((text) => !isCheck(text))

/** Columns of these types have no constants for defaults. */
const large: ReadonlySet<string> = new Set(['text', 'csv', 'json', 'binary', 'geometry'])

const isNow = (text: string): boolean => /^(now\(\)|current_timestamp)$/i.test(text)

const isMoment = (type: string): boolean => type === 'timestamp' || type === 'dateTime'

/** Defaults that are computed stand in parentheses, but for the time of a column that has date and time. */
function planned(column: ColumnPlan): ColumnPlan {
  const { default: value, type } = column
  if (value === null || (value.kind === 'expression' && isNow(value.text) && isMoment(type))) return column
  if (value.kind === 'constant' && !large.has(type)) return column
  const text = value.kind === 'constant' ? quoteText(value.text) : value.text
  return { ...column, default: { kind: 'expression', text: `(${text})` } }
}

/** Defaults that differ from row to row: no column is added with them, because replicas would compute others. */
const isRandom = ({ default: value }: ColumnPlan): boolean =>
  value?.kind === 'expression' && /\b(uuid|gen_random_uuid|rand|uuid_short|random_bytes)\(/i.test(value.text)

/** Existing rows get a value each, then the column its default. */
function addRandom(table: string, column: ColumnPlan): readonly string[] {
  const preset = planned(column)
  const value = preset.default?.kind === 'expression' ? preset.default.text : 'null'
  return [
    ...onMariaDb.addColumn(table, { ...column, default: null, nullable: true }),
    `update ${quoteName(table)} set ${quoteName(column.name)} = ${value}`,
    ...onMariaDb.alterDefault(table, preset),
  ]
}

/** Changes that need the column, which a statement that adds it does not know yet. */
const isLater = (text: string): boolean => /^alter table "(?:[^"]|"")*" (?:modify|alter) column /.test(text)

export const ddl: Ddl = {
  ...onMariaDb,
  merged: (table, texts) => [
    ...onMariaDb.merged(
      table,
      texts.filter((text) => !isLater(text)),
    ),
    ...onMariaDb.merged(table, texts.filter(isLater)),
  ],
  createTable: (table, columns, comment) => onMariaDb.createTable(table, columns.map(planned), comment),
  addColumn: (table, column) => {
    if (isRandom(column)) return addRandom(table, column)
    if (column.nullable || column.default !== null || column.primaryKey)
      return onMariaDb.addColumn(table, planned(column))
    // Rows would get a value of the server, such as 0; by a default of null it refuses them.
    const refused = { ...column, default: { kind: 'expression', text: '(null)' } } as const
    return [
      ...withoutChecks(onMariaDb.addColumn(table, refused)),
      `alter table ${quoteName(table)} alter column ${quoteName(column.name)} drop default`,
    ]
  },
  alterType: (table, column) => withoutChecks(onMariaDb.alterType(table, planned(column))),
  alterNullable: (table, column) => withoutChecks(onMariaDb.alterNullable(table, planned(column))),
  alterDefault: (table, column) => onMariaDb.alterDefault(table, planned(column)),
  commentColumn: (table, column) => onMariaDb.commentColumn(table, planned(column)),
}
