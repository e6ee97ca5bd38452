/** `$FOLLOW(collection,field)` in filters: rows that refer to an item, which no field of the item lists. */
import { afterAll, expect, test } from 'vitest'
import { openOwnDatabase } from './own-database.ts'

const sql = `
create table pages (id serial primary key, title text);
create table tags (id serial primary key, word text);
create table pages_tags (id serial primary key, page integer references pages, tag integer references tags, place integer);
create table blocks (id serial primary key, page integer references pages, kind text, item text);
insert into pages (title) values ('One'), ('Two');
insert into tags (word) values ('red'), ('green'), ('blue');
insert into pages_tags (page, tag, place) values (1, 1, 1), (1, 2, 2), (2, 2, 1), (2, 1, 2);
insert into blocks (page, kind, item) values (1, 'tags', '3'), (2, 'tags', '1'), (1, 'pages', '2');
insert into platform_relations (many_collection, many_field, one_collection_field, one_allowed_collections) values
  ('blocks', 'item', 'kind', 'tags,pages')`
const own = await openOwnDatabase(sql)
const rule = (collection: string, fields = '*', permissions: object | null = null) => ({
  collection,
  action: 'read',
  fields,
  permissions,
})
const withoutJunction = await own.addUser([rule('tags')])
const withoutReference = await own.addUser([rule('tags'), rule('pages_tags', 'id,page')])
const ofSecondPage = await own.addUser([rule('tags'), rule('pages_tags', '*', { page: { _eq: 2 } })])
afterAll(() => own.close())

const ask = (collection: string, filter: object, token = own.adminToken) =>
  own.ask(`GET /items/${collection}?fields=id&filter=${encodeURIComponent(JSON.stringify(filter))}`, { token })

async function idsOf(collection: string, filter: object, token?: string): Promise<readonly number[]> {
  const { status, body } = await ask(collection, filter, token)
  expect([status, body]).toEqual([200, { data: expect.any(Array) }])
  return (body as { readonly data: readonly { readonly id: number }[] }).data.map(({ id }) => id)
}

const followed = '$FOLLOW(pages_tags,tag)'

test.each<[filter: object, ids: readonly number[]]>([
  [{ [followed]: { _none: { page: { _eq: 1 } } } }, [3]],
  [{ [followed]: { _some: { page: { _eq: 1 } } } }, [1, 2]],
  [{ [followed]: { place: { _eq: 1 } } }, [1, 2]],
  [{ [followed]: { page: { title: { _eq: 'Two' } }, place: { _eq: 1 } } }, [2]],
  [{ _and: [{ [followed]: { place: { _eq: 1 } } }, { [followed]: { place: { _eq: 2 } } }] }, [1, 2]],
  [{ [followed]: { _null: true } }, [3]],
  [{ [followed]: { _nnull: true }, word: { _eq: 'red' } }, [1]],
  [{ '$FOLLOW(blocks,item,kind)': { _none: { page: { _eq: 1 } } } }, [1, 2]],
  [{ '$FOLLOW(blocks,item)': { _some: { page: { _eq: 2 } } } }, [1]],
])('%j', async (filter, ids) => {
  expect(await idsOf('tags', filter)).toEqual(ids)
})

test('in a path, in counts and in deep', async () => {
  expect(await idsOf('pages_tags', { tag: { [followed]: { page: { _eq: 1 } } } })).toEqual([1, 2, 3, 4])
  expect(await idsOf('pages_tags', { tag: { '$FOLLOW(blocks,item)': { page: { _eq: 1 } } } })).toEqual([])
  const filter = encodeURIComponent(JSON.stringify({ [followed]: { _none: { page: { _eq: 1 } } } }))
  const { body } = await own.ask(`GET /items/tags?aggregate[count]=id&filter=${filter}`, { token: own.adminToken })
  expect(Number((body as { data: { count: { id: unknown } }[] }).data[0]?.count.id)).toBe(1)
})

test('rights: the rows that refer and the field that refers must be readable', async () => {
  const filter = { [followed]: { _some: { page: { _nnull: true } } } }
  for (const token of [withoutJunction, withoutReference])
    expect(await ask('tags', filter, token)).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } })
  expect(await idsOf('tags', { [followed]: { _some: { place: { _eq: 1 } } } }, ofSecondPage)).toEqual([2])
  expect(await idsOf('tags', { [followed]: { _none: { place: { _eq: 1 } } } }, ofSecondPage)).toEqual([1, 3])
})

test.each([
  '$FOLLOW(pages_tags,page)',
  '$FOLLOW(pages_tags,nothing)',
  '$FOLLOW(nothing,tag)',
  '$FOLLOW(pages_tags)',
  '$FOLLOW(platform_sessions,user)',
])('%s is refused like a field that does not exist', async (name) => {
  expect(await ask('tags', { [name]: { _none: { page: { _eq: 1 } } } })).toMatchObject({
    status: 403,
    body: { error: { code: 'FORBIDDEN' } },
  })
})
