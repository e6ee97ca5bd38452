import { describe, expect, test } from 'vitest'
import type { CostBounds } from '../domain/conditions/query-cost.ts'
import { rowsPerItem, usualBounds } from '../domain/conditions/query-cost.ts'
import { type Filter, matchAll } from '../domain/query/filter.ts'
import type { Query, Selected } from '../domain/query/query.ts'
import { coreView } from '../domain/schema/core-view.ts'
import type { Collection, FieldRelation, Schema } from '../domain/schema/schema.ts'
import { authorizeQuery } from './authorize.ts'
import { authzSchema, failureOf, field, is, queryOf, related, scopeOf, userWith, wildcard } from './test-schema.ts'

const people = authzSchema.collections.get('people') as Collection
const staff = people.fields.get('posts')?.relation as Extract<FieldRelation, { kind: 'one-to-many' }>

/** People with a boss and staff. */
const schema: Schema = {
  ...authzSchema,
  collections: new Map(authzSchema.collections).set('people', {
    ...people,
    fields: new Map(people.fields).set(
      'staff',
      field('staff', 'alias', { relation: { ...staff, collection: 'people', foreignKey: 'boss' } }),
    ),
  }),
}

const limits = { queryDefault: 100, queryMax: null, depth: 20, batch: null, cost: usualBounds }
const admin = userWith([], { admin: true })

const ask = (changes: Partial<Query>, cost: CostBounds = usualBounds, actor = admin) =>
  authorizeQuery({ ...scopeOf(actor), schema, limits: { ...limits, cost } }, queryOf(changes))

/** The target of each field. */
const lists: { readonly [name: string]: string } = { posts: 'posts', notes: 'notes', staff: 'people' }

/** `author.posts.id`; lists have the default limit unless another is given. */
function path(text: string, limit: number | null = 100): Selected {
  const [name = '', ...rest] = text.split('.')
  if (rest.length === 0) return { kind: 'field', key: name, field: name }
  const selection = [path(rest.join('.'), limit)]
  const collection = lists[name]
  if (collection === undefined) return { kind: 'one', key: name, field: name, selection, filter: matchAll }
  const query = queryOf({ collection, selection, page: { limit, offset: 0 } })
  return { kind: 'many', key: name, field: name, query }
}

/** A condition on the id at the end of `author.posts`. */
function condition(text: string, collections: { readonly [name: string]: string }): Filter {
  const [name = '', ...rest] = text.split('.')
  const inner = rest.length === 0 ? is('id', 1) : condition(rest.join('.'), collections)
  return related(name, collections[name] ?? '', inner)
}

const leads = { ...lists, author: 'people', post: 'posts', boss: 'people' }

const listsOf = (count: number) => Array.from({ length: count }, (_, at) => ({ ...path('notes.id'), key: `k${at}` }))

const rows = (text: string, limit?: number | null): number =>
  rowsPerItem({ schema, limits }, 'posts', [path(text, limit)])

const repeated = (name: string, field: string, collection: string) => ({
  kind: 'invalid-query',
  name,
  reason: `Expected a path that visits "${field}" of "${collection}" at most 2 times (QUERY_MAX_REPEATS) but received more`,
})

describe('a path that visits the same list repeatedly', () => {
  test('is refused at the third visit, in fields and in filters', () => {
    const thrice = 'notes.post.notes.post.notes'
    expect(failureOf(() => ask({ selection: [path(`${thrice}.id`)] }))).toEqual(repeated('fields', 'notes', 'posts'))
    expect(failureOf(() => ask({ filter: condition(thrice, leads) }))).toEqual(repeated('filter', 'notes', 'posts'))
    // A list of keys leads no further.
    expect(() => ask({ selection: [path(thrice)] })).not.toThrow()
    const twice = 'notes.post.notes'
    expect(() => ask({ selection: [path(`${twice}.post.id`)], filter: condition(twice, leads) })).not.toThrow()
  })

  test('is refused inside a filter of a nested list, and after expansion of a wildcard', () => {
    const inner = queryOf({ collection: 'notes', filter: condition('post.notes.post.notes.post.notes', leads) })
    const filtered: Selected = { kind: 'many', key: 'notes', field: 'notes', query: inner }
    expect(failureOf(() => ask({ selection: [filtered] }))).toEqual(repeated('filter', 'notes', 'posts'))
    const query = { collection: 'notes', selection: [everything(7)] }
    expect(failureOf(() => ask(query))).toMatchObject({ kind: 'invalid-query', name: 'fields' })
  })

  test('is refused for administrators too, but not for internal queries', () => {
    const selection = [path('notes.post.notes.post.notes.id')]
    expect(() => ask({ selection }, usualBounds, { kind: 'system' })).not.toThrow()
    const reader = userWith([{ collection: 'posts' }, { collection: 'notes' }])
    expect(() => ask({ selection }, usualBounds, reader)).toThrow('invalid-query')
  })

  test('is reported as forbidden to a caller without permission', () => {
    const reader = userWith([{ collection: 'posts', fields: ['id'] }])
    const filter = condition('notes.post.notes.post.notes', leads)
    expect(failureOf(() => ask({ filter }, usualBounds, reader))).toMatchObject({ kind: 'forbidden' })
    const selection = [path('notes.post.notes.post.notes.id')]
    expect(failureOf(() => ask({ selection }, usualBounds, reader))).toMatchObject({ kind: 'forbidden' })
  })

  test('may be repeated as often as configured', () => {
    const selection = [path('notes.post.notes.post.notes.id')]
    expect(() => ask({ selection }, { repeats: 3, rows: null })).not.toThrow()
    expect(() => ask({ selection: [path('notes.post.notes.id')] }, { repeats: 1, rows: null })).toThrow('invalid-query')
  })

  test('may go down or up a tree', () => {
    const down = path('staff.staff.staff.staff.staff.staff.id')
    expect(() => ask({ collection: 'people', selection: [down] })).not.toThrow()
    const up = path('boss.boss.boss.boss.boss.id')
    expect(() => ask({ collection: 'people', selection: [up] })).not.toThrow()
    expect(() => ask({ collection: 'people', filter: condition('staff.staff.staff.staff', leads) })).not.toThrow()
  })
})

