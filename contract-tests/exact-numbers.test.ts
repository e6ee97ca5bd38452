/** Numbers that a double cannot hold are stored and compared as they are written, in both generations and GraphQL. */
import { afterAll, beforeEach, expect, test } from 'vitest'
import { perVendor, testOnPostgres } from '../src/sql/testing/test-vendors.ts'
import { openOwnDatabase } from './own-database.ts'

const decimal = '123456789123456789.12345'
const large = '9007199254740993'

const sql = `
create table amounts (id bigint primary key, d numeric(30, 10), b bigint, i integer, f double precision, j jsonb, t text,
  l numeric[], w bigint[], g numeric[], p numeric(10, 2), other bigint references amounts);
create table filled (id integer primary key, ${perVendor({
  postgres: 'b integer, y integer, z integer',
  mariadb: 'b bit(8), y year, z int(5) zerofill',
})});
insert into filled values (1, 5, 2000, 7), (2, 200, 2020, 42);
insert into platform_relations (many_collection, many_field, one_collection, one_field)
  values ('amounts', 'other', 'amounts', 'others')`
const own = await openOwnDatabase(sql)
afterAll(() => own.close())
// A row that refers to itself is not deleted by every database.
beforeEach(() => own.rows('update amounts set other = null'))
beforeEach(() => own.rows('delete from amounts'))

const stored = () =>
  own.rows('select id::text, d::text, b::text, j::text, t, l::text, other::text from amounts order by id')
const values = `"d":${decimal},"b":${large},"j":{"n":[${decimal}]},"t":${decimal},"l":[${decimal}]`
const full = {
  id: large,
  d: `${decimal}00000`,
  b: large,
  j: perVendor({ postgres: `{"n": [${decimal}]}`, mariadb: `{"n":[${decimal}]}` }),
  t: decimal,
  l: perVendor({ postgres: `{${decimal}}`, mariadb: `[${decimal}]` }),
  other: null,
}

test.each([
  ['the current generation', 'POST /items/amounts', `{"id":${large},${values}}`],
  ['the current generation in lists', 'POST /items/amounts', `[{"id":${large},${values}}]`],
  ['the legacy generation', 'POST /_/items/amounts', `{"id":${large},${values}}`],
])('are kept by %s', async (_name, request, body) => {
  expect(await own.ask(request, { body })).toMatchObject({ status: 200 })
  expect(await stored()).toEqual([full])
})

test('are kept in updates, keys and related items', async () => {
  await own.rows(`insert into amounts (id) values (${large}), (9007199254740992)`)
  const update = `[{"id":${large},${values},"other":${large}}]`
  expect(await own.ask('PATCH /items/amounts', { body: update })).toMatchObject({ status: 200 })
  expect((await stored())[1]).toEqual({ ...full, other: large })
  const nested = `{"others":{"create":[],"update":[{"id":${large},"d":${decimal}1}],"delete":[]}}`
  expect(await own.ask(`PATCH /items/amounts/${large}`, { body: nested })).toMatchObject({ status: 200 })
  expect((await stored())[1]).toMatchObject({ d: `${decimal}10000` })
  const many = `{"keys":[${large}],"data":{"d":${decimal}2}}`
  expect(await own.ask('PATCH /items/amounts', { body: many })).toMatchObject({ status: 200 })
  expect((await stored()).map(({ d }) => d)).toEqual([null, `${decimal}20000`])
  await own.rows('update amounts set other = null')
  expect(await own.ask('DELETE /items/amounts', { body: `{"keys":[${large}]}` })).toMatchObject({ status: 204 })
  expect((await stored()).map(({ id }) => id)).toEqual(['9007199254740992'])
})

test('are kept in imports', async () => {
  const form = new FormData()
  form.append('file', new Blob([`[{"id":${large},${values}}]`], { type: 'application/json' }), 'rows.json')
  const headers = { authorization: `Bearer ${own.adminToken}` }
  const sent = await fetch(`${own.url}/utils/import/amounts`, { method: 'POST', headers, body: form })
  expect(sent.status).toBe(200)
  expect(await stored()).toEqual([full])
})

