/** The PostgreSQL expression of each codec. */

import { geometryKindOf, geometryType } from '../../domain/conditions/geometry.ts'
import type { FieldType } from '../../domain/query/field-types.ts'
import type { Codec } from '../../domain/schema/view.ts'
import type { ColumnCodec, ColumnType, Expression } from './dialect.ts'
import { asBoolean, asText, asTime, inUtc, isList, toJson } from './postgres-types.ts'

const string = (sql: string): Expression => ({ sql, json: 'text', plain: sql })
const json = (sql: string): Expression => ({ sql, json: 'json' })
const value = (sql: string): Expression => ({ sql, json: 'value' })

/** An expression with a plain form that is cheaper to read. */
const plainly = (expression: Expression, plain: string): Expression => ({ ...expression, plain })

const literalForms: { readonly [Type in FieldType]?: 'json' | 'value' } = {
  integer: 'json',
  bigInteger: 'json',
  boolean: 'value',
  float: 'value',
  decimal: 'value',
  json: 'json',
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`

/** Formats a date and time by a pattern; instants in UTC. */
const moment = (expression: string, column: ColumnType, pattern: string) =>
  string(`to_char(${inUtc(expression, column)}, '${pattern}')`)

/** Like `moment`, with microseconds. `zeros`: trailing digits that are removed if they are zero. */
function whole(expression: string, { pattern, zeros, zone }: Record<'pattern' | 'zeros' | 'zone', string>): Expression {
  const shown = `regexp_replace(to_char(${expression}, '${pattern}.US'), '${zeros}$', '')`
  return string(zone === '' ? shown : `${shown} || '${zone}'`)
}

/** A date and time in seconds; in keys with all digits of the fraction. */
function second(expression: string, column: ColumnType, { pattern, zone = '' }: { pattern: string; zone?: string }) {
  if (column.isExact !== true) return moment(expression, column, zone === '' ? pattern : `${pattern}"${zone}"`)
  return whole(inUtc(expression, column), { pattern, zeros: '\\.?0+', zone })
}

/** Strings as they are. Arrays and unknown types are converted to JSON by the database. */
function text(expression: string, column: ColumnType): Expression {
  if (isList(column)) return json(`to_json(${expression})`)
  if (column.type === 'unknown') return value(expression)
  return string(column.type === 'uuid' ? expression : asText(expression, column))
}

/** Geometry types that are curves or may contain curves. */
const curved = ['CIRCULARSTRING', 'COMPOUNDCURVE', 'CURVEPOLYGON', 'MULTICURVE', 'MULTISURFACE', 'GEOMETRYCOLLECTION']

/** GeoJSON has no curves, so columns that may contain them are converted to lines. This is expensive. */
function straight(expression: string, column: ColumnType): string {
  const type = geometryType(column.dataType)
  if (type.name === 'geography' || geometryKindOf(type) !== null) return expression
  const isCurved = `geometrytype(${expression}) in (${curved.map(quoted).join(', ')})`
  return `case when ${isCurved} then st_curvetoline(${expression}) else ${expression} end`
}

type Row = (expression: string, column: ColumnType, codec: never) => Expression

const rows = {
  literal: (expression, column) => {
    const form = literalForms[column.type]
    if (form === undefined) return text(expression, column)
    // JSON of an object identifier would be a string.
    const literal: Expression = { sql: column.dataType === 'oid' ? `${expression}::bigint` : expression, json: form }
    if (column.dataType === 'boolean') return plainly(literal, expression)
    return column.type === 'integer' || column.type === 'float' ? plainly(literal, expression) : literal
  },
  text,
  'number-text': (expression) => string(`${expression}::text`),
  number: (expression, column) => {
    const number = value(literalForms[column.type] === undefined ? `${expression}::numeric` : expression)
    return column.type === 'integer' || column.type === 'float' ? plainly(number, expression) : number
  },
  'iso-instant': (expression, column) => {
    if (column.isExact === true) {
      return whole(inUtc(expression, column), { pattern: 'YYYY-MM-DD"T"HH24:MI:SS', zeros: '000', zone: 'Z' })
    }
    const instant = moment(expression, column, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    return column.type === 'timestamp' ? plainly(instant, expression) : instant
  },
  'iso-datetime': (expression, column) => second(expression, column, { pattern: 'YYYY-MM-DD"T"HH24:MI:SS' }),
  'plain-datetime': (expression, column) => second(expression, column, { pattern: 'YYYY-MM-DD HH24:MI:SS' }),
  'offset-datetime': (expression, column) =>
    second(expression, column, { pattern: 'YYYY-MM-DD"T"HH24:MI:SS', zone: '+00:00' }),
  date: (expression, column) => moment(expression, column, 'YYYY-MM-DD'),
  time: (expression, column) => {
    const time = `${asTime(expression, column)}::time`
    if (column.isExact === true) return whole(time, { pattern: 'HH24:MI:SS', zeros: '\\.?0+', zone: '' })
    return string(`to_char(${time}, 'HH24:MI:SS')`)
  },
  json: (expression, column) => json(column.dataType === 'jsonb' ? expression : toJson(expression, column)),
  csv: (expression, column, codec: Extract<Codec, { kind: 'csv' }>) => {
    const list = `to_json(${isList(column) ? expression : `string_to_array(${expression}, ',')`})`
    return json(codec.nullAs === 'empty' ? `coalesce(${list}, '[]')` : list)
  },
  boolean: (expression, column, codec: Extract<Codec, { kind: 'boolean' }>) => {
    const boolean = asBoolean(expression, column)
    const sql = codec.nullAs === 'false' ? `coalesce(${boolean}, false)` : boolean
    return plainly(value(sql), sql)
  },
  mask: (expression) => string(`case when ${expression}::text <> '' then '**********' end`),
  base64: (expression) => string(`replace(encode(${expression}, 'base64'), E'\\n', '')`),
  geojson: (expression, column) => json(`st_asgeojson(${straight(expression, column)}, 17, 0)::json`),
  words: (expression, _column, codec: Extract<Codec, { kind: 'words' }>) => {
    const cases = Object.entries(codec.words).map(([stored, shown]) => `when ${quoted(stored)} then ${quoted(shown)}`)
    return string(
      cases.length === 0
        ? `${expression}::text`
        : `case ${expression}::text ${cases.join(' ')} else ${expression}::text end`,
    )
  },
} as const satisfies { readonly [Kind in ColumnCodec['kind']]: Row }

/** The expression of a codec. */
export function codecs(codec: ColumnCodec, expression: string, column: ColumnType): Expression {
  const row = rows[codec.kind] as (expression: string, column: ColumnType, codec: ColumnCodec) => Expression
  return row(expression, column, codec)
}
