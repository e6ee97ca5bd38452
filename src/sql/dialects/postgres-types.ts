/** How PostgreSQL compares, casts and computes values of each field type. */

import { geometryType, worldSrid } from '../../domain/conditions/geometry.ts'
import type { FieldType } from '../../domain/query/field-types.ts'
import type { ColumnType, Dialect } from './dialect.ts'

/** The SQL type of parameters, by field type; else text. Integers use bigint: values out of range do not match. */
const parameterTypes: { readonly [Type in FieldType]?: string } = {
  boolean: 'boolean',
  integer: 'bigint',
  bigInteger: 'bigint',
  float: 'double precision',
  decimal: 'numeric',
  dateTime: 'timestamp',
  timestamp: 'timestamptz',
  date: 'date',
  time: 'time',
  uuid: 'uuid',
  binary: 'bytea',
}

/** Column types that can be compared with a parameter type without a cast. */
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

/** Whether the column needs no cast. Array types begin like the type of their elements, but need one. */
const isNative = ({ type, dataType }: ColumnType) =>
  isCitext({ type, dataType }) || isNativeOf(parameterTypes[type] ?? 'text', { dataType })

/** Types that can be compared as text with a text column. */
const readAsNative: ReadonlySet<FieldType> = new Set(['integer', 'bigInteger', 'float', 'decimal'])

/** Text that is compared without regard to case; its schema may stand before its name. */
const isCitext = ({ dataType }: ColumnType): boolean => /^(.*\.)?citext$/.test(dataType)

/** A `real` column needs a `real` parameter: 1.1 in four bytes differs from 1.1 in eight. */
const parameterType = (column: ColumnType) =>
  column.dataType === 'real' && column.type === 'float'
    ? 'real'
    : isCitext(column)
      ? column.dataType
      : isNative(column) || column.type === 'boolean' || readAsNative.has(column.type)
        ? (parameterTypes[column.type] ?? 'text')
        : 'text'

export const cast: Dialect['cast'] = (parameter, column) =>
  column.type === 'geometry'
    ? geometry(parameter, column)
    : isBytes(column)
      ? bytesOf(`${parameter}::text`)
      : isZoned(column)
        ? zonedTime(`${parameter}::text`)
        : column.dataType === 'inet'
          ? unmasked(`${parameter}::text`)
          : `${parameter}::${parameterType(column)}`

/** A time of day that names its zone. */
export const isZoned = ({ type, dataType }: ColumnType): boolean => type === 'time' && zoned.test(dataType)

const zoned = /^(timetz|time\b.*\bwith time zone)/

/** The time in UTC of a text with a zone; without one it is in UTC. */
const zonedTime = (text: string) => `(${text}::timetz at time zone 'UTC')::time`

/** A word that an enumerated type does not list is null, so that it compares with none. */
export const castOrdered: Dialect['castOrdered'] = (parameter, { dataType, order }) =>
  order === 'listed'
    ? `(select e from unnest(enum_range(null::${dataType})) e where e::text = ${parameter}::text)`
    : ordered(`${parameter}::text::${withoutLength(dataType)}`, { dataType })

/** The order of hstore has no operators of the usual names, but lists are compared by the order of their elements. */
export const ordered = (expression: string, { dataType }: Pick<ColumnType, 'dataType'>): string =>
  /^(.*\.)?hstore$/.test(dataType) ? `case when ${expression} is not null then array[${expression}] end` : expression

/** A column as it is sorted, its text, and a text as a value of it. */
export const sorted: Dialect['sorted'] = (expression, column, isKey) => {
  if (column.order !== undefined)
    return {
      sql: ordered(expression, column),
      text: `${expression}::text`,
      value: (parameter) => castOrdered(parameter, column),
    }
  const compared = comparable(expression, column)
  if (!isKey || compared === expression)
    return { sql: compared, text: `(${compared})::text`, value: (parameter) => cast(parameter, column) }
  return {
    sql: expression,
    text: `${expression}::text`,
    value: (parameter) => `${parameter}::text::${withoutLength(column.dataType)}`,
  }
}

