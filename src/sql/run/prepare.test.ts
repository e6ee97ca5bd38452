import {
  type Arbitrary,
  array,
  assert,
  boolean,
  constant,
  constantFrom,
  letrec,
  oneof,
  option,
  property,
  record,
  string,
  tuple,
} from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { and, type Comparison, type Filter, matchAll, type Value } from '../../domain/query/filter.ts'
import type { OperatorName } from '../../domain/query/operators.ts'
import type { Query, Selected, Sort } from '../../domain/query/query.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import type { Quick } from '../compile/compile-query.ts'
import { shapeOf } from '../shapes/shape.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { compare, field, noon, queryOf, someUser, viewOf } from '../testing/test-query.ts'
import { worldSql } from '../testing/test-world.ts'
import { prepare } from './prepare.ts'

let schema: Schema
let close: () => Promise<void>

beforeAll(async () => {
  const database = await createTestDatabase({ sql: worldSql })
  close = database.close
  schema = await database.loadSchema()
})
afterAll(() => close())

const options = { view: viewOf(), dialect: 'postgres', actor: someUser, clock: noon }
const byName: Sort = { kind: 'field', path: [], field: 'name', descending: false }
const comments: Selected = { kind: 'field', key: 'comments', field: 'comments', related: { kind: 'all' } }
const commented: Filter = {
  kind: 'related',
  field: 'comments',
  collection: 'comments',
  quantifier: 'some',
  filter: matchAll,
}
const first = { limit: 25, offset: 0 }
/** Without an order of its own. */
const authors = { collection: 'authors', selection: [field('id')] }
const prepared = (query: Query, at: Schema = schema) => {
  const { statement, values } = prepare(queryOf(query), { ...options, schema: at })
  return { text: statement.text, values }
}
/** Like a process that has not compiled anything yet. */
const preparedAfresh = (query: Query) => prepared(query, { ...schema })

const texts = ['title', 'body', 'status']
const hostile = constantFrom("'; drop table articles; --", '$1', '"', "\\'", '/*', '?', '{}', ')', '%_\\', '\u{1F600}')
const value: Arbitrary<Value> = oneof(string(), hostile)
const operatorsWithOne: readonly OperatorName[] = ['eq', 'neq', 'contains', 'icontains', 'startsWith', 'like']

const comparison: Arbitrary<Comparison> = oneof(
  tuple(constantFrom(...texts), constantFrom(...operatorsWithOne), value).map(([field, operator, one]) =>
    compare(field, operator, one),
  ),
  tuple(constantFrom(...texts), constantFrom<OperatorName>('in', 'nin'), array(value, { maxLength: 4 })).map(
    ([field, operator, list]) => compare(field, operator, ...list),
  ),
  tuple(constantFrom(...texts), constantFrom<OperatorName>('null', 'nnull', 'empty')).map(([field, operator]) =>
    compare(field, operator),
  ),
  constantFrom<readonly Value[]>(
    [{ kind: 'current-user', path: [] }],
    [{ kind: 'current-user', path: ['role'] }],
    [{ kind: 'numbered', collection: 'platform_users', number: 4 }],
    [{ kind: 'current-roles' }, 'x', { kind: 'numbered', collection: 'platform_files', number: 4 }],
  ).chain((values) =>
    constantFrom<OperatorName>('in', ...(values.length === 1 ? (['eq', 'neq'] as const) : [])).map((operator) =>
      compare('user_created', operator, ...values),
    ),
  ),
)

const { filter } = letrec<{ filter: Filter }>((tie) => ({
  filter: oneof(
    { depthSize: 'small', withCrossShrink: true },
    comparison,
    constantFrom<Filter>({ kind: 'all' }, { kind: 'none' }),
    tuple(constantFrom('and' as const, 'or' as const), array(tie('filter'), { maxLength: 3 })).map(
      ([kind, filters]) => ({ kind, filters }),
    ),
    tie('filter').map((inner): Filter => ({ kind: 'not', filter: inner })),
    tie('filter').map(
      (inner): Filter => ({
        kind: 'related',
        field: 'category',
        collection: 'categories',
        quantifier: 'some',
        filter: categoryFilter(inner),
      }),
    ),
  ),
}))

