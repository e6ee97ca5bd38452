/** A typical session of a client that knows only HTTP and the specs, on two servers with separate databases. */
import { afterAll, expect, test, vi } from 'vitest'
import { dataTypeOf } from '../src/sql/testing/test-vendors.ts'
import { collaborationSteps } from './journey/collaboration.ts'
import { type Ask, administrator, clientOf, logIn, openInstance } from './journey/instance.ts'
import { book, buildLibrary, wholeBook } from './journey/model.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 180_000 })
let admin: Ask
let reader: Ask
let key: number

// The tests build on each other.
const home = await openInstance('embedded')
const away = await openInstance('where tests run')

afterAll(async () => {
  await home.close()
  await away.close()
})

test('a wrong password is rejected, the right one is accepted', async () => {
  expect(await clientOf(home.url)('/auth/login', { ...administrator, password: 'wrong-horse-42' })).toMatchObject({
    status: 401,
    code: 'INVALID_CREDENTIALS',
  })
  admin = await logIn(home.url, administrator)
  expect(await admin('/users/me?fields=email')).toMatchObject({ status: 200, data: { email: administrator.email } })
})

test('collections with all kinds of relations are created', async () => {
  expect(await buildLibrary(admin)).toEqual([200, 200, 200, 200, 200, 200, 200])
})

test('a book is written with its related items and read back in one request', async () => {
  const made = await admin('/items/books?fields=id', book)
  key = (made.data as { readonly id: number }).id
  expect(await admin(`/items/books/${key}?fields=${wholeBook}`)).toEqual({
    status: 200,
    code: null,
    data: { ...book, price: expect.stringMatching(/^12\.50*$/) as unknown },
  })
})

test('a failure in a nested item rolls back everything', async () => {
  const bad = { ...book, parts: [{ collection: 'chapters', item: { heading: 'a'.repeat(300) } }] }
  expect((await admin('/items/books', bad)).status).toBe(400)
  expect((await admin('/items/writers?aggregate[count]=*')).data).toEqual([{ count: '2' }])
})

test('related items are replaced, added and taken away', async () => {
  const { data } = await admin('/items/topics?fields=id&sort=id')
  const [travel] = data as readonly { readonly id: number }[]
  const topics = { create: [{ topic: { name: 'love' } }, { topic: travel?.id }], update: [], delete: [] }
  expect((await admin(`/items/books/${key}`, { topics }, 'PATCH')).status).toBe(200)
  expect((await admin(`/items/books/${key}`, { writer: null, parts: [] }, 'PATCH')).status).toBe(200)
  const fields = 'writer,parts,topics.topic.name'
  expect((await admin(`/items/books/${key}?fields=${fields}`)).data).toEqual({
    writer: null,
    parts: [],
    topics: ['travel', 'craft', 'love', 'travel'].map((name) => ({ topic: { name } })),
  })
})

test('a reader sees only what its policy allows', async () => {
  const allowed = {
    collection: 'books',
    action: 'read',
    fields: ['id', 'title'],
    permissions: { status: { _eq: 'published' } },
  }
  const policy = await admin('/policies?fields=id', {
    name: 'Reading',
    permissions: { create: [allowed], update: [], delete: [] },
  })
  const { id } = policy.data as { readonly id: string }
  const access = { create: [{ policy: id }], update: [], delete: [] }
  const role = await admin('/roles?fields=id', { name: 'Readers', policies: access })
  const person = { email: 'reader@example.com', password: 'correct-horse-43' }
  const made = await admin('/users', { ...person, role: (role.data as { readonly id: string }).id, status: 'active' })
  expect([policy.status, role.status, made.status]).toEqual([200, 200, 200])
  await admin('/items/books', { title: 'Unfinished' })
  reader = await logIn(home.url, person)
  expect(await reader('/items/books?fields=*')).toMatchObject({ status: 200, data: [{ id: key, title: 'Two wheels' }] })
  for (const refused of [
    '/items/books?fields=price',
    '/items/books?filter[price][_gt]=1',
    '/items/writers',
    '/schema/snapshot',
  ]) {
    expect(await reader(refused)).toMatchObject({ status: 403, code: 'FORBIDDEN' })
  }
  expect((await reader(`/items/books/${key}`, { title: 'Mine' }, 'PATCH')).status).toBe(403)
})

test('an item is reverted to an earlier revision', async () => {
  await admin(`/items/books/${key}`, { title: 'Three wheels' }, 'PATCH')
  const about = `filter[collection][_eq]=books&filter[item][_eq]=${key}`
  const { data } = await admin(`/revisions?${about}&sort=id&fields=id,delta`)
  const [first] = data as readonly { readonly id: number; readonly delta: { readonly title: string } }[]
  expect(first?.delta.title).toBe('Two wheels')
  expect((await admin(`/utils/revert/${first?.id}`, {})).status).toBe(204)
  expect((await admin(`/items/books/${key}?fields=title`)).data).toEqual({ title: 'Two wheels' })
})

test.each(collaborationSteps)('$name', async ({ take }) => {
  await take({ url: home.url, admin, reader, book: key })
})

/** A snapshot of the first instance with the types as the database of the other one calls them. */
const named = (snapshot: unknown): unknown =>
  JSON.parse(JSON.stringify(snapshot), (key, value: unknown) =>
    key === 'data_type' && typeof value === 'string' ? dataTypeOf(value) : value,
  )

test('the data model is copied to the other instance, where the same book can be written', async () => {
  const there = await logIn(away.url, administrator)
  const { data: snapshot } = await admin('/schema/snapshot')
  const { data: diff } = await there('/schema/diff', snapshot)
  expect((await there('/schema/apply', diff)).status).toBe(204)
  expect((await there('/schema/snapshot')).data).toEqual(named(snapshot))
  expect((await there('/schema/diff', snapshot)).status).toBe(204)
  expect(await there('/schema/apply', diff)).toMatchObject({ status: 400, code: 'INVALID_PAYLOAD' })
  const made = await there('/items/books?fields=id', book)
  const { id } = made.data as { readonly id: number }
  expect((await there(`/items/books/${id}?fields=writer.name,topics.topic.name`)).data).toEqual({
    writer: { name: 'Ann' },
    topics: [{ topic: { name: 'travel' } }, { topic: { name: 'craft' } }],
  })
})

test('a change made there is copied back, and rows are kept', async () => {
  const there = await logIn(away.url, administrator)
  expect((await there('/fields/books', { field: 'subtitle', type: 'string' })).status).toBe(200)
  expect((await there('/fields/books/words', undefined, 'DELETE')).status).toBe(204)
  expect((await there('/relations/books/writer', { schema: { on_delete: 'CASCADE' } }, 'PATCH')).status).toBe(200)
  const { data: snapshot } = await there('/schema/snapshot')
  const { data: diff } = await admin('/schema/diff', snapshot)
  expect((await admin('/schema/apply', diff)).status).toBe(204)
  expect(named((await admin('/schema/snapshot')).data)).toEqual(snapshot)
  expect((await admin(`/items/books/${key}?fields=title,subtitle`)).data).toEqual({
    title: 'Two wheels',
    subtitle: null,
  })
})

test('after the logout the token is rejected', async () => {
  const { data } = await clientOf(home.url)('/auth/login', administrator)
  const { access_token: token, refresh_token: refresh } = data as {
    readonly access_token: string
    readonly refresh_token: string
  }
  expect((await clientOf(home.url)('/auth/logout', { refresh_token: refresh })).status).toBe(204)
  expect((await clientOf(home.url, token)('/users/me')).status).toBe(401)
})
