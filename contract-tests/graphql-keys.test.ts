/** Rows are named by their key in GraphQL, whatever the type of its column, or of its columns. */
import { afterAll, expect, test } from 'vitest'
import { perVendor } from '../src/sql/testing/test-vendors.ts'
import { openOwnDatabase } from './own-database.ts'

/** `shown`: the key in answers. `given`: other forms in which variables may have it. `literals`: texts of a document. */
type Case = {
  readonly type: string
  readonly value: unknown
  readonly shown?: string
  readonly given?: readonly unknown[]
  readonly literals?: readonly string[]
}

const cases: readonly Case[] = [
  { type: 'integer', value: 7, shown: '7', given: [7], literals: ['7', '"7"'] },
  { type: 'bigint', value: '9007199254740993', literals: ['9007199254740993'] },
  { type: 'numeric(9,1)', value: 1.5, shown: '1.5', given: [1.5, '1.50'], literals: ['1.5', '1.50', '"1.5"'] },
  { type: 'numeric(30,10)', value: '12345678901234567890.5', shown: '12345678901234567890.5000000000' },
  { type: 'real', value: 1.1, shown: '1.1', given: [1.1], literals: ['1.1'] },
  { type: 'double precision', value: 0.1, shown: '0.1', given: [0.1], literals: ['0.1', '1e-1'] },
  { type: 'date', value: '2026-01-31' },
  { type: 'time', value: '10:00:00' },
  { type: 'timestamp', value: '2026-01-31T10:00:00.5' },
  { type: 'timestamptz', value: '2026-01-31T10:00:00.000Z', given: ['2026-01-31T11:00:00+01:00'] },
  { type: 'uuid', value: '00000000-0000-4000-8000-00000000000a', given: ['00000000-0000-4000-8000-00000000000A'] },
  { type: 'text', value: 'a "b"/c' },
  { type: 'char(4)', value: 'ab' },
  ...perVendor<readonly Case[]>({
    postgres: [
      { type: 'boolean', value: false, shown: 'false', given: [false], literals: ['false', '"false"'] },
      { type: 'bytea', value: 'AQI=' },
      { type: 'citext', value: 'Abc', given: ['aBC'] },
      { type: 'mood', value: 'sad' },
      { type: 'interval', value: '1 day' },
      { type: 'inet', value: '10.0.0.1', given: ['10.0.0.1/32'] },
      { type: 'int4range', value: '[1,5)' },
      { type: 'money', value: '$1.50' },
    ],
    mariadb: [{ type: 'varbinary(16)', value: 'AQI=' }],
  }),
]

type Composite = readonly [a: string, b: string, values: { a: unknown; b: unknown }, key: string]

/** Keys of two columns are one text. */
const composite: readonly Composite[] = [
  ['integer', 'integer', { a: 1, b: 5 }, '1;5'],
  ['text', 'date', { a: 'x;y', b: '2026-01-31' }, 'x%3By;2026-01-31'],
  ...perVendor<readonly Composite[]>({
    postgres: [['boolean', 'numeric', { a: true, b: 1.5 }, 'true;1.5']],
    mariadb: [],
  }),
  ['uuid', 'real', { a: '00000000-0000-4000-8000-000000000001', b: 1.5 }, '00000000-0000-4000-8000-000000000001;1.5'],
]

const sql = `
${perVendor({ postgres: "create extension citext; create type mood as enum ('sad', 'glad');", mariadb: '' })}
${cases.map(({ type }, at) => `create table t${at} (id ${type} primary key, v text);`).join('\n')}
${composite.map(([a, b], at) => `create table c${at} (a ${a}, b ${b}, v text, primary key (a, b));`).join('\n')}`
const own = await openOwnDatabase(sql)
afterAll(() => own.close())

const ask = async (query: string, variables: object = {}): Promise<unknown> =>
  (await own.ask('POST /graphql', { body: { query, variables } })).body

const readLegacy = async (table: string, key: string): Promise<unknown> => {
  const query = `query ($id: String) { ${table}(id: $id) { data { v } } }`
  return (await own.ask('POST /_/gql', { body: { query, variables: { id: key } } })).body
}

