import { describe, expect, test } from 'vitest'
import { and, type Filter, matchAll } from '../domain/query/filter.ts'
import type { Query, Selected, Wildcard } from '../domain/query/query.ts'
import { authorizeQuery } from './authorize.ts'
import { ask, compare, failureOf, is, named, queryOf, related, scopeOf, userWith, wildcard } from './test-schema.ts'

const admin = userWith([], { admin: true })
const mine = is('status', 'mine')
const adult = is('age', 18)

/** May read four fields of posts, names of people, nothing of notes. */
const limited = userWith([
  { fields: ['id', 'title', 'author', 'notes', 'secret', 'item'], filter: mine },
  { collection: 'people', fields: ['id', 'name', 'posts'], filter: adult },
])

/** Every part of a query that can name a field. */
const parts: readonly (readonly [part: string, at: (field: string) => Partial<Query>])[] = [
  ['fields', (field) => ({ selection: [named(field)] })],
  ['filter', (field) => ({ filter: compare(field) })],
  ['negated filter', (field) => ({ filter: { kind: 'not', filter: compare(field) } })],
  ['filter in or', (field) => ({ filter: { kind: 'or', filters: [compare('title'), compare(field)] } })],
  [
    'filter function',
    (field) => ({
      filter: { ...compare(field, 'eq', ['1']), operand: { kind: 'function', function: 'year', field } } as Filter,
    }),
  ],
  ['sort', (field) => ({ sort: [{ kind: 'field', path: [], field, descending: false }] })],
  [
    'sort function',
    (field) => ({ sort: [{ kind: 'function', function: 'year', path: [], field, descending: false }] }),
  ],
  ['aggregate', (field) => ({ aggregation: { values: [{ aggregate: 'min', field, key: 'k' }], group: [] } })],
  ['group', (field) => ({ aggregation: { values: [], group: [{ kind: 'field', field, key: 'k' }] } })],
  [
    'group function',
    (field) => ({ aggregation: { values: [], group: [{ kind: 'function', function: 'year', field, key: 'k' }] } }),
  ],
  ['selected function', (field) => ({ selection: [{ kind: 'function', key: 'k', function: 'year', field }] })],
  ['distinct', (field) => ({ distinct: [field] })],
  ['one', (field) => ({ selection: [{ kind: 'one', key: 'k', field, selection: [], filter: matchAll }] })],
  ['many', (field) => ({ selection: [{ kind: 'many', key: 'k', field, query: queryOf({ collection: 'notes' }) }] })],
  ['any', (field) => ({ selection: [{ kind: 'any', key: 'k', field, options: [] }] })],
  ['related filter', (field) => ({ filter: related(field, 'people') })],
  [
    'sort path',
    (field) => ({
      sort: [{ kind: 'field', path: [{ field, collection: 'people' }], field: 'name', descending: false }],
    }),
  ],
]

const one = (selected: Selected): Partial<Query> => ({
  selection: [{ kind: 'one', key: 'k', field: 'author', selection: [selected], filter: matchAll }],
})

describe('unreadable names', () => {
  test.each(parts)(
    'a field in %s is refused the same whether it is forbidden, missing or presentational',
    (_part, at) => {
      for (const field of ['status', 'nonsense', 'divider']) {
        expect(failureOf(() => ask(limited, at(field)))).toEqual({
          kind: 'forbidden',
          denied: { action: 'read', collection: 'posts', field },
        })
      }
    },
  )

  test.each(parts)('a missing field in %s is refused for administrators and the system too', (_part, at) => {
    for (const actor of [admin, { kind: 'system' } as const]) {
      expect(failureOf(() => ask(actor, at('nonsense')))).toMatchObject({
        kind: 'forbidden',
        denied: { field: 'nonsense' },
      })
    }
  })

  test.each(['notes', 'nonsense', 'folder'])(
    'collection %s is refused alike at the root and behind relations',
    (collection) => {
      const denied = { kind: 'forbidden', denied: { action: 'read', collection } }
      expect(failureOf(() => ask(limited, { collection }))).toEqual(denied)
      expect(failureOf(() => ask(limited, { filter: related('item', collection) }))).toEqual(denied)
      expect(
        failureOf(() =>
          ask(limited, {
            selection: [
              { kind: 'any', key: 'k', field: 'item', options: [{ collection, selection: [], filter: matchAll }] },
            ],
          }),
        ),
      ).toEqual(denied)
    },
  )

  test('a one-to-many of an unreadable collection is refused as keys, as rows, counted and compared', () => {
    const selections: readonly Selected[] = [
      named('notes'),
      { kind: 'many', key: 'k', field: 'notes', query: queryOf({ collection: 'notes' }) },
      { kind: 'function', key: 'k', function: 'count', field: 'notes' },
    ]
    for (const selected of selections) {
      expect(failureOf(() => ask(limited, { selection: [selected] }))).toMatchObject({ kind: 'forbidden' })
    }
    const counted = {
      kind: 'compare',
      operand: { kind: 'function', function: 'count', field: 'notes' },
      operator: 'gt',
      values: [0],
    } as const
    expect(failureOf(() => ask(limited, { filter: counted }))).toMatchObject({ kind: 'forbidden' })
    expect(failureOf(() => ask(limited, { filter: compare('notes', 'null', []) }))).toMatchObject({ kind: 'forbidden' })
  })

  test('nested levels use their own rules', () => {
    expect(failureOf(() => ask(limited, one(named('age'))))).toEqual({
      kind: 'forbidden',
      denied: { action: 'read', collection: 'people', field: 'age' },
    })
    expect(failureOf(() => ask(limited, { filter: related('author', 'people', compare('age')) }))).toMatchObject({
      kind: 'forbidden',
    })
    const deep = { kind: 'one', key: 'k', field: 'author', selection: [], filter: compare('age') } as const
    expect(failureOf(() => ask(limited, { selection: [deep] }))).toMatchObject({ kind: 'forbidden' })
  })

  test('a relation cannot be followed to a collection that it does not lead to', () => {
    expect(failureOf(() => ask(admin, { filter: related('author', 'notes') }))).toMatchObject({ kind: 'forbidden' })
    const query = queryOf({ collection: 'people' })
    expect(
      failureOf(() => ask(admin, { selection: [{ kind: 'many', key: 'k', field: 'notes', query }] })),
    ).toMatchObject({ kind: 'forbidden' })
  })
})

