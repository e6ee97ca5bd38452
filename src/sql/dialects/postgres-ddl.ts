import { geometryTypeText, newGeometryType } from '../../domain/conditions/geometry.ts'
import type { Database } from '../../domain/ports/context.ts'
import { type ColumnPlan, type Ddl, type IndexName, nameOf, type StoredType } from './ddl-plan.ts'
import { quoteName, quoteText } from './quoting.ts'

/** Quotes a text. Backslashes are written in a form that does not depend on server settings. */
function text(constant: string): string {
  const quoted = quoteText(constant)
  return quoted.includes('\\') ? `E${quoted.replaceAll('\\', String.raw`\\`)}` : quoted
}

const types: { readonly [Type in StoredType]: string | ((column: ColumnPlan) => string) } = {
  string: ({ length }) => `varchar(${length ?? 255})`,
  text: 'text',
  boolean: 'boolean',
  integer: ({ autoIncrement, width }) =>
    (width === 'small' ? 'small' : '') + (autoIncrement ? 'serial' : width === 'small' ? 'int' : 'integer'),
  bigInteger: ({ autoIncrement }) => (autoIncrement ? 'bigserial' : 'bigint'),
  float: ({ width }) => (width === 'double' ? 'double precision' : 'real'),
  decimal: ({ precision, scale }) => `numeric(${precision ?? 10}, ${scale ?? (precision === null ? 5 : 0)})`,
  dateTime: 'timestamp',
  timestamp: 'timestamptz',
  date: 'date',
  time: 'time',
  json: 'json',
  csv: 'text',
  uuid: 'uuid',
  hash: ({ length }) => `varchar(${length ?? 255})`,
  binary: 'bytea',
  geometry: ({ geometry }) => geometryTypeText(geometry ?? newGeometryType(null)),
}

function typeText(column: ColumnPlan): string {
  const type = types[column.type]
  return typeof type === 'string' ? type : type(column)
}

const defaultText = ({ default: value }: ColumnPlan): string | null =>
  value === null ? null : value.kind === 'constant' ? text(value.text) : value.text

function columnText(column: ColumnPlan): string {
  const value = column.autoIncrement ? null : defaultText(column)
  return [
    quoteName(column.name),
    typeText(column),
    ...(column.primaryKey ? ['primary key'] : column.nullable ? [] : ['not null']),
    ...(value === null ? [] : [`default ${value}`]),
  ].join(' ')
}

const alter = (table: string, column: string, change: string): string =>
  `alter table ${quoteName(table)} alter column ${quoteName(column)} ${change}`

/** Geometry columns get a GiST index, which spatial operators can use. */
const addIndex: Ddl['addIndex'] = (table, { name: column, type }, unique) => {
  const on = `${type === 'geometry' && !unique ? 'using gist ' : ''}(${quoteName(column)})`
  return unique
    ? [`alter table ${quoteName(table)} add constraint ${quoteName(nameOf(table, column, 'unique'))} unique ${on}`]
    : [`create index ${quoteName(nameOf(table, column, 'index'))} on ${quoteName(table)} ${on}`]
}

const commentColumn: Ddl['commentColumn'] = (table, { name, comment }) => [
  `comment on column ${quoteName(table)}.${quoteName(name)} is ${comment === null ? 'null' : text(comment)}`,
]

/** Statements for parts of a new column that its definition cannot express. */
const extras = (table: string, column: ColumnPlan): readonly string[] => [
  ...(column.unique && !column.primaryKey ? addIndex(table, column, true) : []),
  ...(column.indexed && !column.primaryKey ? addIndex(table, column, false) : []),
  ...(column.comment === null ? [] : commentColumn(table, column)),
]

/** Text types. Every type converts to text by assignment, which rejects texts that are too long; a cast would truncate them. */
const converts: ReadonlySet<StoredType> = new Set(['string', 'text', 'csv', 'hash'])

const indexesText = `
select x.relname as name, i.indisunique as "unique", con.conname is not null as "constraint"
from pg_index i
  join pg_class c on c.oid = i.indrelid
  join pg_class x on x.oid = i.indexrelid
  join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
  left join pg_constraint con on con.conindid = i.indexrelid and con.contype in ('u', 'x')
where c.oid = to_regclass($1) and a.attname = $2 and i.indnatts = 1 and not i.indisprimary
  and i.indpred is null and i.indexprs is null
order by x.relname`

export const ddl: Ddl = {
  createTable: (table, columns, comment) => [
    `create table ${quoteName(table)} (${columns.map(columnText).join(', ')})`,
    ...columns.flatMap((column) => extras(table, column)),
    ...(comment === null ? [] : [`comment on table ${quoteName(table)} is ${text(comment)}`]),
  ],
  dropTable: (table) => [`drop table ${quoteName(table)}`],
  addColumn: (table, column) => [
    `alter table ${quoteName(table)} add column ${columnText(column)}`,
    ...extras(table, column),
  ],
  // In one statement, PostgreSQL drops defaults first, then changes types, then adds defaults and constraints.
  merged: (table, texts) => {
    const start = `alter table ${quoteName(table)} `
    const actions = texts.filter((each) => each.startsWith(start)).map((each) => each.slice(start.length))
    const others = texts.filter((each) => !each.startsWith(start))
    return actions.length === 0 ? others : [start + actions.join(', '), ...others]
  },
  converted: (table, columns) => {
    const values = columns.map(
      (column) => `${quoteName(column.name)}::${typeText({ ...column, autoIncrement: false })}`,
    )
    return `select ${values.join(', ')} from ${quoteName(table)} limit 0`
  },
  dropColumn: (table, column) => [`alter table ${quoteName(table)} drop column ${quoteName(column)}`],
  alterType: (table, column) => {
    const type = typeText({ ...column, autoIncrement: false })
    const using = converts.has(column.type) ? '' : ` using ${quoteName(column.name)}::${type}`
    return [
      ...(column.autoIncrement ? [] : [alter(table, column.name, 'drop default')]),
      alter(table, column.name, `type ${type}${using}`),
    ]
  },
  alterNullable: (table, { name, nullable }) => [alter(table, name, nullable ? 'drop not null' : 'set not null')],
  alterDefault: (table, column) => {
    const value = defaultText(column)
    return [alter(table, column.name, value === null ? 'drop default' : `set default ${value}`)]
  },
  commentColumn,
  indexInUse: (table, column) => `create index concurrently on ${quoteName(table)} (${quoteName(column)});`,
  addIndex,
  dropIndex: (table, { name, constraint }) => [
    constraint ? `alter table ${quoteName(table)} drop constraint ${quoteName(name)}` : `drop index ${quoteName(name)}`,
  ],
  addForeignKey: (table, key) => [
    `alter table ${quoteName(table)} add constraint ${quoteName(key.name)} foreign key (${quoteName(key.column)}) ` +
      `references ${quoteName(key.table)} (${quoteName(key.key)}) on delete ${key.onDelete} on update ${key.onUpdate}`,
  ],
  dropForeignKey: (table, name) => [`alter table ${quoteName(table)} drop constraint ${quoteName(name)}`],
  async readIndexes(db: Database, table, column) {
    const { rows } = await db.run({ text: indexesText, values: [quoteName(table), column] })
    return rows as readonly IndexName[]
  },
  limitWaiting: "set local lock_timeout = '5s'",
}
