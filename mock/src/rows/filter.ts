/** Evaluates filters on stored rows in the three values of SQL: true, false and, for what null leaves open, null. */
import { dynamicValuesOf } from '../../../src/domain/conditions/dynamic-values.ts'
import { toFunctionResult } from '../../../src/domain/conditions/evaluate-values.ts'
import type { Comparison, Filter, RelatedFilter } from '../../../src/domain/query/filter.ts'
import type { Call as FieldCall } from '../../../src/domain/query/functions.ts'
import { valueAt } from '../../../src/domain/query/json-path.ts'
import { type OperatorName, operators } from '../../../src/domain/query/operators.ts'
import type { FieldRelation } from '../../../src/domain/schema/schema.ts'
import { mergeRelated } from '../../../src/sql/conditions/merge-related.ts'
import { compareStored, decimal, integer, textOf, words } from './compare.ts'
import type { Env } from './env.ts'
import { collectionOf, fieldOf, type Level, referringRows, relatedRows, valueOf } from './links.ts'
import { plain, type Typed } from './stored.ts'
import { hasValue, resolve } from './values.ts'

export type Truth = boolean | null

export const isTrue = (truth: Truth): boolean => truth === true

export function matches(env: Env, level: Level, filter: Filter): Truth {
  switch (filter.kind) {
    case 'all':
      return true
    case 'none':
      return false
    case 'and': {
      const truths = mergeRelated(level.collection, filter).map((each) => matches(env, level, each))
      return truths.includes(false) ? false : truths.includes(null) ? null : true
    }
    case 'or': {
      const truths = mergeRelated(level.collection, filter).map((each) => matches(env, level, each))
      return truths.includes(true) ? true : truths.includes(null) ? null : false
    }
    case 'not':
      return negated(matches(env, level, filter.filter))
    case 'compare':
      return compares(env, level, filter)
    case 'related':
      return relates(env, level, filter)
    default:
      return filter satisfies never
  }
}

const negated = (truth: Truth): Truth => (truth === null ? null : !truth)

function relates(env: Env, level: Level, filter: RelatedFilter): boolean {
  const rows =
    filter.by === undefined
      ? relatedRows(env, level, fieldOf(level.collection, filter.field), filter.collection)
      : referringRows(env, level, collectionOf(env.schema, filter.collection), filter.by)
  const hasMatch = rows.some((each) => isTrue(matches(env, each, filter.filter)))
  if (filter.quantifier === 'some') return hasMatch
  const values = filter.needsValues ? dynamicValuesOf(filter.filter) : []
  return !hasMatch && values.every((value) => hasValue(env, value, matches))
}

function compares(env: Env, level: Level, comparison: Comparison): Truth {
  const { operand } = comparison
  if (operand.kind === 'function' && operand.function === 'json')
    return holds(env, comparedAt(level, operand), comparison, operand.as === 'number' ? decimal : words)
  if (operand.kind === 'function') return holds(env, callOf(env, level, operand), comparison, integer)
  const field = fieldOf(level.collection, operand.field)
  if (field.column === null && field.relation?.kind === 'one-to-many')
    return comparesKeys(env, level, comparison, field.relation)
  return holds(env, valueOf(level, operand.field), comparison, field)
}

function comparesKeys(
  env: Env,
  level: Level,
  comparison: Comparison,
  relation: Extract<FieldRelation, { kind: 'one-to-many' }>,
): Truth {
  const rows = relatedRows(env, level, fieldOf(level.collection, comparison.operand.field), relation.collection)
  if (comparison.operator === 'null' || comparison.operator === 'empty') return rows.length === 0
  if (comparison.operator === 'nnull' || comparison.operator === 'nempty') return rows.length > 0
  return rows.some(({ collection, row }) => {
    const key = fieldOf(collection, collection.primaryKey)
    return isTrue(holds(env, row[collection.primaryKey] ?? null, comparison, key))
  })
}

export type Call = FieldCall & { readonly related?: Filter }

export const jsonOf = (level: Level, { field, jsonPath = [] }: FieldCall): unknown =>
  valueAt(valueOf(level, field), jsonPath)

