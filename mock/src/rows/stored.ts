/**
 * Stored values: the one form in which rows keep each type. Numbers and booleans are themselves, big integers and
 * decimals texts, moments ISO texts without a zone (instants in UTC), JSON values and lists as they are, bytes base64.
 */
import type { FieldType } from '../../../src/domain/query/field-types.ts'
import type { Column } from '../../../src/domain/schema/schema.ts'
import { fromNumeric, toNumeric, withScale } from './numeric.ts'

export type Typed = {
  readonly type: FieldType
  readonly column: Pick<Column, 'dataType' | 'precision' | 'scale'> | null
}

export const plain = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/** From the form that the database reads, or from a value of a filter. */
export function toStored({ type, column }: Typed, value: unknown): unknown {
  if (value === null || value === undefined) return null
  const dataType = column?.dataType ?? ''
  switch (type) {
    case 'integer':
      return typeof value === 'number' ? value : Number(value)
    case 'float':
      return toFloat(value, dataType)
    case 'bigInteger':
      return plain(value)
    case 'decimal':
      return toDecimal(plain(value), column)
    case 'boolean':
      return value === true || value === 1 || /^(1|t|true)$/i.test(plain(value))
    case 'date':
      return plain(value).slice(0, plain(value).endsWith('infinity') ? undefined : 10)
    case 'dateTime':
    case 'timestamp':
      return dataType === 'date' ? plain(value).slice(0, 10) : toMoment(plain(value))
    case 'time':
      return withoutZeros(plain(value))
    case 'json':
      return toJson(value, dataType)
    case 'csv':
      return Array.isArray(value) && !isList(dataType) ? value.join(',') : value
    case 'binary':
      return toBase64(plain(value))
    case 'unknown':
      return value
    default:
      return typeof value === 'object' ? JSON.stringify(value) : plain(value)
  }
}

export const isList = (dataType: string): boolean => dataType === 'ARRAY' || dataType.endsWith('[]')

function toFloat(value: unknown, dataType: string): number {
  const number = typeof value === 'number' ? value : Number(value)
  return dataType === 'real' ? Math.fround(number) : number
}

function toDecimal(text: string, column: Typed['column']): string {
  const number = toNumeric(text)
  if (number === null) return text
  const isBounded = column !== null && column.precision !== null && /^(numeric|decimal)/.test(column.dataType)
  return fromNumeric(isBounded ? withScale(number, column.scale ?? 0) : number)
}

/** `2026-01-31T10:00:00.5`: without zone and without zeros at the end. */
function toMoment(text: string): string {
  if (text.endsWith('infinity')) return text
  const era = text.endsWith(' BC') ? ' BC' : ''
  const bare = text.replace(/ BC$/, '').replace(/Z$/i, '').replace(' ', 'T')
  return `${withoutZeros(bare.includes('T') ? bare : `${bare}T00:00:00`)}${era}`
}

const withoutZeros = (text: string): string => text.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '')

function toJson(value: unknown, dataType: string): unknown {
  if (dataType === 'jsonb') return ordered(value)
  if (dataType.startsWith('json')) return value
  return typeof value === 'string' ? parsed(value) : value
}

function parsed(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text)
  } catch {
    return text
  }
}

/** Keys as `jsonb` keeps them: shorter ones first. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (typeof value !== 'object' || value === null) return value
  const keys = Object.keys(value).toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))
  return Object.fromEntries(keys.map((key) => [key, ordered((value as { readonly [key: string]: unknown })[key])]))
}

/** From the notation of bytes; base64 stays. */
function toBase64(text: string): string {
  if (!text.startsWith('\\x')) return text
  const bytes = text.slice(2).match(/../g) ?? []
  return btoa(bytes.map((each) => String.fromCharCode(Number.parseInt(each, 16))).join(''))
}
