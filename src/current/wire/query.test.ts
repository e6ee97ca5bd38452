import { expect, test } from 'vitest'
import { usualBounds } from '../../domain/conditions/query-cost.ts'
import type { Query } from '../../domain/query/query.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { caught } from '../../domain/testing/test-failures.ts'
import { testSchema } from '../../domain/testing/test-schema.ts'
import { createView } from '../views/schema-view.ts'
import type { ParseScope } from './parse-scope.ts'
import { parseQuery } from './query.ts'

const scope: ParseScope = {
  schema: testSchema,
  view: createView(testSchema),
  limits: { queryDefault: 100, queryMax: null, depth: 4, batch: null, cost: usualBounds },
}

const limited: ParseScope = { ...scope, limits: { ...scope.limits, queryMax: 50 } }

const parse = (input: { readonly [name: string]: unknown }, at: ParseScope = scope): Query =>
  parseQuery(input, 'articles', at)

const star = { kind: 'wildcard', aliases: true, except: [], nested: null }
const all = { kind: 'all' }
const field = (name: string, key = name): object => ({ kind: 'field', key, field: name })
const ascending = { descending: false, kind: 'field', path: [] }
const eq = (name: string, value: unknown): object => ({
  kind: 'compare',
  operand: { kind: 'field', field: name },
  operator: 'eq',
  values: [value],
})
const plain = {
  filter: all,
  search: null,
  sort: [],
  page: { limit: 100, offset: 0 },
  aggregation: null,
  archive: all,
  counts: [],
}
const many = (key: string, selection: readonly object[], more: object = {}, asKeys = false): object => ({
  kind: 'many',
  key,
  field: 'sections',
  query: { ...plain, collection: 'sections', selection, ...more },
  ...(asKeys ? { asKeys } : {}),
})
const one = (selection: readonly object[], filter: object = all, key = 'author'): object => ({
  kind: 'one',
  key,
  field: 'author',
  selection,
  filter,
})
const any = (selection: readonly object[], filter: object = all): object => ({
  kind: 'any',
  key: 'item',
  field: 'item',
  options: [{ collection: 'headings', selection, filter }],
})

test('no parameters select all fields of the first items', () => {
  expect(parse({})).toEqual({ ...plain, collection: 'articles', selection: [star] })
})

const selections: readonly (readonly [name: string, input: object, selection: readonly unknown[]])[] = [
  ['no fields', { fields: [] }, [star]],
  ['empty text', { fields: '' }, [star]],
  ['text with commas', { fields: 'id, title' }, [field('id'), field('title')]],
  ['a list with commas in it', { fields: ['id', 'title,views'] }, [field('id'), field('title'), field('views')]],
  ['a list as an object', { fields: { 0: 'id', 1: 'title' } }, [field('id'), field('title')]],
  ['a relation by its bare name', { fields: 'author,sections' }, [field('author'), field('sections')]],
  ['fields of a many-to-one', { fields: 'author.name,author.id' }, [one([field('name'), field('id')])]],
  ['deeper fields', { fields: 'author.boss.name' }, [one([{ ...one([field('name')]), key: 'boss', field: 'boss' }])]],
  ['fields of a to-many', { fields: 'sections.id' }, [many('sections', [field('id')])]],
  ['wildcards first, so that names replace them', { fields: 'author.name,*' }, [star, one([field('name')])]],
  ['a wildcard inside a relation', { fields: 'author.*' }, [one([star])]],
  ['nested wildcards', { fields: '*.*' }, [{ ...star, nested: [star] }]],
  ['three wildcards', { fields: '*.*.*' }, [{ ...star, nested: [{ ...star, nested: [star] }] }]],
  ['a name inside a wildcard', { fields: '*.id' }, [{ ...star, nested: [field('id')] }]],
  [
    'a relation named beside nested wildcards gets both',
    { fields: '*.*,author.name' },
    [{ ...star, nested: [star] }, one([star, field('name')])],
  ],
  [
    'deep speaks to what a wildcard reaches',
    { fields: '*.*', deep: { sections: { _limit: 2 } } },
    [{ ...star, nested: [star] }, many('sections', [star], { page: { limit: 2, offset: 0 } })],
  ],
  ['a function', { fields: 'year(day)' }, [{ kind: 'function', key: 'day_year', function: 'year', field: 'day' }]],
  [
    'a count',
    { fields: 'count(sections)' },
    [{ kind: 'function', key: 'sections_count', function: 'count', field: 'sections' }],
  ],
  ['a many-to-any by scope', { fields: 'sections.item:headings.title' }, [many('sections', [any([field('title')])])]],
  ['a many-to-any without scope', { fields: 'sections.item.title' }, [many('sections', [any([field('title')])])]],
  [
    'a many-to-any in two ways is one field',
    { fields: 'sections.item.id,sections.item:headings.title' },
    [many('sections', [any([field('id'), field('title')])])],
  ],
  [
    'the keys of a list as deep asks for them',
    { fields: '*,sections', deep: { sections: { _limit: 1 } } },
    [star, many('sections', [{ kind: 'row-key', key: '$key' }], { page: { limit: 1, offset: 0 } }, true)],
  ],
  [
    'the same without its name',
    { deep: { sections: { _limit: 1 } } },
    [star, many('sections', [{ kind: 'row-key', key: '$key' }], { page: { limit: 1, offset: 0 } }, true)],
  ],
  ['an alias', { fields: 'headline', alias: { headline: 'title' } }, [field('title', 'headline')]],
  ['an alias as JSON text', { fields: 'headline', alias: '{"headline":"title"}' }, [field('title', 'headline')]],
  [
    'a relation twice by alias',
    { fields: 'author.id,writer.name', alias: { writer: 'author' } },
    [one([field('id')]), one([field('name')], all, 'writer')],
  ],
  [
    'an alias below a relation',
    { fields: 'author.label', deep: { author: { _alias: { label: 'name' } } } },
    [one([field('name', 'label')])],
  ],
  [
    'a filter of a many-to-one',
    { fields: 'author.name', deep: { author: { _filter: { name: 'Ann' } } } },
    [one([field('name')], eq('name', 'Ann'))],
  ],
  [
    'a filter of a many-to-any',
    { fields: 'sections.item:headings.title', deep: { sections: { 'item:headings': { _filter: { title: 'a' } } } } },
    [many('sections', [any([field('title')], eq('title', 'a'))])],
  ],
  [
    'every parameter of a to-many',
    {
      fields: 'sections.id',
      deep: '{"sections":{"_filter":{"id":1},"_sort":"-id","_limit":3,"_page":2,"_search":"x"}}',
    },
    [
      many('sections', [field('id')], {
        filter: eq('id', 1),
        sort: [{ ...ascending, descending: true, field: 'id' }],
        page: { limit: 3, offset: 3 },
        search: 'x',
      }),
    ],
  ],
]

