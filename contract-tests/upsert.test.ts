import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { perVendor } from '../src/sql/testing/test-vendors.ts'
import { type OwnDatabase, openOwnDatabase } from './own-database.ts'

const tables = `
  create extension if not exists citext;
  create table products (
    id serial primary key, sku citext unique, name text not null, price numeric(10, 2), stock integer default 5,
    owner text, created timestamptz, changed timestamptz
  );
  create table prices (
    shop text, product integer references products (id), amount integer, note text, primary key (shop, product)
  );
  create table days (id serial primary key, day date, room text, seats integer, unique (day, room));
  create unique index on days (seats) where seats > 100;
  create table about (id serial primary key, text text);
  insert into platform_collections (collection, singleton, accountability)
    values ('products', false, 'all'), ('prices', false, 'all'), ('days', false, 'all'), ('about', true, 'all');
  insert into platform_fields (collection, field, special) values ('products', 'created', 'date-created'), ('products', 'changed', 'date-updated');
  insert into platform_relations (many_collection, many_field, one_collection, one_field) values ('prices', 'product', 'products', 'prices')`
const users: { [name: string]: string } = {}

const of = (...actions: readonly string[]) => actions.map((action) => ({ collection: 'products', action }))

const own = await openOwnDatabase(tables)
const other = (await own.openReplica()).ask
users['creator'] = await own.addUser(of('create'))
users['changer'] = await own.addUser(of('update', 'read'))
users['owner'] = await own.addUser([
  ...of('create'),
  { collection: 'products', action: 'update', permissions: { owner: { _eq: 'me' } }, fields: 'sku,name,price' },
  { collection: 'products', action: 'read', permissions: { owner: { _eq: 'me' } } },
])
beforeEach(() =>
  own.rows('truncate products, prices, days, about, platform_revisions, platform_activity restart identity cascade'),
)
afterAll(() => own.close())

async function upsert(path: string, body: unknown, options: Parameters<OwnDatabase['ask']>[1] = {}) {
  const { status, body: answer } = await own.ask(`POST /items/${path}`, { body, ...options })
  const { data, error } = (answer ?? {}) as { readonly data?: unknown; readonly error?: { readonly message: string } }
  return [status, data ?? error?.message]
}

const history = async () =>
  (
    await own.rows(
      'select a.action, a.item, r.delta from platform_activity a left join platform_revisions r on r.activity = a.id order by a.id',
    )
  ).map(({ action, item, delta }) => [action, item, delta])

test('one item is created, then updated; history says what it was each time', async () => {
  const path = 'products?on_conflict=sku&fields=id,sku,name,price,stock'
  expect(await upsert(path, { sku: 'a-1', name: 'One', price: 1.5, stock: 3 })).toEqual([
    200,
    { id: 1, sku: 'a-1', name: 'One', price: '1.50', stock: 3 },
  ])
  // The fields of the index stay as they are, and fields that are not given too.
  expect(await upsert(path, { sku: 'A-1', name: 'Uno' })).toEqual([
    200,
    { id: 1, sku: 'a-1', name: 'Uno', price: '1.50', stock: 3 },
  ])
  const [created, updated] = await history()
  expect([created?.slice(0, 2), updated?.slice(0, 2)]).toEqual([
    ['create', '1'],
    ['update', '1'],
  ])
  expect(Object.keys(created?.[2] as object).toSorted()).toEqual(['created', 'name', 'price', 'sku', 'stock'])
  expect(Object.keys(updated?.[2] as object).toSorted()).toEqual(['changed', 'name'])
})

/** The key after a list of two: MariaDB takes keys of lists by powers of two. */
const next = perVendor({ postgres: 3, mariadb: 4, mysql: 3 })

