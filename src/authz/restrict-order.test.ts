/** Orders, groups and aggregates: what is refused, and what is kept. */
import { describe, expect, test } from 'vitest'
import { type Filter, matchAll } from '../domain/query/filter.ts'
import type { AggregateName, FunctionName } from '../domain/query/functions.ts'
import type { Aggregation, GroupKey, Query, Sort } from '../domain/query/query.ts'
import type { Collection } from '../domain/schema/schema.ts'
import { authorizeQuery } from './authorize.ts'
import { ask, authzSchema, failureOf, field, is, named, queryOf, scopeOf, userWith, wildcard } from './test-schema.ts'

const admin = userWith([], { admin: true })
const open = is('text', 'open')
const reader = userWith([{}, { collection: 'notes', filter: open }, { collection: 'people' }])

const by = (field: string, ...path: readonly string[]): Sort => ({
  kind: 'field',
  path: path.map((step) => ({ field: step, collection: 'people' })),
  field,
  descending: false,
})
const byFunction = (name: FunctionName, field: string): Sort => ({
  kind: 'function',
  function: name,
  path: [],
  field,
  descending: true,
})
const sortOf = (sort: readonly Sort[], more: Partial<Query> = {}): readonly Sort[] =>
  ask(reader, { sort, ...more }).sort

describe('an order', () => {
  test('at random, or as keys are listed, names no field', () => {
    const free: readonly Sort[] = [
      { kind: 'random', descending: false },
      { kind: 'listed', keys: [2, 1] } as unknown as Sort,
    ]
    for (const sort of free) expect(sortOf([sort])).toEqual([sort])
    expect(sortOf([])).toEqual([])
  })

  test('says where null stands only if the request says so', () => {
    expect(sortOf([by('title')])).toEqual([by('title')])
    const last = { ...by('title'), nulls: 'last' } as Sort
    expect(sortOf([last])).toEqual([last])
  })

  test('may follow as many names as the limit allows', () => {
    const filter = matchAll
    expect(sortOf([by('name', 'author', 'boss')])).toEqual([
      {
        ...by('name'),
        path: [
          { field: 'author', collection: 'people', filter },
          { field: 'boss', collection: 'people', filter },
        ],
      },
    ])
  })

  test('by a function of a field, or by a count of readable rows', () => {
    expect(sortOf([byFunction('year', 'made')])).toEqual([byFunction('year', 'made')])
    expect(sortOf([byFunction('count', 'notes')])).toEqual([{ ...byFunction('count', 'notes'), related: open }])
    expect(failureOf(() => sortOf([byFunction('year', 'title')]))).toMatchObject({ name: 'sort' })
  })
})

const values = [
  { aggregate: 'sum', field: 'views', key: 's' },
  { aggregate: 'count', field: null, key: 'n' },
] as const
const byTitle: GroupKey = { kind: 'field', field: 'title', key: 'g' }
const byYear: GroupKey = { kind: 'function', function: 'year', field: 'made', key: 'y' }
const groups = (sort: Sort, group: readonly GroupKey[] = [byTitle, byYear]): unknown =>
  ask(admin, { sort: [sort], aggregation: { values, group } }).sort
const byAggregate = (aggregate: AggregateName, field: string | null): Sort => ({
  kind: 'aggregate',
  aggregate,
  field,
  descending: false,
})

const single = (sort: Sort, actor = admin): unknown =>
  ask(actor, { sort: [sort], aggregation: { values, group: [] } }).sort