describe('hidden fields', () => {
  const hidden: readonly (readonly [part: string, at: (field: string) => Partial<Query>, name: string])[] = [
    ['filter', (field) => ({ filter: compare(field) }), 'filter'],
    ['partial match', (field) => ({ filter: compare(field, 'startsWith') }), 'filter'],
    ['list', (field) => ({ filter: compare(field, 'in') }), 'filter'],
    ['sort', (field) => ({ sort: [{ kind: 'field', path: [], field, descending: false }] }), 'sort'],
    [
      'minimum',
      (field) => ({ aggregation: { values: [{ aggregate: 'min', field, key: 'k' }], group: [] } }),
      'aggregate',
    ],
    [
      'count',
      (field) => ({ aggregation: { values: [{ aggregate: 'countDistinct', field, key: 'k' }], group: [] } }),
      'aggregate',
    ],
    ['group', (field) => ({ aggregation: { values: [], group: [{ kind: 'field', field, key: 'k' }] } }), 'group'],
    ['distinct', (field) => ({ distinct: [field] }), 'distinct'],
  ]

  test.each(hidden)('a %s on a concealed or hashed field is refused for everybody', (_part, at, name) => {
    for (const field of ['secret', 'hashed']) {
      expect(failureOf(() => ask(admin, at(field)))).toMatchObject({ kind: 'invalid-query', name })
    }
  })

  test.each(['null', 'nnull', 'empty', 'nempty'])('%s is allowed on them', (operator) => {
    expect(ask(limited, { filter: compare('secret', operator, []) }).filter).toEqual(
      and(mine, compare('secret', operator, [])),
    )
  })

  test('search uses readable text, numbers and uuids, never concealed fields', () => {
    expect(ask(limited, { search: 'x' }).searchFields).toEqual([
      { field: 'id' },
      { field: 'title' },
      { field: 'author' },
      { field: 'item' },
    ])
    expect(ask(limited, { search: null }).searchFields).toBeUndefined()
  })
})

describe('types', () => {
  const wrong: readonly (readonly [what: string, changes: Partial<Query>, name: string])[] = [
    ['an operator that the type lacks', { filter: compare('views', 'contains') }, 'filter'],
    ['a comparison of JSON', { filter: compare('data') }, 'filter'],
    ['a pattern', { filter: compare('title', 'regex') }, 'filter'],
    ['a test for submission', { filter: compare('title', 'submitted', []) }, 'filter'],
    [
      'a function that the type lacks',
      { selection: [{ kind: 'function', key: 'k', function: 'year', field: 'title' }] },
      'fields',
    ],
    ['order by JSON', { sort: [{ kind: 'field', path: [], field: 'data', descending: false }] }, 'sort'],
    [
      'a sum of text',
      { aggregation: { values: [{ aggregate: 'sum', field: 'title', key: 'k' }], group: [] } },
      'aggregate',
    ],
    [
      'a sum of everything',
      { aggregation: { values: [{ aggregate: 'sum', field: null, key: 'k' }], group: [] } },
      'aggregate',
    ],
    ['groups of JSON', { aggregation: { values: [], group: [{ kind: 'field', field: 'data', key: 'k' }] } }, 'group'],
    [
      'order of groups by something else',
      {
        aggregation: { values: [], group: [{ kind: 'field', field: 'title', key: 'k' }] },
        sort: [{ kind: 'field', path: [], field: 'id', descending: false }],
      },
      'sort',
    ],
    [
      'too many levels of fields',
      {
        selection: [
          {
            kind: 'one',
            key: 'a',
            field: 'author',
            filter: matchAll,
            selection: [
              {
                kind: 'one',
                key: 'b',
                field: 'boss',
                filter: matchAll,
                selection: [{ kind: 'one', key: 'c', field: 'boss', filter: matchAll, selection: [named('id')] }],
              },
            ],
          },
        ],
      },
      'fields',
    ],
    [
      'too many levels of filters',
      { filter: related('author', 'people', related('boss', 'people', related('boss', 'people'))) },
      'filter',
    ],
    [
      'too many levels of sort',
      {
        sort: [
          {
            kind: 'field',
            field: 'id',
            descending: false,
            path: [
              { field: 'author', collection: 'people' },
              { field: 'boss', collection: 'people' },
              { field: 'boss', collection: 'people' },
            ],
          },
        ],
      },
      'sort',
    ],
  ]

  test.each(wrong)('%s is an invalid query, naming its part', (_what, changes, name) => {
    expect(failureOf(() => ask(admin, changes))).toMatchObject({ kind: 'invalid-query', name })
  })

  test('wildcards that expand too far are refused', () => {
    const nested = (depth: number): Wildcard => wildcard({ nested: depth === 0 ? null : [nested(depth - 1)] })
    const scope = scopeOf(admin)
    const deep = { ...scope, limits: { ...scope.limits, depth: 20 } }
    expect(failureOf(() => authorizeQuery(deep, queryOf({ selection: [nested(15)] })))).toMatchObject({
      kind: 'invalid-query',
      name: 'fields',
    })
  })
})
