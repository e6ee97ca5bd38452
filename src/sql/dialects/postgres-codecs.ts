import { geometryKindOf, geometryType } from '../../domain/conditions/geometry.ts'
import type { FieldType } from '../../domain/query/field-types.ts'
import type { Codec } from '../../domain/schema/view.ts'
import type { ColumnCodec, ColumnType, Expression } from './dialect.ts'
import { csvArray, toJson } from './postgres-json.ts'
import { asBoolean, asText, inUtc, isList, isZoned } from './postgres-types.ts'
import { quoteText } from './quoting.ts'

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

/** In UTC without a zone, whatever of both the column has. */
const utcMoment = (expression: string, { dataType }: ColumnType): string =>
  dataType.endsWith('with time zone') ? `(${expression} at time zone 'UTC')` : expression

/** A moment in seconds, by a pattern. */
function second(expression: string, column: ColumnType, { pattern, zone = '' }: { pattern: string; zone?: string }) {
  const moment = utcMoment(expression, column)
  return string(whole(moment, `to_char(${moment}, '${pattern}')`, zone))
}

/** Adds the era to a formatted moment. `to_char` has no text for an infinite moment. */
const whole = (moment: string, shown: string, zone: string): string =>
  `coalesce(${shown} || case when ${moment} < '0001-01-01' then '${zone} BC' else '${zone}' end, ${moment}::text)`

/** A moment with all digits of its fraction, as the database writes it. */
function exact(expression: string, column: ColumnType, separator: ' ' | 'T'): Expression {
  const moment = utcMoment(expression, column)
  return string(separator === ' ' ? `${moment}::text` : `(to_json(${moment}) #>> '{}')`)
}

/**
 * An instant with milliseconds, or with microseconds where it has some. Comparing the column itself, and not its moment in
 * UTC, halves the time of the expression.
 */
function instant(expression: string, column: ColumnType): Expression {
  const moment = utcMoment(expression, column)
  const [type, zone] = column.dataType.endsWith('with time zone') ? ['timestamptz', 'Z'] : ['timestamp', '']
  const patternOf = (era: string): string => {
    const [seconds, isWhole] = ['YYYY-MM-DD"T"HH24:MI:SS', `${expression} = ${expression}::${type}(3)`]
    return `case when ${isWhole} then '${seconds}.MS"Z${era}"' else '${seconds}.US"Z${era}"' end`
  }
  const pattern = `case when ${expression} < '0001-01-01${zone}' then ${patternOf(' BC')} else ${patternOf('')} end`
  return string(`coalesce(to_char(${moment}, ${pattern}), ${moment}::text)`)
}

/** A time with its zone. The database omits the minutes of the zone if they are zero. */
const withZone = (expression: string): string => `regexp_replace(${expression}::text, '([+-][0-9]{2})$', '\\1:00')`

/** Strings as they are. Arrays and unknown types are converted to JSON by the database. */
function text(expression: string, column: ColumnType): Expression {
  if (isList(column)) return json(listOf(expression, column))
  // JSON would show a list, which they do not take.
  if (/^(oid|int2)vector$/.test(column.dataType)) return string(`${expression}::text`)
  if (column.type === 'unknown') return value(expression)
  return string(column.type === 'uuid' ? expression : asText(expression, column))
}

/** Geometry types that are curves or may contain curves. */
const curved = ['CIRCULARSTRING', 'COMPOUNDCURVE', 'CURVEPOLYGON', 'MULTICURVE', 'MULTISURFACE', 'GEOMETRYCOLLECTION']

/** GeoJSON has no curves, so columns that may contain them are converted to lines. This is expensive. */
function withoutCurves(expression: string, column: ColumnType): string {
  const type = geometryType(column.dataType)
  if (type.name === 'geography' || geometryKindOf(type) !== null) return expression
  const isCurved = `geometrytype(${expression}) in (${curved.map(quoteText).join(', ')})`
  return `case when ${isCurved} then st_curvetoline(${expression}) else ${expression} end`
}

/** Whether most readers, which take numbers of eight bytes, keep the number. */
const isKept = (number: string): string =>
  `${number} = 0 or abs(${number}) between 1e-300 and 1e300 and ${number}::double precision::text::numeric = ${number}`

