/**
 * A team moves from version 8: the published client of version 8 and a client of the current generation work on the same
 * rows, and each sees at once what the other changed.
 */
import { createRequire } from 'node:module'
import { afterAll, expect, test } from 'vitest'
import { dataIn, send } from './send.ts'
import { openWorld } from './world.ts'
import { password } from './world-data.ts'

type OldClient = { readonly [method: string]: (...parameters: unknown[]) => Promise<{ readonly data: never }> }
type Sdk = new (options: { readonly url: string; readonly project: string }) => object

const require = createRequire(import.meta.url)
const loaded = require('legacy-sdk') as Sdk & { readonly default?: Sdk }
let token = ''
const world = await openWorld()
const client = new (loaded.default ?? loaded)({ url: world.url, project: '_' }) as OldClient
afterAll(() => world.close())

async function old<T = Row>(method: string, ...parameters: unknown[]): Promise<T> {
  const found = client[method]
  if (found === undefined) throw new Error(`The client has no method ${method}`)
  return (await found.apply(client, parameters)).data
}

/** Asks the current generation, with the token of its own login. */
async function now<T = Row>(request: string, body?: object, as = token): Promise<T> {
  const answer = await send(world.url, request, { body, token: as === '' ? null : as })
  return (answer.body === null ? null : (dataIn(answer) ?? answer.status)) as T
}

type Row = { readonly id: number; readonly [field: string]: unknown }

const statuses = {
  draft: { name: 'Draft' },
  published: { name: 'Published' },
  deleted: { name: 'Deleted', soft_delete: true },
}
const fields = [
  { field: 'id', type: 'integer', datatype: 'INT', primary_key: true, auto_increment: true },
  { field: 'title', type: 'string', datatype: 'VARCHAR', length: 100 },
  { field: 'author', type: 'owner', datatype: 'INT' },
  { field: 'status', type: 'status', datatype: 'VARCHAR', length: 20, options: { status_mapping: statuses } },
]

let story: Row

test('both log in with the same password', async () => {
  await client['login']?.({ email: 'admin@example.com', password, persist: false })
  token = (await now<{ access_token: string }>('POST /auth/login', { email: 'admin@example.com', password }))
    .access_token
  expect(token).not.toBe('')
})

test('a collection of the old client has its fields and its archive in the current generation', async () => {
  await old('createCollection', { collection: 'stories', note: 'By the team', fields })
  expect(await now('GET /collections/stories')).toMatchObject({
    meta: { note: 'By the team', archive_field: 'status', archive_value: 'deleted', unarchive_value: 'draft' },
  })
  expect((await now<readonly { field: string }[]>('GET /fields/stories')).map(({ field }) => field)).toEqual(
    fields.map(({ field }) => field),
  )
})

test('a field of the current generation is there for the old client', async () => {
  await now('POST /fields/stories', { field: 'views', type: 'integer', schema: { default_value: 0 } })
  expect(await old('getField', 'stories', 'views')).toMatchObject({ type: 'integer', datatype: 'INT' })
})

test('an item goes back and forth', async () => {
  story = await old('createItem', 'stories', { title: 'First', status: 'draft' })
  const me = await now<{ id: string }>('GET /users/me?fields=id')
  expect(await now(`GET /items/stories/${story.id}`)).toMatchObject({ title: 'First', author: me.id, views: 0 })
  await now(`PATCH /items/stories/${story.id}`, { title: 'Second', views: 7 })
  expect(await old('getItem', 'stories', story.id)).toMatchObject({
    title: 'Second',
    views: 7,
    author: expect.any(Number),
  })
  await old('updateItem', 'stories', story.id, { title: 'Third' })
  expect(await now(`GET /items/stories/${story.id}?fields=title,views`)).toEqual({ title: 'Third', views: 7 })
})

test('the history has the changes of both, and the old client reverts one of the new', async () => {
  const revisions = await old<readonly Row[]>('getItemRevisions', 'stories', story.id)
  expect(revisions.map(({ delta }) => delta)).toMatchObject([
    { title: 'First', status: 'draft' },
    { title: 'Second', views: 7 },
    { title: 'Third' },
  ])
  await old('revert', 'stories', story.id, revisions[1]?.id)
  expect(await now(`GET /items/stories/${story.id}?fields=title`)).toEqual({ title: 'Second' })
  const filter = encodeURIComponent(JSON.stringify({ collection: { _eq: 'stories' }, item: { _eq: String(story.id) } }))
  expect(await now<readonly Row[]>(`GET /revisions?filter=${filter}&sort=id&fields=delta`)).toHaveLength(4)
})

test('an account of the current generation is a user with an integer id, and keeps its password', async () => {
  const role = await old('createRole', { name: 'Writers' })
  const [{ id: key }] = await now<readonly [{ id: string }]>('GET /roles?filter[name][_eq]=Writers&fields=id')
  const user = { email: 'wren@example.com', password: 'correct-horse-42', role: key, status: 'active' }
  await now('POST /users', { ...user, first_name: 'Wren' })
  const [found] = await old<readonly Row[]>('getUsers', { filter: { email: { eq: user.email } } })
  expect(found).toMatchObject({ id: expect.any(Number), first_name: 'Wren', role: role.id, status: 'active' })
  await old('updateUser', found?.id, { first_name: 'Jenny', locale: 'de-DE' })
  const shown = await now<readonly object[]>(
    'GET /users?filter[email][_eq]=wren@example.com&fields=first_name,language',
  )
  expect(shown).toEqual([{ first_name: 'Jenny', language: 'de-DE' }])
})

test('a permission of the old client holds for the current generation at once, and so does its end', async () => {
  const { access_token: own } = await now<{ access_token: string }>(
    'POST /auth/login',
    { email: 'wren@example.com', password: 'correct-horse-42' },
    '',
  )
  const read = () => now<unknown>(`GET /items/stories/${story.id}?fields=title`, undefined, own)
  expect(await read()).toBe(403)
  const [role] = await old<readonly Row[]>('getRoles', { filter: { name: { eq: 'Writers' } } })
  await old('createPermissions', [{ collection: 'stories', role: role?.id, status: 'draft', read: 'full' }])
  expect(await read()).toEqual({ title: 'Second' })
  await now(`PATCH /items/stories/${story.id}`, { status: 'published' })
  expect(await read()).toBe(403)
  await now(`PATCH /items/stories/${story.id}`, { status: 'draft' })
  expect(await read()).toEqual({ title: 'Second' })
})

test('what one archives the other no longer lists, and what one deletes is gone', async () => {
  await now(`PATCH /items/stories/${story.id}`, { status: 'deleted' })
  expect(await old('getItems', 'stories')).toEqual([])
  expect(await old('getItems', 'stories', { status: '*' })).toMatchObject([{ id: story.id }])
  await now(`PATCH /items/stories/${story.id}`, { status: 'draft' })
  await old('deleteItem', 'stories', story.id)
  expect(await now('GET /items/stories')).toEqual([])
  await expect(old('getItem', 'stories', story.id)).rejects.toMatchObject({ code: '203' })
})

test('a setting and the collection itself are the same for both', async () => {
  const [setting] = await old<readonly Row[]>('getSettings').then((all) =>
    all.filter(({ key }) => key === 'project_name'),
  )
  await now('PATCH /settings', { project_name: 'Moved' })
  expect((await old<readonly Row[]>('getSettings')).find(({ id }) => id === setting?.id)?.['value']).toBe('Moved')
  await now('DELETE /collections/stories')
  await expect(old('getItems', 'stories')).rejects.toMatchObject({ code: '200' })
})