describe('the estimated rows of a selection', () => {
  test('are the product of limits per item, nested lists together at most 1,000', () => {
    expect(rows('id')).toBe(1)
    expect(rows('author.id')).toBe(2)
    expect(rows('notes.id')).toBe(101)
    expect(rows('notes.id', 7)).toBe(8)
    expect(rows('notes.id', null)).toBe(101)
    expect(rows('notes')).toBe(101)
    expect(rows('author.posts.id')).toBe(1 + 1 + 100)
    expect(rows('author.posts.notes.id')).toBe(1 + 1 + 100 + 1000)
    expect(rows('author.posts.author.posts.id')).toBe(1 + 1 + 100 + 100 + 10_000)
    expect(rows('author.posts.notes.id', 3000)).toBe(1 + 1 + 3000 + 3000)
    expect(rows('notes.post.author.posts.author.posts.id', 10)).toBe(1 + 10 + 10 + 10 + 100 + 100 + 1000)
  })

  test('are refused beyond the limit, unless the query has smaller limits', () => {
    const selection = [path('notes.post.notes.post.author.posts.author.posts.id')]
    const failure = failureOf(() => ask({ selection }))
    expect(failure).toEqual({
      kind: 'invalid-query',
      name: 'fields',
      reason:
        'Expected at most 5,000,000,000 rows (QUERY_MAX_ROWS) by the limits of all levels but received 10,203,020,100: name smaller limits or fewer lists',
    })
    expect(() => ask({ selection, page: { limit: 1, offset: 0 } })).not.toThrow()
    const smaller = [path('notes.post.notes.post.author.posts.author.posts.id', 25)]
    expect(() => ask({ selection: smaller })).not.toThrow()
    expect(() => ask({ selection }, { repeats: 2, rows: null })).not.toThrow()
  })

  test('are added over all lists and conditions', () => {
    const bounds: CostBounds = { repeats: 2, rows: 50_000 }
    expect(() => ask({ selection: listsOf(4) }, bounds)).not.toThrow()
    expect(failureOf(() => ask({ selection: listsOf(5) }, bounds))).toMatchObject({ name: 'fields' })
    const filter: Filter = { kind: 'not', filter: condition('author.posts', leads) }
    expect(() => ask({ filter }, bounds)).not.toThrow()
    expect(
      failureOf(() => ask({ filter: { kind: 'or', filters: [filter, filter, filter, filter, filter] } }, bounds)),
    ).toMatchObject({ name: 'filter' })
  })

  test('count at most the default limit for the root', () => {
    const selection = [path('notes.post.notes.post.author.posts.id')]
    for (const limit of [1, 100, 10_000, null])
      expect(() => ask({ selection, page: { limit, offset: 0 } })).not.toThrow()
  })
})

/** Every collection has a field to every other one and the reverse list, and eight more fields. */
function wideSchema(count: number): Schema {
  const names = Array.from({ length: count }, (_, at) => `c${at}`)
  const plain = ['id', 'a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => field(name, 'integer'))
  const collections = names.map((name) => {
    const ones = names.map((to) =>
      field(`to_${to}`, 'integer', { relation: { kind: 'many-to-one', collection: to, relation: staff.relation } }),
    )
    const manies = names.map((from) =>
      field(`from_${from}`, 'alias', { relation: { ...staff, collection: from, foreignKey: `to_${name}` } }),
    )
    const fields = new Map([...plain, ...ones, ...manies].map((each) => [each.name, each]))
    return [name, { ...people, name, fields }] as const
  })
  return { ...authzSchema, collections: new Map(collections) }
}

/** `*.*.*` with the given number of levels. */
const everything = (levels: number): Selected =>
  Array.from({ length: levels - 1 }).reduce<Selected>((nested) => wildcard({ nested: [nested] }), wildcard())

const read = (levels: number, of: Schema, limit: number | null) =>
  authorizeQuery(
    { ...scopeOf(admin), schema: of, view: coreView(of), limits },
    queryOf({ collection: 'c0', selection: [everything(levels)], page: { limit, offset: 0 } }),
  )

describe('typical queries', () => {
  test('are never too expensive: three levels of wildcards on interrelated collections', () => {
    expect(() => read(3, wideSchema(7), 100)).not.toThrow()
    expect(() => read(3, wideSchema(7), null)).not.toThrow()
  })

  test('are not too expensive with four levels and fewer relations', () => {
    expect(() => read(4, wideSchema(3), null)).not.toThrow()
  })
})
