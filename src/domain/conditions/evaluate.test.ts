import { describe, expect, test } from 'vitest'
import type { Filter, Value } from '../query/filter.ts'
import type { OperatorName } from '../query/operators.ts'
import type { Collection, Field } from '../schema/schema.ts'
import { testSchema } from '../testing/test-schema.ts'
import { evaluate, type FieldFailure } from './evaluate.ts'
import { matcherOf } from './patterns.ts'
import { resolveNow, resolveValue } from './resolve-value.ts'

const collection = testSchema.collections.get('articles') as Collection
const actor = { kind: 'system' } as const
const facts = { actor, now: new Date('2026-01-31T10:00:00.000Z'), lookedUp: new Map() }
const place = { collection, resolve: (value: Value) => resolveValue(value, facts) }

const compare = (field: string, operator: OperatorName, ...values: readonly Value[]): Filter => ({
  kind: 'compare',
  operand: { kind: 'field', field },
  operator,
  values,
})

const failuresOf = (filter: Filter, payload: { readonly [field: string]: unknown }): readonly FieldFailure[] =>
  evaluate(filter, new Map(Object.entries(payload)), place)

const now = { kind: 'now', milliseconds: 0, months: 0 } as const
/** The system has no user, so that this value is null. */
const nobody = { kind: 'current-user', path: [] } as const

const rows: readonly (readonly [
  field: string,
  operator: OperatorName,
  values: readonly Value[],
  passes: readonly unknown[],
  fails: readonly unknown[],
])[] = [
  ['title', 'eq', ['x'], ['x'], ['X', '', null]],
  ['title', 'neq', ['x'], ['y', null], ['x']],
  ['views', 'eq', ['9007199254740993'], ['9007199254740993'], ['9007199254740992', null]],
  ['price', 'lt', ['10'], ['9.99', 9], ['10', '10.5', 11, null, 'x']],
  ['price', 'lte', ['10'], ['10', 10], ['10.01']],
  ['price', 'gt', ['10'], ['10.01'], ['10', null]],
  ['price', 'gte', ['10'], ['10'], ['9.99']],
  ['price', 'between', ['1', '2'], ['1', 1.5, '2'], ['0.9', '2.1', null]],
  ['price', 'nbetween', ['1', '2'], ['0.9', null], ['1']],
  ['title', 'in', ['a', 'b'], ['a', 'b'], ['c', null]],
  ['title', 'in', [], [], ['a', null]],
  ['title', 'nin', ['a', 'b'], ['c', null], ['a']],
  ['title', 'nin', [], [], ['a', null]],
  ['title', 'nin', ['a', nobody], [], ['c', null]],
  ['title', 'neq', [nobody], [], ['x', null]],
  ['title', 'ncontains', [nobody], [], ['x', null]],
  ['price', 'nbetween', ['1', nobody], [], ['0.9', '2', null]],
  ['title', 'null', [], [null], ['', 'x']],
  ['title', 'nnull', [], ['', 'x'], [null]],
  ['title', 'empty', [], ['', null], ['x']],
  ['title', 'nempty', [], ['x'], ['', null]],
  ['data', 'empty', [], [[], {}, null], [[1], { a: 1 }]],
  ['title', 'contains', ['b'], ['abc'], ['aBc', null]],
  ['title', 'ncontains', ['b'], ['aBc', null], ['abc']],
  ['title', 'icontains', ['B'], ['abc'], ['ac']],
  ['title', 'nicontains', ['B'], ['ac'], ['abc']],
  ['title', 'startsWith', ['a'], ['ab'], ['Ab', 'ba']],
  ['title', 'nstartsWith', ['a'], ['ba'], ['ab']],
  ['title', 'istartsWith', ['A'], ['ab'], ['ba']],
  ['title', 'nistartsWith', ['A'], ['ba'], ['ab']],
  ['title', 'endsWith', ['a'], ['ba'], ['bA']],
  ['title', 'nendsWith', ['a'], ['bA'], ['ba']],
  ['title', 'iendsWith', ['A'], ['ba'], ['ab']],
  ['title', 'niendsWith', ['A'], ['ab'], ['ba']],
  ['title', 'like', ['a%.c_'], ['A12.CX', 'a.cx'], ['a.c', 'axcx']],
  ['title', 'nlike', ['a%'], ['b'], ['A']],
  ['title', 'regex', ['^[a-z]+$'], ['abc'], ['ab1', '', null]],
  ['title', 'regex', ['(?=.*[0-9])(?!.* )^.{4,}$'], ['abc1'], ['abcd', 'ab1', 'a bc1']],
  ['title', 'regex', ['(?<=a)b'], [], ['ab', 'b']],
  ['live', 'eq', [true], [true, 'true', 1], [false, 0, null]],
  [
    'made',
    'lte',
    [now],
    ['2026-01-31T09:59:59Z', '2026-01-31T11:00:00+02:00', '2026-01-31'],
    ['2026-01-31T10:00:01Z', null, 'soon'],
  ],
  ['local', 'gt', ['2026-01-31T10:00:00'], ['2026-01-31T10:00:01', '2026-01-31 10:00:01'], ['2026-01-31T10:00:00']],
  ['day', 'eq', ['2026-01-31'], ['2026-01-31'], ['2026-02-01']],
  ['day', 'gte', [{ ...now, part: 'date' }], ['2026-01-31', '2026-02-01'], ['2026-01-30', null]],
  ['clock', 'lte', [{ ...now, part: 'time' }], ['09:59:59', '10:00:00', '09:00'], ['10:00:01', '23:00:00', null]],
  ['owner', 'eq', ['aaaaaaaa-0000-4000-8000-000000000000'], ['AAAAAAAA-0000-4000-8000-000000000000'], ['x', null]],
  ['owner', 'eq', [{ kind: 'current-user', path: [] }], [], [null, 'x']],
  ['shape', 'intersects', [{ type: 'Point' }], [], [{ type: 'Point' }]],
]

