/**
 * Writes in MariaDB, as plans of several texts: rows are named and locked first, then written, then read, because an
 * update returns nothing there. A semicolon separates the texts; `$$1` is the list of keys that the first one has found.
 */
import { encodedInKeys, keySeparator } from '../../../domain/schema/row-keys.ts'
import type { ColumnType, HistoryPlace, TypedColumn, Writes, WriteText } from '../dialect.ts'
import { objectText, text } from './json.ts'
import { bytesOf, keyFromText, longText, momentOf } from './types.ts'

const encoded = (sql: string): string =>
  encodedInKeys.reduce((part, [plain, code]) => `replace(${part}, ${text(plain)}, ${text(code)})`, sql)

const keyText: Writes['keyText'] = (columns) => {
  const texts = columns.map((column) => `cast(${column} as char)`)
  if (texts.length === 0) return `''`
  return texts.length === 1 ? (texts[0] as string) : `concat(${texts.map(encoded).join(`, ${text(keySeparator)}, `)})`
}

/** No text of a number or a uuid has characters that are encoded. */
const keyPart: Writes['keyPart'] = (whole, position, key) => {
  const part = `substring_index(substring_index(${whole}, ${text(keySeparator)}, ${position}), ${text(keySeparator)}, -1)`
  const found = keyFromText(part, { type: 'text', dataType: 'longtext' }, key)
  if (found !== part) return found
  return encodedInKeys.reduceRight((sql, [plain, code]) => `replace(${sql}, ${text(code)}, ${text(plain)})`, part)
}

/** The value of a JSON text, as the column takes it; a wrong one is an error of the server. */
function stored(value: string, { type, dataType }: ColumnType): string {
  if (type === 'timestamp' || type === 'dateTime') return `nullif(replace(replace(${value}, 'T', ' '), 'Z', ''), '')`
  if (type === 'binary') return bytesOf(value)
  if (dataType === 'boolean' || type === 'integer')
    return `case ${value} when 'true' then 1 when 'false' then 0 else ${value} end`
  return value
}

/** The rows of a JSON list, or its single object: column `c<n>` for each. JSON is taken as it is, other values as texts. */
function rowsOf(parameter: string, columns: readonly TypedColumn[], path = '$[*]'): string {
  const parts = columns.map(({ name, type }, at) => {
    const place = text(`$.${JSON.stringify(name)}`)
    return `c${at} ${type.dataType === 'json' ? 'json' : longText} path ${place}`
  })
  return `json_table(${parameter}, ${text(path)} columns (${['n for ordinality', ...parts].join(', ')})) r`
}

/** JSON null is no value of a JSON column. */
const valueOf = ({ type }: TypedColumn, at: number): string =>
  type.dataType === 'json' ? `nullif(r.c${at}, 'null')` : stored(`r.c${at}`, type)

/** The value of a column in a JSON object. */
export function valueOfRow(row: string, path: string, type: ColumnType): string {
  if (type.dataType === 'json') return `nullif(json_extract(${row}, ${path}), 'null')`
  return stored(`json_value(${row}, ${path})`, type)
}

/** Rows of a parameter as rows of a table under an alias, and their position as a column. */
export function givenRows(
  rows: string,
  columns: readonly TypedColumn[],
  { alias, position }: { readonly alias: string; readonly position: string },
): string {
  const values = columns.map((each, at) => `${valueOf(each, at)} as ${each.column}`)
  return `(select ${[...values, `r.n as ${position}`].join(', ')} from ${rowsOf(rows, columns)}) ${alias}`
}

/** What a write returns: the key, and its name and data for history. */
function returned({ keyColumns, journal }: WriteText, row: string): string {
  const key = keyText(keyColumns.map((column) => `${row}${column}`))
  if (journal === null) return key
  return `${key}, ${key}, ${journal.data === null ? 'null' : objectText(journal.data(row.replace(/\.$/, '')))}`
}

/** The rows with the keys of an earlier text. */
const isNamed = ({ keyColumns }: WriteText, row = ''): string =>
  `${keyText(keyColumns.map((column) => `${row}${column}`))} in (select j.v from json_table($$1, '$[*]' columns (v ${longText} path '$')) j)`

const insert: Writes['insert'] = (plan, { rows }) => {
  const { table, columns, typed } = plan
  const values = typed.map(valueOf)
  // One row without values takes the defaults of all columns.
  if (columns.length === 0) return `insert into ${table} () values () returning ${returned(plan, `${table}.`)}`
  const source = `(${columns.join(', ')}) select ${values.join(', ')} from ${rowsOf(rows, typed)} order by r.n`
  return `insert into ${table} ${source} returning ${returned(plan, `${table}.`)}`
}