/** The same condition, but on a collection that has one text field. */
const categoryFilter = (inner: Filter): Filter =>
  inner.kind === 'compare' && texts.includes(inner.operand.field)
    ? { ...inner, operand: { kind: 'field', field: 'name' } }
    : { kind: 'all' }

const guard = option(comparison, { nil: undefined }).map((each) => (each === undefined ? {} : { guard: each }))
const key = oneof(
  constantFrom(...texts),
  string({ maxLength: 4 }).filter((text) => !text.includes('\0')),
)
const selected: Arbitrary<Selected> = oneof(
  tuple(key, constantFrom(...texts), guard).map(
    ([name, field, more]): Selected => ({ kind: 'field', key: name, field, ...more }),
  ),
  tuple(key, comparison).map(
    ([name, related]): Selected => ({
      kind: 'function',
      key: name,
      function: 'count',
      field: 'tags',
      related: related.operand.field === 'status' ? tagFilter(related) : { kind: 'all' },
    }),
  ),
  tuple(key, filter).map(
    ([name, inner]): Selected => ({
      kind: 'one',
      key: name,
      field: 'category',
      selection: [{ kind: 'field', key: 'name', field: 'name' }],
      filter: categoryFilter(inner),
    }),
  ),
  tuple(
    key,
    string({ maxLength: 3 }).filter((text) => !text.includes('\0')),
  ).map(([name, text]): Selected => ({ kind: 'constant', key: name, text })),
  tuple(key, key, constantFrom(...texts)).map(
    ([name, inner, field]): Selected => ({
      kind: 'object',
      key: name,
      selection: [{ kind: 'field', key: inner, field }],
    }),
  ),
)
const tagFilter = (inner: Comparison): Filter => ({ ...inner, operand: { kind: 'field', field: 'tag' } })

const sort: Arbitrary<Sort> = tuple(constantFrom(...texts), boolean(), guard).map(([field, descending, more]) => ({
  kind: 'field',
  path: [],
  field,
  descending,
  ...more,
}))

const query: Arbitrary<Query> = record({
  collection: constant('articles'),
  selection: array(selected, { maxLength: 4 }),
  filter,
  search: option(string(), { nil: null }),
  searchFields: constantFrom([{ field: 'title' }], [{ field: 'title' }, { field: 'views' }]),
  sort: array(sort, { maxLength: 2 }),
  page: record({ limit: constantFrom(null, 7, 8, 25, 300, 301), offset: constantFrom(0, 10, 20) }),
  counts: constantFrom<Query['counts']>([], ['total'], ['total', 'filtered']),
  rows: filter,
}).map((parts) => queryOf(parts))

/** The same query with other values and the same shape. */
function revalued(whole: Query, to: (at: number) => string): Query {
  let at = 0
  const walk = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(walk)
    if (typeof node !== 'object' || node === null) return node
    const copy = Object.fromEntries(Object.entries(node).map(([name, inner]) => [name, walk(inner)]))
    if (copy['kind'] === 'compare')
      copy['values'] = (copy['values'] as readonly Value[]).map((each) => (typeof each === 'string' ? to(at++) : each))
    if (typeof copy['search'] === 'string') copy['search'] = to(at++)
    return copy
  }
  return walk(whole) as Query
}

describe('the shape of a query', () => {
  test('does not depend on its values', () => {
    assert(
      property(query, array(value.map(String), { minLength: 30, maxLength: 30 }), (whole, others) => {
        const other = revalued(whole, (at) => others[at % 30] as string)
        expect(shapeOf(other, '').key).toBe(shapeOf(whole, '').key)
        expect(preparedAfresh(other).text).toBe(preparedAfresh(whole).text)
      }),
      { numRuns: 200 },
    )
  })

  test('differs for queries whose texts differ', () => {
    const textByKey = new Map<string, string>()
    assert(
      property(query, (whole) => {
        const { key } = shapeOf(whole, '')
        const { text } = preparedAfresh(whole)
        expect(textByKey.get(key) ?? text).toBe(text)
        textByKey.set(key, text)
      }),
      { numRuns: 500 },
    )
  })

  test('does not depend on how many values a list holds', () => {
    const one = queryOf({ collection: 'articles', filter: compare('title', 'in', 'a') })
    const many = queryOf({ collection: 'articles', filter: compare('title', 'in', 'a', 'b', 'c') })
    expect(shapeOf(many, '').key).toBe(shapeOf(one, '').key)
    expect(prepared(many).values).toEqual([['a', 'b', 'c']])
  })
})

