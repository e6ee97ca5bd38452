import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { usualBounds } from '../../domain/conditions/query-cost.ts'
import type { Filter } from '../../domain/query/filter.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { testSchema } from '../../domain/testing/test-schema.ts'
import { createView } from '../views/schema-view.ts'
import { parseFilter } from './filter.ts'
import { operatorSpellings, toManySpellings } from './operators.ts'
import type { ParseScope } from './parse-scope.ts'
import { parseQuery } from './query.ts'

const limits = { queryDefault: 100, queryMax: null, depth: 5, batch: null, cost: usualBounds }
const scope: ParseScope = { schema: testSchema, view: createView(testSchema), limits }

const compare = (field: string, operator: string, ...values: readonly unknown[]) =>
  ({ kind: 'compare', operand: { kind: 'field', field }, operator, values }) as Filter

const parse = (filter: unknown): Filter => parseFilter(filter, 'articles', scope)

const kindOf = (work: () => unknown): string => {
  try {
    work()
    return 'nothing'
  } catch (error) {
    return error instanceof TandemError ? error.failures[0].kind : String(error)
  }
}

describe('spellings', () => {
  test.each(Object.entries(operatorSpellings))('%s is %s', (word, operator) => {
    const field = /like|contains|empty/.test(word) ? 'title' : 'price'
    const filter = parse({ [field]: { [word]: /between/.test(word) ? '1,2' : '1' } })
    expect(filter).toMatchObject({ kind: 'compare', operator })
  })

  test.each(Object.keys(toManySpellings))('%s compares related rows', (word) => {
    expect(kindOf(() => parse({ sections: { [word]: '1' } }))).toBe('nothing')
    expect(kindOf(() => parse({ title: { [word]: '1' } }))).toBe('unprocessable')
  })
})

describe('values', () => {
  test.each([
    ['text stays text', { title: 'null' }, compare('title', 'eq', 'null')],
    ['numbers are numbers', { id: { in: '1, 2' } }, compare('id', 'in', 1, 2)],
    ['lists may be arrays', { id: { in: ['1', '2'] } }, compare('id', 'in', 1, 2)],
    ['big integers stay text', { views: '12' }, compare('views', 'eq', '12')],
    ['booleans may be digits', { live: '1' }, compare('live', 'eq', true)],
    ['between takes first and last', { price: { between: '1,5,9' } }, compare('price', 'between', '1', '9')],
    [
      'now is the instant of the request',
      { made: 'NOW' },
      compare('made', 'eq', { kind: 'now', milliseconds: 0, months: 0 }),
    ],
    ['plain datetimes are UTC', { made: '2026-01-31 10:00:00' }, compare('made', 'eq', '2026-01-31T10:00:00Z')],
    ['null needs no value', { day: { null: '0' } }, compare('day', 'null')],
    ['empty is null where there is no empty text', { day: { empty: '1' } }, compare('day', 'null')],
    ['null as text matches no number', { id: 'null' }, { kind: 'none' }],
    ['contains nothing says nothing', { title: { contains: '' } }, { kind: 'all' }],
    [
      'texts have an order',
      { title: { between: 'a,b,c' } },
      {
        kind: 'compare',
        operand: { kind: 'field', field: 'title', as: 'text' },
        operator: 'between',
        values: ['a', 'c'],
      },
    ],
    [
      'a list for one value is no text',
      { title: { gt: ['a', 'b'] } },
      { kind: 'compare', operand: { kind: 'field', field: 'title', as: 'text' }, operator: 'gt', values: [''] },
    ],
    ['in on a boolean is a choice', { live: { in: '0,1' } }, compare('live', 'in', false, true)],
  ])('%s', (_name, filter, expected) => {
    expect(parse(filter)).toEqual(expected)
  })
})

