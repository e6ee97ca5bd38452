/** What the database says about the values of columns: words of enumerated types, defaults, spelling that does not matter. */
import { afterAll, expect, test } from 'vitest'
import { openOwnDatabase } from './own-database.ts'

const sql = `
create extension citext;
create table accounts (mail citext primary key, name citext, parent citext references accounts);
insert into accounts values ('Ann@Example.com', 'Ann', null), ('bo@example.com', 'Bo', 'Ann@Example.com');
create type size as enum ('small', 'medium', 'large');
create table shirts (id serial primary key, size size, worn size not null default 'medium');
insert into shirts (size, worn) values ('large', 'small'), ('small', 'medium'), (null, 'large');
create extension hstore;
create type pair as (a integer, b text);
create table forms (id serial primary key, list integer[] not null, dates date[], record pair, records pair[], tags hstore, span int4range);
create table settings (id serial primary key, flags jsonb not null default '[]', more json default '{"a": [1]}',
  word jsonb default '"x"', numbers integer[] default '{}');
insert into platform_collections (collection, singleton) values ('settings', true)`
const own = await openOwnDatabase(sql)
afterAll(() => own.close())

type Data = { readonly data: never }
const read = async (path: string): Promise<unknown> => ((await own.ask(`GET ${path}`)).body as Data).data
const filtered = (filter: object): string =>
  `/items/shirts?fields=id&sort=id&filter=${encodeURIComponent(JSON.stringify(filter))}`

test.each<[object, readonly number[]]>([
  [{ size: { _lt: 'large' } }, [2]],
  [{ size: { _gte: 'medium' } }, [1]],
  [{ worn: { _between: ['medium', 'large'] } }, [2, 3]],
  [{ worn: { _nbetween: ['medium', 'large'] } }, [1]],
  [{ worn: { _gt: 'huge' } }, []],
  [{ worn: { _eq: 'huge' } }, []],
  [{ worn: { _neq: 'huge' } }, [1, 2, 3]],
])('%j compares words in the order of their type', async (filter, ids) => {
  expect(await read(filtered(filter))).toEqual(ids.map((id) => ({ id })))
})

test('the legacy generation compares them in the same order', async () => {
  expect(await read('/_/items/shirts?fields=id&filter[worn][gte]=medium')).toEqual([{ id: 2 }, { id: 3 }])
})

test('both generations name the words of a column that another one is written to', async () => {
  const body = { size: 'huge', worn: 'small' }
  const current = { code: 'FAILED_VALIDATION', field: 'size', valid: ['small', 'medium', 'large'] }
  const legacy = { code: 4, message: 'size: This value should be one of small, medium, large.' }
  for (const request of ['POST', 'PATCH'] as const) {
    const path = `/items/shirts${request === 'PATCH' ? '/1' : ''}`
    const answers = await Promise.all([
      own.ask(`${request} ${path}`, { body }),
      own.ask(`${request} /_${path}`, { body }),
    ])
    expect(answers).toMatchObject([
      { status: 400, body: { errors: [{ extensions: current }] } },
      { status: 400, body: { error: legacy } },
    ])
  }
})

const named = (field: string) => ({ $ref: `#/components/schemas/Value_${field}_of_shirts` })

test('the words are listed where fields are described', async () => {
  expect(await read('/fields/shirts/size')).toMatchObject({ schema: { allowed_values: ['small', 'medium', 'large'] } })
  expect(await read('/_/fields/shirts/size')).toMatchObject({
    options: { choices: { small: 'small', medium: 'medium', large: 'large' } },
  })
  const spec = (await own.ask('GET /server/specs/oas')).body as { readonly components: { readonly schemas: object } }
  expect(spec.components.schemas).toMatchObject({
    Item_shirts: { properties: { size: named('size'), worn: named('worn') } },
    Value_size_of_shirts: { type: ['string', 'null'], enum: ['small', 'medium', 'large', null] },
    Value_worn_of_shirts: { type: 'string', enum: ['small', 'medium', 'large'] },
  })
})

