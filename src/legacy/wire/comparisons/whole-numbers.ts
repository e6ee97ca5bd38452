/**
 * Compares fields of whole numbers with numbers that they cannot hold: fractions, and numbers beyond their range. MySQL
 * compared them by value.
 */
import { integerBounds } from '../../../domain/conditions/literals.ts'
import { and, type Filter, matchNone, or } from '../../../domain/query/filter.ts'
import { type OperatorName, operators } from '../../../domain/query/operators.ts'
import { toValues } from '../lists.ts'
import type { NamedField } from '../parse-scope.ts'

/** A comparison of the field with numbers that it can hold. */
type Compare = (values: readonly string[], by: OperatorName) => Filter

/** Null where all values are whole numbers within the range, or some are no numbers at all. */
export function compareWhole(named: NamedField, operator: OperatorName, raw: unknown, compare: Compare): Filter | null {
  const bounds = boundsOf(named)
  if (bounds === null || operators[operator].arity === 'none') return null
  const given = valuesOf(operator, raw)
  const numbers = given.map(toNumber)
  const isHeld = (each: unknown, index: number) => wholeText.test(String(each)) && isWithin(numbers[index], bounds)
  if (numbers.includes(Number.NaN) || given.every(isHeld)) return null
  return compareNumbers(operator, numbers, { bounds, compare })
}

type Bounds = readonly [number, number]

/** The largest doubles within 64 bits, with and without sign. */
const bigBounds: Bounds = [-(2 ** 63), 2 ** 63 - 1024]
const unsignedBounds: Bounds = [0, 2 ** 64 - 2048]

function boundsOf({ field, view }: NamedField): Bounds | null {
  if (view.codec.kind === 'number-of') return integerBounds(undefined)
  if (field.type === 'integer') return integerBounds(field.column?.dataType)
  if (field.type !== 'bigInteger') return null
  return /^(bigint unsigned|bit)$/.test(field.column?.dataType ?? '') ? unsignedBounds : bigBounds
}

function valuesOf(operator: OperatorName, raw: unknown): readonly unknown[] {
  const { arity } = operators[operator]
  if (arity === 'one') return [raw]
  const values = toValues(raw).filter((each) => each !== '')
  if (arity === 'list') return values
  return values.length < 2 ? [] : [values[0], values.at(-1)]
}

const wholeText = /^[+-]?\d+$/
const numberText = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?\s*$/i

const toNumber = (raw: unknown): number =>
  typeof raw === 'number' || (typeof raw === 'string' && numberText.test(raw)) ? Number(raw) : Number.NaN

const isWithin = (number = Number.NaN, [min, max]: Bounds): boolean => number >= min && number <= max

type Place = { readonly bounds: Bounds; readonly compare: Compare }

function compareNumbers(operator: OperatorName, numbers: readonly number[], place: Place): Filter | null {
  const [first = Number.NaN, last = Number.NaN] = numbers
  switch (operator) {
    case 'gt':
      return from(Math.floor(first) + 1, place)
    case 'gte':
      return from(Math.ceil(first), place)
    case 'lt':
      return upTo(Math.ceil(first) - 1, place)
    case 'lte':
      return upTo(Math.floor(first), place)
    case 'between':
      return and(from(Math.ceil(first), place), upTo(Math.floor(last), place))
    case 'nbetween':
      return or(upTo(Math.ceil(first) - 1, place), from(Math.floor(last) + 1, place))
    case 'eq':
    case 'in':
      return among(numbers, 'in', place) ?? matchNone
    case 'neq':
    case 'nin':
      return among(numbers, 'nin', place) ?? place.compare([], 'nnull')
    default:
      return null
  }
}

const from = (number: number, { bounds: [min, max], compare }: Place): Filter =>
  number > max ? matchNone : compare([digits(Math.max(number, min))], 'gte')

const upTo = (number: number, { bounds: [min, max], compare }: Place): Filter =>
  number < min ? matchNone : compare([digits(Math.min(number, max))], 'lte')

/** Null if the field can hold none of the numbers. */
function among(numbers: readonly number[], by: 'in' | 'nin', { bounds, compare }: Place): Filter | null {
  const held = numbers.filter((number) => Number.isInteger(number) && isWithin(number, bounds))
  return held.length === 0 ? null : compare(held.map(digits), by)
}

const digits = (number: number): string => BigInt(number).toString()
