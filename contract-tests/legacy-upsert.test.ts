/** `on_conflict` in the legacy generation: items that are there are updated, the others created. */
import { afterAll, beforeEach, expect, test } from 'vitest'
import { type OwnDatabase, openOwnDatabase } from './own-database.ts'

const tables = `
  create table products (id serial primary key, sku text unique, name text, stock integer default 5, status text default 'on');
  insert into platform_collections (collection, accountability, archive_field, archive_value, unarchive_value)
    values ('products', 'all', 'status', 'gone', 'on');
  insert into platform_fields (collection, field, interface, options) values ('products', 'status', 'status',
    '{"status_mapping": {"on": {"name": "On", "published": true}, "gone": {"name": "Gone", "soft_delete": true}}}')`
const users: { [name: string]: string } = {}
const of = (...actions: readonly string[]) => actions.map((action) => ({ collection: 'products', action }))

const own = await openOwnDatabase(tables)
users['creator'] = await own.addUser(of('create'))
users['changer'] = await own.addUser(of('update', 'read'))
users['owner'] = await own.addUser([
  ...of('create', 'read'),
  { collection: 'products', action: 'update', permissions: { sku: { _eq: 'mine' } }, fields: 'sku,name' },
])
beforeEach(() => own.rows('truncate products, platform_revisions, platform_activity restart identity cascade'))
afterAll(() => own.close())

async function upsert(query: string, body: unknown, options: Parameters<OwnDatabase['ask']>[1] = {}) {
  const { status, body: answer } = await own.ask(`POST /_/items/products?${query}`, { body, ...options })
  const { data, error } = (answer ?? {}) as { data?: unknown; error?: { code: number; message: string } }
  return error === undefined ? [status, data] : [status, error.code, error.message]
}
const names = async () => (await own.rows('select name from products order by id')).map(({ name }) => name)
const as = (name: string) => ({ token: users[name] as string })
const history = async () =>
  (
    await own.rows(
      'select a.action, a.item, a.comment, r.delta from platform_activity a left join platform_revisions r on r.activity = a.id order by a.id',
    )
  ).map(({ action, item, comment, delta }) => [action, item, comment, Object.keys(delta as object).toSorted()])

test('one item is created, then updated; history says what it was, with the comment', async () => {
  const query = 'on_conflict=sku&fields=id,name,stock&comment=Sent%20by%20the%20shop'
  expect(await upsert(query, { sku: 'a', name: 'One', stock: 3 })).toEqual([200, { id: 1, name: 'One', stock: 3 }])
  expect(await upsert(query, { sku: 'a', name: 'Uno' })).toEqual([200, { id: 1, name: 'Uno', stock: 3 }])
  expect(await history()).toEqual([
    ['create', '1', 'Sent by the shop', ['name', 'sku', 'stock']],
    ['update', '1', 'Sent by the shop', ['name']],
  ])
})

test('a list is answered in its order, with created and updated items mixed', async () => {
  await own.rows("insert into products (sku, name) values ('b', 'B'), ('d', 'D')")
  const body = [
    { sku: 'a', name: 'new' },
    { sku: 'd', name: 'changed' },
    { name: 'without' },
    { sku: 'b', name: 'changed' },
  ]
  expect(await upsert('on_conflict[]=sku&fields=id,name', body)).toEqual([
    200,
    [
      { id: 3, name: 'new' },
      { id: 2, name: 'changed' },
      { id: 4, name: 'without' },
      { id: 1, name: 'changed' },
    ],
  ])
  expect((await history()).map(([action]) => action)).toEqual(['update', 'update', 'create', 'create'])
})

test('each row needs the right that it would need alone', async () => {
  await own.rows("insert into products (sku, name) values ('mine', 'Mine'), ('theirs', 'Theirs')")
  expect(await upsert('on_conflict=sku', { sku: 'new', name: 'New' }, as('creator'))).toEqual([204, undefined])
  expect((await upsert('on_conflict=sku', { sku: 'mine', name: 'X' }, as('creator')))[0]).toBe(403)
  expect(await upsert('on_conflict=sku&fields=name', { sku: 'mine', name: 'Y' }, as('changer'))).toEqual([
    200,
    { name: 'Y' },
  ])
  expect((await upsert('on_conflict=sku', { sku: 'newer', name: 'X' }, as('changer')))[0]).toBe(403)
  const mixed = [
    { sku: 'newer', name: 'X' },
    { sku: 'theirs', name: 'X' },
  ]
  expect((await upsert('on_conflict=sku', mixed, as('owner')))[0]).toBe(403)
  expect((await upsert('on_conflict=sku', { sku: 'mine', stock: 1 }, as('owner')))[0]).toBe(403)
  expect((await upsert('on_conflict=sku', { sku: 'mine', name: 'X' }, { token: null }))[0]).toBe(401)
  expect(await names()).toEqual(['Y', 'Theirs', 'New'])
})

test('an item whose status counts as deleted is missing, unless the status is asked for', async () => {
  await own.rows("insert into products (sku, name, status) values ('a', 'A', 'gone')")
  expect((await upsert('on_conflict=sku', { sku: 'a', name: 'B' })).slice(0, 2)).toEqual([404, 203])
  expect(await names()).toEqual(['A'])
  expect(await upsert('on_conflict=sku&status=*&fields=name,status', { sku: 'a', name: 'B', status: 'on' })).toEqual([
    200,
    { name: 'B', status: 'on' },
  ])
})

test.for<[string, string, string]>([
  [
    'no unique index',
    'name',
    'Expected the fields of a unique index of "products" for "on_conflict" but received "name"',
  ],
  ['nothing', '', 'Expected names of fields for "on_conflict" but received'],
  ['an unknown field', 'none', 'none'],
])('%s is refused', async ([, fields, reason]) => {
  const [status, , message] = await upsert(`on_conflict=${fields}`, { name: 'A' })
  expect([Number(status) >= 400 && Number(status) < 500, message]).toEqual([true, expect.stringContaining(reason)])
  expect(await names()).toEqual([])
})

test('in a batch and with a key it is as alone', async () => {
  const operation = {
    method: 'POST',
    path: '/_/items/products?on_conflict=sku&fields=id,name',
    body: { sku: 'a', name: 'A' },
  }
  const operations = [operation, { ...operation, body: { sku: 'a', name: 'B' } }]
  const asked = { body: { operations }, headers: { 'idempotency-key': 'one' } }
  const { body } = await own.ask('POST /_/batch', asked)
  expect(body).toEqual({
    data: [
      { status: 200, body: { data: { id: 1, name: 'A' } } },
      { status: 200, body: { data: { id: 1, name: 'B' } } },
    ],
  })
  expect((await own.ask('POST /_/batch', asked)).body).toEqual(body)
  expect((await history()).map(([action]) => action)).toEqual(['create', 'update'])
})
