/** Statements that read the rows of a table, with values in a form that loses nothing. */
import type { SourceColumn, SourceTable } from '../../../domain/ports/table-source.ts'

const quote = (name: string): string => `\`${name.replaceAll('`', '``')}\``

const texts: ReadonlySet<string> = new Set([
  'char',
  'varchar',
  'tinytext',
  'text',
  'mediumtext',
  'longtext',
  'enum',
  'set',
])
const shapes =
  /^(geometry|point|linestring|polygon|multipoint|multilinestring|multipolygon|geometrycollection|geomcollection)$/
const dates: ReadonlySet<string> = new Set(['date', 'datetime', 'timestamp'])

const columnOf = (table: SourceTable, name: string): SourceColumn => {
  const found = table.columns.find((column) => column.name === name)
  if (found === undefined) throw new Error(`${table.name} has no column ${name}`)
  return found
}

/** The text of a float has six digits, so it is read as a double; bits are read as a number, bytes as digits. */
function valueText({ name, kind }: SourceColumn): string {
  const column = quote(name)
  if (kind === 'float') return `cast(${column} as double)`
  if (kind === 'bit') return `cast(${column} as unsigned)`
  if (/^(tiny|medium|long)?blob$|binary$/.test(kind)) return `lower(hex(${column}))`
  if (shapes.test(kind)) return `st_astext(${column})`
  if (kind === 'year') return `cast(${column} as unsigned)`
  return column
}

/** Texts by their bytes in UTF-8, as every other database can order them. */
const orderText = (column: SourceColumn): string =>
  texts.has(column.kind) ? `cast(convert(${quote(column.name)} using utf8mb4) as binary)` : quote(column.name)

export function rowsText(table: SourceTable, columns: readonly string[], key: readonly string[]): string {
  const values = columns.map((name) => valueText(columnOf(table, name)))
  const order = key.map((name) => orderText(columnOf(table, name)))
  return `select ${values.join(', ')} from ${quote(table.name)}${order.length === 0 ? '' : ` order by ${order.join(', ')}`}`
}

export function examineText(table: SourceTable, columns: readonly string[]): string {
  const parts = columns.flatMap((name, at) => {
    const { kind } = columnOf(table, name)
    const column = quote(name)
    // Neither day nor month of a date may be zero elsewhere.
    if (dates.has(kind))
      return [`sum(${column} is not null and (month(${column}) = 0 or dayofmonth(${column}) = 0)) as none${at}`]
    return [`min(${column}) as least${at}`, `max(${column}) as greatest${at}`]
  })
  return `select ${parts.join(', ')} from ${quote(table.name)}`
}
