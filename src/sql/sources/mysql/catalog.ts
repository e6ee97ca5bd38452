/** The tables of a MySQL or MariaDB database, from its catalog. */
import type {
  SourceColumn,
  SourceDefault,
  SourceForeignKey,
  SourceIndex,
  SourceRule,
  SourceTable,
} from '../../../domain/ports/table-source.ts'

type Row = { readonly [name: string]: string | number | null }

/** Runs a statement and gives its rows as objects. */
export type Ask = (text: string, values?: readonly string[]) => Promise<readonly Row[]>

/** Each column is named: MySQL 8 writes the others in capitals. */
const tablesText = `select table_name as name, table_type as type, table_comment as comment
  from information_schema.tables where table_schema = ? order by table_name`

const columnsText = `select table_name as owner, column_name as name, data_type as kind, column_type as type,
    is_nullable as nullable, column_default as preset, extra as extra, column_comment as comment,
    character_maximum_length as length, numeric_precision as digits, numeric_scale as scale,
    datetime_precision as fraction
  from information_schema.columns where table_schema = ? order by table_name, ordinal_position`

const indexesText = `select table_name as owner, index_name as name, non_unique as several, column_name as part,
    index_type as kind, sub_part as prefix
  from information_schema.statistics where table_schema = ? order by table_name, index_name, seq_in_index`

const keysText = `select k.table_name as owner, k.constraint_name as name, k.column_name as part,
    k.referenced_table_name as target, k.referenced_column_name as target_key, r.delete_rule as on_delete,
    r.update_rule as on_update
  from information_schema.key_column_usage k join information_schema.referential_constraints r
    on r.constraint_schema = k.constraint_schema and r.constraint_name = k.constraint_name
  where k.table_schema = ? and k.referenced_table_name is not null
  order by k.table_name, k.constraint_name, k.ordinal_position`

/** A check of a long text that has its name is that of JSON, which MariaDB makes for itself. */
const rulesText = `select t.table_name as owner, t.constraint_name as name, 'check' as kind
  from information_schema.table_constraints t left join information_schema.columns c on c.table_schema = t.table_schema
    and c.table_name = t.table_name and c.column_name = t.constraint_name and c.data_type = 'longtext'
  where t.table_schema = ? and t.constraint_type = 'CHECK' and c.column_name is null
  union all select event_object_table as owner, trigger_name as name, 'trigger' as kind
  from information_schema.triggers where event_object_schema = ? order by owner, name`

export async function readTables(ask: Ask, database: string): Promise<readonly SourceTable[]> {
  const isMariaDb = /mariadb/i.test(String((await ask('select version() as v'))[0]?.['v']))
  const [tables, columns, indexes, keys, rules] = await Promise.all([
    ...[tablesText, columnsText, indexesText, keysText].map((text) => ask(text, [database])),
    ask(rulesText, [database, database]),
  ])
  return tables.map((table) => {
    const name = String(table['name'])
    const isView = table['type'] === 'VIEW'
    const rows = of(columns, name)
    const own = rows.map((row) => toColumn(row, isMariaDb))
    const parts = groupsOf(of(indexes, name))
    const others = parts.filter((part) => !isPrimary(part))
    const left = others.filter(([, fields]) => !fields.every((field) => isPlain(field, own)))
    const lost = rows.filter((row, at) => losesDefault(row, own[at]))
    return {
      name,
      isView,
      isSequence: table['type'] === 'SEQUENCE',
      comment: isView ? '' : String(table['comment']),
      columns: own,
      primaryKey: parts.find(isPrimary)?.[1].map((row) => String(row['part'])) ?? [],
      indexes: others.filter((part) => !left.includes(part)).map(([index, fields]) => toIndex(index, fields)),
      foreignKeys: groupsOf(of(keys, name)).map(([key, fields]) => toForeignKey(key, fields)),
      rules: [
        ...[...of(rules, name), ...lost].map(toRule),
        ...left.map(([index]) => ({ kind: 'index', name: index }) as const),
      ],
    }
  })
}

const toRule = ({ kind, name }: Row): SourceRule => ({
  kind: kind === 'check' || kind === 'trigger' ? kind : 'default',
  name: String(name),
})

