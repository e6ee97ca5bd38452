/** Compares a value of a payload, in its wire form, with a value of a rule, by the type of the field. */
import type { FunctionName } from '../query/functions.ts'

/** Returns a negative number, zero or a positive number; NaN if the values are not comparable. NaN satisfies no operator. */
export function compareValues(left: unknown, right: unknown, type: string): number {
  if (left === null || right === null) return Number.NaN
  switch (type) {
    case 'integer':
    case 'bigInteger':
    case 'float':
    case 'decimal':
      return compareNumbers(left, right)
    case 'boolean':
      return order(toBoolean(left), toBoolean(right))
    case 'date':
    case 'dateTime':
    case 'timestamp':
      return order(toInstant(left), toInstant(right))
    case 'uuid':
      return order(toText(left).toLowerCase(), toText(right).toLowerCase())
    case 'unknown':
      return typeof left === 'number' || typeof right === 'number'
        ? compareNumbers(left, right)
        : order(toText(left), toText(right))
    default:
      return order(toText(left), toText(right))
  }
}

/** The value of a payload as text: lists joined by commas, objects as JSON. */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value
  return Array.isArray(value) ? value.map(toText).join(',') : (JSON.stringify(value) ?? '')
}

/** Whether the value is `''`, `[]` or `{}`. */
export function isEmptyValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0
  return value === ''
}

/** Applies the function to the value of a payload; null if the function does not apply to the value. */
export function toFunctionResult(name: Exclude<FunctionName, 'json'>, value: unknown): number | null {
  if (name === 'count') return Array.isArray(value) ? value.length : null
  const instant = toInstant(typeof value === 'string' && /^\d\d:\d\d/.test(value) ? `1970-01-01T${value}` : value)
  if (Number.isNaN(instant)) return null
  const date = new Date(instant)
  return parts[name](date)
}

const parts: { readonly [Name in Exclude<FunctionName, 'count' | 'json'>]: (date: Date) => number } = {
  year: (date) => date.getUTCFullYear(),
  month: (date) => date.getUTCMonth() + 1,
  week: isoWeek,
  day: (date) => date.getUTCDate(),
  weekday: (date) => date.getUTCDay(),
  hour: (date) => date.getUTCHours(),
  minute: (date) => date.getUTCMinutes(),
  second: (date) => date.getUTCSeconds(),
}

/** The ISO 8601 week of the date: week 1 contains the first Thursday of the year. */
function isoWeek(date: Date): number {
  const day = 86_400_000
  const midnight = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate())
  const thursday = new Date(midnight + (4 - (date.getUTCDay() || 7)) * day)
  return 1 + Math.floor((thursday.getTime() - Date.UTC(thursday.getUTCFullYear(), 0, 1)) / (7 * day))
}

function order<T extends string | number | boolean>(left: T, right: T): number {
  if (left === right) return 0
  if (left < right) return -1
  return left > right ? 1 : Number.NaN
}

function compareNumbers(left: unknown, right: unknown): number {
  const whole = /^[+-]?\d+$/
  if (typeof left === 'string' && typeof right === 'string' && whole.test(left) && whole.test(right)) {
    return order(Number(BigInt(left) - BigInt(right)), 0)
  }
  return order(toNumber(left), toNumber(right))
}

const toNumber = (value: unknown): number =>
  typeof value === 'number' ? value : typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN

const toBoolean = (value: unknown): boolean => value === true || value === 'true' || value === 1 || value === '1'

/** Parses a date and time. Text without a time zone is read as UTC. */
function toInstant(value: unknown): number {
  if (typeof value !== 'string') return Number.NaN
  if (value === 'infinity' || value === '-infinity')
    return value === 'infinity' ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY
  const [, year, rest, era] = /^(\d{4,6})(-.*?)( BC)?$/i.exec(value) ?? []
  if (year !== undefined && rest !== undefined && (year.length > 4 || era !== undefined)) {
    return toInstant(`${expandedYear(era === undefined ? Number(year) : 1 - Number(year))}${rest}`)
  }
  const zoned = /(?:Z|[+-]\d\d(?::?\d\d)?)$/i.test(value) || !value.includes(':')
  const iso = value.replace(' ', 'T')
  return Date.parse(zoned ? iso : `${iso}Z`)
}

/** As JavaScript reads years that have not four digits; 0 is the year before the first. */
const expandedYear = (year: number): string => `${year < 0 ? '-' : '+'}${String(Math.abs(year)).padStart(6, '0')}`
