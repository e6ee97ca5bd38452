/** Compiles operators and their right-hand sides: parameters, and subqueries for values that come from the database. */
import { type Comparison, type DynamicValue, isDynamic, type Value } from '../../domain/query/filter.ts'
import type { ColumnType, SqlOperator } from '../dialects/dialect.ts'
import { likePattern, type PatternKind } from '../dialects/quoting.ts'
import { isPlain, listValue, numberAt, numbersOf, valueAt } from './bind-values.ts'
import { type Build, bind, integerType, numberedKeyText, textType } from './build.ts'
import { actorList, actorSelect, isActorPath, isListed } from './compile-actor.ts'
import { equalKeyText, numberText, ownLevel, type StoredKey } from './compile-number.ts'

/** The left-hand side, in the form that the dialect compares. */
export type Left = StoredKey & { readonly column: ColumnType }

/** A comparison with a database operator. `isText`: it compares the text of the value. `isOrdering`: its place in the order of the type. */
export type Use = {
  readonly comparison: Comparison
  readonly operator: SqlOperator
  readonly isText: boolean
  readonly isOrdering?: boolean
}

/** An operator with up to two values. */
export function compileOperator(build: Build, left: Left, use: Use): string {
  const { dialect } = build
  const [value, second] = use.comparison.values
  const operator = dialect.operators[use.operator]
  if (value === undefined) return operator(left.sql, '', '')
  if (isDynamic(value) && value.kind === 'numbered') return compileNumbered(build, left, use)
  if (isDynamic(value) && isListed(build, value)) return compileListed(build, left, use.operator, value)
  const first = valueText(build, left, use, 0)
  if (use.operator === 'eq' && !use.isText) return equalKeyText(build, left, (key) => operator(key, first, ''))
  if (second === undefined) return operator(left.sql, first, '')
  const last = valueText(build, left, use, 1)
  const text = operator(left.sql, first, last)
  // Below its lower bound a value is not between, whatever the upper one is: also if the actor has none.
  const isOpen =
    use.operator === 'nbetween' && use.comparison.values.some((each) => isDynamic(each) && isActorPath(each))
  return isOpen ? `(${text} and ${first} is not null and ${last} is not null)` : text
}

function valueText(build: Build, left: Left, use: Use, index: number): string {
  const { dialect } = build
  const value = use.comparison.values[index] as Value
  if (isDynamic(value) && isActorPath(value)) {
    return `(${actorSelect(build, value, left.column)} limit 1)`
  }
  if (!use.isText) {
    const parameter = bind(build, use.comparison, valueAt(index))
    return use.isOrdering === true ? dialect.castOrdered(parameter, left.column) : dialect.cast(parameter, left.column)
  }
  const kind = patternKind(use.operator)
  const parameter = bind(build, use.comparison, (node, moment) => {
    const resolved = valueAt(index)(node, moment)
    return resolved === null
      ? null
      : likePattern(kind, typeof resolved === 'string' ? resolved : JSON.stringify(resolved))
  })
  return dialect.cast(parameter, textType)
}

function patternKind(operator: SqlOperator): PatternKind {
  if (operator.endsWith('startsWith')) return 'startsWith'
  if (operator.endsWith('endsWith')) return 'endsWith'
  return operator.endsWith('contains') ? 'contains' : 'like'
}

/** A multi-valued operand. Only equality is supported: it means equal to any of the values. */
function compileListed(build: Build, left: Left, operator: SqlOperator, value: DynamicValue): string {
  const matches = build.dialect.isOneOf(left.sql, actorList(build, value, left.column))
  if (operator === 'eq') return matches
  if (operator === 'neq') return `not (${matches})`
  throw new Error(`Operator ${operator} takes no multi-valued operand`)
}

/** Rows addressed by number. `eq` compares keys, which can use an index; other operators compare numbers, which have an order. */
function compileNumbered(build: Build, left: Left, use: Use): string {
  const collection = numberedCollections(use.comparison)[0] as string
  const parameter = (index: number) => build.dialect.cast(bind(build, use.comparison, numberAt(index)), integerType)
  const operator = build.dialect.operators[use.operator]
  if (use.operator === 'eq' && left.field?.column?.numberOf === undefined && ownLevel(left, collection) === null) {
    return operator(left.sql, numberedKeyText(build, parameter(0), collection), '')
  }
  const number = numberText(build, left, collection)
  return operator(number, parameter(0), use.comparison.values.length > 1 ? parameter(1) : '')
}

const numberedCollections = (comparison: Comparison): readonly string[] => [
  ...new Set(
    comparison.values.flatMap((value) => (isDynamic(value) && value.kind === 'numbered' ? [value.collection] : [])),
  ),
]

/** `in`: one parameter for all literal values, one per identity collection, and one subquery per path. */
export function compileList(build: Build, left: Left, comparison: Comparison): string {
  const { dialect } = build
  const parts: string[] = []
  if (comparison.values.length === 0 || comparison.values.some(isPlain)) {
    parts.push(dialect.isOneOf(left.sql, dialect.castList(bind(build, comparison, listValue), left.column)))
  }
  for (const collection of numberedCollections(comparison)) {
    const numbers = bind(build, comparison, numbersOf(collection))
    parts.push(dialect.isOneOf(numberText(build, left, collection), dialect.castList(numbers, integerType)))
  }
  for (const value of comparison.values) {
    if (!isDynamic(value) || !(isActorPath(value) || value.kind === 'reached')) continue
    parts.push(dialect.isOneOf(left.sql, actorList(build, value, left.column)))
  }
  return parts.length === 1 ? (parts[0] as string) : `(${parts.join(' or ')})`
}