test('are compared in filters', async () => {
  await own.rows(
    `insert into amounts (id, d, b) values (1, ${decimal}, ${large}), (2, 123456789123456780, 9007199254740992)`,
  )
  const found = async (request: string, body?: string) => {
    const { body: answer } = await own.ask(request, body === undefined ? {} : { body })
    return (
      (answer as { readonly data?: readonly { readonly id: unknown }[] }).data?.map(({ id }) => String(id)) ?? answer
    )
  }
  for (const filter of [
    `{"d":{"_eq":${decimal}}}`,
    `{"d":{"_gt":123456789123456789.12344999}}`,
    `{"d":{"_in":[${decimal}]}}`,
    `{"b":${large}}`,
    `{"b":{"_between":[${large},${large}]}}`,
  ]) {
    expect(await found(`GET /items/amounts?fields=id&filter=${encodeURIComponent(filter)}`)).toEqual(['1'])
    expect(await found('SEARCH /items/amounts', `{"query":{"fields":["id"],"filter":${filter}}}`)).toEqual(['1'])
  }
  expect(await found(`GET /_/items/amounts?fields=id&filter[d][eq]=${decimal}`)).toEqual(['1'])
  const legacy = encodeURIComponent(`{"b":{"eq":${large}}}`)
  expect(await found(`GET /_/items/amounts?fields=id&filter=${legacy}`)).toEqual(['1'])
})

test('are kept and compared in GraphQL', async () => {
  const ask = async (body: string) => (await own.ask('POST /graphql', { body })).body
  const literal = `mutation { create_amounts_item(data: {id: ${large}, d: ${decimal}, b: ${large}, j: {n: [${decimal}]}, t: \\"${decimal}\\", l: [${decimal}]}) { id } }`
  expect(await ask(`{"query":"${literal}"}`)).toEqual({ data: { create_amounts_item: { id: large } } })
  expect(await stored()).toEqual([full])
  await own.rows('delete from amounts')
  const variable = 'mutation ($data: create_amounts_input!) { create_amounts_item(data: $data) { id } }'
  const data = `{"id":${large},"d":${decimal},"b":${large},"j":{"n":[${decimal}]},"l":[${decimal}],"t":"${decimal}"}`
  expect(await ask(`{"query":"${variable}","variables":{"data":${data}}}`)).toEqual({
    data: { create_amounts_item: { id: large } },
  })
  expect(await stored()).toEqual([full])
  await own.rows('insert into amounts (id, d, b) values (2, 123456789123456780, 9007199254740992)')
  const found = { data: { amounts: [{ id: large }] } }
  expect(await ask(`{"query":"{ amounts(filter: {d: {_eq: ${decimal}}}) { id } }"}`)).toEqual(found)
  expect(await ask(`{"query":"{ amounts(filter: {b: {_eq: ${large}}}) { id } }"}`)).toEqual(found)
  const asked = 'query ($d: GraphQLStringOrFloat) { amounts(filter: {d: {_eq: $d}}) { id } }'
  expect(await ask(`{"query":"${asked}","variables":{"d":${decimal}}}`)).toEqual(found)
  const float = 'mutation ($d: Float) { update_amounts_item(id: 2, data: {d: $d}) { id } }'
  expect(await ask(`{"query":"${float}","variables":{"d":${decimal}}}`)).toEqual({
    data: { update_amounts_item: { id: '2' } },
  })
  expect((await stored())[0]).toMatchObject({ d: `${decimal}00000` })
})

test('are refused by name where the column does not hold them', async () => {
  expect(await own.ask('POST /items/amounts', { body: `{"id":1,"i":${large}}` })).toMatchObject({ status: 400 })
  expect(await own.ask('POST /items/amounts', { body: '{"id":1,"b":9223372036854775808}' })).toMatchObject({
    status: 400,
  })
  expect(await own.ask('POST /items/amounts', { body: `{"id":1,"b":1.5e400}` })).toMatchObject({ status: 400 })
  expect(await stored()).toEqual([])
})

testOnPostgres('MariaDB has no Infinity and NaN')(
  'are text where JSON has no such number, and the published types say so',
  async () => {
    await own.rows(
      `insert into amounts (id, d, f) values (1, ${decimal}, 'Infinity'), (2, 'NaN', 'NaN'), (3, 1.5, 2.5)`,
    )
    const ask = async (request: string, body?: object) =>
      (await own.ask(request, body === undefined ? {} : { body })).body as never
    const spec: Spec = await ask('GET /server/specs/oas')
    const { d, f } = spec.components.schemas['Item_amounts']?.properties ?? {}
    expect([d?.type, f?.type]).toEqual([
      ['string', 'null'],
      ['number', 'string', 'null'],
    ])
    const rest: Rows = await ask('GET /items/amounts?fields=d,f&sort=id')
    expect(rest.data).toEqual([
      { d: `${decimal}00000`, f: 'Infinity' },
      { d: 'NaN', f: 'NaN' },
      { d: '1.5000000000', f: 2.5 },
    ])
    const field = '{ fields { name type { name } } }'
    const query = `{ amounts(sort: "id") { d f } item: __type(name: "amounts") ${field} }`
    const current: { data: { amounts: object[]; item: Type } } = await ask('POST /graphql', { query })
    expect(current.data.amounts).toEqual([
      { d: `${decimal}00000`, f: 'Infinity' },
      { d: 'NaN', f: 'NaN' },
      { d: 1.5, f: 2.5 },
    ])
    expect(typesOf(current.data.item)).toEqual({ d: 'GraphQLStringOrFloat', f: 'GraphQLStringOrFloat' })
    const old = `{ amounts { data { d f } } item: __type(name: "AmountsItem") ${field} }`
    const legacy: { data: { amounts: { data: object[] }; item: Type } } = await ask('POST /_/gql', { query: old })
    expect(legacy.data.amounts.data).toEqual(current.data.amounts)
    expect(typesOf(legacy.data.item)).toEqual({ d: 'NumberOrText', f: 'NumberOrText' })
  },
)

