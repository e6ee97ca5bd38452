import { afterAll, expect, test } from 'vitest'
import { is, userWith } from '../../core/testing/test-context.ts'
import { openGraphqlWorld } from '../testing/test-graphql.ts'

const world = await openGraphqlWorld()
const ask = world.ask

afterAll(() => world.close())

test('a list with aliases, fragments, variables and directives', async () => {
  const query = `
    query ($most: Int, $withBody: Boolean!) {
      first: articles(sort: ["id"], limit: $most) { ...head body @include(if: $withBody) }
      __typename
    }
    fragment head on articles { key: id kind: __typename ... on articles { title views @skip(if: true) } }`
  expect(await ask(query, { variables: { most: 1, withBody: false } })).toEqual({
    data: { first: [{ key: '1', kind: 'articles', title: 'Glaciers melt' }], __typename: 'Query' },
  })
})

test('relations of every kind in one statement', async () => {
  world.statements.length = 0
  const query = `{
    articles(sort: ["id"], limit: 1) {
      author { name mentor { name } region { __typename name } }
      comments(sort: ["-id"], limit: 2, filter: { approved: { _eq: true } }) { id author { name } }
      tags { tag { name articles_func { count } } }
      date_created_func { year m: month __typename }
    }
    pages_by_id(id: 1) { blocks { id item { __typename ... on headings { text } ... on paragraphs { words: text } } } }
  }`
  expect(await ask(query)).toEqual({
    data: {
      articles: [
        {
          author: { name: 'Ann', mentor: null, region: { __typename: 'regions', name: 'North' } },
          comments: [
            { id: '3', author: null },
            { id: '1', author: { name: 'Bob' } },
          ],
          tags: [
            { tag: { name: 'ice', articles_func: { count: 2 } } },
            { tag: { name: 'sea', articles_func: { count: 1 } } },
          ],
          date_created_func: { year: 2024, m: 1, __typename: 'datetime_functions' },
        },
      ],
      pages_by_id: {
        blocks: [
          { id: '1', item: { __typename: 'headings', text: 'Welcome' } },
          { id: '2', item: { __typename: 'paragraphs', words: 'Once upon a time' } },
          { id: '3', item: { __typename: 'headings', text: 'Goodbye' } },
          { id: '4', item: null },
        ],
      },
    },
  })
  expect(world.statements.length).toBe(2)
})

test('values of every type', async () => {
  const query = `{ articles_by_id(id: "1") {
    id views reads rating price published_on published_at embargo date_created metadata options keywords token payload featured
  } }`
  expect(await ask(query)).toEqual({
    data: {
      articles_by_id: {
        id: '1',
        views: 120,
        reads: '9007199254740993',
        rating: 4.5,
        price: 12.5,
        published_on: '2024-01-31',
        published_at: '08:30:00',
        embargo: '2024-02-01T09:00:00',
        date_created: '2024-01-30T10:15:30.123Z',
        metadata: { pages: 3, tags: ['ice', 'sea'] },
        options: { a: [1, 2] },
        keywords: ['ice', 'water'],
        token: '33333333-3333-4333-8333-333333333333',
        payload: 'aGkK',
        featured: true,
      },
    },
  })
})

test('filters reach through relations, functions and collections of a many-to-any', async () => {
  const idsOf = async (filter: string): Promise<readonly string[]> => {
    const { data } = await ask(`{ articles(sort: ["id"], filter: ${filter}) { id } }`)
    const { articles } = data as { readonly articles: readonly { readonly id: string }[] }
    return articles.map(({ id }) => id)
  }
  expect(await idsOf('{ author: { name: { _starts_with: "A" } } }')).toEqual(['1', '3'])
  expect(await idsOf('{ author: { id: { _null: true } } }')).toEqual(['5'])
  expect(await idsOf('{ date_created_func: { year: { _eq: 1999 } } }')).toEqual(['4'])
  expect(await idsOf('{ comments_func: { count: { _gt: 1 } } }')).toEqual(['1'])
  expect(await idsOf('{ comments: { _none: { approved: { _eq: true } } } }')).toEqual(['3', '4'])
  expect(await idsOf('{ _or: [{ views: { _between: [100, 200] } }, { title: { _eq: "Cup final" } }] }')).toEqual([
    '1',
    '2',
  ])
  expect(await ask('{ pages_blocks(filter: { item__headings: { text: { _eq: "Goodbye" } } }) { id } }')).toEqual({
    data: { pages_blocks: [{ id: '3' }] },
  })
})

test('groups in the requested form', async () => {
  const query = `{
    articles_aggregated(groupBy: ["author", "year(date_created)"], sort: ["-countAll", "author"], limit: 2) {
      __typename
      which: group
      n: countAll
      countDistinct { status }
      sum { views price }
      max { reads id }
    }
    all: articles_aggregated { count { _all body } group }
  }`
  expect(await ask(query)).toEqual({
    data: {
      articles_aggregated: [
        {
          __typename: 'articles_aggregated',
          which: { author: 1, date_created_year: 2024 },
          n: 2,
          countDistinct: { status: 2 },
          sum: { views: 120, price: 12.5 },
          max: { reads: '9007199254740993', id: 3 },
        },
        {
          __typename: 'articles_aggregated',
          which: { author: 2, date_created_year: 2024 },
          n: 1,
          countDistinct: { status: 1 },
          sum: { views: 300, price: 0.1 },
          max: { reads: 12, id: 2 },
        },
      ],
      all: [{ count: { _all: 5, body: 4 }, group: null }],
    },
  })
})

