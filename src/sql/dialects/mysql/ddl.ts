/** DDL of MariaDB. A change of a column names the whole column, and is no part of a transaction. */
import { geometryKindOf } from '../../../domain/conditions/geometry.ts'
import type { Database } from '../../../domain/ports/context.ts'
import { type ColumnPlan, type Ddl, type IndexName, nameOf, type StoredType } from '../ddl-plan.ts'
import { quoteName, quoteText } from '../quoting.ts'

/** Keys refer to each other only where character set and collation are the same. */
export const uuid = 'char(36) character set ascii collate ascii_bin'

const types: { readonly [Type in StoredType]: string | ((column: ColumnPlan) => string) } = {
  string: ({ length }) => `varchar(${length ?? 255})`,
  text: 'longtext',
  boolean: 'boolean',
  integer: ({ width }) => (width === 'small' ? 'smallint' : 'int'),
  bigInteger: 'bigint',
  float: ({ width }) => (width === 'double' ? 'double' : 'float'),
  decimal: ({ precision, scale }) => `decimal(${precision ?? 10}, ${scale ?? (precision === null ? 5 : 0)})`,
  dateTime: 'datetime(6)',
  timestamp: 'timestamp(6)',
  date: 'date',
  time: 'time(6)',
  json: 'json',
  csv: 'longtext',
  uuid,
  hash: ({ length }) => `varchar(${length ?? 255})`,
  binary: 'longblob',
  geometry: ({ geometry }) => ((geometry === null ? null : geometryKindOf(geometry)) ?? 'geometry').toLowerCase(),
}

/** An instant as the server takes it: in UTC, which is the time zone of all connections. */
function momentOf(instant: string): string {
  const moment = /(?:Z|[+-]\d\d(?::?\d\d)?)$/i.test(instant) ? new Date(instant) : null
  if (moment === null || Number.isNaN(moment.getTime())) return instant
  return moment.toISOString().replace('T', ' ').slice(0, -1)
}

const defaultText = ({ default: value, type }: ColumnPlan): string | null => {
  if (value === null) return null
  if (value.kind === 'constant') return quoteText(type === 'timestamp' ? momentOf(value.text) : value.text)
  return /^(now\(\)|current_timestamp)$/i.test(value.text) ? 'current_timestamp(6)' : value.text
}

const truth: { readonly [text: string]: string } = { true: '1', false: '0', t: '1', f: '0' }

function columnText(column: ColumnPlan): string {
  const type = types[column.type]
  const value = column.autoIncrement ? null : defaultText(column)
  const preset =
    column.type === 'boolean' && column.default?.kind === 'constant' ? (truth[column.default.text] ?? value) : value
  return [
    quoteName(column.name),
    typeof type === 'string' ? type : type(column),
    column.nullable && !column.primaryKey ? 'null' : 'not null',
    ...(column.autoIncrement ? ['auto_increment'] : []),
    ...(column.primaryKey ? ['primary key'] : []),
    ...(preset === null ? [] : [`default ${preset}`]),
    ...(column.comment === null ? [] : [`comment ${quoteText(column.comment)}`]),
  ].join(' ')
}

const alter = (table: string, change: string): string => `alter table ${quoteName(table)} ${change}`

const modify = (table: string, column: ColumnPlan): readonly string[] => [
  alter(
    table,
    `modify column ${columnText({ ...column, primaryKey: false, nullable: column.nullable && !column.primaryKey })}${systemOf(column)}`,
  ),
]

/** The reference system that a column of MySQL has keeps its rows of one kind. */
const systemOf = ({ geometry }: ColumnPlan): string =>
  geometry === null || geometry.srid === null ? '' : ` /*!80000 srid ${geometry.srid} */`

const checkStart = 'begin not atomic'

export const isCheck = (text: string): boolean => text.startsWith(checkStart)

/** The server itself calls a null or a long text that is in the way a truncated value, as it does any wrong one. */
const noNulls = (table: string, column: string): string => check(table, `${quoteName(column)} is null`, isNull(column))

const isNull = (column: string) => ({ errno: 1048, message: `Column '${column}' cannot be null` })

/** The server would give rows a value of its own: 0, an empty text, a date of zeros. */
const noRows = (table: string, column: string): string => check(table, 'true', isNull(column))

const noLonger = (table: string, column: string, length: number): string =>
  check(table, `char_length(${quoteName(column)}) > ${length}`, {
    errno: 1406,
    message: `Data too long for column '${column}'`,
  })

function check(
  table: string,
  condition: string,
  { errno, message }: { readonly errno: number; readonly message: string },
) {
  return (
    `${checkStart} if exists (select 1 from ${quoteName(table)} where ${condition}) then ` +
    `signal sqlstate '22001' set mysql_errno = ${errno}, message_text = ${quoteText(message)}; end if; end`
  )
}

