/**
 * Numbers in JSON that a double cannot hold, such as long decimals and integers of 64 bits. They stay what was written: a
 * value that `JSON.stringify` writes with the same digits.
 */
import { isRecord } from '../is-record.ts'

/** A number with its own digits (`JSON.rawJSON`). */
type Exact = { readonly rawJSON: string }

type ExactJson = {
  readonly rawJSON: (text: string) => Exact
  readonly isRawJSON: (value: unknown) => value is Exact
}

const exactJson = JSON as unknown as ExactJson

/** Whether the value is a number that a double cannot hold. */
export const isExact = exactJson.isRawJSON

/** Whether the value is an object of JSON. A number with its own digits is none. */
export const isJsonObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  isRecord(value) && !isExact(value)

/** Text with such a number has at least so many digits, or a large exponent. Other text is parsed as fast as ever. */
const suspicious = /(?:\d\.?){16}|\d[eE][+-]?\d{3}/

/** Whether the text may hold a number that a double cannot hold. */
export const mayLoseDigits = (text: string): boolean => suspicious.test(text)

/** Parses JSON without loss of digits. */
export function parseExactly(text: string): unknown {
  return mayLoseDigits(text) ? JSON.parse(text, keepDigits) : JSON.parse(text)
}

function keepDigits(_name: string, value: unknown, { source = '' }: { readonly source?: string } = {}): unknown {
  return typeof value === 'number' ? exactNumber(source) : value
}

/**
 * The number that the text of JSON means.
 * @example exactNumber('12.50') // 12.5
 */
export function exactNumber(text: string): number | Exact {
  const value = Number(text)
  return String(value) === text || digitsOf(String(value)) === digitsOf(text) ? value : exactJson.rawJSON(text)
}

/** The digits without zeros around them, and the place of the point. */
function digitsOf(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text) ?? []
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  const stored = digits.replace(/0+$/, '')
  if (stored === '') return digits === '' && whole !== '' ? '0' : text
  return `${sign.replace('+', '')}${stored}e${Number(exponent) - fraction.length + digits.length - stored.length}`
}

/** The digits of such a number; any other value as it is. */
export const withDigits = (value: unknown): unknown => (isExact(value) ? value.rawJSON : value)

/** The nearest doubles in the place of such numbers, at any depth. */
export const rounded = (value: unknown): unknown => replaced(value, Number)

/** Their digits as text in the place of such numbers, at any depth. */
export const inDigits = (value: unknown): unknown => replaced(value, (digits) => digits)

function replaced(value: unknown, to: (digits: string) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (isExact(value)) return to(value.rawJSON)
  if (Array.isArray(value)) return value.map((each) => replaced(each, to))
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, replaced(each, to)]))
}