test.each(selections)('fields: %s', (_name, input, selection) => {
  expect(parse({ ...input }).selection).toEqual(selection)
})

const sorts: readonly (readonly [sort: unknown, keys: readonly unknown[]])[] = [
  [
    'title,-views',
    [
      { ...ascending, field: 'title' },
      { ...ascending, descending: true, field: 'views' },
    ],
  ],
  [['title'], [{ ...ascending, field: 'title' }]],
  ['author.name', [{ ...ascending, path: [{ field: 'author', collection: 'authors' }], field: 'name' }]],
  ['-year(day)', [{ descending: true, kind: 'function', path: [], function: 'year', field: 'day' }]],
  [
    '-sections.item:headings.title',
    [
      {
        ...ascending,
        descending: true,
        path: [
          { field: 'sections', collection: 'sections' },
          { field: 'item', collection: 'headings' },
        ],
        field: 'title',
      },
    ],
  ],
]

test('sort by the new name of a field or function', () => {
  const alias = { headline: 'title', at: 'year(day)' }
  expect(parse({ sort: '-headline,at', alias }).sort).toEqual(parse({ sort: '-title,year(day)' }).sort)
  const sorted = (_sort: string) =>
    parse({ fields: 'sections.id', deep: { sections: { _sort, _alias: { number: 'id' } } } }).selection
  expect(sorted('-number')).toEqual(sorted('-id'))
})

test.each(sorts)('sort: %j', (sort, keys) => {
  expect(parse({ sort }).sort).toEqual(keys)
})

const pages: readonly (readonly [input: object, page: object, limitedPage: object | null])[] = [
  [{}, { limit: 100, offset: 0 }, { limit: 50, offset: 0 }],
  [{ limit: 3 }, { limit: 3, offset: 0 }, { limit: 3, offset: 0 }],
  [{ limit: '3' }, { limit: 3, offset: 0 }, { limit: 3, offset: 0 }],
  [{ limit: 0 }, { limit: 0, offset: 0 }, { limit: 0, offset: 0 }],
  [{ limit: -1 }, { limit: null, offset: 0 }, { limit: 50, offset: 0 }],
  [{ limit: 51 }, { limit: 51, offset: 0 }, null],
  [
    { limit: 10, offset: 5 },
    { limit: 10, offset: 5 },
    { limit: 10, offset: 5 },
  ],
  [
    { limit: 10, page: 3 },
    { limit: 10, offset: 20 },
    { limit: 10, offset: 20 },
  ],
  [
    { limit: 10, page: 3, offset: 5 },
    { limit: 10, offset: 20 },
    { limit: 10, offset: 20 },
  ],
  [
    { limit: 10, page: 0, offset: 5 },
    { limit: 10, offset: 5 },
    { limit: 10, offset: 5 },
  ],
  [
    { limit: -1, page: 3 },
    { limit: null, offset: 0 },
    { limit: 50, offset: 0 },
  ],
]

