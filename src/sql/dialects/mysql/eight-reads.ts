/** Reads of MySQL where they differ from those of MariaDB. */
import type { FieldType } from '../../../domain/query/field-types.ts'
import type { ColumnType, Dialect } from '../dialect.ts'
import { quoteText } from '../quoting.ts'
import { estimateOf } from './eight-estimate.ts'
import { mysql } from './mysql.ts'

/** Functions of JSON refuse texts that are none; where MariaDB has text, a column can hold such. */
const validJson = (expression: string, { type, dataType }: ColumnType): string =>
  type === 'json' && dataType !== 'json' ? `if(json_valid(${expression}), ${expression}, null)` : expression

/** Shapes are compared in the plane, whatever reference system they have, in which length and breadth stand as in GeoJSON. */
const inPlane = (expression: string, { type }: ColumnType): string =>
  type === 'geometry' ? `st_srid(${expression}, 0)` : expression

/** JSON is compared and grouped by its text. */
const comparable: Dialect['comparable'] = (expression, column) =>
  column.dataType === 'json'
    ? `convert(${expression} using utf8mb4) collate utf8mb4_bin`
    : mysql.comparable(inPlane(expression, column), column)

const asText: Dialect['asText'] = (expression, column) => mysql.asText(inPlane(expression, column), column)

/** A text or a value of the column is a text, of which the server makes no moment, and the driver no number. */
const typesOfValues: { readonly [Type in FieldType]?: string } = {
  integer: 'signed',
  timestamp: 'datetime(6)',
  dateTime: 'datetime(6)',
  date: 'date',
  time: 'time(6)',
}

/** The row beside one of the values that the object gives, of which those are taken that it has. */
const overlaid: Dialect['overlaid'] = ({ table, stored, alias, condition, row, columns }) => {
  const given = mysql.recordset({ table, alias: 'g', rows: `concat('[', ${row}, ']')`, columns })
  const values = columns.map(({ column, name, type }) => {
    const path = quoteText(`$.${JSON.stringify(name)}`)
    const value = `if(json_contains_path(${row}, 'one', ${path}), g.${column}, ${stored}.${column})`
    const own = type.digits === undefined ? typesOfValues[type.type] : `decimal(${type.digits})`
    return `${own === undefined ? value : `cast(${value} as ${own})`} as ${column}`
  })
  return `(select ${values.join(', ')} from ${table} join ${given} on true where ${condition}) ${alias}`
}

export const eightReads = {
  // Subqueries in `from` see the row around them.
  linked: { rows: mysql.linked.rows, column: mysql.linked.column },
  comparable,
  asText,
  asFilled: asText,
  elements: (expression, column) => mysql.elements(validJson(expression, column), column),
  functions: {
    ...mysql.functions,
    count: (expression, column) => mysql.functions.count(validJson(expression, column), column),
  },
  jsonAt: (expression, column, path) => mysql.jsonAt(validJson(expression, column), column, path),
  overlaid,
  // The plan of what has happened is a text.
  explain: (analyze) => (analyze ? 'explain analyze' : 'explain format=json'),
  estimateOf,
} as const satisfies Partial<Dialect>