/** An expression is no default here. */
const losesDefault = ({ preset }: Row, column: SourceColumn | undefined): boolean =>
  preset != null && preset !== 'NULL' && column?.default === null && !column.generated

/** Whether another database can have this part of an index: a whole column, or the first letters of a short one. */
function isPlain(row: Row, columns: readonly SourceColumn[]): boolean {
  if (row['part'] === null || !/^(btree|hash)$/i.test(String(row['kind']))) return false
  if (row['prefix'] === null) return true
  const length = columns.find(({ name }) => name === row['part'])?.length ?? null
  return Number(row['several']) === 1 && length !== null && length <= 255
}

const of = (rows: readonly Row[] | undefined, owner: unknown): readonly Row[] =>
  (rows ?? []).filter((row) => row['owner'] === owner)

const isPrimary = ([name]: readonly [string, unknown]): boolean => name === 'PRIMARY'

const groupsOf = (rows: readonly Row[]): readonly (readonly [string, readonly Row[]])[] => [
  ...Map.groupBy(rows, (row) => String(row['name'])),
]

const toIndex = (name: string, rows: readonly Row[]): SourceIndex => ({
  name,
  columns: rows.map((row) => String(row['part'])),
  unique: Number(rows[0]?.['several']) === 0,
})

function toForeignKey(name: string, rows: readonly Row[]): SourceForeignKey {
  const [first = {}] = rows
  return {
    name,
    columns: rows.map((row) => String(row['part'])),
    table: String(first['target']),
    keys: rows.map((row) => String(row['target_key'])),
    onDelete: String(first['on_delete']),
    onUpdate: String(first['on_update']),
  }
}

const numberAt = (row: Row, name: string): number | null => (row[name] == null ? null : Number(row[name]))

function toColumn(row: Row, isMariaDb: boolean): SourceColumn {
  const extra = String(row['extra']).toLowerCase()
  const generated = /\b(virtual|stored|persistent) generated|^(virtual|persistent|stored)\b/.test(extra)
  const preset = row['preset'] === null ? null : String(row['preset'])
  return {
    name: String(row['name']),
    kind: String(row['kind']).toLowerCase(),
    type: String(row['type']),
    nullable: row['nullable'] === 'YES',
    default: generated ? null : readDefault(preset, { isMariaDb, isExpression: extra.includes('default_generated') }),
    autoIncrement: extra.includes('auto_increment'),
    generated,
    followsUpdates: extra.includes('on update'),
    comment: String(row['comment']),
    length: numberAt(row, 'length'),
    precision: numberAt(row, 'digits') ?? numberAt(row, 'fraction'),
    scale: numberAt(row, 'scale'),
  }
}

/** Default values as the catalogs of both vendors write them. */
type Vendor = { readonly isMariaDb: boolean; readonly isExpression: boolean }

/** Null for no default, and for an expression that no other database knows. */
function readDefault(text: string | null, { isMariaDb, isExpression }: Vendor): SourceDefault | null {
  if (text === null || (isMariaDb && text === 'NULL')) return null
  if (/^(current_timestamp|now|localtimestamp)(\(\d*\))?$/i.test(text)) return { kind: 'now' }
  const bits = /^b'([01]+)'$/.exec(text)?.[1]
  if (bits !== undefined) return { kind: 'constant', text: String(BigInt(`0b${bits}`)) }
  if (isExpression) return null
  if (!isMariaDb) return { kind: 'constant', text }
  if (text.startsWith("'") && text.endsWith("'")) return { kind: 'constant', text: unquote(text) }
  return /^-?[\d.]+(e[+-]?\d+)?$/i.test(text) ? { kind: 'constant', text } : null
}

/** The text of a literal: quotes are doubled, and a backslash gives the next character another meaning. */
const unquote = (literal: string): string =>
  literal.slice(1, -1).replaceAll(/''|\\(.)/gs, (escape, escaped?: string) => {
    if (escaped === undefined) return escape === "''" ? "'" : escape
    return escapes[escaped] ?? escaped
  })

const escapes: { readonly [letter: string]: string } = { n: '\n', r: '\r', t: '\t', b: '\b', 0: '', Z: '\u001a' }