test.each(pages)('page: %j', (input, page, limitedPage) => {
  expect(parse({ ...input }).page).toEqual(page)
  if (limitedPage === null) expect(() => parse({ ...input }, limited)).toThrow(TandemError)
  else expect(parse({ ...input }, limited).page).toEqual(limitedPage)
})

test('filter: brackets and JSON text are equivalent', () => {
  expect(parse({ filter: { title: { _eq: 'a' } } }).filter).toEqual(eq('title', 'a'))
  expect(parse({ filter: '{"title":{"_eq":"a"}}' }).filter).toEqual(eq('title', 'a'))
})

test('search: empty text is ignored', () => {
  expect([parse({ search: 'a' }).search, parse({ search: '' }).search]).toEqual(['a', null])
})

test('meta: words and the star', () => {
  expect(parse({ meta: '*' }).counts).toEqual(['total', 'filtered'])
  expect(parse({ meta: 'filter_count,total_count' }).counts).toEqual(['filtered', 'total'])
  expect(parse({ meta: ['total_count', '*'] }).counts).toEqual(['total', 'filtered'])
})

test('aggregate: values and groups replace the fields and are ordered by the first group', () => {
  const query = parse({ fields: 'id', aggregate: { count: '*', sum: 'views,price' }, groupBy: 'year(day),live' })
  expect(query.selection).toEqual([])
  expect(query.aggregation).toEqual({
    values: [
      { aggregate: 'count', field: null, key: '*' },
      { aggregate: 'sum', field: 'views', key: 'views' },
      { aggregate: 'sum', field: 'price', key: 'price' },
    ],
    group: [
      { kind: 'function', key: 'day_year', function: 'year', field: 'day' },
      { kind: 'field', key: 'live', field: 'live' },
    ],
  })
  expect(query.sort).toEqual([{ descending: false, kind: 'function', path: [], function: 'year', field: 'day' }])
})

test('aggregate: order by values, JSON text, groups alone', () => {
  expect(parse({ aggregate: '{"count":"id"}', sort: '-count' }).sort).toEqual([
    { descending: true, kind: 'aggregate', aggregate: 'count', field: 'id' },
  ])
  expect(parse({ aggregate: { count: ['id', 'title'] }, sort: 'count.title' }).sort).toEqual([
    { descending: false, kind: 'aggregate', aggregate: 'count', field: 'title' },
  ])
  expect(parse({ groupBy: ['title'] }).aggregation).toEqual({
    values: [],
    group: [{ kind: 'field', key: 'title', field: 'title' }],
  })
})

test('equal parameters give the same cached query', () => {
  expect(parse({ fields: 'id' })).toBe(parse({ fields: 'id' }))
  expect(parse({ fields: 'id' })).not.toBe(parse({ fields: 'id' }, limited))
})

