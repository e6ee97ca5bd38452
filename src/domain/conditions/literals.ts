/**
 * Converts wire values (JSON, or text of a query string) to values of a field's type, and rejects values that a
 * database would refuse.
 */

import type { FieldType } from '../query/field-types.ts'
import type { Literal } from '../query/filter.ts'
import { invalidPayload, invalidQuery } from '../rights/errors.ts'
import { splitKey } from '../schema/row-keys.ts'
import type { Collection, Column } from '../schema/schema.ts'
import { isExact, rounded, withDigits } from './exact-numbers.ts'
import { toGeometry } from './geometry.ts'

/** The type of a field and, if it has one, its column: together they decide how a value is parsed. */
export type TypedField = { readonly type: FieldType; readonly column: Pick<Column, 'dataType' | 'values'> | null }

/** Throws the caller's error with what was expected. */
export type Refuse = (expected: string) => never

/**
 * Parses `given` as a value of the field. Rejects `null`, and objects other than GeoJSON.
 * @example toLiteral('12', { type: 'integer', column: null }, refuse) // 12
 */
export function toLiteral(input: unknown, field: TypedField, refuse: Refuse): Literal {
  const raw = typeof input === 'string' ? input : withDigits(input)
  switch (field.type) {
    case 'integer':
      return integer(raw, integerBounds(field.column?.dataType), refuse)
    case 'bigInteger':
      return bigInteger(raw, /^(bigint unsigned|bit)$/.test(field.column?.dataType ?? ''), refuse)
    case 'float':
      return float(raw, field.column?.dataType === 'real' ? 3.4e38 : Number.MAX_VALUE, refuse)
    case 'decimal':
      return decimal(raw, refuse)
    case 'boolean':
      return boolean(raw, refuse)
    case 'uuid':
      return uuid(raw, refuse)
    case 'date':
      return moment(raw, 'date', refuse)
    case 'time':
      return time(raw, field.column?.dataType === 'time with time zone', refuse)
    case 'dateTime':
      return moment(raw, 'dateTime', refuse)
    case 'timestamp':
      return moment(raw, 'timestamp', refuse)
    case 'geometry':
      return toGeometry(rounded(raw), field.column?.dataType ?? '', refuse)
    default:
      return text(raw, refuse)
  }
}

/** Names the JSON type of a value, for messages such as "Expected X but received a list". */
export function describe(raw: unknown): string {
  if (raw === undefined) return 'nothing'
  if (raw === null) return 'null'
  if (Array.isArray(raw)) return 'a list'
  if (isExact(raw)) return raw.rawJSON
  if (typeof raw === 'object') return 'an object'
  if (typeof raw === 'number') return String(raw)
  return JSON.stringify(typeof raw === 'string' && raw.length > 60 ? `${raw.slice(0, 60)}…` : raw)
}

/** The values of the columns of a key that is written as one text. */
export function keyLiterals(
  { name, fields }: Collection,
  columns: readonly string[],
  key: unknown,
  refuse: Refuse,
): readonly (readonly [column: string, value: Literal])[] {
  const texts = typeof key === 'string' ? splitKey(key, columns.length) : null
  if (texts === null) return refuse(`a key of ${columns.length} columns`)
  return columns.map((column, index) => {
    const field = fields.get(column)
    if (field === undefined) throw new Error(`Collection ${name} lacks its column ${column}`)
    return [column, toLiteral(texts[index], field, refuse)] as const
  })
}

/** Throws `invalid-query` naming the parameter. */
export function refuseQuery(name: string, expected: string, received: unknown): never {
  throw invalidQuery(name, `Expected ${expected} for "${name}" but received ${describe(received)}`)
}

type Bounds = readonly [number, number]

const int2: Bounds = [-32_768, 32_767]
const int4: Bounds = [-2_147_483_648, 2_147_483_647]

/** `oid` of Postgres, `int unsigned`, and `int zerofill`, which has no sign either. */
const unsigned: Bounds = [0, 4_294_967_295]

/** The least and the largest integer of the SQL type. */
export const integerBounds = (dataType: string | undefined): Bounds =>
  dataType === 'smallint' ? int2 : /^(oid|int unsigned|int zerofill)$/.test(dataType ?? '') ? unsigned : int4

const integerText = /^[+-]?\d{1,20}$/

function integer(raw: unknown, [min, max]: Bounds, refuse: Refuse): number {
  const value =
    typeof raw === 'number' ? raw : typeof raw === 'string' && integerText.test(raw) ? Number(raw) : Number.NaN
  if (!Number.isInteger(value)) return refuse('an integer')
  if (value < min || value > max) return refuse(`an integer between ${min} and ${max}`)
  return value
}

const largest = 2n ** 63n

function bigInteger(raw: unknown, isUnsigned: boolean, refuse: Refuse): string {
  if (typeof raw === 'number' ? !Number.isSafeInteger(raw) : !(typeof raw === 'string' && integerText.test(raw))) {
    return refuse('an integer (one beyond 2^53 as a string)')
  }
  const value = BigInt(raw as string | number)
  const [min, end] = isUnsigned ? [0n, largest * 2n] : [-largest, largest]
  if (value < min || value >= end) return refuse('an integer of at most 64 bits')
  return value.toString()
}

const numberText = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i

const notFinite: ReadonlySet<unknown> = new Set(['NaN', 'Infinity', '-Infinity'])

/** What is no finite number, as databases write it and JSON cannot. */
export const isNotFinite = (raw: unknown): boolean => notFinite.has(raw)