test('a list is answered in its order, with created and updated items mixed', async () => {
  await upsert('products?on_conflict=sku', [
    { sku: 'b', name: 'B' },
    { sku: 'd', name: 'D' },
  ])
  expect(
    await upsert('products?on_conflict=sku&fields=id,name', [
      { sku: 'a', name: 'new' },
      { sku: 'd', name: 'changed' },
      { sku: 'c', name: 'new' },
      { sku: 'b', name: 'changed' },
    ]),
  ).toEqual([
    200,
    [
      { id: next, name: 'new' },
      { id: 2, name: 'changed' },
      { id: next + 1, name: 'new' },
      { id: 1, name: 'changed' },
    ],
  ])
})

test('keys of several columns, indexes of several columns and the primary key count', async () => {
  await own.rows("insert into products (name) values ('One'), ('Two')")
  const price = 'prices?on_conflict=shop,product&fields=amount,note'
  expect(await upsert(price, { shop: 'x', product: 1, amount: 1, note: 'n' })).toEqual([200, { amount: 1, note: 'n' }])
  expect(await upsert(price, { shop: 'x', product: 1, amount: 2 })).toEqual([200, { amount: 2, note: 'n' }])
  const day = 'days?on_conflict[]=room&on_conflict[]=day&fields=id,seats'
  expect(
    await upsert(day, [
      { day: '2026-01-02', room: 'a', seats: 1 },
      { day: '2026-01-02', room: 'b', seats: 2 },
    ]),
  ).toEqual([
    200,
    [
      { id: 1, seats: 1 },
      { id: 2, seats: 2 },
    ],
  ])
  expect(
    await upsert(day, [
      { day: '2026-01-02', room: 'b', seats: 3 },
      { day: '2026-01-03', room: 'b', seats: 4 },
    ]),
  ).toEqual([
    200,
    [
      { id: 2, seats: 3 },
      { id: next, seats: 4 },
    ],
  ])
  expect(
    await upsert('days?on_conflict=id&fields=id,seats', [{ id: 2, seats: 9 }, { seats: 5 }, { id: 8, seats: 6 }]),
  ).toEqual([
    200,
    [
      { id: 2, seats: 9 },
      { id: 9, seats: 5 },
      { id: 8, seats: 6 },
    ],
  ])
})

test('an item without a value for the fields is created', async () => {
  expect(
    await upsert('products?on_conflict=sku&fields=id', [
      { name: 'a' },
      { sku: null, name: 'b' },
      { sku: null, name: 'c' },
    ]),
  ).toEqual([200, [{ id: 1 }, { id: 2 }, { id: 3 }]])
})

test('a null in an index of several columns is no conflict', async () => {
  const item = { day: '2026-01-02', room: null, seats: 1 }
  for (const seats of [1, 2]) await upsert('days?on_conflict=day,room', { ...item, seats })
  await upsert('days?on_conflict=day,room', [item, { ...item, room: 'a' }, { ...item, room: 'b' }])
  await upsert('days?on_conflict=day,room', { ...item, room: 'a', seats: 9 })
  expect(await own.rows('select room, seats from days order by id')).toEqual([
    { room: null, seats: 1 },
    { room: null, seats: 2 },
    { room: null, seats: 1 },
    { room: 'a', seats: 9 },
    { room: 'b', seats: 1 },
  ])
})

test('related items are written with both', async () => {
  const path = 'products?on_conflict=sku&fields=id,prices.amount'
  await upsert(path, { sku: 'a', name: 'A', prices: [{ shop: 'x', amount: 1 }] })
  expect(
    await upsert(path, [
      { sku: 'a', prices: [{ shop: 'y', amount: 2 }] },
      { sku: 'b', name: 'B', prices: [{ shop: 'x', amount: 3 }] },
    ]),
  ).toEqual([
    200,
    [
      { id: 1, prices: [{ amount: 2 }] },
      { id: 2, prices: [{ amount: 3 }] },
    ],
  ])
})

const names = async () => (await own.rows('select name from products order by id')).map(({ name }) => name)