/** The same as a number or as a text, which filters compare. */
function comparedAt(level: Level, operand: FieldCall & { readonly as?: 'number' | 'text' }): unknown {
  const value = jsonOf(level, operand)
  if (operand.as === 'number') return typeof value === 'number' ? value : null
  return value === null || typeof value === 'string' ? value : JSON.stringify(value)
}

export function callOf(env: Env, level: Level, call: Call): number | null {
  const field = fieldOf(level.collection, call.field)
  const { related, function: name } = call
  if (name === 'json') throw new Error('The value at a path is no number')
  if (field.column === null) {
    if (field.relation?.kind !== 'one-to-many') throw new Error(`Field ${field.name} is not a one-to-many`)
    const rows = relatedRows(env, level, field, field.relation.collection)
    return related === undefined ? rows.length : rows.filter((each) => isTrue(matches(env, each, related))).length
  }
  const value = valueOf(level, call.field)
  if (value === null) return name === 'count' ? 0 : null
  if (name === 'count') return Array.isArray(value) ? value.length : 0
  return plain(value).endsWith('infinity') ? null : toFunctionResult(name, value)
}

function holds(env: Env, value: unknown, comparison: Comparison, typed: Typed): Truth {
  const { operator } = comparison
  const { negates } = operators[operator] as { readonly negates?: OperatorName }
  if (operator === 'nempty') return value === null ? null : textOf(typed, value) !== ''
  if (negates !== undefined) return negated(holds(env, value, { ...comparison, operator: negates }, typed))
  if (operator === 'null') return value === null
  if (operator === 'empty') return value === null || textOf(typed, value) === ''
  const isText = !isCompared.has(operator)
  const resolved = comparison.values.map((each) =>
    resolve(env, each, isText ? { type: 'text', column: null } : typed, matches),
  )
  if (operator === 'in')
    return isAmong(
      value,
      resolved.flatMap((each) => (each.kind === 'list' ? each.values : [each.value])),
      typed,
    )
  const [first, second] = resolved
  if (first === undefined) return null
  if (first.kind === 'list') return isAmong(value, first.values, typed)
  if (value === null || first.value === null) return null
  if (isText) return likes(operator, textOf(typed, value), plain(first.value))
  const order = compareStored(typed, value, first.value)
  if (operator === 'between') {
    if (order < 0) return false
    const upper = second?.kind === 'one' ? second.value : null
    return upper === null ? null : compareStored(typed, value, upper) <= 0
  }
  return ordering[operator as keyof typeof ordering](order)
}

const isCompared: ReadonlySet<OperatorName> = new Set(['eq', 'lt', 'lte', 'gt', 'gte', 'between', 'in'])

const ordering = {
  eq: (order: number) => order === 0,
  lt: (order: number) => order < 0,
  lte: (order: number) => order <= 0,
  gt: (order: number) => order > 0,
  gte: (order: number) => order >= 0,
} as const

/** Nothing is among an empty list, nor outside of it. */
function isAmong(value: unknown, list: readonly unknown[], typed: Typed): Truth {
  if (value === null || list.length === 0) return null
  if (list.some((each) => each !== null && compareStored(typed, value, each) === 0)) return true
  return list.includes(null) ? null : false
}

function likes(operator: OperatorName, value: string, part: string): boolean {
  const [text, wanted] =
    operator === 'contains' || operator === 'startsWith' || operator === 'endsWith'
      ? [value, part]
      : [value.toLowerCase(), part.toLowerCase()]
  switch (operator) {
    case 'contains':
    case 'icontains':
      return text.includes(wanted)
    case 'startsWith':
    case 'istartsWith':
      return text.startsWith(wanted)
    case 'endsWith':
    case 'iendsWith':
      return text.endsWith(wanted)
    case 'like':
      return patternOf(wanted).test(text)
    default:
      throw new Error(`The mock has no operator ${operator}`)
  }
}

/** `%` is any text and `_` one character; a backslash takes the meaning from the character after it. */
function patternOf(pattern: string): RegExp {
  const parts = pattern.match(/\\[^]|[^]/gu) ?? []
  const source = parts.map((part) =>
    part === '%' ? '.*' : part === '_' ? '.' : escaped(part.length > 1 ? part.replace(/^\\/, '') : part),
  )
  return new RegExp(`^${source.join('')}$`, 'su')
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.|?*+()[\]{}/-]/g, String.raw`\$&`)