/** In SQL, `bit` and `character` alone have the length 1. */
const withoutLength = (dataType: string): string =>
  dataType.replace(/^bit(?=$|\[)/, '"bit"').replace(/^character(?=$|\[)/, 'bpchar')

/** Bytes are given as they are shown, and keys also as the database writes them. */
const bytesOf = (text: string): string =>
  String.raw`case when ${text} like '\\x%' then ${text}::bytea else decode(${text}, 'base64') end`

const isBytes = ({ type, dataType }: ColumnType) => type === 'binary' && dataType === 'bytea'

/** Parses a geometry in the SRID of the column: geometries of different SRIDs cannot be compared. */
function geometry(parameter: string, { dataType }: ColumnType): string {
  const { name, srid } = geometryType(dataType)
  const text = `${parameter}::text`
  return name === 'geography' ? `st_geogfromtext(${text})` : `st_geomfromtext(${text}, ${srid ?? worldSrid})`
}

/** Transforms a column without an SRID to WGS 84, because its rows may have different SRIDs. Columns with an SRID can use an index. */
const inOneSystem = (expression: string, { dataType }: ColumnType): string => {
  const { name, srid } = geometryType(dataType)
  return name === 'geography' || srid !== null ? expression : `st_setsrid(${expression}, ${worldSrid})`
}

export const castList: Dialect['castList'] = (parameter, column) =>
  isZoned(column)
    ? `(select array_agg(${zonedTime('t')}) from unnest(${parameter}::text[]) t)::time[]`
    : isBytes(column)
      ? `(select array_agg(${bytesOf('b')}) from unnest(${parameter}::text[]) b)::bytea[]`
      : column.dataType === 'inet'
        ? `(select array_agg(${unmasked('a')}) from unnest(${parameter}::text[]) a)::text[]`
        : `${parameter}::${parameterType(column)}[]`

export const comparable: Dialect['comparable'] = (expression, column) => {
  if (column.type === 'geometry') return inOneSystem(expression, column)
  if (isNative(column)) return column.type === 'time' ? asTime(expression, column) : expression
  if (column.type === 'boolean') return asBoolean(expression, column)
  return readAsNative.has(column.type) ? `${expression}::numeric` : ownText(expression, column)
}

/** A boolean from 0/1 or t/f columns. */
export const asBoolean = (expression: string, column: ColumnType) =>
  column.dataType.startsWith('bool') ? expression : `(lower(${expression}::text) in ('1', 't', 'true'))`

export const asText: Dialect['asText'] = (expression, column) =>
  /^(text|character varying|varchar)(\(\d+\))?$/.test(column.dataType) || isCitext(column)
    ? expression
    : ownText(expression, column)

export const asFilled: Dialect['asFilled'] = (expression, column) =>
  isList(column) ? `nullif(${expression}::text, '{}')` : asText(expression, column)

/** The text as which the value is shown: that of an address has no mask where there is nothing to mask. */
const ownText = (expression: string, { dataType }: ColumnType) =>
  dataType === 'inet' ? `abbrev(${expression})` : `${expression}::text`

/** An address as it is shown. Keys have the mask of a single address, as the database writes them. */
const unmasked = (text: string): string =>
  String.raw`regexp_replace(${text}, '^([0-9.]+)/32$|^([0-9a-f:.]+)/128$', '\1\2')`

const uuidPattern = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'
const whole = (text: string, digits: string) => `${text} ~ '^-?[0-9]{${digits}}$' then ${text}::bigint`

/** Numbers of 19 digits may be too large for eight bytes. */
const longWhole = (text: string) =>
  `${text} ~ '^-?[0-9]{19}$' then case when ${text}::numeric between -9223372036854775808 and 9223372036854775807 ` +
  `then ${text}::bigint end`

const keyCases: { readonly [Type in FieldType]?: (text: string) => string } = {
  integer: (text) => `case when ${whole(text, '1,18')} end`,
  bigInteger: (text) => `case when ${whole(text, '1,18')} when ${longWhole(text)} end`,
  uuid: (text) => `case when ${text} ~ '${uuidPattern}' then ${text}::uuid end`,
}

export const keyFromText: Dialect['keyFromText'] = (expression, column, key) => {
  if (column.dataType === key.dataType || (isNativeOf('bigint', column) && isNativeOf('bigint', key))) return expression
  const converted = keyCases[key.type]
  if (converted !== undefined) return converted(asText(expression, column))
  return isNativeOf('text', column) && isNativeOf('text', key) ? expression : null
}

const isNativeOf = (parameter: string, { dataType }: Pick<ColumnType, 'dataType'>): boolean =>
  !dataType.endsWith('[]') && (nativeTypes[parameter]?.test(dataType) ?? false)

/** A time of day in UTC without zone. PostgreSQL treats times in different zones as unequal. */
export const asTime = (expression: string, column: ColumnType) => {
  const utc = inUtc(expression, column)
  return utc === expression ? expression : `(${utc})::time`
}

/** Whether the column has a native array type. */
export const isList = ({ dataType }: ColumnType): boolean => dataType === 'ARRAY' || dataType.endsWith('[]')

/** Converts values with a time zone to UTC; leaves others unchanged. */
export const inUtc = (expression: string, { type, dataType }: ColumnType) =>
  type === 'timestamp' || isZoned({ type, dataType }) ? `${expression} at time zone 'UTC'` : expression
