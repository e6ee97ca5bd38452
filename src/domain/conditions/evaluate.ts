/**
 * Evaluates a filter on a payload in memory: the validation of rules and of fields. A condition on a field that is
 * not in the payload is undecided and does not fail. `submitted` requires the field.
 */

import type { Comparison, Filter, Literal, Operand, RelatedFilter, Value } from '../query/filter.ts'
import { valueAt } from '../query/json-path.ts'
import { type Arity, type OperatorName, operators } from '../query/operators.ts'
import type { Failure, ValidationType } from '../rights/errors.ts'
import type { Collection } from '../schema/schema.ts'
import { compareValues, isEmptyValue, toFunctionResult, toText } from './evaluate-values.ts'
import { operatorText } from './filter-text.ts'
import { matcherOf } from './patterns.ts'

/** The payload by core field name. The value of a nested write is `undefined`. */
export type Payload = ReadonlyMap<string, unknown>

export type EvaluationScope = {
  readonly collection: Collection
  /** Resolves a dynamic value; a list for dynamic values that are lists. */
  readonly resolve: (value: Value) => Literal | readonly Literal[]
  /** Replaces the generated message. */
  readonly message?: string | null
}

export type FieldFailure = Extract<Failure, { readonly kind: 'failed-validation' }>

/** The failures of the payload; empty when it satisfies the filter. */
export function evaluate(filter: Filter, payload: Payload, scope: EvaluationScope): readonly FieldFailure[] {
  const result = decide(filter, payload, scope)
  if (result.verdict !== false) return []
  return result.failures.length > 0 ? result.failures : [{ kind: 'failed-validation', field: '', type: 'eq' }]
}

/** `verdict` null: undecided. `failures`: reported if the verdict is, or is negated to, false. */
type Result = { readonly verdict: boolean | null; readonly failures: readonly FieldFailure[] }

function decide(filter: Filter, payload: Payload, scope: EvaluationScope): Result {
  switch (filter.kind) {
    case 'all':
      return { verdict: true, failures: [] }
    case 'none':
      return { verdict: false, failures: [] }
    case 'and': {
      const results = filter.filters.map((each) => decide(each, payload, scope))
      const failed = results.filter(({ verdict }) => verdict === false)
      if (failed.length > 0) return { verdict: false, failures: failed.flatMap(({ failures }) => failures) }
      const verdict = results.every((each) => each.verdict === true) ? true : null
      return { verdict, failures: results.flatMap(({ failures }) => failures) }
    }
    case 'or': {
      const results = filter.filters.map((each) => decide(each, payload, scope))
      const failures = results.flatMap((each) => each.failures)
      if (results.some(({ verdict }) => verdict === true)) return { verdict: true, failures }
      return { verdict: results.some(({ verdict }) => verdict === null) ? null : false, failures }
    }
    case 'not': {
      const { verdict, failures } = decide(filter.filter, payload, scope)
      return { verdict: verdict === null ? null : !verdict, failures }
    }
    case 'compare':
      return decideComparison(filter, payload, scope)
    case 'related':
      return decideRelated(filter, payload, scope)
  }
}

function decideComparison(filter: Comparison, payload: Payload, scope: EvaluationScope): Result {
  const failures = [failureOf(filter, scope)]
  const { operand, operator } = filter
  const isThere = payload.has(operand.field)
  if (operator === 'submitted') return { verdict: isThere, failures }
  if (!isThere) return { verdict: null, failures }
  const field = scope.collection.fields.get(operand.field)
  const raw = payload.get(operand.field)
  const { type, value } =
    operand.kind === 'function' ? called(operand, raw) : { type: field?.type ?? 'unknown', value: raw }
  const values = filter.values.flatMap((each) => scope.resolve(each))
  return { verdict: holds(operator, value, values, type), failures }
}

function called(operand: Extract<Operand, { readonly kind: 'function' }>, raw: unknown) {
  const { function: name, jsonPath, as } = operand
  if (name !== 'json') return { type: 'integer', value: toFunctionResult(name, raw) }
  const value = valueAt(raw, jsonPath ?? [])
  if (as === 'number') return { type: 'decimal', value: typeof value === 'number' ? value : null }
  return { type: 'unknown', value: value === null || typeof value === 'string' ? value : JSON.stringify(value) }
}