const update: Writes['update'] = (plan, { rows, match, where }) => {
  const { table, alias, keyColumns, columns, typedKeys } = plan
  const key = keyText(keyColumns.map((column) => `${alias}.${column}`))
  const each = match === null
  const others = each ? typedKeys.filter(({ column }) => !columns.includes(column)) : []
  const typed = [...plan.typed, ...others]
  const values = rowsOf(rows, typed, each ? '$[*]' : '$')
  const same = keyColumns
    .map((column) => {
      const at = typed.findIndex((each) => each.column === column)
      return each ? `${alias}.${column} = ${valueOf(typed[at] as TypedColumn, at)}` : ''
    })
    .join(' and ')
  const source = `${table} ${alias}${each ? ` join ${values} on ${same}` : ''}`
  const found = `select ${key} from ${source} where ${each ? 'true' : match}${where} order by ${key} for update`
  const sets = columns.flatMap((column, at) =>
    each && keyColumns.includes(column) ? [] : [`${alias}.${column} = ${valueOf(typed[at] as TypedColumn, at)}`],
  )
  const written =
    sets.length === 0
      ? []
      : [
          `update ${table} ${alias} join ${values} on ${each ? same : 'true'} set ${sets.join(', ')} where ${isNamed(plan, `${alias}.`)}`,
        ]
  const moved = !each && keyColumns.some((column) => columns.includes(column))
  const named = moved ? movedKey(plan, rows) : isNamed(plan, `${alias}.`)
  return [found, ...written, `select ${returned(plan, `${alias}.`)} from ${table} ${alias} where ${named}`].join(';\n')
}

/** A row whose key was changed is found by the new one; parts that stayed are those that the first text has found. */
function movedKey(plan: WriteText, rows: string): string {
  const { alias, keyColumns, columns, typed } = plan
  const parts = keyColumns.map((column) => {
    const at = columns.indexOf(column)
    if (at === -1) return 'true'
    return `${alias}.${column} = (select ${valueOf(typed[at] as TypedColumn, at)} from ${rowsOf(rows, typed, '$')})`
  })
  return `${parts.join(' and ')} and json_length($$1) > 0`
}

const remove: Writes['delete'] = (plan, where) => {
  const { table, alias, keyColumns } = plan
  const key = keyText(keyColumns.map((column) => `${alias}.${column}`))
  return [
    `select ${key} from ${table} ${alias} where ${where} order by ${key} for update`,
    `delete from ${table} where ${isNamed(plan)} returning ${returned(plan, '')}`,
  ].join(';\n')
}

const activityColumns = `"action", "user", "timestamp", ip, user_agent, origin, collection, item, comment`

const who = ({ values }: HistoryPlace): string => {
  const { user, timestamp, ip, userAgent, origin } = values
  return `${user}, ${momentOf(timestamp)}, ${ip}, ${userAgent}, ${origin}`
}

type Lists = Parameters<Writes['history']>[0]

/** The entries of the journal, one row each. */
function entriesOf(lists: Lists, names: readonly (keyof Lists)[]): string {
  const [first, ...others] = names.map(
    (name, at) => `json_table(${lists[name]}, '$[*]' columns (n for ordinality, v ${longText} path '$')) h${at}`,
  )
  return `${first}${others.map((list, at) => ` join ${list} on h${at + 1}.n = h0.n`).join('')}`
}

const listOf = (result: string): string => `json_table(${result}, '$[*]' columns (n for ordinality, v bigint path '$'))`

/** Ids come in the order of the entries, because one statement gives them. */
const history: Writes['history'] = (lists, place) => {
  const entries = entriesOf(lists, ['collection', 'item', 'data', 'delta', 'parent'])
  const revised = `(select h2.n, row_number() over (order by h2.n) as place, h4.v as parent from ${entries} where h2.v is not null)`
  return [
    `insert into ${place.activity} (${activityColumns}) select h0.v, ${who(place)}, h1.v, h2.v, ${place.values.comment} ` +
      `from ${entriesOf(lists, ['action', 'collection', 'item'])} order by h0.n returning id`,
    `insert into ${place.revisions} (activity, collection, item, data, delta) select a.v, h0.v, h1.v, h2.v, h3.v ` +
      `from ${entries} join ${listOf('$$1')} a on a.n = h0.n where h2.v is not null order by h0.n returning id`,
    `update ${place.revisions} x join ${listOf('$$2')} c on c.v = x.id join ${revised} e on e.place = c.n ` +
      `join ${revised} p on p.n = e.parent join ${listOf('$$2')} q on q.n = p.place set x.parent = q.v`,
  ].join(';\n')
}

export const writes: Writes = {
  keyText,
  keyPart,
  insert,
  update,
  delete: remove,
  history,
  lock: ({ table, keyColumns, columns, conditions }) => {
    const texts = [keyText(keyColumns), ...columns.map((column) => `cast(${column} as char)`)]
    return `select ${texts.join(', ')} from ${table} where ${conditions.join(' or ')} order by ${keyColumns.join(', ')} for update`
  },
  conflicts: ({ table, keyColumns, typed }, rows) => {
    const same = typed.map((each, at) => `t.${each.column} = ${valueOf(each, at)}`).join(' and ')
    const keys = keyColumns.map((column) => `t.${column}`)
    return `select cast(r.n as char), ${keyText(keys)} from ${rowsOf(rows, typed)} join ${table} t on ${same} order by ${keys.join(', ')} for update`
  },
  // The server converts values only where it stores them.
  held: (_table, row) => `select json_valid(${row})`,
  highest: ({ table, column, parent, condition }) =>
    `select cast(${parent} as char), cast(max(${column}) as char) from ${table} where ${condition} group by ${parent}`,
}
