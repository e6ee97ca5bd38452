import { afterAll, describe, expect, test } from 'vitest'
import { createTestServer, type TestServer, tokens } from '../testing/test-server.ts'

const server = await createTestServer()

afterAll(() => server.close())

const codes = async (request: string, asked?: Parameters<TestServer['ask']>[1]): Promise<readonly unknown[]> => {
  const { status, body } = await server.ask(request, asked)
  return [status, (body as { error?: { code: number } }).error?.code]
}

/** The answer that the reader gets for a request to the named collection. */
const askedAsReader = async (request: string, name: string, body?: unknown): Promise<string> => {
  const { status, body: answer } = await server.ask(request.replace('@', name), { token: tokens.reader, body })
  return `${status} ${JSON.stringify(answer).replace(name, '@')}`
}

const ids = async (parameters: string): Promise<readonly number[]> => {
  const { body } = await server.ask(`GET /_/items/articles?fields=id&sort=id&${parameters}`)
  const { data } = body as { readonly data?: readonly { readonly id: number }[] }
  expect(data, JSON.stringify(body)).toBeDefined()
  return (data ?? []).map(({ id }) => id)
}

const region = (name: string) => ({ body: { id: crypto.randomUUID(), name } })

describe('reading', () => {
  test("a list leaves out what is soft-deleted and shows values in this generation's forms", async () => {
    const { status, body } = await server.ask(
      'GET /_/items/articles?fields=id,price,date_created,keywords,reads,featured&sort=id&limit=2',
    )
    expect(status).toBe(200)
    expect(body).toEqual({
      data: [
        {
          id: 1,
          price: 12.5,
          date_created: '2024-01-30T10:15:30+00:00',
          keywords: ['ice', 'water'],
          reads: '9007199254740993',
          featured: true,
        },
        {
          id: 2,
          price: 0.1,
          date_created: '2024-03-14T23:00:00+00:00',
          keywords: ['cup'],
          reads: '12',
          featured: false,
        },
      ],
    })
  })

  test('a list with outer commas shows its entries, and is found by its text', async () => {
    const written = { title: 'x', keywords: ',sea,,sky,' }
    const { body } = await server.ask('POST /_/items/articles?fields=id,keywords', { body: written })
    const { id } = (body as { readonly data: { readonly id: number } }).data
    const stored = await server.db.run({ text: 'select keywords from articles where id = $1', values: [id] })
    const asked = ['[contains]=,sea,', '[contains]=EA,,s', '[eq]=,sea,,sky,', '[eq]=sea,,sky']
    const found = await Promise.all(asked.map((each) => ids(`filter[keywords]${each}`)))
    const revision = await server.ask(`GET /_/items/articles/${id}/revisions/0`)
    await server.db.run({ text: 'delete from articles where id = $1', values: [id] })
    expect(body).toEqual({ data: { id, keywords: ['sea', '', 'sky'] } })
    expect(stored.rows).toEqual([{ keywords: ',sea,,sky,' }])
    expect(found).toEqual([[id], [id], [id], []])
    expect(revision.body).toMatchObject({ data: { data: { keywords: ['sea', '', 'sky'] } } })
  })

  test('status decides which rows count', async () => {
    expect(await ids('fields=id')).toEqual([1, 2, 3, 5])
    expect(await ids('status=*')).toEqual([1, 2, 3, 4, 5])
    expect(await ids('status=archived,draft')).toEqual([3, 4])
  })

  test('all metadata, with pages and links', async () => {
    const { body } = await server.ask(
      'GET /_/items/articles?fields=id&sort=id&limit=2&page=2&meta=*&access_token=token-of-the-administrator',
      { token: null },
    )
    const base = `${server.url}/_/items/articles?fields=id&sort=id&limit=2`
    expect(body).toEqual({
      meta: {
        collection: 'articles',
        type: 'collection',
        result_count: 2,
        total_count: 4,
        status_count: { published: 3, draft: 1, archived: 1 },
        filter_count: 4,
        limit: 2,
        offset: 2,
        page: 2,
        page_count: 2,
        links: {
          self: `${server.url}/_/items/articles`,
          current: `${base}&page=2&meta=*`,
          next: null,
          previous: `${base}&page=1&meta=*&offset=0`,
          first: `${base}&page=1&meta=*&offset=0`,
          last: `${base}&page=2&meta=*&offset=2`,
        },
      },
      data: [{ id: 3 }, { id: 5 }],
    })
  })

  test('single shows the first row, and its absence is code 203', async () => {
    expect((await server.ask('GET /_/items/articles?fields=id&sort=-id&single=1')).body).toEqual({ data: { id: 5 } })
    expect(await codes('GET /_/items/articles?filter[id]=77&single=1')).toEqual([404, 203])
  })

  test('one key shows an object, several a list of what was found', async () => {
    expect((await server.ask('GET /_/items/authors/1?fields=id,name&meta=*')).body).toEqual({
      meta: { collection: 'authors', type: 'item' },
      data: { id: 1, name: 'Ann' },
    })
    expect((await server.ask('GET /_/items/authors/3,1,99,x?fields=id')).body).toEqual({ data: [{ id: 1 }, { id: 3 }] })
    expect(await codes('GET /_/items/authors/99')).toEqual([404, 203])
    expect(await codes('GET /_/items/authors/abc')).toEqual([404, 203])
    expect(await codes('GET /_/items/articles/4')).toEqual([404, 203])
    expect(await codes('PATCH /_/items/articles/abc', { body: { title: 'x' } })).toEqual([404, 203])
    expect((await server.ask('GET /_/items/articles/4?fields=id&status=*')).body).toEqual({ data: { id: 4 } })
  })

  test('relations expand as objects and lists, without soft-deleted rows', async () => {
    const { body } = await server.ask(
      'GET /_/items/authors/1?fields=name,articles.title,articles.comments.body,mentor.name',
    )
    expect(body).toEqual({
      data: {
        name: 'Ann',
        articles: [
          { title: 'Untold "story"', comments: [] },
          {
            title: 'Glaciers melt',
            comments: [{ body: 'Well said' }, { body: 'I disagree' }, { body: 'Anonymous here' }],
          },
        ],
        mentor: null,
      },
    })
  })

  test('groups return one row per combination of values', async () => {
    const { body } = await server.ask('GET /_/items/articles?fields=status&groups=status&status=*&sort=status')
    expect(body).toEqual({ data: [{ status: 'archived' }, { status: 'draft' }, { status: 'published' }] })
  })

  test('filters of this generation find the right rows', async () => {
    expect(await ids('filter[title][contains]=CUP')).toEqual([2])
    expect(await ids('filter[title][rlike]=G%25melt')).toEqual([1])
    expect(await ids('filter[views][between]=40,200')).toEqual([1, 5])
    expect(await ids('filter[comments][has]=2')).toEqual([1])
    expect(await ids('filter[comments][nhas]=1')).toEqual([3])
    expect(await ids('filter[comments][empty]=1')).toEqual([3])
    expect(await ids('filter[comments][all]=1,2')).toEqual([1])
    expect(await ids('filter[tags][all]=ice,sea')).toEqual([1])
    expect(await ids('filter[author.name]=Ann&filter[views][gt]=100')).toEqual([1])
    expect(await ids('filter[author][contains]=bob')).toEqual([2])
    expect(await ids('filter[date_created][lt]=now&filter[featured]=1')).toEqual([1, 5])
    expect(await ids('filter[id]=1&filter[title][eq]=x&filter[title][logical]=or')).toEqual([1])
    expect(await ids('filter[id]=1&filter[title]=Cup%20final&filter[title][logical]=or')).toEqual([1, 2])
    expect(await ids('filter[status][eq]=archived&filter[id][eq]=4&filter[id][logical]=or')).toEqual([])
    expect(await ids('filter[author.age][neq]=34')).toEqual([1, 3])
    expect(await ids('filter[author.email][ncontains]=bob')).toEqual([1, 3])
    expect(await ids('q=water')).toEqual([1])
  })

  test('a column that refers to a user shows and accepts the integer', async () => {
    await server.ask('POST /_/items/comments', { body: { article: 1, body: 'Hi' } })
    const created = await server.ask('POST /_/items/articles?fields=id,user_created,user_created.first_name', {
      body: { title: 'Mine' },
    })
    expect(created.body).toEqual({ data: { id: expect.any(Number), user_created: { first_name: null } } })
    const found = await server.ask(
      'GET /_/items/articles?fields=title,user_created&filter[user_created.email]=admin@example.com',
    )
    const [row] = (found.body as { data: readonly { user_created: number }[] }).data
    expect(row).toEqual({ title: 'Mine', user_created: expect.any(Number) })
    const again = await server.ask(`GET /_/items/articles?fields=title&filter[user_created]=${row?.user_created}`)
    expect(again.body).toEqual({ data: [{ title: 'Mine' }] })
  })
})