describe('an order of groups', () => {
  test.each([
    ['at random', { kind: 'random', descending: false }],
    ['by a field of the groups', by('title')],
    ['by a function of the groups', byFunction('year', 'made')],
    ['by an aggregate', byAggregate('sum', 'views')],
    ['by a count', byAggregate('count', null)],
  ] as readonly (readonly [string, Sort])[])('%s is fine', (_what, sort) => {
    expect(groups(sort)).toEqual([sort])
  })

  test.each([
    ['a field that only an aggregate has', by('views')],
    ['a field behind a relation', { ...by('title', 'author') }],
    ['the field of a function', by('made')],
    ['another function', byFunction('month', 'made')],
    ['a function of a plain field', byFunction('year', 'title')],
    ['another aggregate', byAggregate('avg', 'views')],
    ['the aggregate of another field', byAggregate('sum', 'id')],
  ] as readonly (readonly [string, Sort])[])('by %s is refused', (_what, sort) => {
    expect(failureOf(() => groups(sort))).toMatchObject({
      name: 'sort',
      reason: 'Expected a field of the groups or one of the aggregates',
    })
  })

  test('of the one row without groups is none, and names what may be read', () => {
    expect(single(by('views'))).toEqual([])
    expect(single({ kind: 'random', descending: false })).toEqual([])
    expect(single(byAggregate('sum', 'views'))).toEqual([])
    expect(failureOf(() => single(byAggregate('avg', 'views')))).toMatchObject({ name: 'sort' })
    expect(failureOf(() => single(by('nothing')))).toMatchObject({ kind: 'forbidden' })
  })

  test('by a list of keys is a bug', () => {
    expect(() => groups({ kind: 'listed', keys: [1] } as unknown as Sort)).toThrow('without a list of keys')
  })
})

const aggregated = (aggregation: Partial<Aggregation>, actor = admin) =>
  ask(actor, { aggregation: { values: [], group: [], ...aggregation } })
const valueOf = (aggregate: AggregateName, field: string | null): unknown =>
  aggregated({ values: [{ aggregate, field, key: 'k' }] }).aggregation?.values

describe('aggregates', () => {
  test.each(['count', 'countAll'] as const)('%s of everything is fine', (aggregate) => {
    expect(valueOf(aggregate, null)).toEqual([{ aggregate, field: null, key: 'k' }])
  })

  test.each(['countDistinct', 'sum', 'avg', 'min', 'max'] as const)('%s of everything is refused', (aggregate) => {
    expect(failureOf(() => valueOf(aggregate, null))).toMatchObject({
      reason: `Expected a field for "${aggregate}" but received "*"`,
    })
  })

  test.each([
    ['sum', 'views'],
    ['avgDistinct', 'id'],
    ['min', 'title'],
    ['max', 'made'],
    ['count', 'data'],
    ['count', 'title'],
    ['countDistinct', 'title'],
  ] as const)('%s of "%s" is fine', (aggregate, field) => {
    expect(valueOf(aggregate, field)).toEqual([{ aggregate, field, key: 'k' }])
  })

  test.each([
    ['sum', 'title'],
    ['avg', 'made'],
    ['min', 'data'],
    ['max', 'data'],
    ['count', 'notes'],
    ['countDistinct', 'data'],
    ['count', 'secret'],
    ['count', 'hashed'],
  ] as const)('%s of "%s" is refused', (aggregate, field) => {
    expect(failureOf(() => valueOf(aggregate, field))).toMatchObject({ kind: 'invalid-query', name: 'aggregate' })
  })
})

test('groups by a function keep it, and counts of related rows are of readable ones', () => {
  const byCount: GroupKey = { kind: 'function', function: 'count', field: 'notes', key: 'c' }
  const { aggregation, selection } = aggregated({ group: [byYear, byCount] }, reader)
  expect(aggregation?.group).toEqual([byYear, { ...byCount, related: open }])
  expect(selection).toEqual([])
  const wrong: GroupKey = { kind: 'function', function: 'year', field: 'title', key: 'y' }
  expect(failureOf(() => aggregated({ group: [wrong] }))).toMatchObject({ name: 'group' })
})

