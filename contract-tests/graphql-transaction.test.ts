import { afterAll, beforeEach, expect, test } from 'vitest'
import { perVendor } from '../src/sql/testing/test-vendors.ts'
import { type OwnDatabase, openOwnDatabase } from './own-database.ts'

const tables = `
  create table notes (id serial primary key, text text not null unique);
  create table parts (id serial primary key, name text);
  insert into platform_collections (collection, singleton, accountability) values ('notes', false, 'all'), ('parts', false, 'all')`

/** A demand that Postgres makes at the commit, and MariaDB, which has no deferred ones, at the row. */
const demand = perVendor({
  postgres: `create function demand() returns trigger language plpgsql as $$ begin raise exception 'A part needs a name' using errcode = '23514'; end $$;
    create constraint trigger demand after insert on parts deferrable initially deferred for each row when (new.name is null) execute function demand()`,
  mariadb: `create trigger demand before insert on parts for each row
    if new.name is null then signal sqlstate '23514' set message_text = 'A part needs a name'; end if`,
})
const ofDemand = perVendor({ postgres: {}, mariadb: { path: ['create_parts_item'], locations: [expect.anything()] } })

const own = await openOwnDatabase(tables)
await own.db.run({ text: demand, values: [] })
const other = (await own.openReplica()).ask
const creator = await own.addUser(['create', 'read'].map((action) => ({ collection: 'notes', action })))
beforeEach(() =>
  own.rows(
    'truncate notes, parts, platform_idempotency_keys, platform_activity, platform_revisions restart identity cascade',
  ),
)
afterAll(() => own.close())

type Sent = {
  readonly variables?: object
  readonly key?: string
  readonly token?: string
  readonly path?: string
  readonly by?: OwnDatabase['ask']
}

async function run(query: string, { variables = {}, key, token, path = '/graphql', by = own.ask }: Sent = {}) {
  const headers = key === undefined ? {} : { 'idempotency-key': key }
  const asked = { body: { query, variables }, headers, ...(token === undefined ? {} : { token }) }
  return (await by(`POST ${path}`, asked)) as Awaited<ReturnType<OwnDatabase['ask']>> & { readonly body: never }
}

const texts = async () => (await own.rows('select text from notes order by id')).map(({ text }) => text)

const two = (directive: string) => `mutation ($a: String!, $b: String!) ${directive} {
  a: create_notes_item(data: { text: $a }) { id text }
  b: create_notes_item(data: { text: $b }) { id text }
}`

test('without the directive each field is a transaction of its own', async () => {
  const { body } = await run(two(''), { variables: { a: 'x', b: 'x' } })
  expect(body).toMatchObject({
    data: { a: { id: '1' }, b: null },
    errors: [{ path: ['b'], extensions: { code: 'RECORD_NOT_UNIQUE' } }],
  })
  expect(await texts()).toEqual(['x'])
})

test('with it all fields are one: the first that fails undoes the others', async () => {
  expect((await run(two('@transaction'), { variables: { a: 'x', b: 'y' } })).body).toEqual({
    data: { a: { id: '1', text: 'x' }, b: { id: '2', text: 'y' } },
  })
  const { status, body } = await run(two('@transaction'), { variables: { a: 'z', b: 'x' } })
  expect([status, body]).toEqual([
    200,
    { data: null, errors: [expect.objectContaining({ path: ['b'], locations: [{ line: 3, column: 3 }] })] },
  ])
  expect(await texts()).toEqual(['x', 'y'])
  expect(await own.rows('select item from platform_activity order by id')).toEqual([{ item: '1' }, { item: '2' }])
})

test('a dry run answers what would be, and what only the commit refuses', async () => {
  expect((await run(two('@transaction(dry_run: true)'), { variables: { a: 'x', b: 'y' } })).body).toMatchObject({
    data: { b: { text: 'y' } },
  })
  const loose = 'mutation ($dry: Boolean!) @transaction(dry_run: $dry) { create_parts_item(data: {}) { id } }'
  for (const dry of [true, false]) {
    expect((await run(loose, { variables: { dry } })).body).toEqual({
      data: null,
      errors: [
        {
          message: expect.stringContaining('A part needs a name') as string,
          extensions: expect.objectContaining({ code: 'INVALID_PAYLOAD' }) as unknown,
          ...ofDemand,
        },
      ],
    })
  }
  expect(await texts()).toEqual([])
})

test('rights count as alone, and the failed field is named', async () => {
  const query =
    'mutation @transaction { create_notes_item(data: { text: "x" }) { id } create_parts_item(data: { name: "a" }) { id } }'
  expect((await run(query, { token: creator })).body).toMatchObject({
    errors: [{ extensions: { code: 'GRAPHQL_VALIDATION' } }],
  })
  expect(await texts()).toEqual([])
})

test.for([
  'auth_login(email: "a@example.com", password: "b") { access_token }',
  'users_invite(email: "a@example.com", role: "x")',
  'create_collections_item(data: { collection: "x" }) { collection }',
  'update_files_item(id: "x", data: { title: "a" }) { id }',
])('%s is refused before the start', async (field) => {
  const query = `mutation @transaction { create_folders_item(data: { name: "a" }) { id } ${field} }`
  const { body } = await run(query, { path: '/graphql/system' })
  expect(body).toEqual({
    data: null,
    errors: [
      expect.objectContaining({
        message: expect.stringContaining('Expected fields that a transaction can undo but received') as string,
      }),
    ],
  })
  expect(await own.rows("select id from platform_folders where name = 'a'")).toEqual([])
})

test('system collections are written together', async () => {
  const query = `mutation @transaction { create_roles_item(data: { name: "Readers of this test" }) { name } create_policies_item(data: { name: "Policy of this test" }) { name } }`
  expect((await run(query, { path: '/graphql/system' })).body).toEqual({
    data: {
      create_roles_item: { name: 'Readers of this test' },
      create_policies_item: { name: 'Policy of this test' },
    },
  })
})

test('a key makes a request one transaction, and keeps its answer', async () => {
  const variables = { a: 'x', b: 'y' }
  const first = await run(two(''), { variables, key: 'one' })
  const again = await run(two(''), { variables, key: 'one', by: other })
  expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([first.body, 'true'])
  expect(await texts()).toEqual(['x', 'y'])
  expect((await run(two(''), { variables: { a: 'x', b: 'z' }, key: 'one' })).status).toBe(422)
  // A failure undoes all, and is not kept.
  expect((await run(two(''), { variables: { a: 'z', b: 'x' }, key: 'two' })).body).toMatchObject({ data: null })
  expect(await texts()).toEqual(['x', 'y'])
  expect((await run(two(''), { variables: { a: 'z', b: 'w' }, key: 'two' })).body).toMatchObject({
    data: { b: { text: 'w' } },
  })
})

test('the directive is in the schema of who may write, and is refused elsewhere', async () => {
  const query = '{ __schema { directives { name args { name } } } }'
  const names = (await run(query)).body as {
    readonly data: { readonly __schema: { readonly directives: readonly object[] } }
  }
  expect(names.data.__schema.directives).toContainEqual({ name: 'transaction', args: [{ name: 'dry_run' }] })
  expect((await run('query @transaction { notes { id } }')).body).toMatchObject({
    errors: [{ extensions: { code: 'GRAPHQL_VALIDATION' } }],
  })
})
