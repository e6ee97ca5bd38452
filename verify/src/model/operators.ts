/** Filter operators, computed on one value. */
import { asText } from '../http/text.ts'
import type { FieldKind } from '../world/fields.ts'
import type { Value } from '../world/rows.ts'
import { compare } from './values.ts'

type PresentValue = Exclude<Value, null>
type Test = (value: PresentValue, operand: Value, kind: FieldKind) => boolean

const equal: Test = (value, operand, kind) => operand !== null && compare(kind, value, operand) === 0
const ordered =
  (holds: (order: number) => boolean): Test =>
  (value, operand, kind) =>
    operand !== null && holds(compare(kind, value, operand))
const among: Test = (value, operand, kind) => (operand as readonly Value[]).some((each) => equal(value, each, kind))
const between: Test = (value, operand, kind) => {
  const [low, high] = operand as readonly PresentValue[]
  return low !== undefined && high !== undefined && compare(kind, value, low) >= 0 && compare(kind, value, high) <= 0
}
const text =
  (holds: (value: string, operand: string) => boolean): Test =>
  (value, operand) =>
    holds(asText(value), asText(operand))
const folded =
  (holds: (value: string, operand: string) => boolean): Test =>
  (value, operand) =>
    holds(asText(value).toLowerCase(), asText(operand).toLowerCase())
const not =
  (test: Test): Test =>
  (...input) =>
    !test(...input)

const contains = (value: string, operand: string): boolean => value.includes(operand)
const starts = (value: string, operand: string): boolean => value.startsWith(operand)
const ends = (value: string, operand: string): boolean => value.endsWith(operand)

/** Operators that no null passes. */
const tests = {
  _eq: equal,
  _neq: not(equal),
  _lt: ordered((order) => order < 0),
  _lte: ordered((order) => order <= 0),
  _gt: ordered((order) => order > 0),
  _gte: ordered((order) => order >= 0),
  _in: among,
  _nin: not(among),
  _between: between,
  _nbetween: not(between),
  _contains: text(contains),
  _ncontains: not(text(contains)),
  _icontains: folded(contains),
  _nicontains: not(folded(contains)),
  _starts_with: text(starts),
  _nstarts_with: not(text(starts)),
  _istarts_with: folded(starts),
  _nistarts_with: not(folded(starts)),
  _ends_with: text(ends),
  _nends_with: not(text(ends)),
  _iends_with: folded(ends),
  _niends_with: not(folded(ends)),
} as const satisfies Record<string, Test>

/** Operators about the absence of a value; the operand false inverts them. */
const absence = {
  _null: (value: Value) => value === null,
  _nnull: (value: Value) => value !== null,
  _empty: (value: Value) => value === null || value === '',
  _nempty: (value: Value) => value !== null && value !== '',
} as const

export type OperatorName = keyof typeof tests | keyof typeof absence

export function passes(operator: OperatorName, value: Value, operand: Value, kind: FieldKind): boolean {
  if (operator in absence) {
    const holds = absence[operator as keyof typeof absence](value)
    return operand === false ? !holds : holds
  }
  if (operator === '_eq' && operand === null) return value === null
  return value !== null && tests[operator as keyof typeof tests](value, operand, kind)
}

const all = [...Object.keys(tests), ...Object.keys(absence)] as readonly OperatorName[]
const textOperators = all.filter((name) => !/^_[lg]te?$|between$/.test(name))
const orderedOperators = all.filter((name) => !/contains|with$|empty$/.test(name))

/** The operators that fields of a kind take. */
export const operatorsOf = {
  text: textOperators,
  integer: orderedOperators,
  bigInteger: orderedOperators,
  float: orderedOperators,
  decimal: orderedOperators,
  date: orderedOperators,
  dateTime: orderedOperators,
  timestamp: orderedOperators,
  time: orderedOperators,
  boolean: ['_eq', '_neq', '_null', '_nnull'],
  uuid: ['_eq', '_neq', '_in', '_nin', '_null', '_nnull'],
  json: ['_null', '_nnull'],
} as const satisfies Record<FieldKind, readonly OperatorName[]>
