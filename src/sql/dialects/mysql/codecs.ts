/** The MariaDB expression of each codec. */
import type { Codec } from '../../../domain/schema/view.ts'
import type { ColumnCodec, ColumnType, Expression } from '../dialect.ts'
import { quoteText } from '../quoting.ts'
import { whole } from './json.ts'
import { csvList } from './lists.ts'
import { asBoolean, asNumber, asText } from './types.ts'

const string = (sql: string): Expression => ({ sql, json: 'text' })
const json = (sql: string): Expression => ({ sql, json: 'json' })

/** A text that the driver gives as it is. */
const plainText = (sql: string): Expression => ({ sql, json: 'text', plain: sql })

const utf8 = (sql: string): string => `convert(${sql} using utf8mb4) collate utf8mb4_bin`

/** A truth value as JSON. */
function boolean(expression: string, column: ColumnType, nullAs: 'null' | 'false'): Expression {
  const value = asBoolean(expression, column)
  return json(`case when ${value} then 'true' when ${expression} is null then '${nullAs}' else 'false' end`)
}

const digits = (moment: string): string => `lpad(microsecond(${moment}), 6, '0')`

/** The fraction of a second without zeros at its end. */
const fraction = (moment: string): string =>
  `if(microsecond(${moment}) = 0, '', concat('.', trim(trailing '0' from ${digits(moment)})))`

/** A date with month or day 0, which is none of the calendar, is null in a sum. */
function formatted(moment: string, pattern: string, rest = ''): string {
  const text = `date_format(${moment} + interval 0 day, '${pattern}')`
  return rest === '' ? text : `concat(${text}, ${rest})`
}

const exactMoment = (moment: string, separator: string): string =>
  formatted(moment, `%Y-%m-%d${separator}%H:%i:%s`, fraction(moment))

/** Its value with as many digits as make it again. */
const rounded = (float: string, digits: number): string =>
  `round(cast(${float} as double), ${digits - 1} - floor(log10(abs(${float}))))`

/** The server writes six digits of a float, which has up to nine. */
function floatText(expression: string, { dataType }: ColumnType): string {
  const own = `cast(${expression} as char)`
  if (dataType !== 'float') return own
  const cases = [own, `cast(${rounded(expression, 7)} as char)`, `cast(${rounded(expression, 8)} as char)`]
  const whens = cases.map((text) => `when cast(${text} as float) = ${expression} then ${text}`)
  return `case ${whens.join(' ')} else cast(${rounded(expression, 9)} as char) end`
}

function literal(expression: string, column: ColumnType): Expression {
  switch (column.type) {
    case 'boolean':
      return boolean(expression, column, 'null')
    case 'integer':
      return { sql: expression, json: 'json', plain: expression }
    case 'bigInteger':
    case 'decimal':
      return json(expression)
    case 'float':
      return json(floatText(expression, column))
    case 'json':
      return json(utf8(`nullif(${expression}, '')`))
    default:
      return text(expression, column)
  }
}

const text = (expression: string, column: ColumnType): Expression =>
  column.dataType === 'varchar' || column.dataType.endsWith('text')
    ? plainText(utf8Where(column, expression))
    : string(asText(expression, column))

/** Character sets other than that of the connection are converted by the server where a text leaves it. */
const utf8Where = ({ folds }: ColumnType, expression: string): string =>
  folds === undefined ? expression : utf8(expression)

/** A text that is made of a value; null only if that is. */
const present = (expression: string, made: string): string => `if(${expression} is null, null, ${whole(made)})`

type Row = (expression: string, column: ColumnType, codec: never) => Expression