describe.each(rows)('%s %s %j', (...[field, operator, values, passes, fails]) => {
  test('says yes and no', () => {
    for (const value of passes)
      expect([value, failuresOf(compare(field, operator, ...values), { [field]: value })]).toEqual([value, []])
    for (const value of fails)
      expect([value, failuresOf(compare(field, operator, ...values), { [field]: value }).length]).toEqual([value, 1])
  })
})

describe('the whole condition', () => {
  const long = compare('title', 'regex', '^.{3,}$')
  const cheap = compare('price', 'lt', 10)

  test('missing values decide nothing, unless they are required', () => {
    expect(failuresOf(long, {})).toEqual([])
    expect(failuresOf({ kind: 'not', filter: long }, {})).toEqual([])
    expect(failuresOf({ kind: 'or', filters: [long, cheap] }, { title: 'ab' })).toEqual([])
    expect(failuresOf(compare('title', 'submitted'), {})).toEqual([
      { kind: 'failed-validation', field: 'title', type: 'required' },
    ])
    expect(failuresOf(compare('title', 'submitted'), { title: null })).toEqual([])
  })

  test('every broken part is told once, with the value of the rule and never the one submitted', () => {
    expect(failuresOf({ kind: 'and', filters: [long, cheap] }, { title: 'ab', price: 11 })).toEqual([
      { kind: 'failed-validation', field: 'title', type: 'regex' },
      { kind: 'failed-validation', field: 'price', type: 'lt', limit: 10 },
    ])
    expect(failuresOf(compare('title', 'in', 'a', 'b'), { title: 'c' })).toEqual([
      { kind: 'failed-validation', field: 'title', type: 'in', limit: ['a', 'b'] },
    ])
    expect(failuresOf(compare('secret', 'eq', 'hidden'), { secret: 'c' })).toEqual([
      { kind: 'failed-validation', field: 'secret', type: 'eq' },
    ])
  })

  test('a negation and an alternative fail as a whole', () => {
    expect(failuresOf({ kind: 'not', filter: cheap }, { price: 1 })).toMatchObject([{ field: 'price' }])
    expect(failuresOf({ kind: 'or', filters: [long, cheap] }, { title: 'ab', price: 11 })).toMatchObject([
      { field: 'title' },
      { field: 'price' },
    ])
    expect(failuresOf({ kind: 'or', filters: [long, cheap] }, { title: 'abc', price: 11 })).toEqual([])
    expect(failuresOf({ kind: 'none' }, { title: 'x' }).length).toBe(1)
    expect(failuresOf({ kind: 'all' }, {})).toEqual([])
  })

  test('a bare key never satisfies a condition on the related row', () => {
    const related: Filter = {
      kind: 'related',
      field: 'author',
      collection: 'authors',
      quantifier: 'some',
      filter: { kind: 'all' },
    }
    expect(failuresOf(related, { author: 1 })).toMatchObject([{ field: 'author' }])
    expect(failuresOf(related, {})).toEqual([])
  })

  test.each([
    ['year', 'made', 2026],
    ['month', 'made', 1],
    ['week', 'made', 5],
    ['day', 'made', 31],
    ['weekday', 'made', 6],
    ['hour', 'made', 10],
    ['minute', 'made', 20],
    ['second', 'made', 30],
    ['hour', 'clock', 10],
    ['count', 'data', 2],
  ] as const)('%s of %s is compared as a number', (name, field, expected) => {
    const filter: Filter = {
      kind: 'compare',
      operand: { kind: 'function', function: name, field },
      operator: 'eq',
      values: [expected],
    }
    const payload = { made: '2026-01-31T10:20:30Z', clock: '10:20:30', data: [1, 2] }
    expect(failuresOf(filter, payload)).toEqual([])
    expect(failuresOf({ ...filter, values: [expected + 1] }, payload).length).toBe(1)
  })
})

const moved = (months: number) => resolveNow({ kind: 'now', milliseconds: 0, months }, facts.now).toISOString()

test('months move to the last day of a shorter month', () => {
  expect(moved(1)).toBe('2026-02-28T10:00:00.000Z')
  expect(moved(-2)).toBe('2025-11-30T10:00:00.000Z')
  expect(moved(0)).toBe('2026-01-31T10:00:00.000Z')
})

test('a pattern that is exponential elsewhere is searched for in linear time', () => {
  expect(matcherOf('^(a+)+$')?.(`${'a'.repeat(50_000)}b`)).toBe(false)
  expect(matcherOf('(')).toBeNull()
})

/** The collection with its titles as another kind of field. */
const withTitles = (more: Partial<Field>): Collection => {
  const title = collection.fields.get('title') as Field
  return { ...collection, fields: new Map(collection.fields).set('title', { ...title, ...more }) }
}

test.each([
  ['a concealed field', withTitles({ concealed: true })],
  ['a hash', withTitles({ type: 'hash' })],
  ['an unknown field', { ...collection, fields: new Map() }],
])('a failure of %s does not say what was expected of it', (_, concealing) => {
  const failures = evaluate(compare('title', 'eq', 'open sesame'), new Map([['title', 'x']]), {
    ...place,
    collection: concealing,
  })
  expect(failures).toEqual([{ kind: 'failed-validation', field: 'title', type: 'eq' }])
})

test('a failure of an open field says what was expected of it', () => {
  const named = failuresOf(compare('title', 'eq', 'open sesame'), { title: 'x' })
  expect(named).toEqual([{ kind: 'failed-validation', field: 'title', type: 'eq', limit: 'open sesame' }])
})