/** A JSON number, or the text of one that a reader would round. */
const exactNumber = (number: string): string =>
  `case when ${isKept(number)} then to_json(${number}) else to_json(${number}::text) end`

/** A list as JSON. Its numbers are texts where a reader would round one of them. */
function listOf(expression: string, { dataType }: ColumnType): string {
  if (!/^(numeric|bigint)\b/.test(dataType)) return `to_json(${expression})`
  const long = `select from unnest(${expression}) n where n::text ~ '[0-9]' and not (${isKept('n')})`
  return `case when exists (${long}) then to_json(${expression}::text[]) else to_json(${expression}) end`
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
    if (column.type === 'decimal' && column.isExact === true) return value(exactNumber(expression))
    const number = value(literalForms[column.type] === undefined ? `${expression}::numeric` : expression)
    return column.type === 'integer' || column.type === 'float' ? plainly(number, expression) : number
  },
  'iso-instant': (expression, column) => {
    const shown = instant(expression, column)
    return column.type === 'timestamp' ? plainly(shown, expression) : shown
  },
  'iso-datetime': (expression, column) => exact(expression, column, 'T'),
  'plain-datetime': (expression, column) =>
    column.isExact === true
      ? exact(expression, column, ' ')
      : second(expression, column, { pattern: 'YYYY-MM-DD HH24:MI:SS' }),
  'offset-datetime': (expression, column) =>
    second(expression, column, { pattern: 'YYYY-MM-DD"T"HH24:MI:SS', zone: '+00:00' }),
  date: (expression, column) =>
    string(column.dataType === 'date' ? `${expression}::text` : `(${inUtc(expression, column)})::date::text`),
  time: (expression, column) => string(isZoned(column) ? withZone(expression) : `${expression}::time::text`),
  json: (expression, column, codec: Extract<Codec, { kind: 'json' }>) => {
    const shown = column.dataType === 'jsonb' ? expression : toJson(expression, column)
    return json(codec.nullAs === 'empty' ? `coalesce(${shown}, '[]')` : shown)
  },
  csv: (expression, column, codec: Extract<Codec, { kind: 'csv' }>) => {
    const list = `to_json(${isList(column) ? expression : csvArray(expression)})`
    return json(codec.nullAs === 'empty' ? `coalesce(${list}, '[]')` : list)
  },
  boolean: (expression, column, codec: Extract<Codec, { kind: 'boolean' }>) => {
    const boolean = asBoolean(expression, column)
    const sql = codec.nullAs === 'false' ? `coalesce(${boolean}, false)` : boolean
    return plainly(value(sql), sql)
  },
  mask: (expression) => string(`case when ${expression}::text <> '' then '**********' end`),
  base64: (expression) => string(`replace(encode(${expression}, 'base64'), E'\\n', '')`),
  geojson: (expression, column) => json(`st_asgeojson(${withoutCurves(expression, column)}, 17, 0)::json`),
  words: (expression, _column, codec: Extract<Codec, { kind: 'words' }>) => {
    const cases = Object.entries(codec.words).map(
      ([stored, shown]) => `when ${quoteText(stored)} then ${quoteText(shown)}`,
    )
    return string(
      cases.length === 0
        ? `${expression}::text`
        : `case ${expression}::text ${cases.join(' ')} else ${expression}::text end`,
    )
  },
  renamed: (expression, _column, { within, stored, shown, names }: Extract<Codec, { kind: 'renamed' }>) => {
    const words = `${stored}(${names.join('|')})`
    if (within === 'text') {
      return string(
        `regexp_replace(${expression}::text, ${quoteText(`^${words}$`)}, ${quoteText(String.raw`${shown}\1`)})`,
      )
    }
    const parts = [quoteText(`([":,])${words}(?=[",])`), quoteText(String.raw`\1${shown}\2`)]
    return json(`regexp_replace(${expression}::text, ${parts.join(', ')}, 'g')::json`)
  },
} as const satisfies { readonly [Kind in ColumnCodec['kind']]: Row }

export function codecs(codec: ColumnCodec, expression: string, column: ColumnType): Expression {
  const row = rows[codec.kind] as (expression: string, column: ColumnType, codec: ColumnCodec) => Expression
  return row(expression, column, codec)
}
