/** Statements on mirrored rows in the words of each dialect. Rows travel as JSON; all values in it are texts. */

import type { MirrorColumn, MirrorRow } from '../../domain/ports/table-source.ts'
import { longText } from '../dialects/mysql/types.ts'
import { quoteName, quoteText } from '../dialects/quoting.ts'

export type MirrorWords = {
  /** Given rows under the alias `x`, with columns `c0`, `c1`, …, and the values of the parameters. */
  readonly given: (
    columns: readonly MirrorColumn[],
    rows: readonly MirrorRow[],
  ) => { readonly from: string; readonly values: readonly unknown[] }
  /** A given value as its column takes it. */
  readonly value: (column: MirrorColumn, at: number) => string
  /** A given value as it is compared with its column. */
  readonly compared: (column: MirrorColumn, at: number) => string
  /** A stored value as text. */
  readonly shown: (column: MirrorColumn) => string
  /** A column as rows are ordered: texts by their bytes. */
  readonly ordered: (column: MirrorColumn) => string
  /** The blocks in which a table is stored, to read rows without keys by pages; null: they are read at once. */
  readonly blocks: { readonly count: (table: string) => string; readonly within: string } | null
  /** Whether JSON is stored as the text that it was. */
  readonly keepsJson: boolean
  /** Prefix of a column that is set. */
  readonly set: string
  readonly update: (parts: { table: string; from: string; sets: readonly string[]; same: string }) => string
  readonly delete: (parts: { table: string; from: string; same: string }) => string
}

/** Identifiers of this program and of the schema. */
const isText = (type: string): boolean => type === 'text' || type.startsWith('varchar')

const cast = ({ type }: MirrorColumn, at: number): string => `x.c${at}::${type}`

/** The values of each column are one list, which costs less than picking them out of each row. */
const postgres: MirrorWords = {
  given: (columns, rows) => ({
    from: `rows from (${columns.map((_, at) => `json_array_elements_text($${at + 1}::json)`).join(', ')}) as x (${columns.map((_, at) => `c${at}`).join(', ')})`,
    values: columns.map((_, at) => JSON.stringify(rows.map((row) => row[at] ?? null))),
  }),
  value: cast,
  compared: cast,
  // With the name of the table, because the texts have the names of their columns and another order.
  shown: ({ name }) => `t.${quoteName(name)}::text`,
  ordered: ({ name, type }) => `t.${quoteName(name)}${isText(type) ? ' collate "C"' : ''}`,
  blocks: {
    count: (table) =>
      `select (pg_relation_size(${quoteText(table)}) / current_setting('block_size')::integer)::float8 as count`,
    within: `t.ctid >= format('(%s,0)', $1::bigint)::tid and t.ctid < format('(%s,0)', $2::bigint)::tid`,
  },
  keepsJson: true,
  set: '',
  update: ({ table, from, sets, same }) => `update ${table} t set ${sets.join(', ')} from ${from} where ${same}`,
  delete: ({ table, from, same }) => `delete from ${table} t using ${from} where ${same}`,
}

const asChars = (column: string): string => `cast(${column} as char)`

const withoutZeros = (text: string): string => `trim(trailing '.' from trim(trailing '0' from ${text}))`

const momentThere = (column: string): string => withoutZeros(`date_format(${column}, '%Y-%m-%d %H:%i:%s.%f')`)

/** Values in the notation of Postgres. The text of a float has six digits, that of a double all. */
const shownThere: { readonly [type: string]: (column: string) => string } = {
  boolean: (column) => `case ${column} when 1 then 'true' when 0 then 'false' end`,
  timestamptz: (column) => `concat(${momentThere(column)}, '+00')`,
  timestamp: momentThere,
  time: (column) => withoutZeros(asChars(column)),
  bytea: (column) => String.raw`concat('\x', lower(hex(${column})))`,
  real: (column) => asChars(`cast(${column} as double)`),
}

function valueThere({ type }: MirrorColumn, at: number): string {
  if (type === 'boolean') return `(x.c${at} = 'true')`
  if (type === 'bytea') return `unhex(substr(x.c${at}, 3))`
  return type === 'timestamptz' ? `replace(x.c${at}, '+00', '')` : `x.c${at}`
}

/** A number and a text are compared as numbers of eight bytes, which many long numbers share. */
function comparedThere(column: MirrorColumn, at: number): string {
  const { type } = column
  if (/^(smallint|integer|bigint)$/.test(type)) return `cast(x.c${at} as signed)`
  return type.startsWith('numeric') ? `cast(x.c${at} as ${type.replace('numeric', 'decimal')})` : valueThere(column, at)
}

/** System tables order texts by their bytes there. Moments are without zone, and of UTC. */
const mysql: MirrorWords = {
  given: (columns, rows) => ({
    from: `json_table($1, '$[*]' columns (${columns.map((_, at) => `c${at} ${longText} path '$[${at}]'`).join(', ')})) x`,
    values: [JSON.stringify(rows)],
  }),
  value: valueThere,
  compared: comparedThere,
  shown: ({ name, type }) => (shownThere[type] ?? asChars)(`t.${quoteName(name)}`),
  ordered: ({ name }) => `t.${quoteName(name)}`,
  blocks: null,
  keepsJson: true,
  set: 't.',
  update: ({ table, from, sets, same }) => `update ${table} t join ${from} on ${same} set ${sets.join(', ')}`,
  delete: ({ table, from, same }) => `delete t from ${table} t join ${from} on ${same}`,
}

const words: { readonly [dialect: string]: MirrorWords } = { mysql, mysql8: { ...mysql, keepsJson: false } }

export const mirrorWords = (dialect: string): MirrorWords => words[dialect] ?? postgres
