/** Checks written values against their columns and converts them to the JSON form that the database reads. */

import { isExact, parseExactly, rounded } from '../../domain/conditions/exact-numbers.ts'
import { assertFits, geometryText, geometryType, toGeometry, worldSrid } from '../../domain/conditions/geometry.ts'
import { describe, isNotFinite, isWellFormedText, toLiteral } from '../../domain/conditions/literals.ts'
import { parseOr } from '../../domain/parse-or.ts'
import { type Failure, TandemError } from '../../domain/rights/errors.ts'
import type { Collection, Column, Field } from '../../domain/schema/schema.ts'
import { systemValue } from './system-values.ts'

/** The collection of the field; null while it is being created. */
type Holder = Pick<Collection, 'name' | 'system'> | null

/** Throws a failure that names the field: wrong type, too long, out of range, or not writable at all. */
export function toStored(collection: Holder, field: Field, raw: unknown): unknown {
  const stored = toColumnValue(collection, field, raw)
  return collection?.system === true ? systemValue(collection.name, field.name, stored, raw) : stored
}

function toColumnValue(collection: Holder, field: Field, raw: unknown): unknown {
  const { column } = field
  if (column === null) throw new TandemError(notWritable(field, 'nested changes of related items'))
  if (column.generated) throw computed(field)
  if (raw === null) return null
  const address = { collection: collection?.name ?? null, field: field.name }
  switch (field.type) {
    case 'json':
      return toJson(raw, field)
    case 'csv':
      return toCsv(raw, field)
    case 'binary':
      return toBytes(raw, field)
    case 'geometry':
      return toGeometryText(raw, field, column)
    case 'boolean':
      return toBoolean(raw, field, column)
    case 'unknown':
      return toOwnType(raw, field, column)
    default:
      if (column.values?.includes(raw as string) === false) return fail(notListed(field, column.values))
      return fitting(
        scalar(raw, field, address),
        column,
        () => fail({ kind: 'value-too-long', ...address }),
        () => fail({ kind: 'value-out-of-range', ...address }),
      )
  }
}

function fail(failure: Failure): never {
  throw new TandemError(failure)
}

type FieldAddress = { readonly collection: string | null; readonly field: string }

/** The message `Expected X for Y but received Z`. The value of a concealed field is left out. */
function wrongType(field: Field, expected: string, raw: unknown): Failure {
  const hidden = field.concealed || field.type === 'hash'
  const received = hidden ? '' : ` but received ${describe(raw)}`
  return {
    kind: 'failed-validation',
    field: field.name,
    type: 'type',
    message: `Expected ${expected} for field "${field.name}"${received}`,
  }
}

export const computed = (field: Field): TandemError => new TandemError(notWritable(field, 'no value'))

function notWritable(field: Field, expected: string): Failure {
  return { kind: 'invalid-payload', name: field.name, reason: `Expected ${expected} for field "${field.name}"` }
}

const notListed = ({ name: field }: Field, limit: readonly string[]): Failure => ({
  kind: 'failed-validation',
  field,
  type: 'in',
  limit,
  isOfColumn: true,
})

const wholeText = /^[+-]?\d+$/

/** A number that the column cannot hold is out of range, not of a wrong type. */
function scalar(raw: unknown, field: Field, address: FieldAddress): unknown {
  return toLiteral(raw, field, (expected) => {
    const whole = typeof raw === 'number' ? Number.isInteger(raw) : typeof raw === 'string' && wholeText.test(raw)
    const isNumber = field.type === 'float' ? Number.isFinite(Number(raw)) : whole
    const numeric = field.type === 'integer' || field.type === 'bigInteger' || field.type === 'float'
    const input = typeof raw === 'number' || (typeof raw === 'string' && raw.trim() !== '')
    return fail(
      numeric && input && isNumber ? { kind: 'value-out-of-range', ...address } : wrongType(field, expected, raw),
    )
  })
}

function fitting(value: unknown, column: Column, tooLong: () => never, outOfRange: () => never): unknown {
  if (typeof value !== 'string') return value
  if (column.maxLength !== null && value.length > column.maxLength && Array.from(value).length > column.maxLength) {
    return tooLong()
  }
  if (column.precision === null || !isDecimal(column) || isNotFinite(value)) return value
  return fitsPrecision(value, column.precision, column.scale ?? 0) ? value : outOfRange()
}

const isDecimal = (column: Column): boolean => /^(numeric|decimal)/.test(column.dataType)

