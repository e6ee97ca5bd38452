/** Values within JSON fields: selected, compared and sorted by, with the rights of their fields. */
import { afterAll, describe, expect, test } from 'vitest'
import { type OwnDatabase, openOwnDatabase } from './own-database.ts'

const rows = [
  { kind: 'shirt', size: { width: 10, label: 'b' }, colors: ['red', 'blue'], 'odd key': 1, sold: true, none: null },
  { kind: 'hat', size: { width: 9, label: 'a' }, colors: ['green'], sold: false },
  { kind: 'sock', size: { width: 'wide' }, colors: [] },
  ['first', { kind: 'list' }],
]
const literal = (value: unknown) => `'${JSON.stringify(value)}'`

const sql = `
create table shops (id serial primary key, name text, extra json);
insert into shops (name, extra) values ('Main', '{"city":{"name":"Ulm"}}'), ('Side', '{"city":{"name":"Bonn"}}');
create table wares (id serial primary key, binary_extra jsonb, extra json, words text, secret jsonb, shop integer references shops);
${rows
  .map(
    (row, at) => `insert into wares (binary_extra, extra, words, secret, shop) values
  (${literal(row)}, ${literal(row)}, ${literal(row)}, '{"pin":${at}}', ${(at % 2) + 1});`,
  )
  .join('\n')}
insert into wares (shop) values (null);
insert into platform_fields (collection, field, special) values ('wares', 'words', 'cast-json');
insert into platform_relations (many_collection, many_field, one_collection, one_field)
  values ('wares', 'shop', 'shops', 'wares');
`
const own = await openOwnDatabase(sql)
const fields = 'id,extra,binary_extra,words,shop'
const reader = await own.addUser([
  { collection: 'wares', action: 'read', fields },
  { collection: 'wares', action: 'create', fields },
  {
    collection: 'shops',
    action: 'read',
    fields: 'id,name,wares',
    permissions: { extra: { _json: { 'city.name': { _eq: 'Ulm' } } } },
  },
])
afterAll(() => own.close())

const ask = async (path: string, asked: Parameters<OwnDatabase['ask']>[1] = {}): Promise<unknown> => {
  const { status, body } = await own.ask(`GET ${path.replaceAll(' ', '%20')}`, asked)
  expect({ status, body }).toMatchObject({ status: 200 })
  return (body as { readonly data: unknown }).data
}
const ids = async (filter: object, asked = {}) =>
  (
    (await ask(`/items/wares?fields=id&sort=id&filter=${encodeURIComponent(JSON.stringify(filter))}`, asked)) as {
      id: number
    }[]
  ).map(({ id }) => id)