const both = (left: Filter, right: Filter) =>
  queryOf({ collection: 'articles', filter: { kind: 'or', filters: [left, right] } })

describe('a statement that was compiled before', () => {
  test('gets the same values as one that is compiled anew', () => {
    assert(
      property(query, (whole) => {
        prepared(whole)
        const other = revalued(whole, (at) => `value ${at}`)
        expect(prepared(other)).toEqual(preparedAfresh(other))
      }),
      { numRuns: 300 },
    )
  })

  test('keeps values apart where it was first compiled from one shared condition', () => {
    const shared = compare('title', 'eq', 'a')
    expect(prepared(both(shared, shared)).values).toEqual(['a', 'a'])
    expect(prepared(both(compare('title', 'eq', 'b'), compare('title', 'eq', 'c'))).values).toEqual(['b', 'c'])
  })

  test.each<[what: string, query: Partial<Query>, quick: Quick]>([
    ['a row by its key', { filter: compare('id', 'eq', 1) }, 'always'],
    ['a row by its key, if it matches', { filter: and(compare('id', 'eq', 1), compare('title', 'eq', 'a')) }, 'always'],
    ['rows by another column', { filter: compare('title', 'eq', 'a') }, null],
    ['a row and what is related', { filter: compare('id', 'eq', 1), selection: [comments] }, null],
    ['a row and the keys of what is related', { filter: compare('id', 'eq', 1), selection: [field('comments')] }, null],
    ['the first page', { ...authors, page: first }, 'always'],
    ['the first page in the order of another field', { page: first }, 'few-rows'],
    ['a later page', { ...authors, page: { limit: 25, offset: 25 } }, 'few-rows'],
    ['a long page', { ...authors, page: { limit: 100, offset: 0 } }, null],
    ['a page of a size that is no part of the shape', { ...authors, page: { limit: 7, offset: 0 } }, null],
    ['all rows', { ...authors, page: { limit: null, offset: 0 } }, null],
    ['a page with counts', { ...authors, page: first, counts: ['total'] }, null],
    ['a page in an order of its own', { ...authors, page: first, sort: [byName] }, 'few-rows'],
    ['a page in a random order', { ...authors, page: first, sort: [{ kind: 'random', descending: false }] }, null],
    [
      'a page by comparisons',
      { page: first, filter: and(compare('id', 'gt', 1), compare('title', 'nnull')) },
      'few-rows',
    ],
    ['a page by a part of a text', { page: first, filter: compare('title', 'contains', 'a') }, null],
    ['a page by related rows', { page: first, filter: and(compare('id', 'gt', 1), commented) }, null],
    ['a page of what is searched', { ...authors, page: first, search: 'a' }, null],
    ['a row that is locked', { filter: compare('id', 'eq', 1), tag: [field('id')], locked: true }, null],
  ])('tells whether other reads may wait for %s', (_what, parts, quick) => {
    const whole = queryOf({ collection: 'articles', selection: [field('id'), field('title')], ...parts })
    expect(prepare(whole, { ...options, schema }).statement.quick).toBe(quick)
  })

  test('is named from its third use on, and keeps the name in the next version of the schema', () => {
    const whole = queryOf({ collection: 'tags', filter: compare('color', 'eq', 'red') })
    const nameOf = (at: Schema) => prepare(whole, { ...options, schema: at }).statement.name
    const names = [nameOf(schema), nameOf(schema), nameOf(schema), nameOf(schema)]
    expect(names.slice(0, 2)).toEqual([undefined, undefined])
    expect(names[2]).toMatch(/^q\d+$/)
    expect(names[3]).toBe(names[2])
    const next = { ...schema }
    expect([nameOf(next), nameOf(next), nameOf(next)]).toEqual([undefined, undefined, names[2]])
  })
})