describe('rights', () => {
  beforeEach(() =>
    own.rows("insert into products (sku, name, owner) values ('mine', 'Mine', 'me'), ('theirs', 'Theirs', 'them')"),
  )

  const denied = 'You don\'t have permission to access collection "products" or it does not exist.'

  test('of a create are enough for what is not there, and tell nothing about what is', async () => {
    const asked = { token: users['creator'] as string }
    expect(await upsert('products?on_conflict=sku', { sku: 'new', name: 'New' }, asked)).toEqual([204, undefined])
    expect(await upsert('products?on_conflict=sku', { sku: 'mine', name: 'Changed' }, asked)).toEqual([403, denied])
    expect(
      await upsert(
        'products?on_conflict=sku',
        [
          { sku: 'newer', name: 'Newer' },
          { sku: 'theirs', name: 'Changed' },
        ],
        asked,
      ),
    ).toEqual([403, denied])
    expect(await names()).toEqual(['Mine', 'Theirs', 'New'])
  })

  test('of an update are enough for what is there', async () => {
    const asked = { token: users['changer'] as string }
    expect(await upsert('products?on_conflict=sku&fields=name', { sku: 'mine', name: 'Changed' }, asked)).toEqual([
      200,
      { name: 'Changed' },
    ])
    expect(await upsert('products?on_conflict=sku', { sku: 'new', name: 'New' }, asked)).toEqual([403, denied])
    expect(
      await upsert(
        'products?on_conflict=sku',
        [
          { sku: 'mine', name: 'Again' },
          { sku: 'new', name: 'New' },
        ],
        asked,
      ),
    ).toEqual([403, denied])
    expect(await names()).toEqual(['Changed', 'Theirs'])
  })

  test('with conditions hold for each row', async () => {
    const asked = { token: users['owner'] as string }
    expect(await upsert('products?on_conflict=sku&fields=name', { sku: 'mine', name: 'Changed' }, asked)).toEqual([
      200,
      { name: 'Changed' },
    ])
    expect(await upsert('products?on_conflict=sku', { sku: 'theirs', name: 'Changed' }, asked)).toEqual([
      403,
      "You don't have permission to access this.",
    ])
    expect(await upsert('products?on_conflict=sku', { sku: 'mine', stock: 1 }, asked)).toEqual([
      403,
      'You don\'t have permission to access field "stock" in collection "products" or it does not exist.',
    ])
    expect(await names()).toEqual(['Changed', 'Theirs'])
  })

  test('of nobody are none', async () => {
    expect(await upsert('products?on_conflict=sku', { sku: 'new', name: 'New' }, { token: null })).toEqual([
      403,
      denied,
    ])
  })
})

test.for<[string, string, unknown, string]>([
  [
    'a field without an index',
    'products?on_conflict=name',
    { name: 'a' },
    'Expected the fields of a unique index of "products" for "on_conflict" but received "name"',
  ],
  [
    'a part of an index',
    'days?on_conflict=day',
    { day: '2026-01-01' },
    'Expected the fields of a unique index of "days" for "on_conflict" but received "day"',
  ],
  [
    'more than an index',
    'days?on_conflict=day,room,seats',
    { day: '2026-01-01' },
    'Expected the fields of a unique index of "days"',
  ],
  [
    'an index over some rows',
    'days?on_conflict=seats',
    { seats: 200 },
    'Expected the fields of a unique index of "days"',
  ],
  ['nothing', 'products?on_conflict=', { name: 'a' }, 'on_conflict'],
  ['a value of another type', 'days?on_conflict=id', { id: 'x' }, 'id'],
  [
    'another value that is taken',
    'products?on_conflict=id',
    [
      { sku: 'a', name: 'a' },
      { sku: 'a', name: 'b' },
    ],
    'Value "a" for field "sku" in collection "products" has to be unique.',
  ],
  [
    'the same new item twice',
    'products?on_conflict=sku',
    [
      { sku: 'a', name: 'a' },
      { sku: 'A', name: 'b' },
    ],
    'has to be unique',
  ],
])('%s is refused', async ([, path, body, reason]) => {
  const [status, message] = await upsert(path, body)
  expect([status, message]).toEqual([400, expect.stringContaining(reason)])
  expect(await own.rows('select (select count(*) from products)::int + (select count(*) from days)::int as n')).toEqual(
    [{ n: 0 }],
  )
})

