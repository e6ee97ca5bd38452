import { expect, test } from 'vitest'
import { createCurrentClient } from './current.ts'
import { observedFetch } from './observed-fetch.ts'

type Schema = { articles: Article[]; authors: Author[]; about: { text: string } }
type Article = { id: number; title: string; code: string; author: number | Author | null }
type Author = { id: number; name: string }

function clientOf(replies: Parameters<typeof observedFetch>[0]) {
  const { fetch, asked } = observedFetch(replies)
  const client = createCurrentClient<Schema>({
    url: 'http://api.example',
    token: 'a',
    fetch,
    wait: async () => undefined,
  })
  return { client, asked }
}

const answer = (...data: unknown[]) => ({ body: { data: data.map((each) => ({ status: 200, body: { data: each } })) } })

test('writes are sent together, with references as values, and the result has their values', async () => {
  const { client, asked } = clientOf([
    answer({ id: 7, name: 'Ann' }, [{ id: 1 }, { id: 2 }], { id: 1, 'a.b': 3 }, null),
  ])
  const result = await client.transaction((tx) => {
    const author = tx.items('authors').create({ name: 'Ann' })
    const articles = tx.items('articles').createMany([{ title: 'One', code: 'a', author: author.id }])
    const folder = tx.run('createFolders', { body: { name: author.name } })
    tx.items('articles').delete(articles[1]?.id ?? 0, { ifMatch: '"1"' })
    return { author, second: articles[1]?.id, deep: [folder['a.b']], plain: 'x' }
  })
  expect(result).toEqual({ author: { id: 7, name: 'Ann' }, second: 2, deep: [3], plain: 'x' })
  expect(asked).toHaveLength(1)
  expect([asked[0]?.method, asked[0]?.url]).toEqual(['POST', 'http://api.example/batch'])
  expect(JSON.parse(asked[0]?.body as string)).toEqual({
    operations: [
      { operation: 'createItems', parameters: { collection: 'authors' }, body: { name: 'Ann' } },
      {
        operation: 'createItems',
        parameters: { collection: 'articles' },
        body: [{ title: 'One', code: 'a', author: { $ref: '0.data.id' } }],
      },
      { operation: 'createFolders', body: { name: { $ref: '0.data.name' } } },
      { operation: 'deleteItem', parameters: { collection: 'articles', id: { $ref: '1.data.1.id' } }, if_match: '"1"' },
    ],
  })
})

test('all writes of items and singletons have their operation', async () => {
  const { client, asked } = clientOf([answer(...Array.from({ length: 6 }, () => ({})))])
  await client.transaction(
    (tx) => {
      const articles = tx.items('articles')
      articles.upsert({ title: 'One', code: 'a' }, ['code'])
      articles.update(1, { title: 'Two' })
      articles.updateMany({ keys: [1, 2] }, { title: 'Three' })
      articles.updateEach([{ id: 1, title: 'Four' }])
      articles.deleteMany({ query: { filter: { title: { _eq: 'x' } } } })
      tx.singleton('about').update({ text: 'Here' })
    },
    { dryRun: true },
  )
  const at = { collection: 'articles' }
  expect(JSON.parse(asked[0]?.body as string)).toEqual({
    dry_run: true,
    operations: [
      { operation: 'createItems', parameters: at, body: { title: 'One', code: 'a' }, query: { on_conflict: ['code'] } },
      { operation: 'updateItem', parameters: { ...at, id: 1 }, body: { title: 'Two' } },
      { operation: 'updateItems', parameters: at, body: { keys: [1, 2], data: { title: 'Three' } } },
      { operation: 'updateItems', parameters: at, body: [{ id: 1, title: 'Four' }] },
      { operation: 'deleteItems', parameters: at, body: { query: { filter: { title: { _eq: 'x' } } } } },
      { operation: 'updateItems', parameters: { collection: 'about' }, body: { text: 'Here' } },
    ],
  })
})

test('each write says which fields its answer has', async () => {
  const { client, asked } = clientOf([answer({ id: 7 }, { title: 'One', author: { name: 'Ann' } }, [{ code: 'a' }])])
  const result = await client.transaction((tx) => {
    const author = tx.items('authors').create({ name: 'Ann' }, { fields: ['id'] })
    const articles = tx.items('articles')
    const fields = ['title', { author: ['name'] }] as const
    const article = articles.upsert({ title: 'One', code: 'a', author: author.id }, ['code'], { fields })
    const codes = articles.updateEach([{ id: 1, title: 'Two' }], { fields: ['code'] })
    // @ts-expect-error the name was not asked for
    return { name: article.author?.name, code: codes[0]?.code, missing: author.name }
  })
  expect(result).toEqual({ name: 'Ann', code: 'a', missing: undefined })
  const { operations } = JSON.parse(asked[0]?.body as string) as { operations: { query: object }[] }
  expect(operations.map(({ query }) => query)).toEqual([
    { fields: ['id'] },
    { fields: ['title', 'author.name'], on_conflict: ['code'] },
    { fields: ['code'] },
  ])
})

test('without writes nothing is sent, and what the caller may not read is undefined', async () => {
  const { client, asked } = clientOf([{ body: { data: [{ status: 204, body: null }] } }])
  expect(await client.transaction(() => 5)).toBe(5)
  expect(asked).toEqual([])
  expect(await client.transaction((tx) => tx.items('authors').create({ name: 'Ann' }).id)).toBeUndefined()
})

test('one write, and a transaction, are retried with the same key; lists are not', async () => {
  const busy = { status: 503, headers: { 'retry-after': '1' }, body: {} }
  const progress = { status: 409, headers: { 'retry-after': '1' }, body: {} }
  const { client, asked } = clientOf([busy, progress, { body: { data: { id: 1 } } }, busy, answer({ id: 2 }), busy])
  expect(await client.items('authors').create({ name: 'Ann' })).toEqual({ id: 1 })
  const keys = asked.map(({ headers }) => headers.get('idempotency-key'))
  expect(keys).toEqual([expect.stringMatching(/^[\x21-\x7e]{20,60}$/), keys[0], keys[0]])
  expect(await client.transaction((tx) => tx.items('authors').create({ name: 'Bo' }).id)).toBe(2)
  expect(asked[4]?.headers.get('idempotency-key')).toBe(asked[3]?.headers.get('idempotency-key'))
  expect(asked[4]?.headers.get('idempotency-key')).not.toBe(keys[0])
  await expect(client.items('authors').createMany([{ name: 'Cy' }])).rejects.toMatchObject({ status: 503 })
  expect([asked.length, asked[5]?.headers.get('idempotency-key')]).toEqual([6, null])
})

test('types refuse values of other fields and unknown names', () => {
  const { client } = clientOf([])
  const check = () =>
    client.transaction((tx) => {
      const author = tx.items('authors').create({ name: 'Ann' })
      // @ts-expect-error a name is no key of an author
      tx.items('articles').create({ title: 'One', code: 'a', author: author.name })
      // @ts-expect-error there is no such collection
      tx.items('nowhere')
      // @ts-expect-error there is no such field
      return author.nowhere
    })
  expect(check).toBeTypeOf('function')
})
