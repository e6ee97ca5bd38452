/** Reads the catalog of the MariaDB or MySQL database of the connection. */
import type { Database } from '../../../domain/ports/context.ts'
import type { FieldType } from '../../../domain/query/field-types.ts'
import type { Catalog, CatalogColumn, CatalogForeignKey, CatalogKey } from '../catalog.ts'
import { type Checks, readChecks, withoutSets } from './catalog-checks.ts'
import { type ColumnRow, numberOf, sizeOf, typeOf, wordsOf } from './column-types.ts'

/** Names of tables may differ by case alone; these views compare them without it. */
const exact = (name: string): string => `${name} collate utf8mb3_bin`

/** MySQL tells texts without quotes, and says of computed defaults that they are. */
const presetText = `/*!80000 case when c.extra like '%DEFAULT_GENERATED%' or c.data_type = 'bit' then c.column_default
  when c.column_default is not null then quote(c.column_default) end */ /*M! c.column_default */`

/** Each of these views is read once: joined directly, they are read anew for each row, of all databases of the server. */
const columnsText = `
select t.table_name as "table", t.table_type as kind, nullif(t.table_comment, '') as "tableComment", v.is_updatable as updatable,
  c.column_name as name, c.column_comment as comment, c.data_type as "dataType", c.column_type as "columnType",
  c.is_nullable as nullable, c.extra as extra, ${presetText} as preset, nullif(c.generation_expression, '') as "generated",
  c.collation_name as collation, c.column_key as place, c.character_maximum_length as "maxLength", c.numeric_precision as "precision", c.numeric_scale as scale,
  /*!80000 c.srs_id */ /*M! null */ as srid
from information_schema.columns c
  join (select distinct ${exact('table_name')} as table_name, table_type, table_comment from information_schema.tables
    where table_schema = database() and table_type in ('BASE TABLE', 'VIEW', 'SYSTEM VERSIONED')) t
    on t.table_name = ${exact('c.table_name')}
  left join (select distinct ${exact('table_name')} as table_name, is_updatable from information_schema.views where table_schema = database()) v
    on v.table_name = ${exact('c.table_name')}
where c.table_schema = database()
order by t.table_name, c.ordinal_position`

const keysText = `
select s.table_name as "table", s.index_name as name, s.non_unique as several, s.column_name as part, s.nullable as nullable
from information_schema.statistics s
where s.table_schema = database() and s.index_type <> 'FULLTEXT' and (s.sub_part is null or s.non_unique = 1)
order by s.table_name, s.index_name <> 'PRIMARY', s.index_name, s.seq_in_index`

const foreignKeysText = `
select k.constraint_name as name, k.table_name as "table", k.column_name as part, k.referenced_table_name as target,
  k.referenced_column_name as key_part, k.referenced_table_schema = database() as visible,
  r.delete_rule as "onDelete", r.update_rule as "onUpdate"
from information_schema.key_column_usage k
  join (select distinct constraint_name, ${exact('table_name')} as table_name, delete_rule, update_rule
    from information_schema.referential_constraints where constraint_schema = database()) r
    on r.constraint_name = k.constraint_name and r.table_name = k.table_name
where k.table_schema = database() and k.referenced_table_name is not null
order by k.table_name, k.constraint_name, k.ordinal_position`

type KeyRow = {
  readonly table: string
  readonly name: string
  readonly several: string | number
  readonly part: string | null
  readonly nullable: string
}

type ForeignRow = {
  readonly name: string
  readonly table: string
  readonly part: string
  readonly target: string
  readonly key_part: string
  readonly visible: unknown
  readonly onDelete: string
  readonly onUpdate: string
}

export async function readCatalog(db: Database): Promise<Catalog> {
  const columns = (await db.run({ text: columnsText, values: [] })).rows as readonly ColumnRow[]
  const keys = (await db.run({ text: keysText, values: [] })).rows as readonly KeyRow[]
  const foreign = (await db.run({ text: foreignKeysText, values: [] })).rows as readonly ForeignRow[]
  const checks = await readChecks(db)
  return {
    columns: columns.filter((row) => !isInternal(row)).map((row) => toColumn(row, checks)),
    hidden: [],
    empty: [],
    keys: sets(keys.filter((key) => !isOfForeignKey(key, foreign))).flatMap(toKey),
    foreignKeys: sets(foreign).map(toForeignKey),
  }
}

/** Tables of this program that only this vendor needs. */
const internal: ReadonlySet<string> = new Set(['platform_announcements', 'platform_locks', 'platform_migrations'])

/** Generated columns that stand for indexes on expressions, each with the column of its expression. */
const indexed: ReadonlyMap<string, string> = new Map([
  ['platform_users.address', 'email'],
  ['platform_role_levels.place', 'status'],
])

/** The column that callers know: of an index on an expression, the column in it. */
export const knownColumn = (table: string, name: string): string => indexed.get(`${table}.${name}`) ?? name

const isInternal = ({ table, name }: ColumnRow): boolean => internal.has(table) || indexed.has(`${table}.${name}`)

/** The server gives a foreign key an index of its name, if the columns have none. */
const isOfForeignKey = ({ table, name, several }: KeyRow, foreign: readonly ForeignRow[]): boolean =>
  Number(several) !== 0 && foreign.some((key) => key.table === table && key.name === name)

