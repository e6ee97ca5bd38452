/** `filter` on rows that are not read from a table: relations, settings. */
import { holds } from '../../domain/conditions/evaluate.ts'
import { refuseQuery } from '../../domain/conditions/literals.ts'
import { type OperatorName, operators } from '../../domain/query/operators.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { toText, toValues } from './lists.ts'
import { toOperator } from './operators.ts'

type Row = { readonly [name: string]: unknown }
type Test = (value: unknown, input: unknown) => boolean

const isNull: Test = (value) => value === null
const equals: Test = (value, input) => toText(value) === toText(input)
const isIn: Test = (value, input) => toValues(input).some((each) => equals(value, each))

/** Comparisons of values as they are shown. */
const tests: { readonly [operator: string]: Test } = {
  eq: equals,
  neq: (value, input) => value !== null && !equals(value, input),
  in: isIn,
  nin: (value, received) => value !== null && !isIn(value, received),
  null: isNull,
  nnull: (value) => value !== null,
}

/**
 * Whether a row satisfies all conditions.
 * @example [{ field_one: 'a' }].filter(matchesFilter({ field_one: { eq: 'a' } })).length // 1
 */
export function matchesFilter(filter: unknown, collection: string): (row: Row) => boolean {
  if (filter === undefined) return () => true
  if (typeof filter !== 'object' || filter === null) return refuseQuery('filter', 'conditions by field', filter)
  const conditions = Object.entries(filter).flatMap(([name, value]) => conditionsOf(name, value))
  return (row) =>
    conditions.every(({ name, test, given: text }) => {
      if (!Object.hasOwn(row, name)) {
        throw new TandemError({ kind: 'field-not-found', collection, field: name })
      }
      return test(row[name], text)
    })
}

function conditionsOf(field: string, value: unknown) {
  if (typeof value !== 'object' || value === null) return [{ name: field, test: equals, given: value }]
  return Object.entries(value).map(([word, input]) => {
    const name = `filter.${field}`
    const operator = toOperator(word)
    if (operator === undefined) throw new TandemError({ kind: 'unknown-operator', name, operator: word })
    return { name: field, test: tests[operator] ?? testOf(operator, name), given: input as unknown }
  })
}

/** The other operators, as for rows of tables: null has no place in an order, and no text. */
function testOf(operator: OperatorName, name: string): Test {
  const { arity } = operators[operator]
  if (arity === 'none') return (value) => holds(operator, value, [], 'unknown')
  return (value, input) => {
    const values = arity === 'pair' ? toValues(input).map(toText) : [toText(input)]
    if (arity === 'pair' && values.length < 2) refuseQuery(name, 'two values', input)
    return value !== null && holds(operator, value, values, 'unknown')
  }
}
