/** Parses one condition of a filter on one field. */

import { compareWithKeys, isKeyOperator } from '../../domain/conditions/key-filter.ts'
import { refuseQuery } from '../../domain/conditions/literals.ts'
import { and, type Filter, matchAll, matchNone, or, type Value } from '../../domain/query/filter.ts'
import {
  isOperatorAllowed,
  isOrdering,
  isTextAllowed,
  type OperatorName,
  operators,
} from '../../domain/query/operators.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { liveRelatedRows } from '../../domain/schema/archive.ts'
import { holdsValue } from '../../domain/schema/references.ts'
import type { Field } from '../../domain/schema/schema.ts'
import { compareFlag, isFlagOperator } from './comparisons/flag-conditions.ts'
import { compareWhole } from './comparisons/whole-numbers.ts'
import { toInteger, toText, toValues } from './lists.ts'
import { type ToManyOperator, toOperator, toToManyOperator } from './operators.ts'
import { keyOf, type NamedField, type ParseScope, relatedCollection, targetOf } from './parse-scope.ts'
import { isNoKey, isNullText, toFilterValue } from './values.ts'

/** `word` is the operator's spelling, `name` its place in errors. */
export type FieldCondition = { readonly word: string; readonly raw: unknown; readonly name: string }

/** Maximum number of values in a list, and of keys for `all`. */
const longestList = 10_000
const mostKeys = 100

const wordSearches: ReadonlySet<OperatorName> = new Set(['icontains', 'nicontains'])

/** Converts the condition to a filter; null if it has no effect (contains with an empty value). */
export function parseFieldCondition(
  named: NamedField,
  condition: FieldCondition,
  collection: string,
  scope: ParseScope,
): Filter | null {
  const { word, raw, name } = condition
  const toMany = toToManyOperator(word)
  const { relation } = named.field
  // Without any right to the related rows, the field leads nowhere.
  if (relation?.kind === 'one-to-many') targetOf(scope, collection, named)
  if (toMany !== undefined) return relatedRows(named, toMany, condition, scope)
  const operator = toOperator(word)
  if (operator === undefined) throw new TandemError({ kind: 'unknown-operator', name, operator: word })
  if (wordSearches.has(operator) && (raw === '' || raw === null)) return null
  if (relation?.kind === 'one-to-many') return compareToMany(named, operator, condition, scope)
  if (relation?.kind === 'many-to-one' && wordSearches.has(operator)) {
    return searchRelated(named, operator, condition, scope) ?? compare(named, operator, condition)
  }
  if (!holdsValue(named.field)) throw new TandemError({ kind: 'field-not-found', collection, field: named.view.name })
  return compare(named, operator, condition)
}

/** A comparison of the column itself. */
function compare(named: NamedField, wanted: OperatorName, { raw, name, word }: FieldCondition): Filter {
  const { field } = named
  const operator = fit(wanted, named)
  const comparison = (values: readonly Value[], by: OperatorName = operator): Filter => ({
    kind: 'compare',
    operand: { kind: 'field', field: field.name },
    operator: by,
    values,
  })
  const value = (each: unknown): Value => toFilterValue(each, named, (expected) => refuseQuery(name, expected, each))
  const isAllowed = isComparable(named, operator)
  if (operators[operator].arity === 'none') return comparison([])
  const whole = isAllowed ? compareWhole(named, operator, raw, (each, by) => comparison(each.map(value), by)) : null
  if (whole !== null) return whole
  if (field.type === 'boolean' && isFlagOperator(operator)) return compareFlag(named, operator, { raw, name })
  if (operators[operator].arity === 'one') {
    if (!isAllowed || (field.type === 'timestamp' && isTextAllowed(operator, field)))
      return compareText(named, operator, [raw], { name, word })
    if (isNullText(raw, named) || (operator === 'eq' && isNoKey(raw, named))) return matchNone
    return comparison([value(raw)])
  }
  const given = toValues(raw)
  if (given.length === 0 || given.length > longestList) refuseQuery(name, `1 to ${longestList} values`, given.length)
  if (operators[operator].arity === 'pair') {
    if (given.length < 2) return refuseQuery(name, 'two values', raw)
    const pair = [given[0], given.at(-1)]
    return isAllowed ? comparison(pair.map(value)) : compareText(named, operator, pair, { name, word })
  }
  // No number and no date is an empty text: `in` of nothing is the list of a client that has no keys to ask for.
  const values = given.filter((each) => each !== '' || !isNullText(each, named))
  if (values.length === 0) return operator === 'in' ? matchNone : comparison([], 'nnull')
  if (isAllowed) return comparison(values.map(value))
  if (!isOperatorAllowed('eq', field)) return refuseOperator(named, word, name)
  return operator === 'in'
    ? or(...values.map((each) => comparison([value(each)], 'eq')))
    : and(...values.map((each) => comparison([value(each)], 'neq')))
}

