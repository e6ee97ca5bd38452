/** Foreign keys of several columns as relations, in both generations and in GraphQL. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { type DataModel, typesOfModel } from '../sdk/src/project-types/item-types.ts'
import { registerMetadata } from '../src/core/model/introspect.ts'
import type { Filter } from '../src/domain/query/filter.ts'
import { prepare } from '../src/sql/run/prepare.ts'
import { loadSchema } from '../src/sql/schema/load-schema.ts'
import { silentLog } from '../src/sql/testing/test-database.ts'
import { compare, field, noon, queryOf, someUser, viewOf } from '../src/sql/testing/test-query.ts'
import { perVendor, testOnPostgres } from '../src/sql/testing/test-vendors.ts'
import { openOwnDatabase } from './own-database.ts'
import type { RequestOptions } from './send.ts'

const sql = `
create table shop (id serial primary key, name text);
create table shelf (shop_id int references shop, code text, height int, primary key (shop_id, code)${perVendor({ postgres: '', mariadb: ', unique (code, shop_id)' })});
create table box (
  id serial primary key, shop_id int not null references shop, shelf_code text, label text,
  constraint box_shelf foreign key (shop_id, shelf_code) references shelf);
create table slot (
  shelf_code text, shop_id int, n int, note text, primary key (shop_id, shelf_code, n),
  constraint slot_shelf foreign key (shelf_code, shop_id) references shelf (code, shop_id) on delete cascade);
create table twin (
  id serial primary key, a int, b text, c text,
  constraint first_shelf foreign key (a, b) references shelf, constraint second_shelf foreign key (a, b) references shelf);
insert into platform_collections (collection) values ('shop'), ('shelf'), ('box'), ('slot'), ('twin');
insert into platform_relations (many_collection, many_field, one_collection, one_field) values
  ('box', 'shop_id_shelf_code', 'shelf', 'boxes'), ('slot', 'shop_id_shelf_code', 'shelf', 'slots')`

const rows = `
truncate shop, shelf, box, slot, twin, platform_revisions, platform_activity restart identity cascade;
insert into shop (name) values ('North'), ('South');
insert into shelf values (1, 'a', 10), (1, 'b;1', 20), (2, 'a', 30);
insert into box (shop_id, shelf_code, label) values (1, 'a', 'red'), (1, 'b;1', 'blue'), (2, null, 'loose'), (2, 'a', 'green');
insert into slot (shop_id, shelf_code, n, note) values (1, 'a', 1, 'x'), (1, 'a', 2, 'y'), (2, 'a', 1, 'z');
insert into twin (a, b) values (2, 'a')`
const own = await openOwnDatabase(sql)
beforeEach(async () => void (await own.rows(rows)))
afterAll(() => own.close())

const dataOf = async (request: string, options?: RequestOptions): Promise<unknown> => {
  const { status, body } = await own.ask(request, options)
  return status === 200 ? (body as { readonly data: unknown }).data : { status, body }
}
const ref = 'shop_id_shelf_code'
const boxes = () => own.rows('select id, shop_id, shelf_code, label from box order by id')

describe.each([
  [
    'current',
    '/items',
    (path: string, operator: string, value: string) => {
      const [first, ...rest] = path.split('.')
      return `filter[${first}]${rest.map((name) => `[${name}]`).join('')}[_${operator}]=${value}`
    },
  ],
  ['legacy', '/_/items', (path: string, operator: string, value: string) => `filter[${path}][${operator}]=${value}`],
] as const)('the %s generation', (generation, items, filter) => {
  test('reads the key, the row and the rows that refer to it', async () => {
    expect(await dataOf(`GET ${items}/box?fields=id,${ref}&sort=id`)).toEqual([
      { id: 1, [ref]: '1;a' },
      { id: 2, [ref]: '1;b%3B1' },
      { id: 3, [ref]: null },
      { id: 4, [ref]: '2;a' },
    ])
    expect(await dataOf(`GET ${items}/box?fields=id,${ref}.height,${ref}.shop_id.name&sort=id`)).toEqual([
      { id: 1, [ref]: { height: 10, shop_id: { name: 'North' } } },
      { id: 2, [ref]: { height: 20, shop_id: { name: 'North' } } },
      { id: 3, [ref]: null },
      { id: 4, [ref]: { height: 30, shop_id: { name: 'South' } } },
    ])
    expect(await dataOf(`GET ${items}/shelf/1;a?fields=height,boxes.label,slots.n,slots.${ref}.height`)).toEqual({
      height: 10,
      boxes: [{ label: 'red' }],
      slots: [
        { n: 1, [ref]: { height: 10 } },
        { n: 2, [ref]: { height: 10 } },
      ],
    })
    expect(await dataOf(`GET ${items}/box/1`)).toEqual({ id: 1, shop_id: 1, shelf_code: 'a', label: 'red' })
    expect(await dataOf(`GET ${items}/twin?fields=a_b.height,second_shelf.height`)).toEqual([
      { a_b: { height: 30 }, second_shelf: { height: 30 } },
    ])
  })

  test('filters and sorts through it', async () => {
    const labels = async (query: string) =>
      ((await dataOf(`GET ${items}/box?fields=label&${query}`)) as readonly { label: string }[]).map(
        (each) => each.label,
      )
    expect(await labels(filter(`${ref}.height`, 'gt', '15'))).toEqual(['blue', 'green'])
    expect(await labels(`sort=-${ref}.height&${filter(ref, 'nnull', 'true')}`)).toEqual(['green', 'blue', 'red'])
    expect(await labels(filter(ref, 'eq', '1;b%253B1'))).toEqual(['blue'])
    expect(await labels(filter(ref, 'in', '1;a,2;a'))).toEqual(['red', 'green'])
    expect(await labels(filter(ref, 'null', 'true'))).toEqual(['loose'])
    expect(await labels(filter(ref, 'neq', '1;a'))).toEqual(['blue', 'green'])
    expect(await labels(filter(ref, 'nin', '1;a,2;a'))).toEqual(['blue'])
    // In version 8 it searches the related items.
    expect(await labels(filter(ref, 'contains', ';a'))).toEqual(generation === 'current' ? ['red', 'green'] : [])
    for (const [noKey, more] of [
      ['1', ''],
      ['x;a', ''],
      ['99999999999;a', ',2;a'],
    ] as const) {
      expect(await labels(filter(ref, 'eq', noKey))).toEqual([])
      expect(await labels(filter(ref, 'neq', noKey))).toEqual(['red', 'blue', 'green'])
      expect(await labels(filter(ref, 'in', noKey + more))).toEqual(more === '' ? [] : ['green'])
      expect(await labels(filter(ref, 'nin', noKey + more))).toEqual(
        more === '' ? ['red', 'blue', 'green'] : ['red', 'blue'],
      )
    }
    const shelves = async (query: string) => dataOf(`GET ${items}/shelf?fields=$key&${query}`)
    expect(await shelves(filter('slots', 'eq', '1;a;2'))).toEqual([{ $key: '1;a' }])
    expect(await shelves(filter('slots', 'in', '1;a;2,2;a;1'))).toEqual([{ $key: '1;a' }, { $key: '2;a' }])
    expect(await shelves(filter('slots', 'nin', '1;a;2,2;a;1'))).toEqual([{ $key: '1;a' }])
    for (const [operator, value] of [
      ['eq', '1;a'],
      ['eq', '1;a;x'],
      ['gt', '1;a;1'],
    ] as const) {
      const { status, body } = await own.ask(`GET ${items}/shelf?${filter('slots', operator, value)}`)
      expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('slots')])
    }
    expect(await labels(`sort=-${ref}&${filter(ref, 'nnull', 'true')}`)).toEqual(['green', 'blue', 'red'])
    const found = await dataOf(`GET ${items}/shelf?fields=code&${filter('boxes.label', 'eq', 'blue')}`)
    expect(found).toEqual([{ code: 'b;1' }])
  })

  test('writes the key as its columns', async () => {
    const answer = `fields=shop_id,shelf_code`
    expect(await dataOf(`POST ${items}/box?${answer}`, { body: { [ref]: '2;a' } })).toEqual({
      shop_id: 2,
      shelf_code: 'a',
    })
    expect(await dataOf(`PATCH ${items}/box/1?${answer}`, { body: { [ref]: '1;b%3B1' } })).toEqual({
      shop_id: 1,
      shelf_code: 'b;1',
    })
    expect(await dataOf(`PATCH ${items}/box/1?${answer}`, { body: { [ref]: null } })).toEqual({
      shop_id: 1,
      shelf_code: null,
    })
    const both = { [ref]: '2;a', shop_id: 2 }
    expect(await dataOf(`PATCH ${items}/box/1?${answer}`, { body: both })).toEqual({ shop_id: 2, shelf_code: 'a' })
    for (const body of [
      { [ref]: '2;a', shop_id: 1 },
      { [ref]: '2' },
      { [ref]: 'x;a' },
      { [ref]: 5 },
      { [ref]: '9;a' },
    ]) {
      const { status } = await own.ask(`PATCH ${items}/box/1`, { body })
      expect([body, status >= 400 && status < 500]).toEqual([body, true])
    }
    const kept = await own.rows(`select delta from platform_revisions where collection = 'box' order by id limit 2`)
    expect(kept.map(({ delta }) => delta)).toEqual([
      { shop_id: 2, shelf_code: 'a' },
      { shop_id: 1, shelf_code: 'b;1' },
    ])
  })

  test('writes the row that it refers to with it', async () => {
    const changed = { [ref]: { shop_id: 1, code: 'a', height: 11 }, label: 'crimson' }
    expect(await dataOf(`PATCH ${items}/box/1?fields=label,${ref}.height`, { body: changed })).toEqual({
      label: 'crimson',
      [ref]: { height: 11 },
    })
    const made = { [ref]: { shop_id: 2, code: 'new', height: 5 } }
    expect(await dataOf(`POST ${items}/box?fields=shop_id,shelf_code,${ref}.height`, { body: made })).toEqual({
      shop_id: 2,
      shelf_code: 'new',
      [ref]: { height: 5 },
    })
    expect(await own.rows('select count(*)::integer as n from shelf')).toEqual([{ n: 4 }])
  })

  test('writes the rows that refer to a row with it', async () => {
    const body =
      generation === 'current'
        ? { boxes: { create: [{ label: 'one' }], update: [{ id: 4, label: 'moved' }], delete: [2] } }
        : { boxes: [{ label: 'one' }, { id: 4, label: 'moved' }, { id: 2, $delete: true }] }
    await dataOf(`PATCH ${items}/shelf/1;b%253B1`, { body })
    // The current generation takes the row out of the list, version 8 deletes it.
    const unlinked = generation === 'current' ? [{ id: 2, shop_id: 1, shelf_code: null, label: 'blue' }] : []
    expect(await boxes()).toEqual([
      { id: 1, shop_id: 1, shelf_code: 'a', label: 'red' },
      ...unlinked,
      { id: 3, shop_id: 2, shelf_code: null, label: 'loose' },
      { id: 4, shop_id: 1, shelf_code: 'b;1', label: 'moved' },
      { id: 5, shop_id: 1, shelf_code: 'b;1', label: 'one' },
    ])
    const slots = [
      { n: 2, note: 'changed' },
      { n: 3, note: 'new' },
    ]
    const list = generation === 'current' ? slots : [...slots, { n: 1, $delete: true }]
    await dataOf(`PATCH ${items}/shelf/1;a`, { body: { slots: list } })
    expect(await own.rows('select shop_id, n, note from slot order by 1, 2')).toEqual([
      { shop_id: 1, n: 2, note: 'changed' },
      { shop_id: 1, n: 3, note: 'new' },
      { shop_id: 2, n: 1, note: 'z' },
    ])
    const whole = { shop_id: 2, code: 'z', slots: [{ n: 1 }], boxes: [{ label: 'in z' }] }
    expect(await dataOf(`POST ${items}/shelf?fields=$key,slots.n,boxes.label`, { body: whole })).toEqual({
      $key: '2;z',
      slots: [{ n: 1 }],
      boxes: [{ label: 'in z' }],
    })
  })

  test('asks for the rights to its columns', async () => {
    const part = await own.addUser([
      { collection: 'box', action: 'read', fields: 'id,shelf_code,label' },
      { collection: 'box', action: 'update', fields: 'shelf_code' },
      { collection: 'shelf', action: 'read', permissions: { height: { _lt: 25 } } },
    ])
    const refused = [400, 403, 404]
    expect(refused).toContain((await own.ask(`GET ${items}/box?fields=${ref}`, { token: part })).status)
    expect(refused).toContain((await own.ask(`GET ${items}/box?fields=${ref}.height`, { token: part })).status)
    expect(refused).toContain((await own.ask(`GET ${items}/box?${filter(ref, 'eq', '1;a')}`, { token: part })).status)
    expect(refused).toContain((await own.ask(`PATCH ${items}/box/1`, { token: part, body: { [ref]: '2;a' } })).status)
    const whole = await own.addUser([
      { collection: 'box', action: 'read', fields: 'id,shop_id,shelf_code' },
      { collection: 'box', action: 'update', fields: 'shop_id,shelf_code' },
      { collection: 'shelf', action: 'read', permissions: { height: { _lt: 25 } } },
    ])
    expect(await dataOf(`GET ${items}/box?fields=id,${ref}.height&sort=id`, { token: whole })).toEqual([
      { id: 1, [ref]: { height: 10 } },
      { id: 2, [ref]: { height: 20 } },
      { id: 3, [ref]: null },
      { id: 4, [ref]: null },
    ])
    expect((await own.ask(`PATCH ${items}/box/1`, { token: whole, body: { [ref]: '2;a' } })).status).toBe(200)
    const byRule = await own.addUser([
      { collection: 'box', action: 'read', permissions: { [ref]: { height: { _gt: 15 } } } },
      { collection: 'shelf', action: 'read', permissions: { boxes: { [ref]: { _eq: '1;b%3B1' } } } },
    ])
    const asked = `GET ${items}/box?fields=id,${ref}.code&sort=id`
    expect(await dataOf(asked, { token: byRule })).toEqual([
      { id: 1, [ref]: null },
      { id: 2, [ref]: { code: 'b;1' } },
      { id: 4, [ref]: null },
    ])
  })
})

testOnPostgres('a text of a statement for Postgres')(
  'the columns are compared, so that an index of them is used',
  async () => {
    const schema = await loadSchema(own.db, { exclude: [], log: silentLog })
    const at = { schema, view: viewOf(), actor: someUser, clock: noon, dialect: own.db.dialect }
    const textOf = (filter: Filter): string => {
      const query = { collection: 'box', selection: [field('id')], filter }
      const { text } = prepare(queryOf(query), at).statement
      return text.slice(text.indexOf(' where ') + 1, text.indexOf(' order by '))
    }
    expect(textOf(compare(ref, 'eq', '1;a'))).toBe('where (t0."shop_id" = $1::bigint and t0."shelf_code" = $2::text)')
    expect(textOf(compare(ref, 'in', '1;a', '2;a'))).toBe(
      'where (t0."shop_id", t0."shelf_code") in (select * from unnest($1::bigint[], $2::text[]))',
    )
    expect(textOf(compare(ref, 'null'))).toBe('where (t0."shop_id" is null or t0."shelf_code" is null)')
  },
)

test('rows are grouped and counted by it', async () => {
  expect(await dataOf(`GET /items/box?aggregate[count]=*&groupBy=${ref}&filter[shop_id]=1&sort=${ref}`)).toEqual([
    { [ref]: '1;a', count: '1' },
    { [ref]: '1;b%3B1', count: '1' },
  ])
  expect(await dataOf(`GET /items/box?aggregate[countDistinct]=${ref}&aggregate[max]=${ref}`)).toEqual([
    { countDistinct: { [ref]: '3' }, max: { [ref]: '2;a' } },
  ])
})

test('a preset is written as its columns', async () => {
  const token = await own.addUser([
    { collection: 'box', action: 'create', fields: 'label' },
    { collection: 'box', action: 'read' },
  ])
  await own.rows(`update platform_permissions set presets = $1 where action = 'create'`, [
    JSON.stringify({ [ref]: '2;a' }),
  ])
  await own.app.refresh()
  expect(await dataOf('POST /items/box', { token, body: { label: 'new' } })).toEqual({
    id: 5,
    shop_id: 2,
    shelf_code: 'a',
    label: 'new',
  })
})

test('the data model shows the field and its relation', async () => {
  expect(await dataOf(`GET /fields/box/${ref}`)).toMatchObject({ field: ref, type: 'string', schema: null })
  expect(await dataOf(`GET /relations/box/${ref}`)).toMatchObject({
    related_collection: 'shelf',
    schema: { constraint_name: 'box_shelf', foreign_key_table: 'shelf' },
    meta: { one_field: 'boxes' },
  })
  const named = await own.ask('PATCH /relations/twin/second_shelf', { body: { meta: { one_field: 'twins' } } })
  expect(named.status).toBe(200)
  expect(await dataOf('GET /items/shelf/2;a?fields=twins.id')).toEqual({ twins: [{ id: 1 }] })
  expect((await own.ask(`DELETE /fields/box/${ref}`)).status).toBe(400)
  expect((await own.ask('PATCH /relations/twin/second_shelf', { body: { schema: null } })).status).toBe(400)
  expect((await own.ask('DELETE /relations/twin/second_shelf')).status).toBe(204)
  const here = perVendor({ postgres: 'current_schema()', mariadb: 'database()' })
  const left = `select 1 from information_schema.table_constraints where constraint_name = 'second_shelf' and table_schema = ${here}`
  expect(await own.rows(left)).toEqual([])
  const { body } = await own.ask('GET /schema/snapshot')
  expect(JSON.stringify(body)).not.toContain(`"${ref}"`)
  expect((await own.ask('POST /schema/diff', { body: (body as { readonly data: object }).data })).status).toBe(204)
  expect((await own.ask('GET /server/specs/oas')).status).toBe(200)
  expect((await own.ask('GET /_/relations')).status).toBe(200)
  expect((await own.ask('GET /_/fields/box')).status).toBe(200)
})

const askGraph = async (query: string) =>
  ((await own.ask('POST /graphql', { body: { query } })).body as { data: unknown }).data

test('GraphQL reads, filters and writes through it', async () => {
  const filter = `filter: {${ref}: {height: {_gt: 15}}}, sort: ["id"]`
  expect(await askGraph(`{box(${filter}) {label ${ref} {height boxes {label}}}}`)).toEqual({
    box: [
      { label: 'blue', [ref]: { height: 20, boxes: [{ label: 'blue' }] } },
      { label: 'green', [ref]: { height: 30, boxes: [{ label: 'green' }] } },
    ],
  })
  const made = `mutation {create_box_item(data: {label: "g", ${ref}: {shop_id: {id: 2}, code: "a"}}) {shelf_code ${ref} {height}}}`
  expect(await askGraph(made)).toEqual({ create_box_item: { shelf_code: 'a', [ref]: { height: 30 } } })
})

const partOf = async <Kind extends keyof DataModel>(kind: Kind) => (await dataOf(`GET /${kind}`)) as DataModel[Kind]

test('the types of the SDK and the specification name it', async () => {
  const model = {
    collections: await partOf('collections'),
    fields: await partOf('fields'),
    relations: await partOf('relations'),
  }
  const types = typesOfModel({ ...model, rights: null }, new Map())
  expect(types).toContain(`  ${ref}: string | Shelf | null\n`)
  expect(types).toContain('  slots: string[] | Slot[]\n')
  const { body } = await own.ask('GET /server/specs/oas')
  const { schemas } = (body as { readonly components: { readonly schemas: object } }).components
  expect(schemas).toMatchObject({
    Item_box: { properties: { [ref]: { description: 'Key of shelf, or the item itself.' } } },
  })
})

testOnPostgres('MariaDB asks for the columns that a key refers to')('introspection names the other side', async () => {
  await own.rows(
    `create table crate (id serial primary key, shop int, code text, foreign key (shop, code) references shelf)`,
  )
  const { done } = await registerMetadata(own.db, (db) => loadSchema(db, { exclude: [], log: silentLog }))
  expect(done).toContain('Relation crate.shop_code → shelf, one-to-many shelf.crates')
  await own.app.refresh()
  await own.rows(`insert into crate (shop, code) values (1, 'a')`)
  expect(await dataOf('GET /items/shelf/1;a?fields=crates.id')).toEqual({ crates: [{ id: 1 }] })
})

test('a collection is deleted, and columns that referred to it stay', async () => {
  expect((await own.ask('DELETE /collections/shelf')).status).toBe(204)
  expect(await dataOf('GET /items/box/1')).toEqual({ id: 1, shop_id: 1, shelf_code: 'a', label: 'red' })
  expect((await own.ask(`GET /items/box?fields=${ref}`)).status).toBe(403)
})
