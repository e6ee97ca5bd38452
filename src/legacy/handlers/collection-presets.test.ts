import { afterAll, expect, test } from 'vitest'
import { createTestServer, tokens } from '../testing/test-server.ts'

const server = await createTestServer()
await server.db.run({
  text: `insert into platform_permissions (policy, collection, action, fields) values ('55555555-5555-4555-8555-555555555555', 'platform_presets', 'read', '*')`,
  values: [],
})
afterAll(() => server.close())

const dataOf = async (request: string, body?: unknown): Promise<unknown> => {
  const { status, body: answer } = await server.ask(request, body === undefined ? {} : { body })
  expect(status, JSON.stringify(answer)).toBe(200)
  return (answer as { readonly data: unknown }).data
}

const filters = [{ field: 'rating', operator: 'gte', value: 4 }]
const first = {
  id: 1,
  title: 'Top',
  user: null,
  role: 1,
  collection: 'articles',
  search_query: 'x',
  filters,
  view_type: 'cards',
  view_query: { cards: { sort: '-id' } },
  view_options: null,
  translation: null,
}

test('presets are stored and returned with the field names of this generation', async () => {
  const { id: _, ...given } = first
  expect(await dataOf('POST /_/collection_presets', given)).toEqual(first)
  const { rows } = await server.db.run({ text: 'select bookmark, search, layout from platform_presets', values: [] })
  expect(rows).toEqual([{ bookmark: 'Top', search: 'x', layout: 'cards' }])
  expect(await dataOf('GET /_/collection_presets/1?fields=title,role.name')).toEqual({
    title: 'Top',
    role: { name: 'Administrator' },
  })
})

test('several are created, changed, listed and deleted together', async () => {
  const list = [
    { title: null, collection: 'tags', user: 1 },
    { title: 'Mine', collection: 'tags', user: 2 },
  ]
  expect(await dataOf('POST /_/collection_presets?fields=id,title', list)).toEqual([
    { id: 2, title: null },
    { id: 3, title: 'Mine' },
  ])
  expect(await dataOf('GET /_/collection_presets?filter[title][nnull]=1&filter[user][eq]=2&fields=id')).toEqual([
    { id: 3 },
  ])
  await dataOf('PATCH /_/collection_presets', [
    { id: 2, view_type: 'map' },
    { id: 3, view_type: 'list' },
  ])
  await dataOf('PATCH /_/collection_presets/2,3', { search_query: 'y' })
  expect(await dataOf('GET /_/collection_presets/2,3?fields=id,view_type,search_query')).toEqual([
    { id: 2, view_type: 'map', search_query: 'y' },
    { id: 3, view_type: 'list', search_query: 'y' },
  ])
  expect((await server.ask('DELETE /_/collection_presets/2,3')).status).toBe(204)
  expect(await dataOf('GET /_/collection_presets?fields=id')).toEqual([{ id: 1 }])
})

test('a reader may not change presets, and a missing one has its code', async () => {
  const asReader = { token: tokens.reader }
  expect((await server.ask('GET /_/collection_presets?fields=id', asReader)).body).toEqual({ data: [{ id: 1 }] })
  const refused = await server.ask('PATCH /_/collection_presets/1', { ...asReader, body: { title: 'x' } })
  expect([refused.status, refused.body]).toMatchObject([403, { error: { code: 302 } }])
  expect((await server.ask('GET /_/collection_presets/9')).body).toMatchObject({ error: { code: 203 } })
  const none = { data: [{ id: 1, title: 'Top' }] }
  expect((await server.ask('GET /_/collection_presets/1,9?fields=id,title')).body).toEqual(none)
})
