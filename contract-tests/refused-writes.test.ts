/** Writes that a trigger drops, second rows of singletons, and domains within lists and records, in both generations. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { perVendor } from '../src/sql/testing/test-vendors.ts'
import { openOwnDatabase } from './own-database.ts'

const rejected = 'A trigger or rule of the database rejects the change'

const tables = `
create table guarded (id integer primary key, word text, parent integer references guarded);
create table home (id serial primary key, title text);
create table links (id serial primary key, home integer references home);
insert into platform_collections (collection, singleton) values ('home', true);
insert into platform_relations (many_collection, many_field, one_collection, one_field)
  values ('guarded', 'parent', 'guarded', 'children'), ('links', 'home', 'home', 'links');`

const inPostgres = `
create domain even as integer constraint only_even check (value % 2 = 0);
create type pair as (a integer, b even);
create table numbers (id integer primary key, plain even, list even[], record pair, records pair[], word text);
create function drop_it() returns trigger language plpgsql as $$ begin
  if old.word = 'fixed' then return null; end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create trigger drop_it before update or delete on guarded for each row execute function drop_it()`

/** A check of a column stands for a domain. */
const inMariaDb = `
create table numbers (id integer primary key, plain integer, word text, constraint only_even check (plain % 2 = 0))`

/** A trigger drops no change there; it refuses the change. */
const triggersInMariaDb = ['update', 'delete'].map(
  (event) => `create trigger guard_${event} before ${event} on guarded for each row begin
  if old.word = 'fixed' then signal sqlstate '45000' set message_text = '${rejected}'; end if;
end`,
)
const own = await openOwnDatabase(tables + perVendor({ postgres: inPostgres, mariadb: inMariaDb }))
for (const text of perVendor({ postgres: [], mariadb: triggersInMariaDb })) await own.rows(text)
afterAll(() => own.close())
beforeEach(async () => {
  await own.rows('truncate numbers, guarded, home, links')
  await own.rows(`insert into guarded values (1, 'fixed', null), (2, 'free', 1)`)
})

const words = () => own.rows('select id, word from guarded order by id')
const unchanged = [
  { id: 1, word: 'fixed' },
  { id: 2, word: 'free' },
]

describe('a change that a trigger drops', () => {
  test.each([
    ['PATCH /items/guarded/1', { word: 'new' }],
    ['PATCH /items/guarded', { keys: [2, 1], data: { word: 'new' } }],
    [
      'PATCH /items/guarded',
      [
        { id: 2, word: 'a' },
        { id: 1, word: 'b' },
      ],
    ],
    ['PATCH /items/guarded/2', { word: 'a', parent: { id: 1, word: 'new' } }],
    ['PATCH /items/guarded/1', { children: { create: [], update: [], delete: [] }, word: 'new' }],
    ['DELETE /items/guarded/1', undefined],
    ['DELETE /items/guarded', [2, 1]],
    ['PATCH /_/items/guarded/1', { word: 'new' }],
    ['DELETE /_/items/guarded/1', undefined],
  ])('is 422 and leaves everything: %s %j', async (request, body) => {
    const { status, body: answer } = await own.ask(request, body === undefined ? {} : { body })
    expect({ status, answer }).toMatchObject({ status: 422, answer: { error: {} } })
    expect(JSON.stringify(answer)).toContain(rejected)
    expect(await words()).toEqual(unchanged)
  })

  test('is told by GraphQL too, and a missing row is still forbidden', async () => {
    const query = 'mutation { update_guarded_item(id: 1, data: {word: "new"}) { id } }'
    expect((await own.ask('POST /graphql', { body: { query } })).body).toMatchObject({
      errors: [{ extensions: { code: 'UNPROCESSABLE_CONTENT' } }],
    })
    expect(await own.ask('PATCH /items/guarded/9', { body: { word: 'new' } })).toMatchObject({ status: 403 })
    expect(await own.ask('DELETE /_/items/guarded/9')).toMatchObject({ status: 404 })
  })

  test('is not told to whoever may not change the row', async () => {
    const permissions = { word: { _neq: 'fixed' } }
    const token = await own.addUser([
      { collection: 'guarded', action: 'read' },
      { collection: 'guarded', action: 'update', permissions },
      { collection: 'guarded', action: 'delete', permissions },
    ])
    expect(await own.ask('PATCH /items/guarded/1', { body: { word: 'new' }, token })).toMatchObject({ status: 403 })
    expect(await own.ask('DELETE /items/guarded/1', { token })).toMatchObject({ status: 403 })
  })
})

const told = async (request: string, body?: object) => {
  const { status, body: answer } = await own.ask(request, body === undefined ? {} : { body })
  return {
    status,
    told: (answer as { readonly errors: readonly { readonly extensions: object }[] }).errors[0]?.extensions,
  }
}