/** An index on long texts holds their first characters; a unique one a hash of them. */
function indexText(table: string, { name, type }: Pick<ColumnPlan, 'name' | 'type'>, unique: boolean): string {
  const isLong = type === 'text' || type === 'csv' || type === 'json' || type === 'binary'
  const kind = type === 'geometry' ? 'spatial ' : unique ? 'unique ' : ''
  const length = isLong && !unique ? '(191)' : ''
  return `${kind}index ${quoteName(nameOf(table, name, unique ? 'unique' : 'index'))} (${quoteName(name)}${length})`
}

const indexesOf = (table: string, column: ColumnPlan): readonly string[] => [
  ...(column.unique && !column.primaryKey ? [indexText(table, column, true)] : []),
  ...(column.indexed && !column.primaryKey ? [indexText(table, column, false)] : []),
]

const indexesText = `
select s.index_name as name, s.non_unique = 0 as "unique", false as "constraint"
from information_schema.statistics s
where s.table_schema = database() and s.table_name = $1 and s.index_name <> 'PRIMARY'
group by s.index_name, s.non_unique having count(*) = 1 and max(s.column_name) = $2
order by s.index_name`

const foreignKeysText = `
select distinct constraint_name as name from information_schema.key_column_usage
where table_schema = database() and table_name = $1 and column_name = $2 and referenced_table_name is not null`

export const tableOptions = ' character set utf8mb4 collate utf8mb4_bin'

export const ddl: Ddl = {
  // One statement is done or not: a server that is killed leaves no table without its indexes.
  createTable: (table, columns, comment) => {
    const parts = [...columns.map(columnText), ...columns.flatMap((column) => indexesOf(table, column))]
    const options = `${tableOptions}${comment === null ? '' : ` comment ${quoteText(comment)}`}`
    return [`create table ${quoteName(table)} (${parts.join(', ')})${options}`]
  },
  dropTable: (table) => [`drop table ${quoteName(table)}`],
  addColumn: (table, column) => [
    ...(column.nullable || column.default !== null || column.primaryKey ? [] : [noRows(table, column.name)]),
    alter(table, [`column ${columnText(column)}`, ...indexesOf(table, column)].map((each) => `add ${each}`).join(', ')),
  ],
  nullsWhatCanBe: true,
  dropColumn: (table, column, foreignKeys) => [
    alter(
      table,
      [...foreignKeys.map((name) => `drop foreign key ${quoteName(name)}`), `drop column ${quoteName(column)}`].join(
        ', ',
      ),
    ),
  ],
  async foreignKeysWith(db: Database, table, column) {
    const { rows } = await db.run({ text: foreignKeysText, values: [table, column] })
    return (rows as readonly { readonly name: string }[]).map(({ name }) => name)
  },
  // It copies the table once.
  merged: (table, texts) => {
    const start = alter(table, '')
    const isChange = (each: string): boolean => each.startsWith(start)
    const each = [...new Set(texts)]
    const changes = each.filter(isChange).map((change) => change.slice(start.length))
    const one = changes.length === 0 ? [] : [start + changes.join(', ')]
    return [...each.filter(isCheck), ...one, ...each.filter((text) => !isChange(text) && !isCheck(text))]
  },
  converted: (table) => `select 1 from ${quoteName(table)} limit 0`,
  alterType: (table, column) => {
    const { type, name, length } = column
    return [...(type === 'string' ? [noLonger(table, name, length ?? 255)] : []), ...modify(table, column)]
  },
  alterNullable: (table, column) => [
    ...(column.nullable ? [] : [noNulls(table, column.name)]),
    ...modify(table, column),
  ],
  alterDefault: modify,
  commentColumn: modify,
  // Clients of operators quote names by backticks.
  indexInUse: (table, column) => {
    const [place, name] = [table, column].map((each) => `\`${each.replaceAll('`', '``')}\``)
    return `alter table ${place} add index (${name}), lock=none;`
  },
  addIndex: (table, column, unique) => [alter(table, `add ${indexText(table, column, unique)}`)],
  dropIndex: (table, { name }) => [`drop index ${quoteName(name)} on ${quoteName(table)}`],
  addForeignKey: (table, key) => [
    alter(
      table,
      `add constraint ${quoteName(key.name)} foreign key (${quoteName(key.column)}) ` +
        `references ${quoteName(key.table)} (${quoteName(key.key)}) on delete ${key.onDelete} on update ${key.onUpdate}`,
    ),
  ],
  dropForeignKey: (table, name) => [alter(table, `drop foreign key ${quoteName(name)}`)],
  async readIndexes(db: Database, table, column) {
    const { rows } = await db.run({ text: indexesText, values: [table, column] })
    return rows as readonly IndexName[]
  },
  limitWaiting: 'set session lock_wait_timeout = 5',
}