/** The database rounds to the scale, so only the digits before the point are checked. */
function fitsPrecision(value: string, precision: number, scale: number): boolean {
  const match = /^[+-]?(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(value)
  if (match === null) return false
  const [, whole = '', fraction = '', exponent = '0'] = match
  const shift = Number(exponent) + scale - fraction.length
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  if (digits === '' || digits.length + shift <= 0) return true
  if (digits.length + shift > precision) return false
  if (shift >= 0) return true
  const stored = BigInt(digits.slice(0, shift)) + (Number(digits.at(shift)) >= 5 ? 1n : 0n)
  return stored.toString().length <= precision
}

function toBoolean(raw: unknown, field: Field, column: Column): unknown {
  const value = toLiteral(raw, field, (expected) => fail(wrongType(field, expected, raw))) === true
  if (column.dataType.startsWith('bool') || column.dataType === '') return value
  return /char|text/.test(column.dataType) ? String(value) : Number(value)
}

/** Text that is a JSON object or list is parsed. Other text becomes a JSON string. */
function toJson(raw: unknown, field: Field): unknown {
  const value = typeof raw === 'string' && /^\s*[[{]/.test(raw) ? parseOr(raw, raw, parseExactly) : raw
  if (!isWellFormed(value)) fail(wrongType(field, 'JSON without NUL characters and lone surrogates', raw))
  return field.column?.dataType.startsWith('json') ? value : JSON.stringify(value)
}

/** Deeper JSON would overflow the stack of the server or of the database. */
const deepest = 200

function isWellFormed(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return isWellFormedText(value)
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return value !== undefined
  if (depth > deepest) return false
  if (Array.isArray(value)) return value.every((each) => isWellFormed(each, depth + 1))
  return Object.entries(value).every(([key, each]) => isWellFormedText(key) && isWellFormed(each, depth + 1))
}

function toCsv(raw: unknown, field: Field): unknown {
  const expected = 'a list of strings'
  const list = typeof raw === 'string' ? (raw === '' ? [] : raw.split(',')) : raw
  if (!Array.isArray(list)) return fail(wrongType(field, expected, raw))
  const texts = list.map((each: unknown) => {
    const text = typeof each === 'number' || typeof each === 'boolean' ? String(each) : each
    return typeof text === 'string' && isWellFormedText(text) ? text : fail(wrongType(field, expected, raw))
  })
  const dataType = field.column?.dataType ?? ''
  if (dataType === 'ARRAY' || dataType.endsWith('[]')) return texts
  const text = texts.join(',')
  // An empty text is an empty list.
  if (text === '' && texts.length > 0) fail(wrongType(field, 'a list of more than one empty string', raw))
  // Commas at both ends do not count when such a text is read; a text of a client may have them.
  return typeof raw !== 'string' && /^,.*,$/s.test(text) ? `,${text},` : text
}

/** For types that only the database knows: scalars as text, arrays and records as JSON. */
function toOwnType(raw: unknown, field: Field, { dataType }: Column): unknown {
  const expected = dataType.endsWith('[]') ? 'a list' : 'a text, or an object where the database has a record'
  if (dataType.endsWith('[]') !== Array.isArray(raw) || !isWellFormed(raw)) return fail(wrongType(field, expected, raw))
  if (typeof raw === 'string') return raw
  if (typeof raw !== 'object' || isExact(raw)) return JSON.stringify(raw)
  return isHstore(dataType) ? toHstore(raw as Readonly<Record<string, unknown>>) : raw
}

/** The schema of an extension may stand before the name. */
const isHstore = (dataType: string): boolean => /^(.*\.)?hstore$/.test(dataType)

const toHstore = (pairs: Readonly<Record<string, unknown>>): string =>
  Object.entries(pairs)
    .map(([key, value]) => `${inHstore(key)}=>${value === null ? 'NULL' : inHstore(value)}`)
    .join(',')

/** In its notation a backslash takes the meaning from the next character, and gives it none. */
const inHstore = (value: unknown): string =>
  `"${(typeof value === 'string' ? value : JSON.stringify(value)).replaceAll(/["\\]/g, String.raw`\$&`)}"`

const base64Text = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** Keys of written rows come in digits. */
const digits = /^\\x(?:[\da-f]{2})*$/

function toBytes(raw: unknown, field: Field): string {
  if (typeof raw === 'string' && digits.test(raw)) return raw
  if (typeof raw !== 'string' || !base64Text.test(raw)) return fail(wrongType(field, 'base64 text', raw))
  return String.raw`\x${Buffer.from(raw, 'base64').toString('hex')}`
}

/** Uses the coordinate system of the column, which GeoJSON does not contain. */
function toGeometryText(input: unknown, field: Field, { dataType }: Column): string {
  const raw = rounded(input)
  const refuse = (expected: string) => fail(wrongType(field, expected, raw))
  const geometry = toGeometry(raw, dataType, refuse)
  assertFits(geometry, dataType, refuse)
  return `SRID=${geometryType(dataType).srid ?? worldSrid};${geometryText(geometry)}`
}