describe.each(['binary_extra', 'extra', 'words'])('%s', (field) => {
  test('is shown in parts', async () => {
    const fields = `json(${field}, kind),json(${field},size.width),json(${field}, colors[0]),json(${field}, size),json(${field}, sold),json(${field}, [1].kind),json(${field}, none)`
    const key = (path: string) => `${field}_${path}_json`
    const shown = (kind: unknown, more: object) => ({
      [key('kind')]: kind,
      [key('size_width')]: null,
      [key('colors_0')]: null,
      [key('size')]: null,
      [key('sold')]: null,
      [key('1_kind')]: null,
      [key('none')]: null,
      ...more,
    })
    const [shirt, hat, sock] = rows as unknown as { size: object }[]
    expect(await ask(`/items/wares?fields=${fields}&sort=id`)).toEqual([
      shown('shirt', {
        [key('size_width')]: 10,
        [key('colors_0')]: 'red',
        [key('size')]: shirt?.size,
        [key('sold')]: true,
      }),
      shown('hat', {
        [key('size_width')]: 9,
        [key('colors_0')]: 'green',
        [key('size')]: hat?.size,
        [key('sold')]: false,
      }),
      shown('sock', { [key('size_width')]: 'wide', [key('size')]: sock?.size }),
      shown(null, { [key('1_kind')]: 'list' }),
      shown(null, {}),
    ])
  })

  const conditions: readonly (readonly [string, object, readonly number[]])[] = [
    ['a text', { kind: { _eq: 'hat' } }, [2]],
    ['another text', { kind: { _neq: 'hat' } }, [1, 3]],
    ['a number', { 'size.width': { _gt: 9 } }, [1]],
    ['a range of numbers', { 'size.width': { _between: [9, 10] } }, [1, 2]],
    ['a list of numbers', { 'size.width': { _in: [9, 11] } }, [2]],
    ['a list of texts', { kind: { _in: ['hat', 'sock'] } }, [2, 3]],
    ['a position', { 'colors[1]': { _eq: 'blue' } }, [1]],
    ['true', { sold: { _eq: true } }, [1]],
    ['part of a text', { kind: { _contains: 'o' } }, [3]],
    ['the beginning in any case', { kind: { _istarts_with: 'S' } }, [1, 3]],
    ['nothing', { kind: { _null: true } }, [4, 5]],
    ['something', { none: { _nnull: true } }, []],
    ['several paths', { kind: { _eq: 'shirt' }, 'size.width': { _lte: 10 } }, [1]],
    ['one of two', { _or: [{ kind: { _eq: 'hat' } }, { 'size.width': { _eq: 10 } }] }, [1, 2]],
    ['the order of texts', { kind: { _gte: 'shirt' } }, [1, 3]],
  ]
  test.each(conditions)('is compared with %s', async (_name, condition, found) => {
    expect(await ids({ [field]: { _json: condition } })).toEqual(found)
  })

  test('is compared by the function, too', async () => {
    expect(await ids({ [`json(${field}, size.width)`]: { _lt: 10 } })).toEqual([2])
    expect(await ask(`/items/wares?fields=id&filter[${field}][_json][kind][_eq]=sock`)).toEqual([{ id: 3 }])
  })

  test('sorts numbers as numbers, and after them texts or before', async () => {
    const sorted = await ask(`/items/wares?fields=id&sort=json(${field}, size.width)&filter[id][_lt]=3`)
    expect(sorted).toEqual([{ id: 2 }, { id: 1 }])
    expect(await ask(`/items/wares?fields=id&sort=-json(${field}, kind)&filter[id][_lt]=4`)).toEqual([
      { id: 3 },
      { id: 1 },
      { id: 2 },
    ])
  })
})

test('behind relations, by both spellings, and under an alias', async () => {
  const filter = 'filter[id][_lt]=3&sort=id'
  const expected = [{ shop: { extra_city_name_json: 'Ulm' } }, { shop: { extra_city_name_json: 'Bonn' } }]
  expect(await ask(`/items/wares?fields=json(shop.extra, city.name)&${filter}`)).toEqual(expected)
  expect(await ask(`/items/wares?fields=shop.json(extra, city.name)&${filter}`)).toEqual(expected)
  expect(await ask(`/items/wares?fields=id&sort=json(shop.extra, city.name),id&filter[id][_lt]=5`)).toEqual(
    [2, 4, 1, 3].map((id) => ({ id })),
  )
  expect(await ask('/items/shops?fields=json(wares.extra, kind)&sort=id&deep[wares][_sort]=id&limit=1')).toEqual([
    { wares: [{ extra_kind_json: 'shirt' }, { extra_kind_json: 'sock' }] },
  ])
  expect(await ask('/items/shops?fields=name&sort=-json(wares.extra, kind)')).toEqual([
    { name: 'Main' },
    { name: 'Side' },
  ])
  expect(await ids({ shop: { extra: { _json: { 'city.name': { _eq: 'Bonn' } } } } })).toEqual([2, 4])
  expect(await ask('/items/wares/1?fields=width&alias[width]=json(extra, size.width)')).toEqual({ width: 10 })
  const body = { query: { fields: ['json(extra, kind)'], filter: { id: { _eq: 2 } } } }
  expect((await own.ask('SEARCH /items/wares', { body })).body).toEqual({ data: [{ extra_kind_json: 'hat' }] })
})

