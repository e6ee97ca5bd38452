/** Compiles a filter into a condition on the rows of one level, for reads and for the `where` of writes. Pure. */
import type { Comparison, Filter, RelatedFilter } from '../../domain/query/filter.ts'
import { isOrdering } from '../../domain/query/operators.ts'
import { referenceColumns } from '../../domain/schema/references.ts'
import type { FieldRelation } from '../../domain/schema/schema.ts'
import type { SqlOperator } from '../dialects/dialect.ts'
import { isPlain } from './bind-values.ts'
import {
  type Build,
  columnText,
  columnType,
  decimalType,
  fieldOf,
  integerType,
  keyText,
  type Level,
  openLevel,
  tableText,
  textType,
  whereText,
} from './build.ts'
import { actorHasValues } from './compile-actor-values.ts'
import { compileFunction, compileJson } from './compile-function.ts'
import { fieldLinkText, linkText } from './compile-link.ts'
import { compileList, compileOperator, type Left } from './compile-operand.ts'
import { compileReachedRows, compileReference } from './compile-reference.ts'
import { mergeRelated } from './merge-related.ts'

/** A boolean expression, in parentheses if needed. */
export function compileFilter(build: Build, level: Level, filter: Filter): string {
  switch (filter.kind) {
    case 'all':
      return 'true'
    case 'none':
      return 'false'
    case 'and':
    case 'or':
      return compileGroup(build, level, filter)
    case 'not':
      return `not (${compileFilter(build, level, filter.filter)})`
    case 'compare':
      return compileComparison(build, level, filter)
    case 'related':
      return compileRelated(build, level, filter)
    default:
      return filter satisfies never
  }
}

function compileGroup(build: Build, level: Level, group: Extract<Filter, { kind: 'and' | 'or' }>): string {
  const parts = mergeRelated(level.collection, group).map((each) => compileFilter(build, level, each))
  if (parts.length === 0) return group.kind === 'and' ? 'true' : 'false'
  return parts.length === 1 ? (parts[0] as string) : `(${parts.join(` ${group.kind} `)})`
}

function compileComparison(build: Build, level: Level, comparison: Comparison): string {
  const field = fieldOf(level.collection, comparison.operand.field)
  const { operand } = comparison
  if (operand.kind === 'field' && field.column === null && field.relation?.kind === 'one-to-many') {
    return compileKeysComparison(build, level, comparison, field.relation)
  }
  const reached = compileReachedRows(build, level, comparison)
  if (reached !== null) return reached
  const columns = operand.kind === 'field' ? referenceColumns(field) : null
  const byColumns = columns === null ? null : compileReference(build, level, { columns, comparison })
  if (byColumns !== null) return byColumns
  const left: Left = { ...operandText(build, level, comparison), ...(operand.kind === 'field' ? { level, field } : {}) }
  return compileColumn(build, left, comparison)
}

function operandText(build: Build, level: Level, comparison: Comparison): Pick<Left, 'sql' | 'column'> {
  const { operand } = comparison
  if (operand.kind === 'function' && operand.function === 'json') {
    const { field, as: form = 'text' } = operand
    const sql = compileJson(build, { level, field, form }, [comparison, (node) => node.operand as typeof operand])
    return { sql, column: form === 'number' ? decimalType : textType }
  }
  if (operand.kind === 'function') return { sql: compileFunction(build, level, operand), column: integerType }
  const field = fieldOf(level.collection, operand.field)
  return { sql: columnText(build, level, field), column: columnType(field) }
}

/** Compiles a comparison of a to-many field: it compares the related keys. `null` and `empty` test whether rows exist. */
function compileKeysComparison(
  build: Build,
  level: Level,
  comparison: Comparison,
  relation: Extract<FieldRelation, { kind: 'one-to-many' }>,
): string {
  const inner = openLevel(build, relation.collection)
  const from = `(select 1 from ${tableText(build, inner)}`
  const link = linkText(build, level, inner, relation)
  if (comparison.operator === 'null' || comparison.operator === 'empty')
    return `not exists ${from}${whereText([link])})`
  if (comparison.operator === 'nnull' || comparison.operator === 'nempty') return `exists ${from}${whereText([link])})`
  const key = fieldOf(inner.collection, inner.collection.primaryKey)
  const left: Left = { sql: keyText(build, inner), column: columnType(key), level: inner, field: key }
  return `exists ${from}${whereText([link, compileColumn(build, left, comparison)])})`
}

/** Operators that compare the text of a value, whatever its type. */
const textual: ReadonlySet<string> = new Set<SqlOperator>([
  'contains',
  'ncontains',
  'icontains',
  'nicontains',
  'startsWith',
  'nstartsWith',
  'istartsWith',
  'nistartsWith',
  'endsWith',
  'nendsWith',
  'iendsWith',
  'niendsWith',
  'like',
  'nlike',
])

function compileColumn(build: Build, left: Left, comparison: Comparison): string {
  const { dialect } = build
  const { operator } = comparison
  if (operator === 'regex' || operator === 'submitted') throw new Error(`${operator} is for validation and has no SQL`)
  if (operator === 'null' || operator === 'nnull') return dialect.operators[operator](left.sql, '', '')
  if (operator === 'empty' || operator === 'nempty')
    return dialect.operators[operator](dialect.asFilled(left.sql, left.column), '', '')
  const isText = textual.has(operator)
  const sql = isText ? dialect.asText(left.sql, left.column) : dialect.comparable(left.sql, left.column)
  if (operator === 'in') return compileList(build, { ...left, sql }, comparison)
  if (operator === 'nin') return `not (${compileList(build, { ...left, sql }, comparison)})`
  if (left.column.order !== undefined && isOrdering(operator) && comparison.values.every(isPlain)) {
    const ordered = { ...left, sql: dialect.ordered(left.sql, left.column) }
    return compileOperator(build, ordered, { comparison, operator, isText, isOrdering: true })
  }
  // PostGIS has an operator for equal geometries, but none for unequal ones.
  const isUnequal = operator === 'neq' && left.column.type === 'geometry'
  const use = { comparison, operator: isUnequal ? 'eq' : operator, isText } as const
  const text = compileOperator(build, { ...left, sql }, use)
  return isUnequal ? `not (${text})` : text
}

function compileRelated(build: Build, level: Level, filter: RelatedFilter): string {
  const inner = openLevel(build, filter.collection)
  const link =
    filter.by === undefined
      ? fieldLinkText(build, level, inner, fieldOf(level.collection, filter.field))
      : fieldLinkText(build, inner, level, fieldOf(inner.collection, filter.by))
  const where = whereText([link, compileFilter(build, inner, filter.filter)])
  const exists = `exists (select 1 from ${tableText(build, inner)}${where})`
  if (filter.quantifier === 'some') return exists
  const values = filter.needsValues ? actorHasValues(build, inner.collection, filter.filter) : []
  return values.length === 0 ? `not ${exists}` : `(not ${exists} and ${values.join(' and ')})`
}

/** The expression if the guard holds, else null. */
export function guarded(build: Build, level: Level, guard: Filter | undefined, sql: string): string {
  return guard === undefined ? sql : guardedBy(compileFilter(build, level, guard), sql)
}

/** Like `guarded`, for a condition that is already compiled. */
export const guardedBy = (condition: string, sql: string) => `case when ${condition} then ${sql} end`
