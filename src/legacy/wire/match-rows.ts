/** `filter` on rows that are not read from a table: relations, settings. */
import { refuseQuery } from '../../domain/conditions/literals.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { toText, toValues } from './lists.ts'
import { toOperator } from './operators.ts'

type Row = { readonly [name: string]: unknown }
type Test = (value: unknown, input: unknown) => boolean

const isNull: Test = (value) => value === null
const equals: Test = (value, input) => toText(value) === toText(input)
const isIn: Test = (value, input) => toValues(input).some((each) => equals(value, each))

/** Comparisons by core operator. */
const tests: { readonly [operator: string]: Test } = {
  eq: equals,
  neq: (value, input) => value !== null && !equals(value, input),
  in: isIn,
  nin: (value, received) => value !== null && !isIn(value, received),
  null: isNull,
  nnull: (value) => value !== null,
  icontains: (value, text) => toText(value).toLowerCase().includes(toText(text).toLowerCase()),
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

function conditionsOf(name: string, value: unknown) {
  if (typeof value !== 'object' || value === null) return [{ name, test: equals, given: value }]
  return Object.entries(value).map(([word, input]) => {
    const test = tests[toOperator(word) ?? '']
    if (test === undefined) throw new TandemError({ kind: 'unknown-operator', name: `filter.${name}`, operator: word })
    return { name, test, given: input as unknown }
  })
}
