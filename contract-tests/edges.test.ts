/** Requests of extreme size: each is rejected by a message that names the excess, or is served, in limited time. */
import { afterAll, describe, expect, test } from 'vitest'
import { send } from './send.ts'
import { openWorld } from './world.ts'

const world = await openWorld({ MAX_PAYLOAD_SIZE: '10mb' })
afterAll(() => world.close())

type RequestOptions = { readonly method?: string; readonly body?: string; readonly headers?: HeadersInit }

const ask = (path: string, { method = 'GET', body, headers }: RequestOptions = {}) =>
  send(world.url, `${method} ${path}`, { body, headers, token: world.tokens.admin })

const many = <T>(length: number, make: (at: number) => T): readonly T[] => Array.from({ length }, (_, at) => make(at))
const keyed = (length: number, value: unknown) => Object.fromEntries(many(length, (at) => [`k${at}`, value]))
const towers = (levels: number, key: string, top: unknown): string =>
  `${`{"${key}":`.repeat(levels)}${JSON.stringify(top)}${'}'.repeat(levels)}`

test('headers that history notes are cut, and do not refuse the write', async () => {
  const headers = { origin: `http://${'a'.repeat(5000)}.example`, 'user-agent': 'b'.repeat(5000) }
  expect((await ask('/items/tags', { method: 'POST', body: '{"name":"noted"}', headers })).status).toBe(200)
  const { text } = await ask('/activity?sort=-id&limit=1&fields=origin,user_agent')
  expect(JSON.parse(text)).toEqual({ data: [{ origin: headers.origin.slice(0, 255), user_agent: 'b'.repeat(1000) }] })
})

describe('a query', () => {
  const refused: readonly (readonly [string, object, string])[] = [
    ['100,000 values', { filter: { id: { _in: many(100_000, (at) => at) } } }, '10000 values'],
    ['70,000 conditions', { filter: { _or: many(70_000, (at) => ({ views: { _eq: at } })) } }, '1000 conditions'],
    [
      '101 conditions on related items',
      { filter: { _or: many(101, () => ({ author: { name: { _eq: 'Ann' } } })) } },
      '100 conditions on related items',
    ],
    [
      '101 conditions on items of a list',
      { filter: { _or: many(101, () => ({ comments: { _some: { text: 'a' } } })) } },
      '100 conditions on related items',
    ],
    ['100,000 fields', { fields: many(100_000, () => 'id') }, '1000 items for \\"fields\\"'],
    [
      'a path of 2,000 names',
      { fields: many(200, () => 'author.articles').join('.') },
      '10 names in a path for \\"fields\\"',
    ],
    [
      'a path that visits the same list three times',
      { fields: 'author.articles.author.articles.author.articles.id' },
      'at most 2 times (QUERY_MAX_REPEATS)',
    ],
    [
      'lists in lists in lists behind single items',
      {
        fields: 'author.articles.comments.article.author.articles.comments.id',
        deep: { author: { articles: { _limit: 100_000, comments: { _limit: 100_000 } } } },
      },
      '5,000,000,000 rows (QUERY_MAX_ROWS)',
    ],
    ['51 sorts', { sort: many(51, () => 'id') }, '50 fields for \\"sort\\"'],
    ['a long path to sort by', { sort: many(20, () => 'author').join('.') }, '10 names in a path for \\"sort\\"'],
    ['100,000 groups', { groupBy: many(100_000, () => 'id') }, '1000 items for \\"groupBy\\"'],
    ['1,001 aliases', { alias: keyed(1001, 'title') }, '1000 names for \\"alias\\"'],
    ['an unknown word in deep', { fields: 'author.id', deep: { author: { _nothing: 1 } } }, 'for \\"deep.author\\"'],
    ['a search of a million characters', { search: 'x'.repeat(1_000_000) }, '1000 characters for \\"search\\"'],
    ['text that is not JSON', { filter: '{"id":' }, '\\"filter\\"'],
    ['JSON text of a list', { deep: '[]' }, '\\"deep\\"'],
    ['a limit without end', { limit: 1e15 }, '\\"limit\\"'],
    ['a page out of reach', { page: 2_147_483_647, limit: 2_147_483_647 }, '\\"page\\"'],
  ]
  test.each(refused)('with %s is refused', async (_name, query, reason) => {
    const answer = await ask('/items/articles', { method: 'SEARCH', body: JSON.stringify({ query }) })
    expect(answer.status).toBe(400)
    expect(answer.text).toContain(reason)
  })

  const served: readonly (readonly [string, object])[] = [
    [
      'objects as JSON text beside nulls',
      {
        filter: '{"id":{"_nnull":true}}',
        aggregate: '{"count":"*"}',
        groupBy: ['status'],
        deep: '{}',
        search: null,
        limit: null,
        fields: null,
      },
    ],
    ['1,000 conditions', { filter: { _or: many(1000, (at) => ({ views: { _eq: at } })) } }],
    [
      '10,000 values in each of many conditions',
      { filter: { _or: many(50, () => ({ id: { _in: many(10_000, (at) => at) } })) } },
    ],
    ['100 conditions on related items', { filter: { _or: many(100, () => ({ author: { name: { _eq: 'Ann' } } })) } }],
    ['a pattern of nothing but wildcards', { filter: { title: { _contains: '%'.repeat(100_000) } } }],
    ['an offset beyond all rows', { offset: 9_007_199_254_740_991 }],
    ['one group named often', { groupBy: many(60, () => 'status'), aggregate: { count: '*' } }],
  ]
  test.each(served)('with %s is served', async (_name, query) => {
    const answer = await ask('/items/articles', { method: 'SEARCH', body: JSON.stringify({ query }) })
    expect(answer.status, answer.text.slice(0, 300)).toBe(200)
  })

  test('that is nested too deeply is rejected', async () => {
    const filters = [
      towers(5000, 'author', { id: 1 }),
      `${'{"author":{"articles":'.repeat(6)}{"id":1}${'}}'.repeat(6)}`,
    ]
    for (const filter of filters) {
      const answer = await ask('/items/articles', { method: 'SEARCH', body: `{"query":{"filter":${filter}}}` })
      expect(answer.status).toBe(400)
    }
  })
})

describe('fields that cost too much', () => {
  const fields = 'article.comments.article.comments.article.comments.id'
  const generations = [
    ['current', ''],
    ['legacy', '/_'],
  ] as const
  test.each(generations)(
    'are refused by the %s generation, in writes before anything is written',
    async (_name, root) => {
      const count = async () => (await ask(`${root}/items/comments?fields=id&limit=-1`)).text
      const before = await count()
      const path = `${root}/items/comments?fields=${fields}`
      for (const init of [{}, { method: 'POST', body: '{"article":1,"text":"not to be written"}' }]) {
        const answer = await ask(path, init)
        expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('QUERY_MAX_REPEATS')])
      }
      expect(await count()).toBe(before)
    },
  )
})