test('the same item twice is refused, also where it is there', async () => {
  await own.rows("insert into products (sku, name) values ('a', 'A')")
  const items = [{ name: 'no sku' }, { sku: 'a', name: 'first' }, { sku: 'A', name: 'last' }]
  const [status, message] = await upsert('products?on_conflict=sku', items)
  expect([status, message]).toEqual([
    400,
    'Invalid payload. Expected each item once for "on_conflict" but received one at 1 and at 2.',
  ])
  expect(await names()).toEqual(['A'])
})

test('an unknown field is refused as elsewhere, and a singleton has no list', async () => {
  expect((await upsert('products?on_conflict=none', { name: 'a' }))[0]).toBe(403)
  expect((await upsert('about?on_conflict=id', { text: 'a' }))[0]).toBe(404)
})

test('at the same time, from two servers, writes one item', async () => {
  const answers = await Promise.all(
    Array.from({ length: 24 }, (_, at) =>
      (at % 2 === 0 ? own.ask : other)('POST /items/products?on_conflict=sku', {
        body: { sku: `s-${at % 3}`, name: `n-${at}` },
      }),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 24 }, () => 200))
  expect(await own.rows('select sku::text from products order by sku')).toEqual([
    { sku: 's-0' },
    { sku: 's-1' },
    { sku: 's-2' },
  ])
  const counts = await own.rows(
    'select action, count(*)::int as n from platform_activity group by action order by action',
  )
  expect(counts).toEqual([
    { action: 'create', n: 3 },
    { action: 'update', n: 21 },
  ])
})

test('in a batch and with a key it is as alone', async () => {
  const operation = {
    method: 'POST',
    path: '/items/products?on_conflict=sku&fields=id,name',
    body: { sku: 'a', name: 'A' },
  }
  const operations = [operation, { ...operation, body: { sku: 'a', name: { $ref: '0.data.name' } } }]
  const asked = { body: { operations }, headers: { 'idempotency-key': 'one' } }
  const expected = {
    data: [
      { status: 200, body: { data: { id: 1, name: 'A' } } },
      { status: 200, body: { data: { id: 1, name: 'A' } } },
    ],
  }
  for (const ask of [own.ask, other]) expect((await ask('POST /batch', asked)).body).toEqual(expected)
  expect((await history()).map(([action]) => action)).toEqual(['create', 'update'])
})

const runGraphql = async (query: string, token: string | null = own.adminToken) =>
  (await own.ask('POST /graphql', { body: { query }, token })).body as {
    readonly data: { readonly upsert_products_items?: unknown } | null
    readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[]
  }

describe('GraphQL', () => {
  test('creates what is not there and updates the others, in the order of the items', async () => {
    await own.rows("insert into products (sku, name, stock) values ('a', 'A', 1)")
    const data = '[{ sku: "b", name: "B" }, { sku: "A", name: "Changed" }]'
    const query = `mutation { upsert_products_items(data: ${data}, on_conflict: ["sku"], sort: ["id"]) { id name stock } }`
    expect(await runGraphql(query)).toEqual({
      data: {
        upsert_products_items: [
          { id: '1', name: 'Changed', stock: 1 },
          { id: '2', name: 'B', stock: 5 },
        ],
      },
    })
    expect((await history()).map(([action]) => action)).toEqual(['update', 'create'])
  })

  test('refuses fields of no unique index, and items whose right is missing', async () => {
    const named = await runGraphql(
      'mutation { upsert_products_items(data: [{ name: "X" }], on_conflict: ["name"]) { id } }',
    )
    expect(named.errors?.[0]?.message).toContain('Expected the fields of a unique index')
    const denied = await runGraphql(
      'mutation { upsert_products_items(data: [{ sku: "new", name: "X" }], on_conflict: ["sku"]) { id } }',
      users['changer'],
    )
    expect(denied.errors?.[0]?.extensions.code).toBe('FORBIDDEN')
    expect(await names()).toEqual([])
  })
})