const rest = (request: string) => own.ask(request).then(({ body }) => (body as Rows).data)
const graphql = (path: string, query: string) =>
  own.ask(`POST ${path}`, { body: { query } }).then(({ body }) => (body as { readonly data: object }).data)

testOnPostgres('MariaDB has no lists')('are text in lists, in every depth', async () => {
  await own.rows(`insert into amounts (id, l, w, g) values
    (1, '{${decimal},1.5}', '{${large},1}', '{{${decimal}},{1.5}}'), (2, '{0.1,12.50,null}', '{2,1}', '{}'), (3, null, null, null)`)
  const expected = [
    { l: [decimal, '1.5'], w: [large, '1'], g: [[decimal], ['1.5']] },
    { l: [0.1, 12.5, null], w: [2, 1], g: [] },
    { l: null, w: null, g: null },
  ]
  expect(await rest('GET /items/amounts?fields=l,w,g&sort=id')).toEqual(expected)
  expect(await rest('GET /_/items/amounts?fields=l,w,g&sort=id')).toEqual(expected)
  expect(await graphql('/graphql', '{ amounts(sort: "id") { l w g } }')).toEqual({ amounts: expected })
  expect(await graphql('/_/gql', '{ amounts { data { l w g } } }')).toEqual({ amounts: { data: expected } })
})

test('are text in sums, means and extremes of GraphQL, and shorter ones are numbers', async () => {
  await own.rows(
    `insert into amounts (id, d, b, i, p) values (1, ${decimal}, ${large}, 3, 1.25), (2, 1.00001, 8, 4, 2.25), (3, 0, 0, 3, 2.50)`,
  )
  const functions = 'sum { d b i p } sumDistinct { d b i p } min { d b i p } max { d b i p } avg { i p }'
  const [long] = Object.values(await graphql('/graphql', `{ amounts_aggregated { ${functions} } }`))[0]
  const sum = '123456789123456790.1234600000'
  expect(long).toEqual({
    sum: { d: sum, b: '9007199254741001', i: 10, p: 6 },
    sumDistinct: { d: sum, b: '9007199254741001', i: 7, p: 6 },
    min: { d: 0, b: 0, i: 3, p: 1.25 },
    max: { d: `${decimal}00000`, b: large, i: 4, p: 2.5 },
    avg: { i: 10 / 3, p: 2 },
  })
  const one = `{ amounts_aggregated(filter: {id: {_eq: 1}}) { avg { d b p } avgDistinct { d b } } }`
  const [mean] = Object.values(await graphql('/graphql', one))[0]
  const d = `${decimal}${perVendor({ postgres: '00000', mariadb: '0'.repeat(21) })}`
  const b = `${large}.${perVendor({ postgres: '0000', mariadb: '0'.repeat(16) })}`
  expect(mean).toEqual({ avg: { d, b, p: 1.25 }, avgDistinct: { d, b } })
})

type Rows = { readonly data: readonly object[] }
type Spec = {
  readonly components: {
    readonly schemas: { readonly [name: string]: { readonly properties: Properties } | undefined }
  }
}
type Properties = { readonly [name: string]: { readonly type: unknown } | undefined }
type Type = { readonly fields: readonly { readonly name: string; readonly type: { readonly name: string } }[] }

const typesOf = ({ fields }: Type): object =>
  Object.fromEntries(fields.flatMap(({ name, type }) => (name === 'd' || name === 'f' ? [[name, type.name]] : [])))

test('the least and the greatest of bits, years and filled numbers are numbers', async () => {
  const least = { b: 5, y: 2000, z: 7 }
  const greatest = { b: 200, y: 2020, z: 42 }
  expect(await graphql('/graphql', '{ filled_aggregated { min { b y z } max { b y z } } }')).toEqual({
    filled_aggregated: [{ min: least, max: greatest }],
  })
})