const rows = {
  literal,
  text,
  'number-text': (expression) => string(`cast(${expression} as char)`),
  number: (expression, column) => {
    if (column.type === 'decimal' && column.isExact === true) return json(exactNumber(expression))
    return literal(expression, column)
  },
  'iso-instant': (expression) => {
    const parts = `if(microsecond(${expression}) % 1000 = 0, left(${digits(expression)}, 3), ${digits(expression)})`
    return string(formatted(expression, '%Y-%m-%dT%H:%i:%s.', `${parts}, 'Z'`))
  },
  'iso-datetime': (expression) => string(exactMoment(expression, 'T')),
  'plain-datetime': (expression, column) =>
    string(column.isExact === true ? exactMoment(expression, ' ') : formatted(expression, '%Y-%m-%d %H:%i:%s')),
  'offset-datetime': (expression) => string(formatted(expression, '%Y-%m-%dT%H:%i:%s+00:00')),
  date: (expression) => string(formatted(expression, '%Y-%m-%d')),
  time: (expression) => string(`concat(time_format(${expression}, '%H:%i:%s'), ${fraction(expression)})`),
  json: (expression, column, codec: Extract<Codec, { kind: 'json' }>) => {
    const shown = utf8(column.dataType === 'json' ? expression : readJson(expression))
    return json(codec.nullAs === 'empty' ? `coalesce(${shown}, '[]')` : shown)
  },
  csv: (expression, _column, codec: Extract<Codec, { kind: 'csv' }>) => {
    const list = csvList(expression)
    return json(codec.nullAs === 'empty' ? `coalesce(${list}, '[]')` : list)
  },
  boolean: (expression, column, { nullAs }: Extract<Codec, { kind: 'boolean' }>) => boolean(expression, column, nullAs),
  mask: (expression) => string(`case when concat(${expression}) <> '' then '**********' end`),
  base64: (expression) => string(present(expression, `replace(to_base64(${expression}), char(10 using utf8mb4), '')`)),
  geojson: (expression) => json(`st_asgeojson(${expression})`),
  words: (expression, _column, { words }: Extract<Codec, { kind: 'words' }>) => {
    const shown = utf8(`cast(${expression} as char)`)
    const cases = Object.entries(words).map(([stored, word]) => `when ${quoteText(stored)} then ${quoteText(word)}`)
    return string(cases.length === 0 ? shown : `case ${shown} ${cases.join(' ')} else ${shown} end`)
  },
  renamed: (expression, _column, { within, stored, shown, names }: Extract<Codec, { kind: 'renamed' }>) => {
    // MariaDB and MySQL name what a group has matched in different ways.
    const name = `(${names.join('|')})`
    const [pattern, form] =
      within === 'text' ? [`^${stored}(?=${name}$)`, string] : [`(?<=[":,])${stored}(?=${name}[",])`, json]
    return form(`regexp_replace(${expression}, ${quoteText(pattern)}, ${quoteText(shown)})`)
  },
} as const satisfies { readonly [Kind in ColumnCodec['kind']]: Row }

/** Text in a field of JSON that is none is a JSON text. */
const readJson = (text: string): string => `if(json_valid(${text}), ${text}, json_quote(nullif(${text}, '')))`

/** A JSON number, or the text of one that a reader would round. */
const exactNumber = (number: string): string =>
  `if(cast(cast(${number} as double) as decimal(65, 30)) = ${number}, cast(${number} as char), json_quote(cast(${number} as char)))`

export function codecs(codec: ColumnCodec, expression: string, column: ColumnType): Expression {
  const row = rows[codec.kind] as (expression: string, column: ColumnType, codec: ColumnCodec) => Expression
  return row(asNumber(expression, column), column, codec)
}

/** The value as writes take it: numbers and JSON as they are, moments, bytes and decimals as texts (MySQL reads decimals of JSON as doubles). */
export function storedValue(expression: string, column: ColumnType): Expression {
  switch (column.type) {
    case 'boolean':
      return boolean(expression, column, 'null')
    case 'integer':
    case 'bigInteger':
      return json(asNumber(expression, column))
    case 'float':
      return json(floatText(expression, column))
    case 'json':
      return json(utf8(`nullif(${expression}, '')`))
    case 'binary':
      return string(present(expression, String.raw`concat('\x', hex(${expression}))`))
    case 'geometry':
      return json(`st_asgeojson(${expression})`)
    default:
      return string(asText(expression, column))
  }
}
