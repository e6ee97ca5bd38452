/** Variables of conditions: lists with nullable values, and keys of type `ID`. */
import { buildSchema, isInputObjectType } from 'graphql'
import { afterAll, describe, expect, test } from 'vitest'
import { openOwnDatabase } from './own-database.ts'

const uuid = '00000000-0000-4000-8000-00000000000a'
const sql = `
create table writers (id uuid primary key, name text);
create table books (id serial primary key, status text, price numeric(10, 2), sold bigint, writer uuid references writers);
create table big_books (id bigint primary key, status text);
insert into writers values ('${uuid}', 'Ann');
insert into books (status, price, sold, writer) values ('draft', 1.5, 10, '${uuid}'), ('published', 2.5, 20, null), (null, 3, 30, null);
insert into big_books values (9007199254740993, 'draft');
insert into platform_relations (many_collection, many_field, one_collection, one_field)
  values ('books', 'writer', 'writers', 'books')`
const own = await openOwnDatabase(sql)
afterAll(() => own.close())

const ask = async (query: string, variables: object): Promise<unknown> =>
  (await own.ask('POST /graphql', { body: { query, variables } })).body

const books = (...ids: readonly number[]) => ({ data: { books: ids.map((id) => ({ id: String(id) })) } })

describe('in the current generation', () => {
  test.each([
    ['query ($v: [String]) { books(filter: {status: {_in: $v}}) { id } }', { v: ['draft', null] }, books(1)],
    ['query ($v: [String!]) { books(filter: {status: {_in: $v}}) { id } }', { v: ['draft'] }, books(1)],
    ['query ($v: [String!]!) { books(filter: {status: {_nin: $v}}) { id } }', { v: ['draft'] }, books(2)],
    ['query ($a: String) { books(filter: {status: {_in: [$a, "published"]}}) { id } }', { a: 'draft' }, books(1, 2)],
    ['query ($a: String) { books(filter: {status: {_in: [$a, "published"]}}) { id } }', {}, books(2)],
    ['query ($v: [GraphQLStringOrFloat]) { books(filter: {price: {_in: $v}}) { id } }', { v: [1.5, '3'] }, books(1, 3)],
    ['query ($v: [Float]) { books(filter: {price: {_between: $v}}) { id } }', { v: [1, 2.5] }, books(1, 2)],
    ['query ($v: [GraphQLBigInt]) { books(filter: {sold: {_in: $v}}) { id } }', { v: [10] }, books(1)],
    ['query ($id: ID) { books(filter: {id: {_eq: $id}}) { id } }', { id: 2 }, books(2)],
    ['query ($id: ID!) { books(filter: {id: {_neq: $id}}) { id } }', { id: '2' }, books(1, 3)],
    ['query ($v: Int) { books(filter: {id: {_in: [$v, 3]}}) { id } }', { v: 1 }, books(1, 3)],
    ['query ($v: String) { books(filter: {id: {_between: [$v, 2]}}) { id } }', { v: '1' }, books(1, 2)],
    ['query ($v: Float) { books(filter: {price: {_in: [$v, "3"]}}) { id } }', { v: 1.5 }, books(1, 3)],
    ['query ($ids: [ID]) { books(filter: {id: {_in: $ids}}) { id } }', { ids: ['1', 3, null] }, books(1, 3)],
    ['query ($ids: [ID!]!) { books(filter: {id: {_nin: $ids}}) { id } }', { ids: [1] }, books(2, 3)],
    ['query ($id: Int!) { books(filter: {id: {_eq: $id}}) { id } }', { id: 2 }, books(2)],
    ['query ($id: GraphQLStringOrFloat) { books(filter: {id: {_gt: $id}}) { id } }', { id: '2' }, books(3)],
    ['query ($id: ID) { books(filter: {writer: {id: {_eq: $id}}}) { id } }', { id: uuid }, books(1)],
    ['query ($id: String) { books(filter: {writer: {id: {_eq: $id}}}) { id } }', { id: uuid }, books(1)],
    ['query ($f: books_filter) { books(filter: $f) { id } }', { f: { id: { _in: ['1'] } } }, books(1)],
  ])('%s', async (query, variables, expected) => expect(await ask(query, variables)).toEqual(expected))

  test.each([
    ['query ($id: Int!) { books_by_id(id: $id) { id } }', 2, { books_by_id: { id: '2' } }],
    ['query ($id: String!) { books_by_id(id: $id) { id } }', '2', { books_by_id: { id: '2' } }],
    ['mutation ($id: Int!) { update_books_item(id: $id, data: {}) { id } }', 2, { update_books_item: { id: '2' } }],
    [
      'mutation ($id: [Int!]!) { update_books_items(ids: $id, data: {}) { id } }',
      [2],
      { update_books_items: [{ id: '2' }] },
    ],
    [
      'mutation ($id: [String]!) { update_books_items(ids: $id, data: {}) { id } }',
      ['2'],
      { update_books_items: [{ id: '2' }] },
    ],
    [
      'mutation ($id: Int) { update_books_batch(data: [{ id: $id }]) { id } }',
      2,
      { update_books_batch: [{ id: '2' }] },
    ],
    [
      'mutation ($id: String) { update_books_item(id: 1, data: { writer: { id: $id } }) { writer { id } } }',
      uuid,
      { update_books_item: { writer: { id: uuid } } },
    ],
  ])('keys: %s', async (query, id, data) => expect(await ask(query, { id })).toEqual({ data }))

  test('keys of 64 bits are compared exactly', async () => {
    const query = 'query ($id: ID) { big_books(filter: {id: {_eq: $id}}) { id } }'
    const found = { data: { big_books: [{ id: '9007199254740993' }] } }
    expect(await ask(query, { id: '9007199254740993' })).toEqual(found)
    expect(await ask('{ big_books(filter: {id: {_eq: 9007199254740993}}) { id } }', {})).toEqual(found)
  })

  test('variables of other types, and other lists, are still refused', async () => {
    for (const query of [
      'query ($id: Boolean) { books(filter: {id: {_eq: $id}}) { id } }',
      'query ($id: [ID]) { books(filter: {id: {_eq: $id}}) { id } }',
      'query ($v: String) { books(filter: {status: {_in: $v}}) { id } }',
      'query ($id: ID) { books_by_id(id: $id) { id } }',
    ]) {
      expect(await ask(query, {})).toMatchObject({ errors: [{ extensions: { code: 'GRAPHQL_VALIDATION' } }] })
    }
  })

  test('the served schema says so', async () => {
    const schema = buildSchema((await own.ask('GET /server/specs/graphql')).body as string)
    const typeOf = (input: string, field: string): string => {
      const type = schema.getType(input)
      return isInputObjectType(type) ? String(type.getFields()[field]?.type) : ''
    }
    expect(typeOf('string_filter_operators', '_in')).toBe('[String]')
    expect(typeOf('number_filter_operators', '_nin')).toBe('[GraphQLStringOrFloat]')
    for (const [collection, key] of [
      ['books', 'number_key_filter_operators'],
      ['writers', 'string_key_filter_operators'],
      ['big_books', 'number_key_filter_operators'],
    ] as const) {
      expect(typeOf(`${collection}_filter`, 'id')).toBe(key)
      expect([typeOf(key, '_eq'), typeOf(key, '_in')]).toEqual(['ID', '[ID]'])
    }
  })
})