test('values of paths are values: nothing of them is SQL', async () => {
  const odd = `x'||1||'`
  expect((await own.ask(`GET /items/wares?fields=${encodeURIComponent(`json(extra, ${odd})`)}`)).status).toBe(400)
  const filter = encodeURIComponent(JSON.stringify({ extra: { _json: { kind: { _eq: odd } } } }))
  expect((await own.ask(`GET /items/wares?filter=${filter}`)).body).toEqual({ data: [] })
  expect(await ids({ extra: { _json: { 'größe-1': { _null: true } } } })).toEqual([1, 2, 3, 4, 5])
})

test.each([
  ['fields=json(extra)', 400],
  ['fields=json(extra, )', 400],
  ['fields=json(extra, a[])', 400],
  ['fields=json(extra, a.*)', 400],
  ['fields=json(extra, $.a)', 400],
  ['fields=json(extra, a.b.c.d.e.f.g.h.i.j.k)', 400],
  ['fields=json(id, a)', 400],
  ['fields=json(nothing, a)', 403],
  ['fields=json(extra, a).b', 400],
  ['groupBy=json(extra, kind)', 400],
  ['sort=json(id, a)', 400],
  ['filter={"id":{"_json":{"a":{"_eq":1}}}}', 400],
  ['filter={"extra":{"_json":{"a[*]":{"_eq":1}}}}', 400],
  ['filter={"extra":{"_json":{"a":{"_json":{"b":1}}}}}', 400],
  ['filter={"extra":{"_json":{"a":{"_intersects":1}}}}', 400],
])('%s is refused', async (query, status) => {
  const answer = await own.ask(`GET /items/wares?${query.replaceAll(' ', '%20')}`)
  expect([answer.status, JSON.stringify(answer.body).length > 50]).toEqual([status, true])
})

test('the rights of the field are those of its parts', async () => {
  const token = { token: reader }
  for (const query of [
    'fields=json(secret, pin)',
    'sort=json(secret, pin)',
    'filter={"secret":{"_json":{"pin":{"_eq":1}}}}',
    'filter={"json(secret, pin)":{"_eq":1}}',
    'fields=json(shop.extra, city.name)',
    'sort=json(shop.extra, city.name)',
  ])
    expect([query, (await own.ask(`GET /items/wares?${query.replaceAll(' ', '%20')}`, token)).status]).toEqual([
      query,
      403,
    ])
  expect(await ask('/items/wares/1?fields=json(extra, kind)', token)).toEqual({ extra_kind_json: 'shirt' })
  // The rule of shops is about a value in JSON.
  expect(await ask('/items/shops?fields=name', token)).toEqual([{ name: 'Main' }])
})

test('a rule for written values can be about a value in JSON', async () => {
  await own.rows(`update platform_permissions set validation = '{"extra":{"_json":{"size.width":{"_lte":20}}}}'
    where collection = 'wares' and action = 'create'`)
  await own.ask('POST /utils/cache/clear?system')
  const create = (width: number) =>
    own.ask('POST /items/wares?fields=id', { token: reader, body: { extra: { size: { width } } } })
  expect([(await create(30)).status, (await create(20)).status]).toEqual([400, 200])
})

test('GraphQL has the same', async () => {
  const query = `query ($paths: GraphQLJsonFilter) {
    wares(filter: { id: { _lt: 5 }, extra: { _json: $paths } }, sort: "id") {
      extra_func { kind: json(path: "kind") first: json(path: "colors[0]") count }
      shop { extra_func { json(path: "city.name") } }
    }
    hats: wares(filter: { binary_extra: { _json: { kind: { _eq: "hat" } } } }, sort: "json(extra, size.width)") { id }
  }`
  const variables = { paths: { 'size.width': { _gte: 9 } } }
  expect((await own.ask('POST /graphql', { body: { query, variables } })).body).toEqual({
    data: {
      wares: [
        { extra_func: { kind: 'shirt', first: 'red', count: 0 }, shop: { extra_func: { json: 'Ulm' } } },
        { extra_func: { kind: 'hat', first: 'green', count: 0 }, shop: { extra_func: { json: 'Bonn' } } },
      ],
      hats: [{ id: '2' }],
    },
  })
  const bad = await own.ask('POST /graphql', { body: { query: '{ wares { extra_func { json(path: "a[]") } } }' } })
  expect(JSON.stringify(bad.body)).toContain('INVALID_QUERY')
})
