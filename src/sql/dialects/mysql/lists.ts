/** Lists on MariaDB: of parameters, which travel as JSON, and in columns. */
import type { FieldType } from '../../../domain/query/field-types.ts'
import { type ColumnType, type Dialect, shortText } from '../dialect.ts'
import { whole } from './json.ts'
import { byCollation, cast, longText } from './types.ts'

/** The elements of a list, which travels as JSON. Null gives one null, which equals nothing. */
const elementsOf = (parameter: string, type: string): string =>
  `json_table(coalesce(${parameter}, '[null]'), '$[*]' columns (n for ordinality, v ${type} path '$'))`

const elementTypes: { readonly [Type in FieldType]?: string } = {
  integer: 'bigint',
  bigInteger: 'decimal(65)',
}

/**
 * The server makes a table with an index of short texts, and compares longer ones one by one. A text that is cut equals
 * none of the column: it is longer, and does not end with a space, which would count as nothing.
 */
const shortened = (value: string, { type, isShort }: ColumnType): string =>
  type === 'string' && isShort === true
    ? `concat(left(${value}, ${shortText}), if(char_length(${value}) > ${shortText}, '!', ''))`
    : value

export const castList: Dialect['castList'] = (parameter, column) => {
  const type = elementTypes[column.type]
  const value = type === undefined ? shortened(cast('j.v', column), column) : 'j.v'
  // Compared in another character set than that of its column, a key would be found by no index.
  const shown = column.type === 'uuid' && column.dataType !== 'uuid' ? byCollation(value) : value
  return `(select ${shown} from ${elementsOf(parameter, type ?? longText)} j)`
}

const listPattern = /^\(select (.*?) from (json_table\(.*\)) j\)$/s

/** What a list selects, and its elements. */
function partsOfList(list: string): { readonly shown: string; readonly elements: string } {
  const [, shown, elements] = listPattern.exec(list) ?? []
  if (shown === undefined || elements === undefined) throw new Error('Expected a list of the parameters')
  return { shown, elements }
}

export const elements: Dialect['elements'] = (expression, { type }) => {
  if (type !== 'json' && type !== 'csv') return null
  const list = type === 'csv' ? csvList(expression) : expression
  const rows = `json_table(if(json_type(${list}) = 'ARRAY', ${list}, json_array(${list})), '$[*]' columns (v ${longText} path '$')) e`
  return { text: 'e.v', join: ` join ${rows} on true` }
}

/** Version 8 can store a comma at each end too: `,a,b,` has two entries. */
export function csvList(expression: string): string {
  const inner = `if(${expression} like ',%,', substr(${expression}, 2, char_length(${expression}) - 2), ${expression})`
  return (
    `case when ${expression} in ('', ',,') then '[]' when ${expression} is not null ` +
    `then ${whole(`concat('[', replace(json_quote(${inner}), ',', '","'), ']')`)} end`
  )
}

/** Nothing equals a list without elements, and nothing differs from it. */
export const isOneOf: Dialect['isOneOf'] = (expression, list) =>
  listPattern.test(list) ? `${expression} in ${list}` : `(${expression} in ${list} or if(exists ${list}, false, null))`

export const isOneOfRows: Dialect['isOneOfRows'] = (expressions, lists) => {
  const parts = lists.map(partsOfList)
  const shown = parts.map((part, at) => part.shown.replaceAll('j.v', `j${at}.v`))
  const from = parts.map(({ elements }, at) =>
    at === 0 ? `${elements} j0` : ` join ${elements} j${at} on j${at}.n = j0.n`,
  )
  return `(${expressions.join(', ')}) in (select ${shown.join(', ')} from ${from.join('')})`
}

/** A number by which the index of a table in memory finds a text, whose length no index would take. */
export const hashOf = (text: string): string => `crc32(lower(${text}))`

const hashed: ReadonlySet<FieldType> = new Set(['string', 'text', 'uuid'])

/** A subquery in its place would read the whole list for each row. */
export const placeIn: Dialect['positionIn'] = (expression, list, { column, alias }) => {
  const { shown, elements } = partsOfList(list)
  // Of numbers and moments there are several texts.
  const hash = hashed.has(column.type) ? hashOf : (value: string) => value
  const places = `select j.v, ${hash(shown)} as h, min(j.n) as n from ${elements} j group by 1, 2`
  const isSame = `${alias}.h = ${hash(expression)} and ${shown.replaceAll('j.v', `${alias}.v`)} = ${expression}`
  return { sql: `${alias}.n`, join: ` left join (${places}) ${alias} on ${isSame}` }
}