describe('a broken reference', () => {
  const code = 'INVALID_FOREIGN_KEY'

  test('is told with its field and its value', async () => {
    const refusal = { status: 400, told: { code, collection: 'guarded', field: 'parent', value: '9' } }
    expect(await told('POST /items/guarded', { id: 3, parent: 9 })).toMatchObject(refusal)
    expect(await told('PATCH /items/guarded/2', { parent: 9 })).toMatchObject(refusal)
    expect(await told('POST /items/guarded', [{ id: 3 }, { id: 4, parent: 9 }])).toMatchObject({
      status: 400,
      told: { code, collection: 'guarded', field: 'parent' },
    })
    expect(await words()).toEqual(unchanged)
  })

  test('to the row that is deleted is told with the key of that row', async () => {
    await own.rows(`insert into guarded values (3, 'a', null), (4, 'b', 3)`)
    expect(await told('DELETE /items/guarded/3')).toMatchObject({
      status: 400,
      told: { code, collection: 'guarded', field: 'id' },
    })
  })
})

const titles = () => own.rows('select title from home order by id')

const importRows = async (text: string, type: string, name: string) => {
  const form = new FormData()
  form.append('file', new Blob([text], { type }), name)
  const headers = { authorization: `Bearer ${own.adminToken}` }
  return fetch(`${own.url}/utils/import/home`, { method: 'POST', headers, body: form })
}

describe('a second row of a singleton', () => {
  const create = 'is a singleton'

  test.each([
    ['POST /_/items/home', { title: 'b' }],
    ['POST /_/items/home', [{ title: 'b' }, { title: 'c' }]],
    ['POST /items/links', { home: { title: 'b' } }],
    ['POST /_/items/links', { home: { title: 'b' } }],
    ['POST /items/links', [{ home: 1 }, { home: { title: 'b' } }]],
  ])('is refused: %s %j', async (request, body) => {
    await own.rows(`insert into home (id, title) values (1, 'a')`)
    const { status, body: answer } = await own.ask(request, { body })
    expect({ status, text: JSON.stringify(answer) }).toEqual({
      status: 422,
      text: expect.stringContaining(create) as string,
    })
    expect(await titles()).toEqual([{ title: 'a' }])
    expect(await own.rows('select id from links')).toEqual([])
  })

  test('is refused in imports', async () => {
    const rows = '[{"title":"a"},{"title":"b"}]'
    expect((await importRows(rows, 'application/json', 'rows.json')).status).toBe(422)
    expect((await importRows('title\na\nb', 'text/csv', 'rows.csv')).status).toBe(422)
    expect(await titles()).toEqual([])
    expect((await importRows('title\na', 'text/csv', 'rows.csv')).status).toBe(200)
    expect(await titles()).toEqual([{ title: 'a' }])
  })

  test('is refused of writes at the same time, and the first one is taken', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => own.ask('POST /_/items/home', { body: { title: 'x' } })),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 7 }, () => 422),
    ])
    expect(await titles()).toEqual([{ title: 'x' }])
    expect(await own.ask('PATCH /items/home', { body: { title: 'y' } })).toMatchObject({ status: 200 })
    expect(await titles()).toEqual([{ title: 'y' }])
  })
})

describe('a broken domain', () => {
  type Broken = readonly [field: string, body: { readonly id: number; readonly [name: string]: unknown }]
  const within: readonly Broken[] = [
    ['list', { id: 1, plain: 2, list: [2, 3] }],
    ['record', { id: 1, plain: 2, list: [2], record: { a: 1, b: 3 } }],
    ['records', { id: 1, plain: 2, records: [{ a: 1, b: 3 }] }],
  ]
  test.each<Broken>([['plain', { id: 1, plain: 1 }], ...perVendor({ postgres: within, mariadb: [] })])(
    'names %s, the field that holds it',
    async (field, body) => {
      const { status, body: answer } = await own.ask('POST /items/numbers', { body })
      expect({ status, answer }).toMatchObject({ status: 400, answer: { error: { code: 'INVALID_PAYLOAD' } } })
      expect(JSON.stringify(answer)).toContain('only_even')
      expect(JSON.stringify(answer)).toContain(`\\"${field}\\":`)
      const legacy = await own.ask('POST /_/items/numbers', { body })
      expect(JSON.stringify(legacy.body)).toContain('only_even')
      await own.rows('insert into numbers (id) values (1)')
      const { id: _id, ...changes } = body
      const patched = await own.ask('PATCH /items/numbers/1', { body: changes })
      expect(JSON.stringify(patched.body)).toContain(`\\"${field}\\"`)
    },
  )
})

describe('a body that fits no form of the operation is refused by what is wrong in it', () => {
  test.each([
    [
      'DELETE /items/guarded',
      { query: { filter: {} }, data: {} },
      'Expected at most 1 property for the body but received "query", "data"',
    ],
    ['DELETE /items/guarded', { query: 'all' }, 'Expected an object for "query" but received a text'],
    [
      'DELETE /items/guarded',
      { keys: [1], query: {} },
      'Expected at most 1 property for the body but received "keys", "query"',
    ],
    ['DELETE /items/guarded', 5, 'Expected a list or an object for the body but received a number'],
    ['DELETE /items/guarded', [{}], 'Expected a text or an integer for "0" but received an object'],
  ])('%s %j', async (request, body, reason) => {
    const { status, body: answer } = await own.ask(request, { body })
    const message = `Invalid payload. ${reason}.`
    expect([status, answer]).toMatchObject([400, { errors: [{ message, extensions: { code: 'INVALID_PAYLOAD' } }] }])
  })
})
