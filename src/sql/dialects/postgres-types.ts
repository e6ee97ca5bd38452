/** How PostgreSQL compares, casts and computes values of each field type. */
import type { FieldType } from '../../domain/field-types.ts'
import { geometryType, worldSrid } from '../../domain/geometry.ts'
import type { ColumnType, Dialect } from '../dialect.ts'

/** The SQL type of a parameter, per field type. Integers as bigint: a value out of range then matches nothing. */
const parameterTypes = {
  string: 'text',
  text: 'text',
  boolean: 'boolean',
  integer: 'bigint',
  bigInteger: 'bigint',
  float: 'double precision',
  decimal: 'numeric',
  dateTime: 'timestamp',
  timestamp: 'timestamptz',
  date: 'date',
  time: 'time',
  json: 'text',
  csv: 'text',
  uuid: 'uuid',
  hash: 'text',
  binary: 'bytea',
  geometry: 'text',
  alias: 'text',
  unknown: 'text',
} as const satisfies Record<FieldType, string>

/** Column types that compare with a parameter of the given type without a cast. */
const nativeTypes: { readonly [parameter: string]: RegExp } = {
  text: /^(text|character varying|varchar|character|char|bpchar|citext|name)\b/,
  boolean: /^bool/,
  bigint: /^(smallint|integer|bigint|int|oid|serial|bigserial)/,
  'double precision': /^(real|double|float|numeric|decimal|smallint|integer|bigint)/,
  numeric: /^(numeric|decimal|smallint|integer|bigint)/,
  timestamp: /^(timestamp|date)/,
  timestamptz: /^(timestamp|date)/,
  date: /^(timestamp|date)/,
  time: /^time\b/,
  uuid: /^uuid/,
  bytea: /^bytea/,
}

/** A list of texts is no text, though the name of its type begins like one. */
const isNative = ({ type, dataType }: ColumnType) =>
  !dataType.endsWith('[]') && (nativeTypes[parameterTypes[type]]?.test(dataType) ?? false)

/** Types whose text in a column of another type still means the same. */
const readAsNative: ReadonlySet<FieldType> = new Set(['integer', 'bigInteger', 'float', 'decimal'])

/** 1.1 in four bytes is another number than 1.1 in eight. */
const parameterType = (column: ColumnType) =>
  column.dataType === 'real' && column.type === 'float'
    ? 'real'
    : isNative(column) || column.type === 'boolean' || readAsNative.has(column.type)
      ? parameterTypes[column.type]
      : 'text'

export const cast: Dialect['cast'] = (parameter, column) =>
  column.type === 'geometry' ? geometry(parameter, column) : `${parameter}::${parameterType(column)}`

/** A geometry that is given as text, in the column's system of coordinates: two systems cannot be compared. */
function geometry(parameter: string, { dataType }: ColumnType): string {
  const { name, srid } = geometryType(dataType)
  const text = `${parameter}::text`
  return name === 'geography' ? `st_geogfromtext(${text})` : `st_geomfromtext(${text}, ${srid ?? worldSrid})`
}

/** Where the column names no system its rows may be of several; an index serves those that name one. */
const inOneSystem = (expression: string, { dataType }: ColumnType): string => {
  const { name, srid } = geometryType(dataType)
  return name === 'geography' || srid !== null ? expression : `st_setsrid(${expression}, ${worldSrid})`
}

export const castList: Dialect['castList'] = (parameter, column) => `${parameter}::${parameterType(column)}[]`

export const comparable: Dialect['comparable'] = (expression, column) => {
  if (column.type === 'geometry') return inOneSystem(expression, column)
  if (isNative(column)) return column.type === 'time' ? asTime(expression, column) : expression
  if (column.type === 'boolean') return asBoolean(expression, column)
  return readAsNative.has(column.type) ? `${expression}::numeric` : `${expression}::text`
}

/** A boolean out of 0/1 or t/f columns. */
export const asBoolean = (expression: string, column: ColumnType) =>
  column.dataType.startsWith('bool') ? expression : `(lower(${expression}::text) in ('1', 't', 'true'))`

