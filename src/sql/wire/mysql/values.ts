/** Values of the driver in the forms that statements ask for, and parameters in those that the server takes. */

import mysql2 from 'mysql2'
import { parseExactly } from '../../../domain/conditions/exact-numbers.ts'
import type { Statement } from '../../../domain/ports/context.ts'

/** The part of the driver's description of a column that is needed. */
export type FieldFacts = {
  readonly name: string
  readonly columnType: number
  readonly columnLength: number
  readonly orgTable: string
  /** Empty where the value is computed, also within a subquery in `from`. */
  readonly schema: string
  readonly extendedFormat?: string
}

/** What the server answers to a text. */
export type Answer = {
  readonly rows: readonly (readonly (string | number | null)[])[]
  readonly fields: readonly FieldFacts[]
  readonly count: number
  /** The number that the server gave the first row. */
  readonly number?: string
}

type Form = NonNullable<Statement['rows']>
type DriverValue = string | number | bigint | Buffer | null
type Read = (value: NonNullable<DriverValue>) => unknown

const types = {
  tiny: 1,
  short: 2,
  long: 3,
  float: 4,
  double: 5,
  timestamp: 7,
  longlong: 8,
  int24: 9,
  datetime: 12,
  json: 245,
} as const

const integers: ReadonlySet<number> = new Set([types.tiny, types.short, types.long, types.int24, types.longlong])

/** A truth value of an expression, or of a column of the type boolean, has one digit. */
const isBoolean = ({ columnType, columnLength }: FieldFacts): boolean =>
  columnLength === 1 && integers.has(columnType) && columnType !== types.short

const toText: Read = (value) => (Buffer.isBuffer(value) ? value.toString('utf8') : String(value))

/** An instant in ISO 8601; its fraction without zeros at the end. */
const toInstant: Read = (value) =>
  `${String(value).replace(' ', 'T')}Z`.replace(/\.(\d*?)0*Z$/, (_text, digits: string) =>
    digits === '' ? 'Z' : `.${digits}Z`,
  )

/** Moments that are computed, and those of system tables that reach beyond the years of the type `timestamp`. */
const hasInstants = (table: string): boolean => table === '' || table.startsWith('platform_')

/** Computed numbers are of eight bytes whatever they are; a column of eight bytes stays a text. */
function readerOf(field: FieldFacts, form: Form): Read {
  if (form === 'array') return toText
  // JSON is a type of MySQL, and a format of texts of MariaDB.
  if (field.columnType === types.json || field.extendedFormat === 'json')
    return (value) => parseExactly(toText(value) as string)
  if (isBoolean(field)) return (value) => Number(value) !== 0
  if (field.columnType === types.longlong) {
    return field.schema === ''
      ? (value) => (Number.isSafeInteger(Number(value)) ? Number(value) : String(value))
      : toText
  }
  if (integers.has(field.columnType) || field.columnType === types.float || field.columnType === types.double)
    return Number
  const isInstant =
    field.columnType === types.timestamp || (field.columnType === types.datetime && hasInstants(field.orgTable))
  return isInstant && form === 'object' ? toInstant : toText
}

/** The rows, which the driver gives as lists. */
export function toRows(
  rows: readonly (readonly DriverValue[])[],
  fields: readonly FieldFacts[],
  form: Form,
): readonly unknown[] {
  const readers = fields.map((field) => readerOf(field, form))
  const read = (row: readonly DriverValue[]) =>
    row.map((value, at) => (value === null ? null : (readers[at] as Read)(value)))
  if (form === 'array') return rows.map(read)
  return rows.map((row) => Object.fromEntries(read(row).map((value, at) => [(fields[at] as FieldFacts).name, value])))
}

/** Lists travel as JSON. */
export function toParameter(value: unknown): unknown {
  if (value === null || value === undefined) return null
  if (typeof value === 'number' && Number.isSafeInteger(value)) return mysql2.TypedParameter.BIGINT(value)
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'string' || Buffer.isBuffer(value)) return value
  if (value instanceof Date) return value.toISOString().replace('T', ' ').slice(0, -1)
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : JSON.stringify(value)
}

const instant = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,6})\d*)?(Z|[+-]\d\d(?::?\d\d)?)$/

/** The parameter of a cast to an instant: a text with a zone becomes a moment of UTC, which is that of the session. */
export function toInstantParameter(value: unknown): unknown {
  const [, day, time, digits = '', zone = ''] = (typeof value === 'string' ? instant.exec(value) : null) ?? []
  if (day === undefined) return toParameter(value)
  const moment = new Date(`${day}T${time}${/^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone}`)
  if (Number.isNaN(moment.getTime())) return value
  return `${moment.toISOString().slice(0, 19).replace('T', ' ')}${digits === '' ? '' : `.${digits}`}`
}