/** A uuid that shows as a number has the order of the numbers. */
const isComparable = ({ field, view }: NamedField, operator: OperatorName): boolean =>
  isOperatorAllowed(operator, field) || (view.codec.kind === 'number-of' && isOrdering(operator))

/**
 * In version 8 `contains` and its like search the text of any column, and texts have an order; a uuid that shows as a
 * number has no text.
 */
function compareText(
  named: NamedField,
  operator: OperatorName,
  values: readonly unknown[],
  { name, word }: Omit<FieldCondition, 'raw'>,
): Filter {
  const { field, view } = named
  if (!isTextAllowed(operator, field) || view.codec.kind === 'number-of') return refuseOperator(named, word, name)
  const operand = { kind: 'field', field: field.name, as: 'text' } as const
  return { kind: 'compare', operand, operator, values: values.map(toText) }
}

/** For types without empty text, `empty` means null. */
function fit(operator: OperatorName, { field }: NamedField): OperatorName {
  if ((operator !== 'empty' && operator !== 'nempty') || isOperatorAllowed(operator, field)) {
    return operator
  }
  return operator === 'empty' ? 'null' : 'nnull'
}

function refuseOperator({ field, view }: NamedField, word: string, name: string): never {
  const reason = `Operator "${word}" does not apply to field "${view.name}" of type ${field.type}`
  throw new TandemError({ kind: 'invalid-query', name, reason })
}

/** `all`, `has` and `nhas`, for to-many fields only. */
function relatedRows(
  named: NamedField,
  operator: ToManyOperator,
  condition: FieldCondition,
  scope: ParseScope,
): Filter {
  const { field } = named
  if (field.relation?.kind !== 'one-to-many' || relatedCollection(scope, field) === null) {
    const reason = `Operator "${condition.word}" only works for one-to-many fields`
    throw new TandemError({ kind: 'unprocessable', reason })
  }
  if (operator === 'all') return holdsAll(named, condition, scope)
  const wanted = toInteger(condition.raw, condition.name, Number.MIN_SAFE_INTEGER)
  if (wanted < 1) return exists(named, operator === 'has' ? 'none' : 'some', matchAll, scope)
  return {
    kind: 'compare',
    operand: { kind: 'function', function: 'count', field: field.name, ...liveOnly(field, scope) },
    operator: operator === 'has' ? 'gte' : 'lt',
    values: [wanted],
  }
}

/** All listed keys are among the related rows; for a many-to-many, rows beyond the junction. */
function holdsAll(named: NamedField, condition: FieldCondition, scope: ParseScope): Filter {
  const { relation } = named.field
  if (relation?.kind !== 'one-to-many') return matchNone
  const key = relation.junctionField === null ? ownKey(scope, relation.collection) : junctionKey(relation, scope)
  const keys = toValues(condition.raw)
  if (keys.length > mostKeys) refuseQuery(condition.name, `at most ${mostKeys} keys`, keys.length)
  return and(...keys.map((raw) => exists(named, 'some', compareKey(key, 'eq', { ...condition, raw }, scope), scope)))
}

