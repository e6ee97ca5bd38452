/** How MariaDB compares, casts and computes values of each field type. */
import type { FieldType } from '../../../domain/query/field-types.ts'
import type { ColumnType, Dialect } from '../dialect.ts'
import { quoteText } from '../quoting.ts'

/** Numbers and keys in the types in which their comparison is exact. */
const numberCasts: { readonly [Type in FieldType]?: string } = {
  bigInteger: 'decimal(65)',
  decimal: 'decimal(65, 30)',
  float: 'double',
}

/** A moment of a text in ISO 8601, in UTC. */
export const momentOf = (sql: string): string => `cast(replace(replace(${sql}, 'T', ' '), 'Z', '') as datetime(6))`

/** The text as a value that is compared with the column. */
export function cast(sql: string, { type, dataType }: ColumnType): string {
  if (dataType === 'float') return `cast(${sql} as float)`
  if (type === 'timestamp' || type === 'dateTime') return momentOf(sql)
  if (type === 'date') return `cast(${sql} as date)`
  // MySQL takes a parameter that stands there alone for a date.
  if (type === 'time') return `cast(concat(${sql}) as time(6))`
  if (type === 'boolean') return truthOf(sql)
  if (type === 'binary') return bytesOf(sql)
  if (type === 'geometry') return shapeOf(sql)
  const number = numberCasts[type]
  return number === undefined ? sql : `cast(${sql} as ${number})`
}

/** Texts that are numbers or moments; the server takes any other for zero, or reads the beginning of it. */
const texts: { readonly [Type in FieldType]?: string } = {
  integer: '^-?[0-9]{1,65}$',
  bigInteger: '^-?[0-9]{1,65}$',
  decimal: '^-?[0-9]{1,35}([.][0-9]{1,30})?$',
  float: '^-?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]+)?$',
  date: '^[0-9]{4}-[0-9]{2}-[0-9]{2}',
  time: '^[0-9]{2}:[0-9]{2}',
  dateTime: '^[0-9]{4}-[0-9]{2}-[0-9]{2}',
  timestamp: '^[0-9]{4}-[0-9]{2}-[0-9]{2}',
}

export function castText(sql: string, column: ColumnType): string {
  const pattern = texts[column.type]
  if (pattern === undefined) return cast(sql, column)
  const value = column.type === 'integer' ? `cast(${sql} as decimal(65))` : cast(sql, column)
  return `case when ${sql} regexp ${quoteText(pattern)} then ${value} end`
}

/** Keys name truth values by words or digits; any other text would be 0. */
const truthOf = (sql: string): string =>
  `case concat(${sql}) when 'true' then 1 when '1' then 1 when 'false' then 0 when '0' then 0 end`

/** Well-known text. Calculations are those of the plane, whatever the reference system, which a value may name before it. */
export const shapeOf = (sql: string): string => `st_geomfromtext(substring_index(${sql}, ';', -1))`

/** Bytes are given as they are shown, and keys also in digits. */
export const bytesOf = (sql: string): string =>
  String.raw`if(left(${sql}, 2) = '\x', unhex(substr(${sql}, 3)), from_base64(${sql}))`

/** Words of a list are sorted by their places; the text of a float has fewer digits than its value. */
export const sorted: Dialect['sorted'] = (expression, column, isKey) => {
  if (column.dataType === 'enum')
    return {
      sql: `${expression} + 0`,
      text: `cast(${expression} + 0 as char)`,
      value: (parameter) => `cast(${parameter} as signed)`,
    }
  const sql = isKey ? expression : comparable(expression, column)
  const exact = column.dataType === 'float' ? `cast(${sql} as double)` : sql
  return { sql, text: `cast(${exact} as char)`, value: (parameter) => cast(parameter, column) }
}

export const longText = 'longtext character set utf8mb4 collate utf8mb4_bin'

/** As an unquoted JSON text, a value is compared by the collation of the column, as an index does. */
export const byCollation = (value: string): string => `json_unquote(json_quote(${value}))`

const setOf = (collation: string): string => collation.split('_', 1)[0] ?? ''

const isUnicode = (set: string): boolean => /^(utf|ucs)/.test(set)

/** The server compares `_bin` with others of its set, Unicode with other sets, and the two of UTF-8; nothing else. */
function areCompared(own: string, other: string): boolean {
  const [set, otherSet] = [setOf(own), setOf(other)]
  if (set === otherSet) return own === other || own.endsWith('_bin') !== other.endsWith('_bin')
  return isUnicode(set) !== isUnicode(otherSet) || (set.startsWith('utf8') && otherSet.startsWith('utf8'))
}

export const reconciled: Required<Dialect>['reconciled'] = (text, own, other) =>
  areCompared(own, other) ? text : byCollation(text)

export const textTypes = /^(char|varchar|(tiny|medium|long)?text|enum|set)$/

/** An empty name is a value of the statement itself. */
const isText = ({ dataType }: ColumnType): boolean => dataType === '' || textTypes.test(dataType)

/** Texts that differ in case or accents differ here, as in every other database. */
export const binary = (expression: string, folds: ColumnType['folds'] = true): string =>
  `convert(${folds === true ? expression : inSet(expression, folds)} using utf8mb4) collate utf8mb4_bin`

