/** Parses one comparison of the JSON filter language: the operator and its values, converted to the type of the field. */

import type { FieldType } from '../query/field-types.ts'
import type { Comparison, DynamicValue, Filter, Operand, Value } from '../query/filter.ts'
import { isOperatorAllowed, type OperatorName, operators, typeGroups } from '../query/operators.ts'
import { invalidQuery } from '../rights/errors.ts'
import type { Schema } from '../schema/schema.ts'
import { assertPathLeads } from './actor-paths.ts'
import { fitMoment, parseDynamicValue } from './dynamic-values.ts'
import { isExact } from './exact-numbers.ts'
import { describe, type TypedField, toLiteral } from './literals.ts'
import { matcherOf } from './patterns.ts'

/** Wire spelling → operator. Operators without a spelling here are not available in the JSON filter language. */
export const operatorSpellings: ReadonlyMap<string, OperatorName> = new Map<string, OperatorName>([
  ['_eq', 'eq'],
  ['_neq', 'neq'],
  ['_lt', 'lt'],
  ['_lte', 'lte'],
  ['_gt', 'gt'],
  ['_gte', 'gte'],
  ['_in', 'in'],
  ['_nin', 'nin'],
  ['_null', 'null'],
  ['_nnull', 'nnull'],
  ['_empty', 'empty'],
  ['_nempty', 'nempty'],
  ['_contains', 'contains'],
  ['_ncontains', 'ncontains'],
  ['_icontains', 'icontains'],
  ['_nicontains', 'nicontains'],
  ['_starts_with', 'startsWith'],
  ['_nstarts_with', 'nstartsWith'],
  ['_istarts_with', 'istartsWith'],
  ['_nistarts_with', 'nistartsWith'],
  ['_ends_with', 'endsWith'],
  ['_nends_with', 'nendsWith'],
  ['_iends_with', 'iendsWith'],
  ['_niends_with', 'niendsWith'],
  ['_between', 'between'],
  ['_nbetween', 'nbetween'],
  ['_intersects', 'intersects'],
  ['_nintersects', 'nintersects'],
  ['_intersects_bbox', 'intersectsBox'],
  ['_nintersects_bbox', 'nintersectsBox'],
  ['_regex', 'regex'],
  ['_submitted', 'submitted'],
])

export type ComparisonOptions = TypedField & {
  readonly operand: Operand
  readonly concealed: boolean
  /** Path of the comparison in error messages. */
  readonly path: string
  readonly dynamicPaths: boolean
  readonly validation: boolean
  /** Needed to check the paths of dynamic values. */
  readonly schema: Schema
}

/** Limit of values in one list. */
const widest = 10_000

/** Limit of characters in a `_regex` pattern. */
const longestPattern = 1000

/** Operators that only databases support. Payloads are validated in memory, so these operators are rejected there. */
const onlyOfDatabases: ReadonlySet<OperatorName> = new Set([
  'intersects',
  'nintersects',
  'intersectsBox',
  'nintersectsBox',
])

/** Parses `{ [spelling]: raw }` on one operand. */
export function parseComparison(spelling: string, raw: unknown, options: ComparisonOptions): Filter {
  const { operand, path } = options
  const operator = operatorSpellings.get(spelling)
  const onlyInRules = operator === 'regex' || operator === 'submitted'
  if (operator === undefined || (onlyInRules && !options.validation)) {
    return refuse(path, `Expected a filter operator but received ${describe(spelling)}`)
  }
  const type: FieldType = options.validation && options.type === 'hash' ? 'string' : options.type
  if (options.validation && onlyOfDatabases.has(operator)) {
    return refuse(path, `Operator "${spelling}" is not supported in validation`)
  }
  // Payloads are validated without the database, which alone knows the order of an enumerated type.
  const column = options.validation ? null : options.column
  if (!isOperatorAllowed(operator, { type, column, concealed: options.concealed && !options.validation })) {
    return refuse(path, `Operator "${spelling}" does not apply to a field of type ${options.concealed ? 'hash' : type}`)
  }
  const compare = (name: OperatorName, values: readonly Value[]): Comparison => ({
    kind: 'compare',
    operand,
    operator: name,
    values,
  })
  if (operator === 'regex') return compare(operator, [pattern(raw, path)])
  switch (operators[operator].arity) {
    case 'none':
      return flag(operator, raw, path, compare)
    case 'one':
      if (isNull(raw, type) && operator === 'eq') return compare('null', [])
      if (isNull(raw, type) && operator === 'neq') return compare('nnull', [])
      return compare(operator, [oneValue(raw, { ...options, type })])
    case 'pair': {
      const values = listValues(raw, { ...options, type })
      if (values.length !== 2) refuse(path, `Expected two values but received ${values.length}`)
      return compare(operator, values)
    }
    default:
      return compare(operator, listValues(raw, { ...options, type }))
  }
}

/** Query strings cannot express null, so the text `null` means null, except in text fields. */
const isNull = (raw: unknown, type: FieldType): boolean =>
  raw === null || ((raw === 'null' || raw === 'NULL') && typeGroups[type] !== 'text')

const opposites: { readonly [Name in OperatorName]?: OperatorName } = {
  null: 'nnull',
  nnull: 'null',
  empty: 'nempty',
  nempty: 'empty',
}