function float(raw: unknown, max: number, refuse: Refuse): number | string {
  if (typeof raw === 'string' && isNotFinite(raw)) return raw
  const value =
    typeof raw === 'number' ? raw : typeof raw === 'string' && numberText.test(raw) ? Number(raw) : Number.NaN
  if (!Number.isFinite(value) || Math.abs(value) > max) return refuse('a number')
  return value
}

function decimal(raw: unknown, refuse: Refuse): string {
  if (typeof raw === 'string' && isNotFinite(raw)) return raw
  if (typeof raw === 'number' && Number.isFinite(raw)) return String(raw)
  if (typeof raw === 'string' && raw.length <= 1000 && numberText.test(raw)) return raw
  return refuse('a number')
}

function boolean(raw: unknown, refuse: Refuse): boolean {
  if (raw === true || raw === 'true' || raw === 1 || raw === '1') return true
  if (raw === false || raw === 'false' || raw === 0 || raw === '0') return false
  return refuse('true or false')
}

const uuidText = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether the text is a uuid in the canonical form of 36 characters. */
export const isUuid = (text: string): boolean => uuidText.test(text)

function uuid(raw: unknown, refuse: Refuse): string {
  return typeof raw === 'string' && isUuid(raw) ? raw.toLowerCase() : refuse('a UUID')
}

/** Whether databases can store the text: it contains no NUL character and no lone surrogate. */
export const isWellFormedText = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** Throws `invalid-payload` if the text is not well-formed. */
export function assertText(text: string, name: string): void {
  if (isWellFormedText(text)) return
  const reason = `Expected a text without NUL characters and lone surrogates for "${name}"`
  throw invalidPayload(name, reason)
}

function text(raw: unknown, refuse: Refuse): string {
  if (typeof raw === 'number' || typeof raw === 'boolean') return String(raw)
  if (typeof raw !== 'string') return refuse('a string')
  if (!isWellFormedText(raw)) return refuse('text without NUL characters and lone surrogates')
  return raw
}

const momentText =
  /^([+-]?\d{4,6})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(\.\d{1,9})?)?(Z|[+-]\d\d(?::?\d\d)?)?)?( BC)?$/i

/**
 * Parses a moment: local time for `date` and `dateTime`, UTC for `timestamp`. A time zone offset is converted to UTC
 * first. A year before Christ is `0044-… BC` or, as JavaScript writes it, `-000043-…`.
 */
function moment(raw: unknown, type: 'date' | 'dateTime' | 'timestamp', refuse: Refuse): string {
  if (raw === 'infinity' || raw === '-infinity') return raw
  const expected = `a ${type === 'date' ? 'date (YYYY-MM-DD)' : 'date and time (ISO 8601)'}`
  const match = typeof raw === 'string' ? momentText.exec(raw) : null
  if (match === null) return refuse(expected)
  const [, input = '', month = '', day = '', hour = '00', minute = '00', second = '00', fraction = '', zone, era] =
    match
  const year = yearOf(input, era !== undefined)
  if (year === null || !offsetExists(zone)) return refuse(expected)
  // The calendar repeats after 400 years, and `Date` reads years of four digits only.
  const cycle = Math.floor(year / 400) - 5
  const near = `${year - cycle * 400}-${month}-${day}`
  const whole = new Date(`${near}T${hour}:${minute}:${second}Z`)
  if (Number.isNaN(whole.getTime()) || !whole.toISOString().startsWith(near)) return refuse(expected)
  if (type === 'date') return inYear(year, `-${month}-${day}`)
  const utc = new Date(whole.getTime() - offsetMinutes(zone) * 60_000).toISOString()
  const time = `${utc.slice(4, 19)}${fraction.slice(0, 7)}${type === 'timestamp' ? 'Z' : ''}`
  return inYear(Number(utc.slice(0, 4)) + cycle * 400, time)
}

/** The astronomical year, in which 1 BC is 0; null for what is no year. */
function yearOf(text: string, isBefore: boolean): number | null {
  const number = Number(text)
  if (!/^[+-]/.test(text)) return number === 0 ? null : isBefore ? 1 - number : number
  return isBefore || text.length !== 7 || text === '-000000' ? null : number
}

/** In the notation of databases. */
const inYear = (year: number, rest: string): string =>
  year > 0 ? `${String(year).padStart(4, '0')}${rest}` : `${String(1 - year).padStart(4, '0')}${rest} BC`

function offsetMinutes(zone: string | undefined): number {
  if (zone === undefined || zone === 'Z' || zone === 'z') return 0
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3).replace(':', '') || 0)
  return zone.startsWith('-') ? -minutes : minutes
}

const offsetExists = (zone: string | undefined): boolean => Math.abs(offsetMinutes(zone)) <= 15 * 60

const timeText = /^(?:(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?|24:00(?::00)?)$/

/** `Z`, or an offset of hours, minutes and seconds. */
const zoneText = /(?:Z|[+-]\d\d(?::?\d\d)?(?::\d\d)?)$/i

function time(raw: unknown, hasZone: boolean, refuse: Refuse): string {
  const expected = hasZone ? 'a time (HH:MM:SS), with or without a zone (+02:00)' : 'a time (HH:MM:SS)'
  if (typeof raw !== 'string') return refuse(expected)
  const zone = hasZone ? (zoneText.exec(raw)?.[0] ?? '') : ''
  const own = raw.slice(0, raw.length - zone.length)
  if (!timeText.test(own) || !offsetExists(zone.slice(0, 6))) return refuse(expected)
  return `${own.length === 5 ? `${own}:00` : own}${zone}`
}
