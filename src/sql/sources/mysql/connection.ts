/**
 * MySQL and MariaDB as a source. One connection, in one read-only transaction with a consistent snapshot: what is written
 * there meanwhile is not seen.
 */
import { type Connection, type ConnectionOptions, createConnection } from 'mysql2'
import type { SourceColumn, SourceTable, SourceValues, TableSource } from '../../../domain/ports/table-source.ts'
import { textTypes } from '../../dialects/mysql/types.ts'
import { type Ask, readTables } from './catalog.ts'

export type MySqlOptions = {
  readonly host?: string
  readonly port?: number
  readonly socketPath?: string
  readonly user?: string
  readonly password?: string
  readonly database: string
}

/** Rows and letters that are read and converted at once, and rows that the driver reads ahead. */
const most = { rows: 500, letters: 1_000_000, ahead: 64 } as const

const session: ConnectionOptions = {
  charset: 'utf8mb4',
  dateStrings: true,
  supportBigNumbers: true,
  bigNumberStrings: true,
  decimalNumbers: false,
  jsonStrings: true,
  connectTimeout: 10_000,
}

/** Connects and begins the snapshot. */
export async function openMySql(options: MySqlOptions): Promise<TableSource> {
  const connection = createConnection({ ...session, ...options })
  connection.on('error', () => undefined)
  const ask = askOn(connection)
  const failed = (error: Error): never => {
    connection.destroy()
    throw new Error(`${nameOf(options)}: ${error.message}`, { cause: error })
  }
  // A slow target must not end the stream of the source.
  const opening = [
    'set session net_write_timeout = 3600, session wait_timeout = 86400',
    'set session transaction isolation level repeatable read, read only',
    'start transaction with consistent snapshot, read only',
  ]
  for (const text of opening) await ask(text).catch(failed)
  return {
    name: nameOf(options),
    tables: () => readTables(ask, options.database),
    // A view outlives its tables, columns and definer.
    faultOf: (view) =>
      ask('select 1 as one from ?? limit 0', [view]).then(
        () => null,
        (error: Error) => error.message,
      ),
    count: async (table) => Number((await ask('select count(*) as n from ??', [table]))[0]?.['n']),
    async examine(table, columns) {
      if (columns.length === 0) return new Map()
      const row = (await ask(examineText(table, columns)))[0] ?? {}
      return new Map(
        columns.map((name, at) => [
          name,
          {
            least: textOf(row[`least${at}`]),
            greatest: textOf(row[`greatest${at}`]),
            noDates: Number(row[`none${at}`] ?? 0),
          },
        ]),
      )
    },
    rows: (table, columns, key) => readRows(connection, rowsText(table, columns, key)),
    close: () =>
      new Promise((resolve) => {
        connection.end(() => resolve())
      }),
  }
}

const textOf = (value: string | number | null | undefined): string | null =>
  value === null || value === undefined ? null : String(value)

const nameOf = ({ host, port, socketPath, database }: MySqlOptions): string =>
  `mysql://${socketPath ?? `${host ?? 'localhost'}:${port ?? 3306}`}/${database}`

const askOn =
  (connection: Connection): Ask =>
  (text, values = []) =>
    new Promise((resolve, reject) => {
      connection.query(text, [...values], (error, rows) => {
        if (error) reject(error)
        else resolve(Array.isArray(rows) ? (rows as Awaited<ReturnType<Ask>>) : [])
      })
    })

async function* readRows(connection: Connection, text: string): AsyncGenerator<readonly SourceValues[]> {
  // Bytes as they come: the driver's own reading of a double loses its last digits.
  const query = { sql: text, rowsAsArray: true, typeCast: false }
  const stream = connection.query(query).stream({ highWaterMark: most.ahead })
  let page: SourceValues[] = []
  let letters = 0
  for await (const row of stream as AsyncIterable<readonly (Buffer | null)[]>) {
    const values = row.map((value) => value?.toString('utf8') ?? null)
    page.push(values)
    for (const value of values) letters += value?.length ?? 0
    if (page.length < most.rows && letters < most.letters) continue
    yield page
    page = []
    letters = 0
  }
  if (page.length > 0) yield page
}

/** Statements that read the rows of a table, with values in a form that loses nothing. */
const quote = (name: string): string => `\`${name.replaceAll('`', '``')}\``

const shapes =
  /^(geometry|point|linestring|polygon|multipoint|multilinestring|multipolygon|geometrycollection|geomcollection)$/
const dates: ReadonlySet<string> = new Set(['date', 'datetime', 'timestamp'])

const columnOf = (table: SourceTable, name: string): SourceColumn => {
  const sourceColumn = table.columns.find((column) => column.name === name)
  if (sourceColumn === undefined) throw new Error(`${table.name} has no column ${name}`)
  return sourceColumn
}

/** The text of a float has six digits, so it is read as a double, in words that MySQL 5.7 knows, too; bits are read as a number, bytes as digits. */
function valueText({ name, kind }: SourceColumn): string {
  const column = quote(name)
  if (kind === 'float') return `${column} + 0e0`
  if (kind === 'bit') return `cast(${column} as unsigned)`
  if (/^(tiny|medium|long)?blob$|binary$/.test(kind)) return `lower(hex(${column}))`
  if (shapes.test(kind)) return `st_astext(${column})`
  if (kind === 'year') return `cast(${column} as unsigned)`
  return column
}

/** Texts by their bytes in UTF-8, as every other database can order them; times too, which may be texts elsewhere. */
const orderText = (column: SourceColumn): string =>
  textTypes.test(column.kind) || column.kind === 'time'
    ? `cast(convert(${quote(column.name)} using utf8mb4) as binary)`
    : quote(column.name)

function rowsText(table: SourceTable, columns: readonly string[], key: readonly string[]): string {
  const values = columns.map((name) => valueText(columnOf(table, name)))
  const order = key.map((name) => orderText(columnOf(table, name)))
  return `select ${values.join(', ')} from ${quote(table.name)}${order.length === 0 ? '' : ` order by ${order.join(', ')}`}`
}

/** Neither year, month nor day of a date may be zero elsewhere, and no month is longer than it is. */
const noDateText = (column: string): string =>
  `year(${column}) = 0 or month(${column}) = 0 or dayofmonth(${column}) = 0
    or coalesce(dayofmonth(last_day(${column})), 0) < dayofmonth(${column})`

function examineText(table: SourceTable, columns: readonly string[]): string {
  const parts = columns.flatMap((name, at) => {
    const { kind } = columnOf(table, name)
    const column = quote(name)
    if (dates.has(kind)) return [`sum(${column} is not null and (${noDateText(column)})) as none${at}`]
    return [`min(${column}) as least${at}`, `max(${column}) as greatest${at}`]
  })
  return `select ${parts.join(', ')} from ${quote(table.name)}`
}
