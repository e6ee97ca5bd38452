/** Levels of version 8 on the history show no more of an item than those on the item, in both generations. */
import { afterAll, expect, test } from 'vitest'
import { openOwnDatabase } from './own-database.ts'

const sql = `
create table hidden (id serial primary key, word text);
create table shown (id serial primary key, word text, secret text);
create table partly (id serial primary key, word text, secret text);
create table owned (id serial primary key, word text, owner uuid);
insert into platform_collections (collection) values ('hidden'), ('shown'), ('partly'), ('owned');
insert into platform_fields (collection, field, special) values ('owned', 'owner', 'user-created')`

const token = 'the-token-of-a-member-of-a-new-role'

async function admin(request: string, body?: object): Promise<{ readonly id: number }> {
  const answer = await own.ask(request, body === undefined ? {} : { body })
  expect([request, answer.status, answer.body]).toEqual([request, 200, expect.anything()])
  return (answer.body as { data: { id: number } }).data
}

const own = await openOwnDatabase(sql)
const role = (await admin('POST /_/roles', { name: 'Members' })).id
await admin('POST /_/users', { email: 'ann@example.com', status: 'active', role, token })
await admin('POST /_/permissions', { collection: 'shown', role, read: 'full' })
await admin('POST /_/permissions', { collection: 'partly', role, read: 'full', read_field_blacklist: ['secret'] })
await admin('POST /_/permissions', { collection: 'owned', role, read: 'mine' })
await admin('POST /_/items/hidden', { word: 'private' })
await admin('POST /_/items/shown', { word: 'public', secret: 'known' })
await admin('POST /_/items/partly', { word: 'half', secret: 'unknown' })
await admin('POST /_/items/owned', { word: 'theirs' })
afterAll(() => own.close())

const ask = async (request: string, body?: object): Promise<unknown> =>
  ((await own.ask(request, { token, ...(body === undefined ? {} : { body }) })).body as { data: unknown }).data
const about = (collection: string) => ({ _eq: collection })

test('the current API lists revisions of readable collections, with the contents of wholly readable ones', async () => {
  const query = {
    fields: ['collection', 'data', 'delta'],
    filter: { collection: { _nstarts_with: 'platform' } },
    sort: 'id',
  }
  const expected = [
    {
      collection: 'shown',
      data: { id: 1, word: 'public', secret: 'known' },
      delta: { word: 'public', secret: 'known' },
    },
    { collection: 'partly', data: null, delta: null },
    { collection: 'owned', data: null, delta: null },
  ]
  expect(await ask('SEARCH /revisions', { query })).toEqual(expected)
  const text = '{ revisions(filter: {collection: {_nstarts_with: "platform"}}, sort: "id") { collection data delta } }'
  expect(await ask('POST /graphql/system', { query: text })).toEqual({ revisions: expected })
})

test.each([
  ['a key', { filter: { collection: about('hidden') } }],
  ['the text of a value', { filter: { 'json(data, word)': { _eq: 'private' } } }],
  ['the text of a left out field', { filter: { 'json(data, secret)': { _eq: 'unknown' } } }],
  ['the text of the change', { filter: { delta: { _json: { word: { _starts_with: 'theirs' } } } } }],
  ['the name of a table', { filter: { collection: about('platform_collections') } }],
])('nothing is found by %s', async (_name, query) => {
  expect(await ask('SEARCH /revisions', { query })).toEqual([])
})

test('version 8 shows the readable fields, and nothing of items that may not be readable', async () => {
  const rows = (await ask('GET /_/revisions?fields=collection,data,delta&sort=id')) as readonly { collection: string }[]
  expect(rows.filter(({ collection }) => !collection.startsWith('platform'))).toEqual([
    {
      collection: 'shown',
      data: { id: 1, word: 'public', secret: 'known' },
      delta: { word: 'public', secret: 'known' },
    },
    { collection: 'partly', data: { id: 1, word: 'half' }, delta: { word: 'half' } },
    { collection: 'owned', data: {}, delta: {} },
  ])
  expect(JSON.stringify(rows)).not.toContain('hidden')
  expect(await ask('GET /_/items/partly/1/revisions?fields=data')).toEqual([{ data: { id: 1, word: 'half' } }])
})

test('an own item shows its history', async () => {
  const role = (await ask('GET /_/users/me?fields=role')) as { role: number }
  const [level] = (await admin(`GET /_/permissions?filter[role]=${role.role}&filter[collection]=owned`)) as unknown as [
    { id: number },
  ]
  await admin(`PATCH /_/permissions/${level.id}`, { create: 'full' })
  const made = (await ask('POST /_/items/owned', { word: 'mine' })) as { id: number }
  expect(await ask(`GET /_/items/owned/${made.id}/revisions?fields=delta`)).toMatchObject([{ delta: { word: 'mine' } }])
})

const said = async (collection: string) => {
  const body = { collection, item: '1', comment: 'x' }
  const answer = await own.ask('POST /_/activity/comment', { token, body })
  return JSON.stringify([answer.status, answer.body]).replaceAll(collection, '@')
}

test('a comment on a collection without any right is refused as one on none', async () => {
  expect(await said('hidden')).toBe(await said('nothing'))
})

test('the data model names no table that the caller may not read', async () => {
  await own.rows('alter table shown add column other integer references hidden')
  await own.ask('POST /utils/cache/clear?system')
  const [field] = ((await ask('GET /fields/shown')) as readonly { field: string; schema: object }[]).filter(
    (each) => each.field === 'other',
  )
  expect(field?.schema).toMatchObject({ name: 'other', foreign_key_table: null, foreign_key_column: null })
  expect(JSON.stringify(await ask('GET /fields'))).not.toContain('_table":"hidden"')
  await own.rows('create table anys (id serial primary key, kind text, item text)')
  await own.rows(`insert into platform_relations (many_collection, many_field, one_collection_field, one_allowed_collections)
    values ('anys', 'item', 'kind', 'hidden,shown')`)
  await own.ask('POST /utils/cache/clear?system')
  const readable = ['anys', 'shown', 'platform_relations']
  const reader = await own.addUser(readable.map((collection) => ({ collection, action: 'read' })))
  const { body } = await own.ask('GET /relations/anys/item', { token: reader })
  expect(body).toMatchObject({ data: { meta: { one_allowed_collections: ['shown'] } } })
  expect(await admin('GET /fields/shown/other')).toMatchObject({ schema: { foreign_key_table: 'hidden' } })
})