/** A comparison of the key of related rows, or of the column beyond a junction. */
function compareKey(key: Key, operator: OperatorName, condition: FieldCondition, scope: ParseScope): Filter {
  const target = key.collection === null ? undefined : scope.schema.collections.get(key.collection)
  if (target === undefined || target.keyColumns.length < 2) return compare(key, operator, condition)
  const { raw, name, word } = condition
  if (!isKeyOperator(operator)) {
    const reason = `Operator "${word}" does not apply to "${name}", whose items have keys of several columns`
    throw new TandemError({ kind: 'invalid-query', name, reason })
  }
  const keys = operator === 'eq' || operator === 'neq' ? [raw] : toValues(raw)
  if (keys.length > mostKeys) refuseQuery(name, `at most ${mostKeys} keys`, keys.length)
  return compareWithKeys(target, { operator, keys }, (expected) => refuseQuery(name, expected, raw))
}

/** `collection`: the rows whose key it is; null for another field of theirs. */
type Key = NamedField & { readonly collection: string | null }

const ownKey = (scope: ParseScope, collection: string): Key => ({ ...keyOf(scope, collection), collection })

function junctionKey(relation: { collection: string; junctionField: string | null }, scope: ParseScope): Key {
  const view = scope.view.byCore.get(relation.collection)?.byCore.get(relation.junctionField ?? '')
  const field = scope.schema.collections.get(relation.collection)?.fields.get(relation.junctionField ?? '')
  return view === undefined || field === undefined
    ? ownKey(scope, relation.collection)
    : { field, view, collection: null }
}

function exists({ field }: NamedField, quantifier: 'some' | 'none', filter: Filter, scope: ParseScope): Filter {
  const collection = field.relation?.kind === 'one-to-many' ? field.relation.collection : ''
  return { kind: 'related', field: field.name, collection, quantifier, ...liveOnly(field, scope), filter }
}

/** As in lists of related items, those with a status that counts as deleted are left out. */
const liveOnly = (field: Field, { schema }: ParseScope): { readonly live?: true } =>
  liveRelatedRows(schema, field).kind === 'all' ? {} : { live: true }

/** Other operators on a to-many field: whether it is empty, or whether some related key matches. */
function compareToMany(
  named: NamedField,
  operator: OperatorName,
  condition: FieldCondition,
  scope: ParseScope,
): Filter {
  if (operator === 'empty' || operator === 'null') return exists(named, 'none', matchAll, scope)
  if (operator === 'nempty' || operator === 'nnull') return exists(named, 'some', matchAll, scope)
  const related = relatedCollection(scope, named.field)
  if (related === null) return refuseOperator(named, condition.word, condition.name)
  return exists(named, 'some', compareKey(ownKey(scope, related), operator, condition, scope), scope)
}

/** Types of fields that a text condition on a relation looks at. */
const searched: ReadonlySet<string> = new Set(['string', 'text', 'integer', 'bigInteger', 'float', 'decimal'])

/** `contains` on a many-to-one searches the readable texts and numbers of the related row; null if there are none. */
function searchRelated(
  named: NamedField,
  operator: OperatorName,
  condition: FieldCondition,
  scope: ParseScope,
): Filter | null {
  const related = relatedCollection(scope, named.field)
  const fields = related === null ? undefined : scope.schema.collections.get(related)?.fields
  const shown = related === null ? undefined : scope.view.byCore.get(related)?.byCore
  if (related === null || fields === undefined || shown === undefined) return null
  const texts = [...shown.values()].flatMap((view) => {
    const field = fields.get(view.field)
    const isSearched = field !== undefined && field.relation === null && searched.has(field.type)
    return isSearched && !field.concealed ? [compare({ field, view }, 'icontains', condition)] : []
  })
  if (texts.length === 0) return null
  const search = { kind: 'related', field: named.field.name, collection: related, filter: or(...texts) } as const
  if (operator === 'icontains') return { ...search, quantifier: 'some' }
  return and(compare(named, 'nnull', condition), { ...search, quantifier: 'none' })
}