test('a column that refers to a file accepts existing integers only', async () => {
  const file = `insert into platform_files (id, storage, filename_download) values (gen_random_uuid(), 'local', 'a.png')`
  await server.db.run({ text: file, values: [] })
  const { rows } = await server.db.run({ text: 'select max(number) as number from platform_files', values: [] })
  const { number } = rows[0] as { number: number }
  const linked = await server.ask('PATCH /_/items/articles/1?fields=image,image.filename_download', {
    body: { image: number },
  })
  expect(linked.body).toEqual({ data: { image: { filename_download: 'a.png' } } })
  expect((await server.ask('GET /_/items/articles/1?fields=image')).body).toEqual({ data: { image: number } })
  expect(await ids(`filter[image]=${number}`)).toEqual([1])
  expect(await codes('PATCH /_/items/articles/1', { body: { image: 4711 } })).toEqual([422, 12])
  expect(await codes('PATCH /_/items/articles/1', { body: { image: 'a.png' } })).toEqual([400, 4])
  await server.ask('PATCH /_/items/articles/1', { body: { image: null } })
})

describe('refusals', () => {
  test.each([
    ['an unknown collection', 'GET /_/items/nothing', 404, 200],
    ['a system collection', 'GET /_/items/platform_users', 401, 201],
    ['an unknown field', 'GET /_/items/authors?fields=nope', 400, 209],
    ['an unknown field of a sort', 'GET /_/items/authors?sort=nope', 400, 209],
    ['an unknown field of a filter', 'GET /_/items/authors?filter[nope]=1', 400, 209],
    ['a path through a plain field', 'GET /_/items/authors?filter[name.x]=1', 404, 202],
    ['an unknown filter', 'GET /_/items/authors?filter[name][foo]=1', 422, 214],
    ['a limit that is no number', 'GET /_/items/authors?limit=x', 400, 4],
    ['all on a plain field', 'GET /_/items/authors?filter[name][all]=1', 422, 12],
    ['sorting by a list', 'GET /_/items/authors?sort=articles', 422, 12],
    ['an unknown project', 'GET /nowhere/items/authors', 404, 8],
    ['a bad token', 'GET /_/items/authors?access_token=nobody', 401, 101],
    ['an unknown path', 'GET /_/nothing/here', 404, 5],
    ['another method', 'PUT /_/items/authors/1', 405, 6],
  ])('%s', async (_name, request, status, code) => {
    expect(await codes(request, request.includes('access_token') ? { token: null } : {})).toEqual([status, code])
  })

  test('a missing permission has a code for users and is unauthorized for the public', async () => {
    const reader = { token: tokens.reader }
    expect(await codes('GET /_/items/authors', reader)).toEqual([403, 300])
    expect(await codes('GET /_/items/nothing', reader)).toEqual([403, 300])
    expect(await codes('GET /_/items/articles?fields=body', reader)).toEqual([403, 304])
    expect(await codes('GET /_/items/articles?fields=nope', reader)).toEqual([403, 304])
    expect(await codes('GET /_/items/articles?filter[body][foo]=x', reader)).toEqual([403, 215])
    expect(await codes('GET /_/items/articles?filter[author.name][eq]=Ann', reader)).toEqual([403, 215])
    expect(await codes('GET /_/items/articles?filter[title.name][eq]=Ann', reader)).toEqual([404, 202])
    expect(await codes('GET /_/items/articles?fields=title.name', reader)).toEqual([404, 202])
    expect(await codes('GET /_/items/articles?sort=title.name', reader)).toEqual([404, 202])
    expect(await codes('GET /_/items/articles?filter[body.name][eq]=Ann', reader)).toEqual([403, 215])
    expect(await codes('GET /_/items/articles?fields=body.name', reader)).toEqual([403, 304])
    expect(await codes('GET /_/items/articles?filter[author][eq]=1', reader)).toEqual([200, undefined])
    expect(await codes('GET /_/items/articles?filter[title.name][eq]=Ann')).toEqual([404, 202])
    expect(await codes('GET /_/items/articles?sort=author.name', reader)).toEqual([403, 215])
    expect(await codes('POST /_/items/articles', { ...reader, body: { title: 'x' } })).toEqual([403, 301])
    expect(await codes('PATCH /_/items/articles/1', { ...reader, body: { title: 'x' } })).toEqual([403, 302])
    expect(await codes('DELETE /_/items/articles/1', reader)).toEqual([403, 303])
    expect(await codes('GET /_/items/articles/3', reader)).toEqual([404, 203])
    expect(await codes('GET /_/items/authors', { token: null })).toEqual([401, 3])
    expect(await codes('POST /_/items/authors', { token: null, body: {} })).toEqual([401, 3])
  })

  test('a forbidden write gets the same answer whether or not the collection exists', async () => {
    for (const [request, body, code] of [
      ['POST /_/items/@', {}, 301],
      ['POST /_/items/@', { name: 'x' }, 301],
      ['POST /_/items/@?fields=name', [{ nope: 'x' }], 301],
      ['PATCH /_/items/@/1', { age: 'old' }, 302],
      ['PATCH /_/items/@', [{ id: 1, name: 'x' }], 302],
      ['DELETE /_/items/@/1', undefined, 303],
    ] as const) {
      const hidden = await askedAsReader(request, 'authors', body)
      expect(hidden).toMatch(new RegExp(`^403 .*"code":${code},`))
      expect(await askedAsReader(request, 'nothing', body)).toBe(hidden)
    }
  })

  test('soft deletion needs no permission to read the status; its counts do', async () => {
    const linked = await server.ask('GET /_/items/articles_tags?fields=id,article.title&sort=id', {
      token: tokens.reader,
    })
    expect(linked.body).toEqual({
      data: [
        { id: 1, article: { title: 'Glaciers melt' } },
        { id: 2, article: { title: 'Glaciers melt' } },
        { id: 3, article: { title: 'Cup final' } },
        { id: 4, article: null },
      ],
    })
    const counted = await server.ask('GET /_/items/articles?fields=id&limit=1&meta=total_count,status_count', {
      token: tokens.reader,
    })
    expect(counted.body).toEqual({ meta: { total_count: 3 }, data: [expect.anything()] })
  })

  test('an or cannot widen the visible rows', async () => {
    const { body } = await server.ask(
      'GET /_/items/articles?fields=id&sort=id&status=*&filter[id][eq]=1&filter[title][contains]=o&filter[title][logical]=or',
      { token: tokens.reader },
    )
    expect(body).toEqual({ data: [{ id: 1 }, { id: 5 }] })
  })

  test('an invalid body', async () => {
    expect(await codes('POST /_/items/authors', { body: '{' })).toEqual([400, 13])
    expect(await codes('POST /_/items/authors', { body: '5' })).toEqual([400, 13])
    expect(await codes('POST /_/items/authors')).toEqual([400, 13])
    expect(await codes('POST /_/items/authors', { body: { name: 'x', nope: 1 } })).toEqual([422, 12])
    expect(await codes('POST /_/items/authors', { body: { name: { a: 1 } } })).toEqual([422, 213])
    expect(await codes('POST /_/items/authors', { body: { name: 'x', age: 'old' } })).toEqual([400, 4])
    expect(await codes('POST /_/items/authors', { body: { age: 3 } })).toEqual([400, 4])
    expect(await codes('POST /_/items/authors', { body: { name: 'x', email: 'ann@example.com' } })).toEqual([409, 204])
    expect(await codes('POST /_/items/authors', { body: { name: 'x'.repeat(101) } })).toEqual([422, 12])
    expect(await codes('PATCH /_/items/authors', { body: [{ name: 'x' }] })).toEqual([422, 12])
    expect(await codes('POST /_/items/authors', { body: {}, headers: { 'content-type': 'text/plain' } })).toEqual([
      400, 2,
    ])
  })
})