describe('a body', () => {
  const refused: readonly (readonly [string, string, string])[] = [
    ['10,000 lists in each other', `${'['.repeat(10_000)}${']'.repeat(10_000)}`, '100 levels'],
    ['100,000 fields', JSON.stringify(keyed(100_000, 1)), '10000 fields'],
    [
      'items in items, 16 levels deep',
      `${'{"title":"x","author":{"name":"x","articles":['.repeat(8)}${']}}'.repeat(8)}`,
      'at most 10 levels of related items',
    ],
  ]
  test.each(refused)('with %s is refused', async (_name, body, reason) => {
    const answer = await ask('/items/articles', { method: 'POST', body })
    expect(answer.status).toBe(400)
    expect(answer.text).toContain(reason)
  })

  test('with more values than a statement has parameters is written whole', async () => {
    // History rows of the world have high keys, which must not collide with new ones.
    const untraced = JSON.stringify({ meta: { accountability: null } })
    expect((await ask('/collections/articles', { method: 'PATCH', body: untraced })).status).toBe(200)
    const items = many(10_000, (at) => ({
      title: `t${at}`,
      views: at,
      featured: false,
      status: 'draft',
      body: null,
      code: null,
      published: null,
    }))
    const created = await ask('/items/articles?fields=id', { method: 'POST', body: JSON.stringify(items) })
    expect(created.status, created.text.slice(0, 300)).toBe(200)
    const keys = (JSON.parse(created.text) as { data: readonly { id: number }[] }).data.map(({ id }) => id)
    expect(keys).toHaveLength(10_000)
    const body = JSON.stringify(keys)
    expect((await ask('/items/articles', { method: 'DELETE', body })).status).toBe(204)
    expect((await ask('/items/articles', { method: 'DELETE', body })).status).toBe(403)
  })
})