/** Every operation that names rows by their keys. */
async function expectNamed(table: string, key: unknown, written: string): Promise<void> {
  const named = { [`${table}_by_id`]: { v: written } }
  expect(await ask(`query ($id: ID!) { ${table}_by_id(id: $id) { v } }`, { id: key })).toEqual({ data: named })
  const one = `mutation ($id: ID!) { update_${table}_item(id: $id, data: { v: "one" }) { v } }`
  expect(await ask(one, { id: key })).toEqual({ data: { [`update_${table}_item`]: { v: 'one' } } })
  const many = `mutation ($ids: [ID]!) { update_${table}_items(ids: $ids, data: { v: "${written}" }) { v } }`
  expect(await ask(many, { ids: [key] })).toEqual({ data: { [`update_${table}_items`]: [{ v: written }] } })
}

async function expectDeleted(table: string, key: string): Promise<void> {
  const remove = `mutation ($id: ID!) { delete_${table}_item(id: $id) { id } }`
  expect(await ask(remove, { id: key })).toEqual({ data: { [`delete_${table}_item`]: { id: key } } })
  expect(await ask(`query ($id: ID!) { ${table}_by_id(id: $id) { v } }`, { id: key })).toMatchObject({
    data: { [`${table}_by_id`]: null },
    errors: [{ extensions: { code: 'FORBIDDEN' } }],
  })
}

test.each(cases.map((each, at) => [each.type, `t${at}`, each] as const))(
  'a key of type %s',
  async (_type, table, each) => {
    const { value, shown = value as string, given = [], literals = [JSON.stringify(shown)] } = each
    const create = `mutation ($data: create_${table}_input!) { create_${table}_item(data: $data) { id v } }`
    const row = { id: shown, v: 'x' }
    expect(await ask(create, { data: { id: value, v: 'x' } })).toEqual({ data: { [`create_${table}_item`]: row } })
    expect(await ask(`{ ${table} { id v } }`)).toEqual({ data: { [table]: [row] } })
    for (const key of [shown, ...given]) await expectNamed(table, key, 'x')
    for (const literal of literals)
      expect(await ask(`{ ${table}_by_id(id: ${literal}) { v } }`)).toEqual({
        data: { [`${table}_by_id`]: { v: 'x' } },
      })
    const batch = `mutation ($data: [update_${table}_input!]!) { update_${table}_batch(data: $data) { id v } }`
    expect(await ask(batch, { data: [row] })).toEqual({ data: { [`update_${table}_batch`]: [row] } })
    await expectDeleted(table, shown)
  },
)

test.each(composite.map((each, at) => [`${each[0]}, ${each[1]}`, `c${at}`, each] as const))(
  'a key of the columns %s',
  async (_types, table, [, , values, key]) => {
    const row = { ...values, v: 'x' }
    const create = `mutation ($data: create_${table}_input!) { create_${table}_item(data: $data) { a b v } }`
    expect(await ask(create, { data: row })).toEqual({ data: { [`create_${table}_item`]: row } })
    await expectNamed(table, key, 'x')
    const batch = `mutation ($data: [update_${table}_input!]!) { update_${table}_batch(data: $data) { a b v } }`
    expect(await ask(batch, { data: [row] })).toEqual({ data: { [`update_${table}_batch`]: [row] } })
    await expectDeleted(table, key)
  },
)

test('the legacy generation reads such rows by the same text', async () => {
  for (const [at, [a, b, values, key]] of composite.entries()) {
    const table = `c${at}`
    await own.rows(
      perVendor({
        postgres: `insert into ${table} values ($1::text::${a}, $2::text::${b}, 'x')`,
        mariadb: `insert into ${table} values ($1, $2, 'x')`,
      }),
      Object.values(values).map(String),
    )
    expect(await readLegacy(table, key)).toEqual({ data: { [table]: { data: [{ v: 'x' }] } } })
    expect(await readLegacy(table, 'x')).toMatchObject({ errors: [{ extensions: { code: 203 } }] })
  }
})

test.each(['zzz', '\\xzz', 'AQI'])('%j is the key of no row of bytes', async (id) => {
  const table = `t${cases.findIndex(({ type }) => type === 'bytea' || type.startsWith('varbinary'))}`
  expect(await ask(`query ($id: ID!) { ${table}_by_id(id: $id) { v } }`, { id })).toMatchObject({
    errors: [{ extensions: { code: 'FORBIDDEN' } }],
  })
})

test('lists and objects are no keys', async () => {
  for (const id of [['x'], { a: 1 }])
    expect(await ask('query ($id: ID!) { t0_by_id(id: $id) { v } }', { id })).toMatchObject({
      errors: [{ extensions: { code: 'GRAPHQL_VALIDATION' } }],
    })
})