describe('writing', () => {
  test('one item, several, and items that the caller cannot read', async () => {
    const one = await server.ask('POST /_/items/authors?fields=name', { body: { name: 'Dora' } })
    expect([one.status, one.body]).toEqual([200, { data: { name: 'Dora' } }])
    const two = await server.ask('POST /_/items/authors?fields=name', { body: [{ name: 'Eve' }, { name: 'Fay' }] })
    expect(two.body).toEqual({ data: [{ name: 'Eve' }, { name: 'Fay' }] })
    const unseen = await server.ask('POST /_/items/comments', {
      token: tokens.reader,
      body: { article: 1, body: 'Psst' },
    })
    expect([unseen.status, unseen.body]).toEqual([204, ''])
    expect((await server.ask('POST /_/items/authors', { body: [] })).body).toEqual({ data: [] })
  })

  test('partial updates of one item, of several together, and of several individually', async () => {
    expect((await server.ask('PATCH /_/items/authors/2?fields=name,age', { body: { age: 35 } })).body).toEqual({
      data: { name: 'Bob', age: 35 },
    })
    expect((await server.ask('PATCH /_/items/authors/2,3?fields=id,age', { body: { age: 36 } })).body).toEqual({
      data: [
        { id: 2, age: 36 },
        { id: 3, age: 36 },
      ],
    })
    const each = await server.ask('PATCH /_/items/authors?fields=id,age', {
      body: [
        { id: 2, age: 1 },
        { id: 3, age: 2 },
      ],
    })
    expect(each.body).toEqual({
      data: [
        { id: 2, age: 1 },
        { id: 3, age: 2 },
      ],
    })
    expect(await codes('PATCH /_/items/authors/2,999', { body: { age: 50 } })).toEqual([404, 203])
    expect((await server.ask('GET /_/items/authors/2?fields=age')).body).toEqual({ data: { age: 1 } })
  })

  test('a soft deletion answers with the item, hides it, and status=* reaches it', async () => {
    const { body } = await server.ask('POST /_/items/articles?fields=id', { body: { title: 'Short-lived' } })
    const { id } = (body as { data: { id: number } }).data
    const gone = await server.ask(`PATCH /_/items/articles/${id}?fields=id,status`, { body: { status: 'archived' } })
    expect([gone.status, gone.body]).toEqual([200, { data: { id, status: 'archived' } }])
    const born = await server.ask('POST /_/items/articles?fields=title', { body: { title: 'X', status: 'archived' } })
    expect([born.status, born.body]).toEqual([200, { data: { title: 'X' } }])
    expect(await codes(`GET /_/items/articles/${id}`)).toEqual([404, 203])
    expect(await codes(`PATCH /_/items/articles/${id}`, { body: { status: 'draft' } })).toEqual([404, 203])
    const back = await server.ask(`PATCH /_/items/articles/${id}?fields=status&status=*`, { body: { status: 'draft' } })
    expect(back.body).toEqual({ data: { status: 'draft' } })
    expect((await server.ask(`DELETE /_/items/articles/${id}`)).status).toBe(204)
    expect(await codes(`DELETE /_/items/articles/${id}`)).toEqual([404, 203])
  })

  test('a writer without read permission can update an item, until it is soft-deleted', async () => {
    const change = { token: tokens.writer, body: { body: 'Unseen' } }
    expect(await codes('PATCH /_/items/articles/3', change)).toEqual([204, undefined])
    expect((await server.ask('GET /_/items/articles/3?fields=body')).body).toEqual({ data: { body: 'Unseen' } })
    await server.ask('PATCH /_/items/articles/3', { body: { status: 'archived' } })
    expect(await codes('PATCH /_/items/articles/3', change)).toEqual([404, 203])
    await server.ask('PATCH /_/items/articles/3?status=*', { body: { status: 'draft' } })
  })

  test('activity_skip writes no entry, comment is saved with it', async () => {
    const traces = async (): Promise<unknown> =>
      (
        await server.db.run({
          text: `select action, comment, (select count(*)::integer from platform_revisions r where r.activity = a.id) as revisions
            from platform_activity a where collection = 'regions' order by id`,
          values: [],
        })
      ).rows
    expect((await server.ask('POST /_/items/regions?activity_skip=1&comment=no', region('West'))).status).toBe(200)
    expect(await traces()).toEqual([])
    await server.ask('POST /_/items/regions?comment=Why%20not', region('East'))
    await server.ask('POST /_/items/regions?activity_skip=0', region('Up'))
    expect(await traces()).toEqual([
      { action: 'create', comment: 'Why not', revisions: 1 },
      { action: 'create', comment: null, revisions: 1 },
    ])
  })

  test('answers without a token contain public', async () => {
    const list = await server.ask('GET /_/items/tags?fields=name&sort=name&limit=1', { token: null })
    expect(list.body).toEqual({ data: [{ name: 'ice' }], public: true })
    const removed = await server.ask('DELETE /_/items/tags/unused', { token: null })
    expect([removed.status, removed.body]).toEqual([200, { public: true }])
  })
})
