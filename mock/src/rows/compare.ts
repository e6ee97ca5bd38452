/** Compares stored values, and gives them as the text that the database would write. */
import type { FieldType } from '../../../src/domain/query/field-types.ts'
import { compare as compareNumeric, floatText, toNumeric } from './numeric.ts'
import { plain, type Typed } from './stored.ts'

/** The order of two values that are not null. */
export function compareStored({ type, column }: Typed, left: unknown, right: unknown): number {
  switch (type) {
    case 'integer':
    case 'bigInteger':
    case 'decimal':
    case 'float':
      return compareNumbers(left, right)
    case 'boolean':
      return Number(left) - Number(right)
    case 'date':
    case 'dateTime':
    case 'timestamp':
      return compareMoments(plain(left), plain(right))
    default:
      return order(textOf({ type, column }, left), textOf({ type, column }, right))
  }
}

const order = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)

/** What is not a number comes last. */
function compareNumbers(left: unknown, right: unknown): number {
  if (typeof left === 'number' && typeof right === 'number' && Number.isFinite(left) && Number.isFinite(right))
    return left - right
  const [a, b] = [toNumeric(plain(left)), toNumeric(plain(right))]
  if (a !== null && b !== null) return compareNumeric(a, b)
  return rank(left) - rank(right)
}

const ranks: { readonly [text: string]: number } = { '-Infinity': -1, Infinity: 1, NaN: 2 }

const rank = (value: unknown): number => ranks[plain(value)] ?? 0

function compareMoments(left: string, right: string): number {
  const [a, b] = [era(left), era(right)]
  if (a !== b || a === 2 || a === -2) return a - b
  if (a === 1)
    return left.length === right.length || year(left) === year(right) ? order(left, right) : year(left) - year(right)
  return year(right) - year(left) || order(left.slice(4), right.slice(4))
}

const era = (text: string): number =>
  text === 'infinity' ? 2 : text === '-infinity' ? -2 : text.endsWith(' BC') ? -1 : 1

const year = (text: string): number => Number(/^\d+/.exec(text)?.[0] ?? 0)

/** The text of a value that is not null. */
export function textOf({ type, column }: Typed, value: unknown): string {
  const dataType = column?.dataType ?? ''
  if (typeof value === 'number') return type === 'float' ? floatText(value) : plain(value)
  if (type === 'boolean')
    return dataType === '' || dataType.startsWith('bool') ? plain(value) : value === true ? '1' : '0'
  if (type === 'timestamp') return zoned(plain(value), dataType.endsWith('with time zone') ? '+00' : '')
  if (type === 'dateTime') return zoned(plain(value), '')
  if (type === 'json') return jsonText(value, dataType === 'jsonb')
  if (type === 'csv' && Array.isArray(value)) return `{${value.join(',')}}`
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const zoned = (text: string, zone: string): string =>
  text.endsWith('infinity')
    ? text
    : `${text.replace('T', ' ').replace(/ BC$/, '')}${zone}${text.endsWith(' BC') ? ' BC' : ''}`

/** JSON with the spaces of `jsonb`. */
function jsonText(value: unknown, isSpaced: boolean): string {
  if (!isSpaced || typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((each) => jsonText(each, true)).join(', ')}]`
  return `{${Object.entries(value)
    .map(([key, each]) => `${JSON.stringify(key)}: ${jsonText(each, true)}`)
    .join(', ')}}`
}

/** The types of values within JSON, as filters compare them. */
export const decimal = { type: 'decimal', column: null } as const satisfies { type: FieldType; column: null }
export const words = { type: 'unknown', column: null } as const satisfies { type: FieldType; column: null }

/** The type of computed numbers. */
export const integer = { type: 'integer', column: null } as const satisfies { type: FieldType; column: null }