test('a singleton, with and without its row', async () => {
  expect(await ask('{ homepage { id headline featured_article { title } } }')).toEqual({
    data: { homepage: { id: '1', headline: 'Hello', featured_article: { title: 'Glaciers melt' } } },
  })
})

test('writes return the written items, nested ones included', async () => {
  const created = await ask(
    `mutation ($data: create_authors_input!) {
      create_authors_item(data: $data) { id name articles { title } }
      other: create_authors_items(data: [{ name: "Gus" }, { name: "Hal" }], sort: ["-name"]) { name }
    }`,
    { variables: { data: { name: 'Fay', articles: [{ title: 'Hers' }] } } },
  )
  expect(created).toEqual({
    data: {
      create_authors_item: { id: '101', name: 'Fay', articles: [{ title: 'Hers' }] },
      other: [{ name: 'Hal' }, { name: 'Gus' }],
    },
  })
  const changed = await ask(`mutation {
    update_authors_item(id: 101, data: { name: "Faye" }) { name }
    update_authors_items(ids: [102, 103], data: { age: 5 }, sort: ["id"]) { id age }
    update_authors_batch(data: [{ id: 102, age: 6 }, { id: 103, age: 7 }], sort: ["id"]) { age }
    update_homepage(data: { headline: "Hi" }) { headline }
  }`)
  expect(changed).toEqual({
    data: {
      update_authors_item: { name: 'Faye' },
      update_authors_items: [
        { id: '102', age: 5 },
        { id: '103', age: 5 },
      ],
      update_authors_batch: [{ age: 6 }, { age: 7 }],
      update_homepage: { headline: 'Hi' },
    },
  })
  expect(
    await ask(`mutation { delete_authors_item(id: 101) { id } delete_authors_items(ids: [102, 103]) { ids } }`),
  ).toEqual({ data: { delete_authors_item: { id: '101' }, delete_authors_items: { ids: ['102', '103'] } } })
  expect(await world.rowsOf('select count(*)::int as n from authors')).toEqual([{ n: 4 }])
})

test('a failed field gets an error with the REST code, and the others return data', async () => {
  const answer = await ask(`{ a: articles_by_id(id: 999) { id } b: articles_by_id(id: 1) { id } }`)
  expect(answer.data).toEqual({ a: null, b: { id: '1' } })
  expect(answer.errors).toMatchObject([
    { path: ['a'], locations: [{ line: 1, column: 3 }], extensions: { code: 'FORBIDDEN' } },
  ])
  const refused = await ask('{ articles(sort: ["nowhere"]) { id } }')
  expect(refused).toMatchObject({ data: null, errors: [{ path: ['articles'], extensions: { code: 'FORBIDDEN' } }] })
})

test('mutations run in order and independently', async () => {
  const answer = await ask(`mutation {
    one: create_tags_item(data: { name: "one" }) { name }
    two: create_tags_item(data: { name: "one" }) { name }
    three: delete_tags_item(id: "one") { id }
  }`)
  expect(answer.data).toEqual({ one: { name: 'one' }, two: null, three: { id: 'one' } })
  expect(answer.errors).toMatchObject([{ path: ['two'], extensions: { code: 'RECORD_NOT_UNIQUE' } }])
})

test('unreadable names are absent, also from hints', async () => {
  const rules = [
    { collection: 'articles', fields: ['id', 'title', 'author'], filter: is('status', 'published') },
    { collection: 'comments', action: 'create', fields: ['body', 'article'] },
  ] as const
  const actor = userWith(rules, { fingerprint: 'reader' })
  expect(await ask('{ articles(sort: ["id"]) { id title author } }', { actor })).toEqual({
    data: {
      articles: [
        { id: '1', title: 'Glaciers melt', author: 1 },
        { id: '2', title: 'Cup final', author: 2 },
        { id: '5', title: 'Nobody wrote this', author: null },
      ],
    },
  })
  for (const query of [
    '{ articles { status } }',
    '{ authors { id } }',
    'mutation { delete_articles_item(id: 1) { id } }',
  ]) {
    const { errors } = await ask(query, { actor })
    expect(errors).toMatchObject([{ message: 'GraphQL validation error.', extensions: { code: 'GRAPHQL_VALIDATION' } }])
    expect(JSON.stringify(errors)).not.toMatch(/did you mean/i)
  }
  const types = await ask('{ __schema { types { name } } }', { actor })
  expect(JSON.stringify(types)).not.toMatch(/authors|status|homepage/)
  expect(await ask('mutation { create_comments_item(data: { body: "x", article: "2" }) }', { actor })).toEqual({
    data: { create_comments_item: true },
  })
})

test('a caller without permissions still has a schema', async () => {
  expect(await ask('{ _empty __typename }', { actor: userWith([], { fingerprint: 'nobody' }) })).toEqual({
    data: { _empty: null, __typename: 'Query' },
  })
})

test('a mutation of a caller who may change nothing is refused like a document that does not fit', async () => {
  const actor = userWith([{ collection: 'articles' }], { fingerprint: 'looks' })
  expect(await ask('mutation { delete_articles_item(id: 1) { id } }', { actor })).toMatchObject({
    errors: [{ extensions: { code: 'GRAPHQL_VALIDATION' } }],
  })
})