test.each([
  'query ($v: Boolean = true) { books @include(if: $v) { id } }',
  'query ($v: Boolean = true) { books { ... @skip(if: $v) { id } } }',
  'mutation ($v: Boolean = false) @transaction(dry_run: $v) { create_books_item(data: {status: "new"}) { id } }',
  'mutation ($v: Boolean) @transaction(dry_run: $v) { create_books_item(data: {status: "new"}) { id } }',
  'mutation ($v: create_books_input = {status: "new"}) { create_books_item(data: $v) { id } }',
])('null where none may be is refused, though the variable has a default: %s', async (query) => {
  expect(await ask(query, { v: null })).toMatchObject({ errors: [{ extensions: { code: 'GRAPHQL_VALIDATION' } }] })
  expect(await own.rows(`select id from books where status = 'new'`)).toEqual([])
})

test.each([
  ['query ($v: [String]) { books(filter: {status_in: $v}) { data { id } } }', { v: ['draft', null] }, [{ id: 1 }]],
  [
    'query ($a: String) { books(filter: {status_in: [$a, "published"]}) { data { id } } }',
    { a: 'draft' },
    [{ id: 1 }, { id: 2 }],
  ],
  ['query ($id: ID) { books(filter: {id_eq: $id}) { data { id } } }', { id: '2' }, [{ id: 2 }]],
  ['query ($a: String) { books(filter: {id_in: [$a, 3]}) { data { id } } }', { a: '1' }, [{ id: 1 }, { id: 3 }]],
  ['query ($ids: [ID]) { books(filter: {id_in: $ids}) { data { id } } }', { ids: [1, '3'] }, [{ id: 1 }, { id: 3 }]],
])('in the legacy generation: %s', async (query, variables, data) => {
  expect((await own.ask('POST /_/gql', { body: { query, variables } })).body).toEqual({ data: { books: { data } } })
})
