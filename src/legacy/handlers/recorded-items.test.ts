/** Activity and revisions name system rows by their integers, and say in whose write an item was nested. */
import { afterAll, expect, test } from 'vitest'
import { createTestServer } from '../testing/test-server.ts'

const server = await createTestServer()
afterAll(() => server.close())

type Row = { readonly [name: string]: unknown }

const dataOf = async <T = readonly Row[]>(request: string, body?: object): Promise<T> =>
  ((await server.ask(request, body === undefined ? {} : { body })).body as { readonly data: T }).data

test('an entry about a user has the number of the user, and is found by it', async () => {
  const { id } = await dataOf<Row>('PATCH /_/users/me', { title: 'Dr' })
  const item = String(id)
  for (const list of ['activity', 'revisions']) {
    const query = `filter[collection][eq]=platform_users&filter[item][eq]=${item}&sort=-id&limit=1`
    const [entry] = await dataOf(`GET /_/${list}?${query}`)
    expect(entry).toMatchObject({ collection: 'platform_users', item })
    expect(await dataOf(`GET /_/${list}/${String(entry?.['id'])}?fields=item`)).toEqual({ item })
    expect(await dataOf(`GET /_/${list}?filter[collection]=platform_users&filter[item]=999999`)).toEqual([])
  }
  expect((await dataOf(`GET /_/users/${item}/revisions?fields=item,delta`)).at(-1)).toEqual({
    item,
    delta: { title: 'Dr' },
  })
})

test('a comment on a user names it by its number', async () => {
  const { id } = await dataOf<Row>('GET /_/users/me')
  const comment = { collection: 'platform_users', item: id, comment: 'Welcome' }
  const created = await dataOf<Row>('POST /_/activity/comment', comment)
  expect(created['item']).toBe(String(id))
  const edited = { comment: 'Welcome' }
  expect(await dataOf<Row>(`PATCH /_/activity/comment/${String(created['id'])}?fields=item`, edited)).toEqual({
    item: String(id),
  })
  const query = `{ platform_activity(id: ${String(created['id'])}) { data { of: item collection } } }`
  expect(await dataOf('POST /_/gql', { query })).toEqual({
    platform_activity: { data: [{ of: String(id), collection: 'platform_users' }] },
  })
  expect(await dataOf(`GET /_/activity/${String(created['id'])}?fields=item,comment`)).toEqual({
    item: String(id),
    comment: 'Welcome',
  })
})

test('GraphQL shows the states of revisions as REST does', async () => {
  const { id } = await dataOf<Row>('GET /_/users/me')
  await dataOf('PATCH /_/items/articles/1', { user_created: id, title: 'Mine' })
  const [entry] = await dataOf(
    'GET /_/revisions?filter[collection]=articles&sort=-id&limit=1&fields=id,item,data,delta',
  )
  expect(entry).toMatchObject({ item: '1', data: { user_created: id } })
  const query = `{ platform_revisions(id: ${String(entry?.['id'])}) { data { id item data delta } } }`
  expect(await dataOf('POST /_/gql', { query })).toEqual({ platform_revisions: { data: [entry] } })
})

test('the revision of a nested item names the item in whose write it was nested', async () => {
  const author = await dataOf<Row>('POST /_/items/authors?fields=id', { name: 'Ann', articles: [{ title: 'Child' }] })
  const parent = { parent_collection: 'authors', parent_item: String(author['id']), parent_changed: true }
  const none = { parent_collection: null, parent_item: null, parent_changed: false }
  const [own] = await dataOf('GET /_/revisions?filter[collection]=authors&sort=-id&limit=1')
  const [nested] = await dataOf('GET /_/revisions?filter[collection]=articles&sort=-id&limit=1')
  expect([own, nested]).toMatchObject([none, parent])
  const request = `GET /_/revisions/${String(nested?.['id'])}`
  expect(await dataOf(`${request}?fields=parent_item`)).toEqual({ parent_item: parent.parent_item })
  expect(await dataOf(`${request}?fields=*.*`)).toMatchObject({ activity: { collection: 'articles' }, ...parent })
})