/** A condition on a related row cannot be evaluated in memory: a payload with only the key fails it. */
function decideRelated(filter: RelatedFilter, payload: Payload, scope: EvaluationScope): Result {
  const failures: FieldFailure[] = [{ kind: 'failed-validation', field: filter.field, type: 'eq', ...messageOf(scope) }]
  return { verdict: payload.has(filter.field) ? false : null, failures }
}

/**
 * Whether a value satisfies an operator; `type`: of its field. Negative operators accept null, positive operators do not.
 * A rule without its value, such as null, matches nothing.
 */
export function holds(operator: OperatorName, value: unknown, values: readonly Literal[], type: string): boolean {
  const { negates, arity } = operators[operator] as { readonly negates?: OperatorName; readonly arity: Arity }
  if (negates !== undefined) {
    const isKnown = arity === 'none' || (values.length > 0 && !values.includes(null))
    return isKnown && !holds(negates, value, values, type)
  }
  if (operator === 'null') return value === null
  if (operator === 'empty') return value === null || isEmptyValue(value)
  if (value === null || value === undefined) return false
  if (operator === 'in') return values.some((each) => compareValues(value, each, type) === 0)
  const [first = null, second = null] = values
  if (first === null) return false
  switch (operator) {
    case 'eq':
      return compareValues(value, first, type) === 0
    case 'lt':
      return compareValues(value, first, type) < 0
    case 'lte':
      return compareValues(value, first, type) <= 0
    case 'gt':
      return compareValues(value, first, type) > 0
    case 'gte':
      return compareValues(value, first, type) >= 0
    case 'between':
      return compareValues(value, first, type) >= 0 && compareValues(value, second, type) <= 0
    default:
      return holdsForText(operator, toText(value), toText(first))
  }
}

function holdsForText(operator: OperatorName, value: string, part: string): boolean {
  switch (operator) {
    case 'contains':
      return value.includes(part)
    case 'icontains':
      return value.toLowerCase().includes(part.toLowerCase())
    case 'startsWith':
      return value.startsWith(part)
    case 'istartsWith':
      return value.toLowerCase().startsWith(part.toLowerCase())
    case 'endsWith':
      return value.endsWith(part)
    case 'iendsWith':
      return value.toLowerCase().endsWith(part.toLowerCase())
    case 'regex':
      return matcherOf(part)?.(value) ?? false
    case 'like':
      return matcherOf(`(?is)^${likePattern(part)}$`)?.(value) ?? false
    default:
      // Geometry operators are supported only by databases.
      return false
  }
}

/** The regular expression of a pattern, in which a backslash takes the meaning from the character behind it. */
const likePattern = (pattern: string): string =>
  pattern.replaceAll(/\\(.)|./gsu, (each, escaped?: string) => {
    if (each === '%') return '.*'
    return each === '_' ? '.' : (escaped ?? each).replace(/[\\^$.|?*+()[\]{}]/, String.raw`\$&`)
  })

function failureOf(filter: Comparison, scope: EvaluationScope): FieldFailure {
  const type = typeOf(filter)
  const field = scope.collection.fields.get(filter.operand.field)
  const hidden = field === undefined || field.concealed || field.type === 'hash'
  const values = hidden || type === 'regex' ? [] : filter.values.flatMap((each) => scope.resolve(each))
  const limit = values.length === 0 ? {} : { limit: isList(filter.operator) ? values : values[0] }
  return { kind: 'failed-validation', field: filter.operand.field, type, ...limit, ...messageOf(scope) }
}

const isList = (operator: OperatorName): boolean =>
  operators[operator].arity === 'list' || operators[operator].arity === 'pair'

const messageOf = ({ message }: EvaluationScope): { readonly message?: string } =>
  message === undefined || message === null ? {} : { message }

/** What a failed condition is called where that is not the word for its operator. */
const otherTypes: { readonly [Name in OperatorName]?: ValidationType } = {
  like: 'icontains',
  nlike: 'nicontains',
  intersects: 'eq',
  nintersects: 'neq',
  intersectsBox: 'eq',
  nintersectsBox: 'neq',
  submitted: 'required',
}

const typeOf = (filter: Comparison): ValidationType =>
  otherTypes[filter.operator] ?? (operatorText(filter).slice(1) as ValidationType)