describe('the root of a query', () => {
  const overlay = { values: {} } as unknown as NonNullable<Query['overlay']>

  test('keeps the state in which a row is shown, and restricts the fields of its tag', () => {
    const actor = userWith([{ fields: ['id', 'title'] }])
    expect(ask(actor, {})).not.toHaveProperty('overlay')
    expect(ask(actor, {})).not.toHaveProperty('tag')
    expect(ask(actor, { overlay })).toMatchObject({ overlay })
    const tagged = ask(actor, { tag: [named('title')], locked: true })
    expect([tagged.tag, tagged.locked]).toEqual([[named('title')], true])
    const unlocked = ask(actor, { tag: [named('title')] })
    expect(unlocked.tag).toEqual([named('title')])
    expect(unlocked).not.toHaveProperty('locked')
    expect(failureOf(() => ask(actor, { tag: [named('views')] }))).toMatchObject({ kind: 'forbidden' })
  })

  test('restricts the same selection anew for other limits and for archived rows', () => {
    const nested = { kind: 'one', key: 'k', field: 'author', selection: [named('id')], filter: matchAll } as const
    const query = queryOf({ selection: [nested] })
    const scope = scopeOf(admin)
    const within = (depth: number) => () =>
      authorizeQuery({ ...scope, limits: { ...scope.limits, depth } }, query).selection
    expect(within(2)()).toEqual([nested])
    expect(failureOf(within(1))).toMatchObject({ reason: 'Expected at most 1 names in a path' })
    const inner = { ...nested, selection: [wildcard({ nested: [wildcard()] })] }
    const found = (['live', 'all'] as const).map((kind) =>
      JSON.stringify(ask(admin, { selection: inner.selection, archive: { kind } }).selection),
    )
    expect(found[0]).not.toBe(found[1])
  })

  test('counts the names of a path anew where the same selection is asked further down', () => {
    const nested = { kind: 'one', key: 'k', field: 'author', selection: [named('id')], filter: matchAll } as const
    const posts = queryOf({ selection: [nested] })
    const people = queryOf({
      collection: 'people',
      selection: [{ kind: 'many', key: 'posts', field: 'posts', query: posts }],
    })
    const usual = scopeOf(admin)
    const scope = { ...usual, limits: { ...usual.limits, depth: 2 } }
    expect(authorizeQuery(scope, posts).selection).toEqual([nested])
    expect(failureOf(() => authorizeQuery(scope, people))).toMatchObject({
      reason: 'Expected at most 2 names in a path',
    })
  })

  test('searches no field that is excluded from the search', () => {
    const people = authzSchema.collections.get('people') as Collection
    const of = (searchable: boolean) => {
      const fields = new Map(people.fields).set('name', field('name', 'string', { meta: { searchable } }))
      const schema = { ...authzSchema, collections: new Map([['people', { ...people, fields }]]) }
      const search = queryOf({ collection: 'people', search: 'x' })
      return authorizeQuery({ ...scopeOf(admin), schema }, search).searchFields?.map((each) => each.field)
    }
    expect(of(true)).toEqual(['id', 'name', 'age', 'boss'])
    expect(of(false)).toEqual(['id', 'age', 'boss'])
  })

  test('keeps distinct fields that are readable everywhere', () => {
    expect(ask(reader, { distinct: ['title'] }).distinct).toEqual(['title'])
    expect(ask(reader, {})).not.toHaveProperty('distinct')
    expect(ask(reader, { distinct: ['title'] })).not.toHaveProperty('searchFields')
    expect(ask(reader, { search: 'x' })).not.toHaveProperty('distinct')
  })

  test('guards a selection by archived values', () => {
    const mine: Filter = is('title', 'mine')
    const actor = userWith([{ fields: ['id'] }, { fields: ['status'], filter: mine }])
    const archive = { kind: 'only', values: ['old'] } as const
    expect(ask(actor, { archive }).filter).toEqual(mine)
    expect(ask(actor, { archive: { kind: 'live' } }).filter).toEqual(matchAll)
    expect(ask(reader, { archive }).filter).toEqual(matchAll)
    expect(ask(reader, queryOf({ collection: 'people', archive })).filter).toEqual(matchAll)
  })
})
