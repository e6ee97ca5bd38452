import { expect, test } from 'vitest'
import { createCurrentClient } from './current.ts'
import { createLegacyClient } from './legacy.ts'
import { observedFetch } from './observed-fetch.ts'
import { batch, eachItem } from './paging.ts'

type Schema = { articles: { id: number; title: string }[] }

const pageBehind = (...ids: readonly number[]) => ({ body: { data: ids.map((id) => ({ id, $cursor: `c${id}` })) } })
const page = (...ids: readonly number[]) => ({ body: { data: ids.map((id) => ({ id })) } })
async function allOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

const queriesOf = (urls: readonly { readonly url: string }[]) => urls.map(({ url }) => new URL(url).search.slice(1))

test('items come page by page until a page is empty', async () => {
  const { fetch, asked: sent } = observedFetch([page(1, 2), page(3), page()])
  const client = createCurrentClient<Schema>({ url: 'http://api.example', token: 't', fetch })
  const found: number[] = []
  for await (const { id } of client.items('articles').each({ fields: ['id'] }, { pageSize: 2 })) found.push(id)
  expect(found).toEqual([1, 2, 3])
  expect(queriesOf(sent)).toEqual([
    'fields=id&limit=2&offset=0',
    'fields=id&limit=2&offset=2',
    'fields=id&limit=2&offset=3',
  ])
})

test('by cursors each page begins behind the last item, and the cursor is not part of it', async () => {
  const { fetch, asked: sent } = observedFetch([pageBehind(1, 2), pageBehind(3)])
  const client = createCurrentClient<Schema>({ url: 'http://api.example', token: 't', fetch })
  const items = client.items('articles').each({ fields: ['id'], limit: 3 }, { pageSize: 2, byCursor: true })
  expect(await allOf(items)).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
  expect(queriesOf(sent)).toEqual(['fields=id%2C%24cursor&limit=2&offset=0', 'fields=id%2C%24cursor&limit=1&cursor=c2'])
})

test('a limit and an offset hold over all pages, in the legacy generation too', async () => {
  const { fetch, asked: sent } = observedFetch([page(3, 4), page(5)])
  const client = createLegacyClient<Schema>({ url: 'http://api.example', token: 't', fetch })
  const found: number[] = []
  for await (const { id } of client.items('articles').each({ offset: 2, limit: 3 }, { pageSize: 2 })) found.push(id)
  expect(found).toEqual([3, 4, 5])
  expect(queriesOf(sent)).toEqual(['offset=2&limit=2', 'offset=4&limit=1'])
})

test('a server that gives fewer items than asked loses none', async () => {
  const rows = [1, 2, 3, 4, 5]
  const read = async (query: { readonly offset?: number }) => rows.slice(query.offset, (query.offset ?? 0) + 2)
  expect(await allOf(eachItem(read))).toEqual(rows)
})

test('nothing is requested after the loop was left', async () => {
  const { fetch, asked: sent } = observedFetch([page(1, 2)])
  const client = createCurrentClient<Schema>({ url: 'http://api.example', token: 't', fetch })
  for await (const _ of client.items('articles').each({}, { pageSize: 2 })) break
  expect(sent).toHaveLength(1)
})

test('a batch is sent in parts, in order, and ends at the first failure', async () => {
  const parts: (readonly number[])[] = []
  const send = async (part: readonly number[]) => {
    parts.push(part)
    if (part.includes(9)) throw new Error('refused')
    return part.map((each) => each * 10)
  }
  expect(await batch([1, 2, 3], send, { size: 2 })).toEqual([10, 20, 30])
  await expect(batch([7, 9, 8], send, { size: 1 })).rejects.toThrow('refused')
  expect(parts).toEqual([[1, 2], [3], [7], [9]])
})

test.each([0, Number.NaN])('a size of %j is refused', async (size) => {
  await expect(batch([1], async () => [], { size })).rejects.toThrow('Expected "size" to be at least 1')
  await expect(allOf(eachItem(async () => [], {}, { pageSize: size }))).rejects.toThrow('"pageSize"')
})