export const asText: Dialect['asText'] = (expression, column) =>
  /^(text|character varying|varchar|citext)(\(\d+\))?$/.test(column.dataType) ? expression : `${expression}::text`

/** What has a zone in UTC, everything else as it is. */
export const inUtc = (expression: string, { type, dataType }: ColumnType) =>
  type === 'timestamp' || (type === 'time' && /^(timetz|time\b.*\bwith time zone)/.test(dataType))
    ? `${expression} at time zone 'UTC'`
    : expression

/** A time of day without a zone, in UTC: two that are written in other zones are never equal to the database. */
export const asTime = (expression: string, column: ColumnType) => {
  const utc = inUtc(expression, column)
  return utc === expression ? expression : `(${utc})::time`
}

const extract = (name: string, expression: string, column: ColumnType) =>
  `extract(${name} from ${inUtc(expression, column)})`

const part = (name: string) => (expression: string, column: ColumnType) =>
  `${extract(name, expression, column)}::integer`

/** Seconds have a fraction, which a cast would round: the second after 59.5 is still 59. */
const second = (expression: string, column: ColumnType) => `floor(${extract('second', expression, column)})::integer`

/** The year of what never ends would be infinite; its other parts are null. */
const year = (expression: string, column: ColumnType) =>
  `case when isfinite(${expression}) then ${part('year')(expression, column)} end`

export const functions: Dialect['functions'] = {
  year,
  month: part('month'),
  week: part('week'),
  day: part('day'),
  weekday: part('dow'),
  hour: part('hour'),
  minute: part('minute'),
  second,
  count: (expression, column) => {
    const json = toJson(expression, column)
    return `case json_typeof(${json}) when 'array' then json_array_length(${json}) else 0 end`
  },
}

/** A json column as it is; jsonb and text converted, empty text as null. */
export const toJson = (expression: string, column: ColumnType) =>
  column.dataType === 'json'
    ? expression
    : column.dataType === 'jsonb'
      ? `${expression}::json`
      : `nullif(${expression}::text, '')::json`

/** Whether the database has a list of its own in the column. */
export const isList = ({ dataType }: ColumnType): boolean => dataType === 'ARRAY' || dataType.endsWith('[]')

export const elements: Dialect['elements'] = (expression, column) => {
  if (isList(column)) return `unnest(${expression})`
  if (column.type === 'csv') return `unnest(string_to_array(${expression}, ','))`
  if (column.type !== 'json') return expression
  const json = toJson(expression, column)
  return `json_array_elements_text(case json_typeof(${json}) when 'array' then ${json} else json_build_array(${json}) end)`
}

const wrap =
  (name: string, distinct = '') =>
  (expression: string) =>
    `${name}(${distinct}${expression})`

/** Types without an order of their own: the extreme of their texts, turned back. */
const unordered: { readonly [Type in FieldType]?: string } = { uuid: 'uuid', boolean: 'boolean', json: 'json' }

const extreme = (name: string) => (expression: string, column: ColumnType) => {
  const type = unordered[column.type]
  if (type !== undefined) return `${name}(${expression}::text)::${type}`
  return `${name}(${column.type === 'unknown' ? `${expression}::text` : expression})`
}

export const aggregates: Dialect['aggregates'] = {
  count: wrap('count'),
  countDistinct: (expression, column) => `count(distinct ${comparable(expression, column)})`,
  countAll: wrap('count'),
  sum: wrap('sum'),
  sumDistinct: wrap('sum', 'distinct '),
  avg: wrap('avg'),
  avgDistinct: wrap('avg', 'distinct '),
  min: extreme('min'),
  max: extreme('max'),
}

const keyPatterns: { readonly [Type in FieldType]?: string } = {
  integer: '^-?[0-9]{1,18}$',
  bigInteger: '^-?[0-9]{1,18}$',
  uuid: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
}

export const keyFromText: Dialect['keyFromText'] = (expression, column, key) => {
  const pattern = keyPatterns[key.type]
  if (column.type === key.type || pattern === undefined) return expression
  return `case when ${expression} ~ '${pattern}' then ${expression}::${parameterTypes[key.type]} end`
}