/** The text in a smaller character set, with question marks for what that does not have, compared as the column is. */
export const inSet = (expression: string, collation: string): string =>
  `convert(${expression} using ${setOf(collation)}) collate ${collation}`

const folded = /^convert\((.+) using utf8mb4\) collate utf8mb4_bin$/s
const smaller = /^convert\((.+) using \w+\) collate (\w+)$/s

/** The index of a column that folds case finds the candidates. */
export const equal = (left: string, right: string): string => {
  const column = folded.exec(left)?.[1]
  if (column === undefined) return `${left} = ${right}`
  const [, own, collation] = smaller.exec(column) ?? []
  const candidate =
    own === undefined || collation === undefined ? `${column} = ${right}` : `${own} = ${inSet(right, collation)}`
  return `(${candidate} and ${left} = ${right})`
}

export const comparable: Dialect['comparable'] = (expression, column) => {
  // A uuid is the same in capitals; it is looked for in small letters.
  if (column.folds !== undefined && isText(column) && column.type !== 'uuid') return binary(expression, column.folds)
  return column.type === 'boolean' ? asBoolean(expression, column) : expression
}

export const asBoolean = (expression: string, { dataType }: ColumnType): string =>
  textTypes.test(dataType) ? `(lower(${expression}) in ('1', 't', 'true'))` : expression

/** Bits are bytes where nothing asks for their number. */
export const bitsAsNumber = (expression: string): string => `cast(${expression} as unsigned)`

/** Bits are bytes, and years and numbers filled up with zeros are texts, where nothing asks for the number. */
export function asNumber(expression: string, { dataType }: ColumnType): string {
  if (dataType === 'bit') return bitsAsNumber(expression)
  return dataType === 'year' || dataType.endsWith(' zerofill') ? `(${expression} + 0)` : expression
}

export const asText: Dialect['asText'] = (expression, column) => {
  if (column.dataType === 'bit') return `cast(${bitsAsNumber(expression)} as char)`
  if (column.type === 'geometry') return `st_astext(${expression})`
  if (!isText(column)) return `cast(${expression} as char)`
  return column.folds !== undefined || column.type === 'uuid' ? binary(expression) : expression
}

const named = (name: string) => (expression: string) => `${name}(${expression})`

export const functions: Dialect['functions'] = {
  year: named('year'),
  month: named('month'),
  week: named('weekofyear'),
  day: named('dayofmonth'),
  weekday: (expression) => `dayofweek(${expression}) - 1`,
  hour: named('hour'),
  minute: named('minute'),
  second: named('second'),
  count: (expression) =>
    `case json_type(nullif(${expression}, '')) when 'ARRAY' then json_length(${expression}) else 0 end`,
}

/** What the servers call numbers. */
const numberKinds = "'INTEGER', 'DOUBLE', 'UNSIGNED INTEGER', 'DECIMAL'"

export const jsonAt: Dialect['jsonAt'] = (expression, _column, path) => {
  const json = `json_extract(${expression}, ${path})`
  const plain = `if(json_type(${json}) = 'NULL', null, json_unquote(${json}))`
  const number = `if(json_type(${json}) in (${numberKinds}), cast(json_unquote(${json}) as decimal(65, 30)), null)`
  // Numbers stand before texts. Moved above zero and filled up with zeros, they have the order of their texts.
  const digits = `lpad(${number} + 5${'0'.repeat(34)}, 66, '0')`
  return { json, text: plain, number, order: `ifnull(concat('0', ${digits}), concat('1', ${plain}))` }
}

/** Steps that are numbers are places in lists. */
export const jsonPath = (steps: readonly string[]): string =>
  `$${steps.map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${JSON.stringify(step)}`)).join('')}`

const distinct = (name: string) => (expression: string) => `${name}(distinct ${expression})`

export const aggregates: Dialect['aggregates'] = {
  count: named('count'),
  countDistinct: (expression, column) => `count(distinct ${comparable(expression, column)})`,
  countAll: named('count'),
  sum: named('sum'),
  sumDistinct: distinct('sum'),
  avg: named('avg'),
  avgDistinct: distinct('avg'),
  min: named('min'),
  max: named('max'),
}

const kinds: { readonly [Type in FieldType]?: 'number' | 'text' } = {
  integer: 'number',
  bigInteger: 'number',
  string: 'text',
  text: 'text',
  uuid: 'text',
}

/** The branch for numbers of 19 digits, of which a cast wraps those that eight bytes cannot hold. */
const longWhole = (expression: string): string =>
  ` when ${expression} regexp ${quoteText('^-?[0-9]{19}$')} and cast(${expression} as decimal(19)) between -9223372036854775808 and 9223372036854775807 then cast(${expression} as signed)`

export const keyFromText: Dialect['keyFromText'] = (expression, column, key) => {
  const kind = kinds[key.type]
  if (kind === 'number') {
    return kinds[column.type] === 'number'
      ? expression
      : `case when ${expression} regexp ${quoteText('^-?[0-9]{1,18}$')} then cast(${expression} as signed)${key.type === 'bigInteger' ? longWhole(expression) : ''} end`
  }
  return kind === 'text' && kinds[column.type] === 'text' && key.folds === undefined ? expression : null
}