describe('or', () => {
  const a = compare('id', 'eq', 1)
  const b = compare('title', 'eq', 'b')
  const c = compare('price', 'gt', '3')
  test.each([
    ['joins its predecessor', { id: '1', title: { eq: 'b', logical: 'or' } }, { kind: 'or', filters: [a, b] }],
    [
      'on the first condition has nothing to join',
      { id: { eq: '1', logical: 'or' }, title: 'b' },
      { kind: 'and', filters: [a, b] },
    ],
    [
      'groups consecutive conditions, the rest stays AND',
      { price: { gt: '3' }, id: '1', title: { eq: 'b', logical: 'or' } },
      { kind: 'and', filters: [c, { kind: 'or', filters: [a, b] }] },
    ],
    [
      'may stand anywhere in its condition',
      { id: '1', title: { logical: 'OR', eq: 'b' } },
      { kind: 'or', filters: [a, b] },
    ],
    [
      'may be written beside a bare value',
      { id: '1', title: ['b', { logical: 'or' }] },
      { kind: 'or', filters: [a, b] },
    ],
    [
      'joins operators on one field',
      { price: { lt: '1', gt: '3', logical: 'or' } },
      { kind: 'or', filters: [compare('price', 'lt', '1'), c] },
    ],
    [
      'joins indexed conditions on one field',
      { price: [{ lt: '1' }, { gt: '3', logical: 'or' }] },
      { kind: 'or', filters: [compare('price', 'lt', '1'), c] },
    ],
  ])('%s', (_name, filter, expected) => {
    expect(parse(filter)).toEqual(expected)
  })
})

describe('refusals', () => {
  test.each([
    ['an unknown field', { nope: '1' }, 'field-not-found'],
    ['a presentational field', { note: '1' }, 'field-not-found'],
    ['an unknown relation', { 'nope.name': '1' }, 'field-not-found'],
    ['an unknown related field', { 'author.nope': '1' }, 'field-not-found'],
    ['a path through a plain field', { 'title.name': '1' }, 'not-relational'],
    ['an unknown operator', { title: { foo: '1' } }, 'unknown-operator'],
    ['an operator of another type', { secret: { lt: '1' } }, 'invalid-query'],
    ['a wrong value', { id: 'x' }, 'invalid-query'],
    ['one value for between', { price: { between: '1' } }, 'invalid-query'],
    ['another word for logical', { title: { eq: 'b', logical: 'xor' } }, 'invalid-query'],
    ['too long a path', { 'author.boss.boss.boss.boss.name': '1' }, 'invalid-query'],
    ['text that is not JSON', 'nonsense', 'invalid-query'],
    ['a list', ['a'], 'invalid-query'],
  ])('%s', (_name, filter, kind) => {
    expect(kindOf(() => parse(filter))).toBe(kind)
  })
})

test('a condition on the hidden value of a secret is refused', () => {
  expect(kindOf(() => parse({ secret: { contains: 'x' } }))).toBe('invalid-query')
  expect(parse({ secret: { empty: '1' } })).toEqual(compare('secret', 'empty'))
})

test('the parser throws only TandemError', () => {
  const names = fc.constantFrom(
    'id',
    'title',
    'author',
    'sections',
    'author.name',
    'made',
    'live',
    '*',
    '*.*',
    '-id',
    'nope',
    '',
  )
  const words = fc.constantFrom(
    ...Object.keys(operatorSpellings),
    ...Object.keys(toManySpellings),
    'logical',
    '0',
    'nope',
  )
  const scalar = fc.oneof(
    fc.string(),
    fc.constantFrom('1', '1,2', 'now', 'or', '-1', 'null', '?', ''),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
  )
  const value = fc.oneof(
    scalar,
    fc.array(scalar),
    fc.dictionary(words, fc.oneof(scalar, fc.array(scalar))),
    fc.anything(),
  )
  const filter = fc.oneof(fc.dictionary(names, value), fc.anything())
  const list = fc.oneof(names, fc.array(names), fc.anything())
  const parameters = fc.record(
    {
      fields: list,
      sort: list,
      filter,
      limit: scalar,
      page: scalar,
      offset: scalar,
      single: fc.anything(),
      status: list,
      lang: list,
      q: fc.anything(),
      groups: list,
      meta: list,
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(parameters, (given) => {
      expect(kindOf(() => parseQuery(given, 'articles', scope))).toMatch(/^(nothing|[a-z-]+)$/)
    }),
    { numRuns: 2000 },
  )
})