const refused: readonly (readonly [input: object, name: string, reason: string])[] = [
  [{ fields: 5 }, 'fields', 'Expected a comma-separated text or a list for "fields" but received 5'],
  [{ fields: [5] }, 'fields', 'Expected a list of texts for "fields" but received 5'],
  [
    { fields: 'author.boss.boss.boss.name' },
    'fields',
    'Expected at most 4 names in a path for "fields" but received "author.boss.boss.boss.name"',
  ],
  [{ fields: 'upper(title)' }, 'fields', 'Expected a function of fields for "fields" but received "upper"'],
  [
    { fields: '*.author.name' },
    'fields',
    'Expected no path through a name behind a wildcard for "fields" but received "*.author.name"',
  ],
  [{ alias: { 'a.b': 'title' } }, 'alias.a.b', 'Expected names without dots for "alias.a.b" but received "title"'],
  ...['\ud800', 'a\0'].map((name): [object, string, string] => [
    { alias: { [name]: 'title' } },
    'alias',
    `Expected names without NUL characters and lone surrogates for "alias" but received ${JSON.stringify(name)}`,
  ]),
  [{ alias: { a: 5 } }, 'alias.a', 'Expected the name of a field for "alias.a" but received 5'],
  [{ alias: 'x' }, 'alias', 'Expected an object or JSON text for "alias" but received "x"'],
  [
    { fields: 'sections.id', deep: { sections: { _fields: 'x' } } },
    'deep.sections',
    'Expected one of _filter, _sort, _limit, _offset, _page, _cursor, _search, _aggregate, _groupBy, _alias or a field for "deep.sections" but received "_fields"',
  ],
  [
    { fields: 'sections.id', deep: { sections: { _limit: 'x' } } },
    'deep.sections._limit',
    'Expected an integer not below -1 for "deep.sections._limit" but received "x"',
  ],
  [
    { fields: 'sections.id', deep: { sections: { _filter: { id: { _nope: 1 } } } } },
    'deep.sections._filter.id._nope',
    'Expected a filter operator but received "_nope"',
  ],
  [
    { fields: 'author.name', deep: { author: { _search: 'x' } } },
    'deep.author._search',
    'Expected nothing, because it leads to one item, for "deep.author._search" but received "x"',
  ],
  [{ deep: '[]' }, 'deep', 'Expected an object for "deep" but received "[]"'],
  [{ filter: '{' }, 'filter', 'Expected an object or JSON text for "filter" but received "{"'],
  [{ filter: { id: { _eq: 'x' } } }, 'filter.id._eq', 'Expected an integer but received "x"'],
  [
    { filter: { author: { boss: { boss: { boss: { name: 'x' } } } } } },
    'filter.author.boss.boss.boss',
    'Expected at most 4 names in a path',
  ],
  [{ search: ['a'] }, 'search', 'Expected a text for "search" but received a list'],
  [
    { search: 'a\0' },
    'search',
    'Expected a text without NUL characters and lone surrogates for "search" but received "a\\u0000"',
  ],
  [
    { sort: 'sections.item.title' },
    'sort',
    'Expected a collection for "item", as in "item:collection" for "sort" but received "item"',
  ],
  [{ sort: 'lower(title)' }, 'sort', 'Expected a function of fields for "sort" but received "lower"'],
  [{ limit: -2 }, 'limit', 'Expected an integer not below -1 for "limit" but received -2'],
  [{ limit: 1.5 }, 'limit', 'Expected an integer not below -1 for "limit" but received 1.5'],
  [{ offset: -1 }, 'offset', 'Expected an integer not below 0 for "offset" but received -1'],
  [{ page: 'x' }, 'page', 'Expected an integer not below 0 for "page" but received "x"'],
  [{ page: Number.MAX_SAFE_INTEGER }, 'page', 'Expected a page within reach for "page" but received 9007199254740991'],
  [
    { meta: 'pages' },
    'meta',
    'Expected *, total_count, filter_count or estimated_count for "meta" but received "pages"',
  ],
  [
    { aggregate: { median: 'views' } },
    'aggregate',
    'Expected one of count, countDistinct, countAll, sum, sumDistinct, avg, avgDistinct, min, max for "aggregate" but received "median"',
  ],
  [{ aggregate: { sum: '' } }, 'aggregate.sum', 'Expected a field or * for "aggregate.sum" but received ""'],
  [{ aggregate: { count: '*,id' } }, 'aggregate.count', 'Expected * alone for "aggregate.count" but received "*,id"'],
  [{ groupBy: 'x(day)' }, 'groupBy', 'Expected a function of fields for "groupBy" but received "x"'],
]

test.each(refused)('refuses %j', (input, name, reason) => {
  expect(caught(() => parse({ ...input })).failures).toEqual([{ kind: 'invalid-query', name, reason }])
})

const unknown: readonly object[] = [
  { fields: 'nope' },
  { fields: 'count(nope)' },
  { fields: 'x', alias: { x: 'nope' } },
  { filter: { nope: 1 } },
  { sort: 'nope' },
  { aggregate: { count: 'nope' } },
  { groupBy: 'nope' },
]

test.each(unknown)('a missing field is not found: %j', (input) => {
  expect(caught(() => parse({ ...input })).failures).toEqual([
    { kind: 'field-not-found', collection: 'articles', field: 'nope' },
  ])
})

test('a path through a field that is not a relation', () => {
  const failure = [{ kind: 'not-relational', collection: 'articles', field: 'title' }]
  expect(caught(() => parse({ fields: 'title.length' })).failures).toEqual(failure)
  expect(caught(() => parse({ fields: 'id,title,title.length' })).failures).toEqual(failure)
  expect(caught(() => parse({ sort: 'title.length' })).failures).toEqual(failure)
})