describe('text that databases cannot store, or that appears in headers,', () => {
  const nul = 'a\0b@example.com'
  const file = '00000000-0000-4000-8000-0000000000f7'
  const refused: readonly (readonly [string, string, string, object | null])[] = [
    ['email', 'POST', '/auth/login', { email: nul, password: 'x' }],
    ['email', 'POST', '/auth/password/request', { email: nul }],
    ['email', 'POST', '/auth/password/request', { email: 'a\ud800b@example.com' }],
    ['email', 'POST', '/users/invite', { email: nul, role: '00000000-0000-4000-8000-0000000000f2' }],
    ['email', 'POST', '/_/auth/password/request', { email: nul }],
    ['last_page', 'PATCH', '/users/me/track/page', { last_page: '/\0' }],
    ['version', 'GET', '/items/articles/1?version=a%00b', null],
    ['comment', 'PATCH', '/_/items/articles/1?comment=a%00b', { title: 'x' }],
    ['filename_download', 'PATCH', `/files/${file}`, { filename_download: 'a\r\nb.txt' }],
    ['filename_download', 'PATCH', '/files', { keys: [file], data: { filename_download: 'a\u0007b.txt' } }],
    ['filename_download', 'PATCH', '/_/files/907', { filename_download: 'a\nb.txt' }],
    ['filename_download', 'PATCH', '/_/files', [{ id: 907, filename_download: 'a\nb.txt' }]],
    ['filename_download', 'POST', '/_/files', { data: 'aGVsbG8=', filename_download: 'a\nb.txt' }],
  ]
  test.each(refused)('is refused as "%s" of %s %s', async (name, method, path, body) => {
    const answer = await ask(path, { method, ...(body === null ? {} : { body: JSON.stringify(body) }) })
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(`\\"${name}\\"`)])
  })
})

describe('a line of a request', () => {
  const refused: readonly (readonly [string, string, number])[] = [
    ['33,000 characters', `/items/articles?fields=${'a'.repeat(33_000)}`, 400],
    ['70,000 characters', `/items/articles?fields=${'a'.repeat(70_000)}`, 431],
    ['1,001 parameters', `/items/articles?${many(1001, (at) => `p${at}=1`).join('&')}`, 400],
    ['500 brackets', `/items/articles?filter${'[a]'.repeat(500)}=1`, 400],
    ['600 elements', `/items/articles?${many(600, () => 'fields[]=id').join('&')}`, 400],
    ['a place far out in a list', '/items/articles?filter[id][_in][99999999]=1', 400],
    ['a long key', `/items/articles/${'9'.repeat(300)}`, 400],
    ['a long name', `/items/${'a'.repeat(3000)}`, 400],
    [
      'many conditions on related items',
      `/_/items/articles?${many(101, (at) => `filter[author.name][${at}][eq]=x`).join('&')}`,
      400,
    ],
    ['a long path', `/_/items/articles?fields=${many(100, () => 'author').join('.')}`, 400],
  ]
  test.each(refused)('with %s is refused', async (_name, path, status) => {
    expect((await ask(path)).status).toBe(status)
  })

  test('with too many headers is refused, and long lists of tags and cookies are not', async () => {
    expect((await ask('/items/articles', { headers: { 'x-long': 'b'.repeat(70_000) } })).status).toBe(431)
    expect((await ask('/items/articles', { headers: { 'if-none-match': '"x", '.repeat(5000) } })).status).toBe(200)
    expect((await ask('/items/articles', { headers: { cookie: 'a=b; '.repeat(5000) } })).status).toBe(200)
  })
})