const sets = <Row extends { readonly table: string; readonly name: string }>(
  rows: readonly Row[],
): readonly (readonly [Row, ...Row[]])[] =>
  [...Map.groupBy(rows, ({ table, name }) => JSON.stringify([table, name])).values()] as [Row, ...Row[]][]

/** An index on an expression has no column there. */
function toKey(rows: readonly [KeyRow, ...KeyRow[]]): readonly CatalogKey[] {
  if (rows.some(({ part }) => part === null)) return []
  const [{ table, name, several }] = rows
  return [
    {
      table,
      unique: Number(several) === 0,
      primary: name === 'PRIMARY',
      complete: rows.every(({ nullable }) => nullable !== 'YES'),
      columns: rows.map(({ part }) => String(part)),
    },
  ]
}

function toForeignKey(rows: readonly [ForeignRow, ...ForeignRow[]]): CatalogForeignKey {
  const [{ name, table, target, visible, onDelete, onUpdate }] = rows
  return {
    name,
    table,
    columns: rows.map(({ part }) => part),
    foreignTable: target,
    foreignColumns: rows.map(({ key_part }) => key_part),
    visible: Boolean(visible),
    onDelete,
    onUpdate,
  }
}

function toColumn(row: ColumnRow, known: Checks): CatalogColumn {
  const { dataType, type } = typeOf(row, known)
  const extra = row.extra.toLowerCase()
  const isView = row.kind === 'VIEW'
  const takes = !isView || row.updatable === 'YES'
  const autoIncrement = extra.includes('auto_increment')
  const preset = isView ? noPreset : presetOf(row, type)
  const values = row.dataType === 'enum' ? wordsOf(row.columnType) : null
  const checks = known.namesOf(row.table, row.name)
  return {
    table: row.table,
    tableSchema: null,
    ...(isView ? { tableKind: 'view' as const } : {}),
    tableComment: row.kind === 'VIEW' ? null : row.tableComment,
    changes: { create: takes, update: takes, delete: takes },
    name: row.name,
    comment: row.comment === '' ? null : row.comment,
    dataType,
    type,
    nullable: row.nullable === 'YES',
    ...(row.place === '' ? {} : { leadsIndex: true as const }),
    generated: row.generated !== null,
    autoIncrement,
    hasDefault: autoIncrement || isView || preset.hasDefault || row.generated !== null,
    defaultValue: preset.value,
    defaultExpression: preset.expression,
    maxLength: type === 'string' || dataType === 'varbinary' ? numberOf(row.maxLength) : null,
    ...sizeOf(row.dataType, row),
    ...(checks.length === 0 ? {} : { checks }),
    ...(values === null ? {} : { values }),
    ...foldsOf(row, type),
    ...(row.collation === null ? {} : { collation: row.collation }),
  }
}

/** Texts of all languages are in the sets of Unicode; a uuid is in every set. */
function foldsOf({ collation }: ColumnRow, type: FieldType): Pick<CatalogColumn, 'folds'> {
  if (collation === null) return {}
  if (!collation.startsWith('utf') && type !== 'uuid') return { folds: collation }
  return collation.endsWith('_bin') ? {} : { folds: true }
}

type Preset = {
  readonly hasDefault: boolean
  readonly value: string | number | boolean | null
  readonly expression: string | null
}

/** Defaults that are computed, as the rest of this program spells them. */
const expressions: readonly (readonly [pattern: RegExp, spelling: string])[] = [
  [/^(current_timestamp|now)(\(\d*\))?$/i, 'now()'],
  [/^uuid\(\)$/i, 'gen_random_uuid()'],
  [/^(curdate|current_date)(\(\))?$/i, 'CURRENT_DATE'],
  [/^(curtime|current_time)(\(\d*\))?$/i, 'CURRENT_TIME'],
]

const expressionOf = (preset: string): string => expressions.find(([pattern]) => pattern.test(preset))?.[1] ?? preset

const noPreset: Preset = { hasDefault: false, value: null, expression: null }

/** MariaDB writes the default as it is written in a definition: texts in quotes, and NULL where there is none. */
function presetOf({ preset: told, extra }: ColumnRow, type: FieldType): Preset {
  if (told === null || told === 'NULL') return { hasDefault: false, value: null, expression: null }
  const preset = /DEFAULT_GENERATED/i.test(extra) ? withoutSets(told) : told
  const quoted = /^'((?:[^'\\]|''|\\.)*)'$/s.exec(preset)?.[1]
  const text =
    quoted?.replaceAll("''", "'").replaceAll(/\\(.)/gs, '$1') ??
    (/^-?[\d.]+(e[+-]?\d+)?$/i.test(preset) ? preset : null)
  if (text === null) return { hasDefault: true, value: null, expression: expressionOf(preset) }
  if (type === 'boolean') return { hasDefault: true, value: text !== '0', expression: null }
  // The server fills the fraction up to the scale of the column.
  if (type === 'decimal' || type === 'time' || type === 'dateTime') {
    return { hasDefault: true, value: text.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, ''), expression: null }
  }
  const isNumber = (type === 'integer' || type === 'float') && Number.isFinite(Number(text))
  return { hasDefault: true, value: isNumber ? Number(text) : text, expression: null }
}