test('citext is compared without regard to case', async () => {
  const path = '/items/accounts/ANN@example.com'
  expect(await read(`${path}?fields=mail`)).toEqual({ mail: 'Ann@Example.com' })
  const bo = [{ name: 'Bo' }]
  for (const filter of ['{"name":{"_eq":"BO"}}', '{"name":{"_in":["bO"]}}', '{"name":{"_contains":"O"}}'])
    expect(await read(`/items/accounts?fields=name&filter=${filter}`)).toEqual(bo)
  const body = { mail: 'ann@EXAMPLE.com', name: 'Anna' }
  expect(await own.ask(`PATCH ${path}?fields=mail,name`, { body })).toMatchObject({
    body: { data: { mail: 'Ann@Example.com', name: 'Anna' } },
  })
  const legacy = await own.ask('PATCH /_/items/accounts/ANN@example.com?fields=name', { body: { name: 'Ann' } })
  expect(legacy.body).toEqual({ data: { name: 'Ann' } })
  const token = await own.addUser(
    ['read', 'update'].map((action) => ({ collection: 'accounts', action, permissions: { name: { _eq: 'ann' } } })),
  )
  const nested = { parent: { mail: 'ANN@EXAMPLE.COM', name: 'ANN' } }
  expect((await own.ask(`PATCH ${path}`, { token, body: nested })).status).toBe(200)
})

const forms = {
  list: [2, 1],
  dates: ['2026-01-31'],
  record: { a: 1, b: 'x' },
  records: [{ a: 2, b: null }],
  tags: { 'a b': '1', c: null },
  span: '[1,3)',
}

test('lists and records are JSON in GraphQL and in the specification, as in REST', async () => {
  const names = Object.keys(forms).join(' ')
  const mutation = `mutation ($data: create_forms_input!) { create_forms_item(data: $data) { ${names} } }`
  const { body } = await own.ask('POST /graphql', { body: { query: mutation, variables: { data: forms } } })
  expect(body).toEqual({ data: { create_forms_item: forms } })
  expect(await read(`/items/forms/1?fields=${Object.keys(forms).join(',')}`)).toEqual(forms)
  const spec = (await own.ask('GET /server/specs/oas')).body as {
    readonly components: { readonly schemas: { readonly Item_forms: { readonly properties: object } } }
  }
  expect(spec.components.schemas.Item_forms.properties).toMatchObject({
    list: { type: 'array', items: {} },
    dates: { type: ['array', 'null'], items: {} },
    record: { type: ['object', 'null'] },
    tags: { type: ['object', 'null'] },
    span: { type: ['string', 'null'] },
  })
})

const defaults = { flags: [], more: { a: [1] }, word: 'x', numbers: [] }

test('defaults have the form of the values', async () => {
  for (const [field, value] of Object.entries(defaults)) {
    expect(await read(`/fields/settings/${field}`)).toMatchObject({ schema: { default_value: value } })
    expect(await read(`/_/fields/settings/${field}`)).toMatchObject({ default_value: value })
  }
  expect(await read('/items/settings')).toMatchObject(defaults)
  const field = await read('/fields/settings/flags')
  expect((await own.ask('PATCH /fields/settings/flags', { body: field })).status).toBe(200)
})

test('a snapshot that was applied differs in nothing', async () => {
  type Snapshot = { readonly fields: readonly { readonly collection: string; readonly field: string }[] }
  const snapshot = (await read('/schema/snapshot')) as Snapshot
  const fields = snapshot.fields.map((each) =>
    each.collection === 'settings' && each.field === 'flags' ? withDefault(each, '{"b":1}') : each,
  )
  const wanted = { ...snapshot, fields }
  const diff = (await own.ask('POST /schema/diff', { body: wanted })).body as Data
  expect((await own.ask('POST /schema/apply', { body: diff.data })).status).toBe(204)
  expect((await own.ask('POST /schema/diff', { body: wanted })).status).toBe(204)
  expect(await read('/fields/settings/flags')).toMatchObject({ schema: { default_value: { b: 1 } } })
})

const withDefault = (field: object, text: string): object => ({
  ...field,
  schema: { ...(field as { schema: object }).schema, default_value: text },
})
