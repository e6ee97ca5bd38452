/** Every operator on every kind of field; logic, relations and functions. */

import { toBrackets } from '../http/query.ts'
import { asText } from '../http/text.ts'
import { type OperatorName, operatorsOf } from '../model/operators.ts'
import { type Filter, matches } from '../model/select.ts'
import { type Check, checksOf, statement, type Trial } from '../run/check.ts'
import { dataOf, expectSame, expectThat } from '../run/mismatch.ts'
import { type ArticleField, articleFields } from '../world/fields.ts'
import type { Value } from '../world/rows.ts'
import { articlesPath, expectKeys, expectList, expectRows, plainFields, type Row, valuesOf } from './listing.ts'

const operators = [...new Set(Object.values(operatorsOf).flat())] as readonly OperatorName[]

/** One check per operator, on every field that takes it. */
const byOperator = checksOf(
  'lists',
  'world',
  operators.map((operator) =>
    statement('readItems', `filter ${operator} finds the items that satisfy it and no others`, async (trial) => {
      for (const field of fieldsWith(operator)) {
        for (const operand of operandsOf(trial, field, operator)) {
          await expectList(trial, { filter: { [field]: { [operator]: operand } }, limit: -1 })
        }
      }
    }),
  ),
)

/** `id` and `secret` take the same operators as others of their kind. */
export const fieldsWith = (operator: OperatorName): readonly ArticleField[] =>
  plainFields.filter(
    (field) =>
      field !== 'id' &&
      field !== 'secret' &&
      (operatorsOf[articleFields[field]] as readonly string[]).includes(operator),
  )

/** Operands that divide the rows. */
export function operandsOf(trial: Trial, field: ArticleField, operator: OperatorName): readonly Value[] {
  if (/null|empty/.test(operator)) return [true, false]
  const values = valuesOf(trial, field).filter((value) => value !== '')
  const [first, second = first, third = second] = values
  if (first === undefined || second === undefined || third === undefined) return []
  if (operator.endsWith('between')) return [[first, second].toSorted(byValue(field))]
  if (/_n?in$/.test(operator)) return [[first, third]]
  if (/with$|contains$/.test(operator)) return [...partsOf(asText(second), operator), ...specialParts]
  return [first, third]
}

const byValue =
  (field: ArticleField) =>
  (a: Value, b: Value): number =>
    articleFields[field] === 'bigInteger'
      ? Number(BigInt(asText(a)) - BigInt(asText(b)))
      : Number(a) - Number(b) || (asText(a) < asText(b) ? -1 : 1)

/** Text that patterns of SQL treat specially. */
const specialParts = ['%', '_', '\\', "'"] as const

function partsOf(text: string, operator: OperatorName): readonly string[] {
  const part = /starts/.test(operator) ? text.slice(0, 3) : /ends/.test(operator) ? text.slice(-3) : text.slice(1, 4)
  return [part, part.toUpperCase()]
}

const nested: readonly Filter[] = [
  { _and: [{ views: { _gt: 2 } }, { live: { _eq: true } }] },
  { _or: [{ views: { _lt: 2 } }, { title: { _starts_with: 'a' } }] },
  { _or: [{ _and: [{ views: { _gte: 5 } }, { rating: { _lt: 0 } }] }, { live: { _null: true } }] },
  { views: { _gt: 1, _lt: 8 } },
  { views: { _gt: 1 }, live: { _neq: true } },
  { _and: [] },
]

const related: readonly Filter[] = [
  { author: { name: { _eq: 'Ann' } } },
  { author: { name: { _in: ['Bob', 'Dee'] } } },
  { author: { _null: true } },
  { tags: { tag: { name: { _eq: 'red' } } } },
  { tags: { _some: { tag: { name: { _eq: 'blue' } } } } },
  { tags: { _none: { tag: { name: { _eq: 'blue' } } } } },
  { _and: [{ author: { name: { _neq: 'Ann' } } }, { tags: { _some: { tag: { name: { _eq: 'green' } } } } }] },
]

const functions: readonly Filter[] = [
  { 'year(day)': { _eq: 2025 } },
  { 'month(day)': { _gte: 5 } },
  { 'year(at)': { _eq: 2025 } },
  { 'month(at)': { _in: [2, 3] } },
]

const allOf = (filters: readonly Filter[]) => async (trial: Trial) => {
  for (const filter of filters) await expectList(trial, { filter, limit: -1 })
}

const others = checksOf('lists', 'world', [
  statement('readItems', 'filters combine by _and and _or', allOf(nested)),
  statement('readItems', 'filters reach related items, by _some and _none too', allOf(related)),
  statement('readItems', 'filters take functions of dates', allOf(functions)),
  statement('readItems', 'filtered items have all of their values', async (trial) => {
    const filter = { views: { _gte: 5 } }
    const exchange = await trial.ask(`GET ${articlesPath(trial)}`, {
      query: { fields: plainFields, filter, sort: 'id', limit: -1 },
    })
    const { rows } = trial.world
    const expected = rows.articles.filter((row) => matches(filter, row, rows))
    expectRows(exchange, dataOf<readonly Row[]>(exchange), expected)
  }),
  statement('readItems', 'filters in brackets and by SEARCH find the same items', async (trial) => {
    for (const filter of [...nested.slice(0, 4), ...related.slice(0, 3)]) {
      const bracketed = await trial.ask(`GET ${articlesPath(trial)}`, {
        query: { fields: 'id', sort: 'id', limit: '-1', ...Object.fromEntries(toBrackets('filter', filter)) },
      })
      expectKeys(trial, { exchange: bracketed, rows: dataOf(bracketed) }, { filter, limit: -1 })
      const body = { query: { fields: ['id'], sort: ['id'], limit: -1, filter } }
      const searched = await trial.ask(`SEARCH ${articlesPath(trial)}`, { body })
      expectKeys(trial, { exchange: searched, rows: dataOf(searched) }, { filter, limit: -1 })
    }
  }),
  statement('readItems', 'invalid filters are refused with 400, unknown fields with 403', async (trial) => {
    const refused: readonly (readonly [filter: unknown, status: number])[] = [
      [{ views: { _nope: 1 } }, 400],
      [{ views: { _gt: 'many' } }, 400],
      [{ live: { _contains: 'x' } }, 400],
      [{ day: { _eq: 'yesterday' } }, 400],
      [{ uid: { _eq: 'no-uuid' } }, 400],
      [{ title: { _in: [] } }, 400],
      [{ _or: 'x' }, 400],
      [{ nothing: { _eq: 1 } }, 403],
      [{ author: { nothing: { _eq: 1 } } }, 403],
    ]
    for (const [filter, status] of refused) {
      const exchange = await trial.ask(`GET ${articlesPath(trial)}`, { query: { filter } })
      expectSame(exchange, `The filter ${JSON.stringify(filter)} is not refused`, exchange.status, status)
    }
    const broken = await trial.ask(`GET ${articlesPath(trial)}`, { query: { filter: '{"views":' } })
    expectThat(broken, 'Broken JSON is refused with 400', broken.status === 400, broken.status)
  }),
])

export const filterChecks: readonly Check[] = [...byOperator, ...others]