/** Parses an operator without values, such as `_null: true`; `false` selects the opposite operator. */
function flag(
  operator: OperatorName,
  raw: unknown,
  path: string,
  compare: (name: OperatorName, values: readonly Value[]) => Comparison,
): Filter {
  if (raw === true || raw === 'true' || raw === '' || raw === 1 || raw === '1') return compare(operator, [])
  if (raw !== false && raw !== 'false' && raw !== 0 && raw !== '0') {
    return refuse(path, `Expected true or false but received ${describe(raw)}`)
  }
  const opposite = opposites[operator]
  return opposite === undefined ? { kind: 'not', filter: compare(operator, []) } : compare(opposite, [])
}

function oneValue(raw: unknown, options: ComparisonOptions): Value {
  if (raw === '') refuse(options.path, 'Expected a value but received an empty string (use _empty)')
  const value = toValue(raw, options)
  const list =
    typeof value === 'object' && value !== null && (value.kind === 'current-roles' || value.kind === 'current-policies')
  if (list) refuse(options.path, `Expected one value but received the list ${describe(raw)}`)
  return value
}

function listValues(raw: unknown, options: ComparisonOptions): readonly Value[] {
  const list = listOfValues(raw, options.path)
  if (list[0] === raw) return [toValue(raw, options)]
  return list.map((each, index) => toValue(each, { ...options, path: `${options.path}.${index}` }))
}

/** The values of a list operand: those of a JSON list, those between the commas of a text, or one value. */
export function listOfValues(raw: unknown, path: string): readonly unknown[] {
  const list = typeof raw === 'string' ? splitList(raw) : Array.isArray(raw) ? (raw as unknown[]) : indexed(raw)
  if (list === null) return [raw]
  if (list.length === 0) refuse(path, 'Expected at least one value but received an empty list')
  if (list.length > widest) refuse(path, `Expected at most ${widest} values but received ${list.length}`)
  return list
}

const splitList = (raw: string): readonly string[] => (raw === '' ? [] : raw.split(','))

/** Reads a list that a query string parser turned into an object with numeric keys. */
function indexed(raw: unknown): readonly unknown[] | null {
  return typeof raw === 'object' && raw !== null && !isExact(raw) && !('type' in raw) ? Object.values(raw) : null
}

function toValue(raw: unknown, options: ComparisonOptions): Value {
  if (typeof raw === 'string' && raw.startsWith('$')) {
    const dynamic = parseDynamicValue(raw)
    if (dynamic !== null) return fitting(dynamic, raw, options)
    if (/^\$(?:NOW|CURRENT_)/.test(raw)) refuse(options.path, `Expected a dynamic value but received ${describe(raw)}`)
  }
  return toLiteral(raw, options, (expected) =>
    refuse(options.path, `Expected ${expected} but received ${describe(raw)}`),
  )
}

const moments: ReadonlySet<FieldType> = new Set(['date', 'dateTime', 'timestamp', 'time', 'unknown'])
const keys: ReadonlySet<FieldType> = new Set(['uuid', 'string', 'text', 'csv', 'unknown'])

function fitting(value: DynamicValue, raw: string, options: ComparisonOptions): DynamicValue {
  const { path, type } = options
  const steps = value.kind === 'current-user' || value.kind === 'current-role' ? value.path.length : 0
  if (steps > 0 && !options.dynamicPaths) refuse(path, `Expected ${raw.split('.')[0]} without a path`)
  if (steps === 0 && !(value.kind === 'now' ? moments : keys).has(type)) {
    refuse(path, `Expected a value for a field of type ${type} but received ${describe(raw)}`)
  }
  const ofPath = assertPathLeads(value, options.schema)
  if (ofPath !== null && !mayEqual(ofPath, type)) {
    refuse(path, `Expected a value for a field of type ${type} but received ${describe(raw)} of type ${ofPath}`)
  }
  return fitMoment(value, type)
}

/** Texts and lists hold values of any type, and any value has a text. */
const mayEqual = (type: FieldType, other: FieldType): boolean =>
  comparedGroup(type) === comparedGroup(other) || asTexts.has(type) || asTexts.has(other)

const asTexts: ReadonlySet<FieldType> = new Set(['string', 'text', 'csv', 'json', 'unknown'])

const comparedGroup = (type: FieldType) =>
  type === 'timestamp' ? 'moment' : type === 'time' ? 'time' : typeGroups[type]

function pattern(raw: unknown, path: string): string {
  if (typeof raw !== 'string' || raw === '') return refuse(path, `Expected a pattern but received ${describe(raw)}`)
  if (raw.length > longestPattern) refuse(path, `Expected a pattern of at most ${longestPattern} characters`)
  const source = raw.length > 1 && raw.startsWith('/') && raw.endsWith('/') ? raw.slice(1, -1) : raw
  // Flags at its beginning, `(?i)`, are the engine's own.
  if (matcherOf(source) !== null) return source
  try {
    void new RegExp(source)
  } catch (cause) {
    throw invalidQuery(path, 'Expected a regular expression', cause)
  }
  return source
}

/** Throws `invalid-query` for the filter or a part of it. */
export function refuse(name: string, reason: string): never {
  throw invalidQuery(name, reason)
}
