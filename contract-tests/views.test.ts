/** Views, materialized views, foreign tables and partitions: what a change of the model may do, and what SQL writes. */
import { afterAll, describe, expect, test } from 'vitest'
import { isOnMariaDb, perVendor, testOnPostgres } from '../src/sql/testing/test-vendors.ts'
import { openOwnDatabase } from './own-database.ts'
import type { RequestOptions } from './send.ts'

const tables = `
create table writers (id serial primary key, name text);
create table books (id serial primary key, title text, price integer, writer integer);
insert into writers (name) values ('Ann'), ('Ben');
insert into books (title, price, writer) values ('First', 10, 1), ('Second', 20, 2);
create view titles as select id, title, upper(title) as loud, writer from books;
create view parts as select id, title, writer from books;
create view doubled as select id, title, price * 2 as twice from books;
create view counted as select cast(count(*) as ${perVendor({ postgres: 'integer', mariadb: 'signed' })}) as number from books;
insert into platform_collections (collection) values ('titles');
insert into platform_fields (collection, field, special) values
  ('titles', 'id', 'primary-key'), ('doubled', 'id', 'primary-key');
`

/** Triggers stand for changes of views, tables have parts, and views are kept. */
const inPostgres = `
create materialized view kept_titles as select id, title, writer from books;
create unique index on kept_titles (id);
create table sales (id integer, year integer, title text, writer integer, primary key (id, year)) partition by list (year);
create table sales_2026 partition of sales for values in (2026);

create function add_book() returns trigger language plpgsql as $$ begin
  insert into books (title, price) values (new.title, new.twice / 2) returning id into new.id; return new; end $$;
create function change_book() returns trigger language plpgsql as $$ begin
  update books set title = new.title, price = new.twice / 2 where id = old.id; return new; end $$;
create function remove_book() returns trigger language plpgsql as $$ begin
  delete from books where id = old.id; return old; end $$;
create trigger add_it instead of insert on doubled for each row execute function add_book();
create view joined as select b.id, b.title, b.price * 2 as twice, w.name as writer
  from books b left join writers w on w.id = b.writer;
create trigger add_it instead of insert on joined for each row execute function add_book();
create trigger change_it instead of update on joined for each row execute function change_book();
create trigger remove_it instead of delete on joined for each row execute function remove_book();
create view through as select id, title, twice from joined;
create view ruled as select b.id, b.title, b.price * 2 as twice from books b left join writers w on w.id = b.writer;
create rule add_it as on insert to ruled do instead
  insert into books (title, price) values (new.title, new.twice / 2) returning id, title, price * 2;
create function add_unsaid() returns trigger language plpgsql as $$ begin
  insert into books (title, price) values (new.title, new.twice / 2); return new; end $$;
create view keyless as select id, title, price * 2 as twice from books;
create trigger add_it instead of insert on keyless for each row execute function add_unsaid();
insert into platform_fields (collection, field, special)
  select unnest(array['joined', 'through', 'ruled', 'keyless']), 'id', 'primary-key';
`

/** The embedded database has no wrapper of foreign data. */
const foreign =
  process.env['TEST_DATABASE_URL'] === undefined || isOnMariaDb
    ? ''
    : `create extension file_fdw; create server files foreign data wrapper file_fdw;
  create foreign table far_titles (id integer, title text, writer integer) server files options (filename '/dev/null');`
const own = await openOwnDatabase(`${foreign}${tables}${perVendor({ postgres: inPostgres, mariadb: '' })}`)
afterAll(() => own.close())

const ask = async (request: string, options: RequestOptions = {}) => {
  const { status, body } = await own.ask(request, options)
  const { data, error } = (body ?? {}) as { readonly data?: unknown; readonly error?: { readonly message: string } }
  return { status, data, message: error?.message ?? '' }
}

const refused: readonly (readonly [name: string, told: string])[] = [
  ['titles', 'is a view'],
  ...perVendor<[string, string][]>({
    postgres: [
      ['kept_titles', 'is a materialized view'],
      ['sales_2026', 'is a partition'],
    ],
    mariadb: [],
  }),
  ...(foreign === '' ? [] : [['far_titles', 'is a foreign table'] as const]),
]

/** The changes of the columns of each, as both generations spell them; `null` where the database takes it. */
const changes = (name: string) => [
  ['DELETE', `/collections/${name}`, undefined, ['sales_2026']],
  ['POST', `/fields/${name}`, { field: 'more', type: 'string', schema: {} }, ['far_titles']],
  ['PATCH', `/fields/${name}/title`, { type: 'integer' }, ['far_titles']],
  ['PATCH', `/fields/${name}/title`, { schema: { is_nullable: false } }, ['far_titles', 'sales_2026']],
  ['DELETE', `/fields/${name}/title`, undefined, ['far_titles']],
  [
    'POST',
    '/relations',
    { collection: name, field: 'writer', related_collection: 'writers', schema: {} },
    ['sales_2026'],
  ],
]

const legacyChanges = (name: string) => [
  ['DELETE', `/_/collections/${name}`, undefined, ['sales_2026']],
  ['POST', `/_/fields/${name}`, { field: 'more', type: 'string', datatype: 'VARCHAR', length: 20 }, ['far_titles']],
  ['PATCH', `/_/fields/${name}/title`, { type: 'integer', datatype: 'INT' }, ['far_titles']],
  ['DELETE', `/_/fields/${name}/title`, undefined, ['far_titles']],
]

const onlyInPostgres = testOnPostgres('triggers stand for no change of a view there')
const testsOnPostgres = <T>(cases: readonly T[]) => test.each(perVendor({ postgres: cases, mariadb: [] }))

describe.each(refused)('%s', (name, told) => {
  const own = [...changes(name), ...legacyChanges(name)] as [string, string, object | undefined, readonly string[]][]
  test.each(own.filter(([, , , taken]) => !taken.includes(name)).map(([method, path, body]) => [method, path, body]))(
    'refuses %s %s %j',
    async (method, path, body) => {
      const { status, message } = await ask(`${method} ${path}`, body === undefined ? {} : { body })
      expect([status, message]).toEqual([400, expect.stringContaining(told)])
      expect(message).toContain(name)
    },
  )
})

const meta = { note: 'As it is shown' }
const alias = { field: 'apart', type: 'alias', meta: { special: ['alias', 'no-data'] } }

describe.each(refused)('%s keeps metadata', (name) => {
  test('of the collection and of fields, aliases among them', async () => {
    expect(await ask(`PATCH /collections/${name}`, { body: { meta } })).toMatchObject({ status: 200, data: { meta } })
    expect(await ask(`PATCH /fields/${name}/title`, { body: { meta } })).toMatchObject({ status: 200, data: { meta } })
    expect(await ask(`POST /fields/${name}`, { body: alias })).toMatchObject({ status: 200, data: { type: 'alias' } })
    expect(await ask(`DELETE /fields/${name}/apart`)).toMatchObject({ status: 204 })
    const note = { note: 'As version 8 shows it' }
    expect(await ask(`PATCH /_/fields/${name}/title`, { body: note })).toMatchObject({ status: 200, data: note })
  })

  test('of relations', async () => {
    const ends = { collection: name, field: 'writer', related_collection: 'writers' }
    const given = { ...ends, meta: { one_field: `of_${name}` } }
    const isTable = name === 'sales_2026'
    const schema = isTable ? { table: name } : null
    expect(await ask('POST /relations', { body: given })).toMatchObject({ status: 200, data: { ...ends, schema } })
    if (!isTable) {
      const changed = await ask(`PATCH /relations/${name}/writer`, { body: { schema: { on_delete: 'CASCADE' } } })
      expect([changed.status, changed.message]).toEqual([400, expect.stringContaining(name)])
    }
    expect(await ask(`DELETE /relations/${name}/writer`)).toMatchObject({ status: 204 })
  })

  test('of relations in the legacy generation', async () => {
    const given = { collection_many: name, field_many: 'writer', collection_one: 'writers', field_one: `of_${name}` }
    const made = await ask('POST /_/relations', { body: given })
    expect(made).toMatchObject({ status: 200, data: given })
    expect(await ask(`DELETE /_/relations/${(made.data as { readonly id: number }).id}`)).toMatchObject({ status: 204 })
  })
})

test('a relation to a view is one without a foreign key, and is read', async () => {
  const ends = { collection: 'parts', field: 'writer', related_collection: 'writers', meta: { one_field: 'parts' } }
  expect(await ask('POST /relations', { body: ends })).toMatchObject({ status: 200, data: { schema: null } })
  expect(await ask('GET /items/writers?fields=name,parts.title&sort=id')).toMatchObject({
    data: [
      { name: 'Ann', parts: [{ title: 'First' }] },
      { name: 'Ben', parts: [{ title: 'Second' }] },
    ],
  })
  const toView = {
    collection: 'books',
    field: 'writer',
    related_collection: 'titles',
    schema: { on_delete: 'CASCADE' },
  }
  expect(await ask('POST /relations', { body: toView })).toMatchObject({
    status: 400,
    message: expect.stringContaining('"titles" is a view'),
  })
})

test('a relation to what has no key is refused, and leaves nothing', async () => {
  const before = await own.rows('select count(*) as n from platform_relations')
  const reason = 'Expected a collection with a key of one column but received "counted"'
  const drafts = [
    ['POST /relations', { collection: 'books', field: 'title', related_collection: 'counted' }],
    ['POST /_/relations', { collection_many: 'books', field_many: 'title', collection_one: 'counted' }],
  ] as const
  for (const [request, body] of drafts) {
    const answer = await own.ask(request, { body })
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([
      400,
      { error: { message: expect.stringContaining(reason) as string } },
    ])
  }
  expect(await own.rows('select count(*) as n from platform_relations')).toEqual(before)
})

test('a deleted collection leaves the views that referred to it', async () => {
  await own.rows(
    'create table shelves (id serial primary key); create view placed as select id, id as shelf from books',
  )
  await ask('POST /utils/cache/clear?system')
  const ends = { collection: 'placed', field: 'shelf', related_collection: 'shelves' }
  expect(await ask('POST /relations', { body: ends })).toMatchObject({ status: 200 })
  expect(await ask('DELETE /collections/shelves')).toMatchObject({ status: 204 })
  expect(await ask('GET /items/placed?filter[id][_eq]=1')).toMatchObject({ data: [{ id: 1, shelf: 1 }] })
  expect((await ask('GET /relations/placed')).data).toEqual([])
})

const stored = (title: string) => own.rows('select title, price from books where title = $1', [title])

describe.each([
  ['current', '/items'],
  ['legacy', '/_/items'],
])('the %s generation writes what SQL writes', (generation, items) => {
  testsOnPostgres(['doubled', 'joined', 'through', 'ruled'])('a new row of %s', async (view) => {
    const title = `${view} ${generation}`
    const made = await ask(`POST ${items}/${view}`, { body: { title, twice: 18 } })
    expect(made).toMatchObject({ status: 200, data: { title, twice: 18 } })
    expect(await stored(title)).toEqual([{ title, price: 9 }])
  })

  onlyInPostgres('a changed row, and deletes it', async () => {
    const title = `changed ${generation}`
    const made = await ask(`POST ${items}/joined`, { body: { title, twice: 18 } })
    const { id } = made.data as { readonly id: number }
    const changed = await ask(`PATCH ${items}/joined/${id}`, { body: { twice: 44 } })
    expect(changed).toMatchObject({ status: 200, data: { id, title, twice: 44 } })
    expect(await stored(title)).toEqual([{ title, price: 22 }])
    expect((await ask(`DELETE ${items}/joined/${id}`)).status).toBe(204)
    expect(await stored(title)).toEqual([])
  })

  test('and names the column that an update cannot set', async () => {
    const id = 1
    const refusal = await ask(`PATCH ${items}/doubled/${id}`, { body: { twice: 44 } })
    expect([refusal.status, refusal.message]).toEqual([400, expect.stringContaining('twice')])
    expect(await ask(`PATCH ${items}/doubled/${id}`, { body: { title: 'new' } })).toMatchObject({
      status: 200,
      data: { id, title: 'new' },
    })
  })

  testsOnPostgres(['all', null])(
    'and says when a trigger gives no key, with the accountability %j',
    async (accountability) => {
      await ask('PATCH /collections/keyless', { body: { meta: { accountability } } })
      const { status, message } = await ask(`POST ${items}/keyless`, { body: { title: 'no key', twice: 2 } })
      expect([status, message]).toEqual([422, expect.stringContaining('no key of the new row')])
      expect(await stored('no key')).toEqual([])
    },
  )

  test('and refuses what no row can be added to', async () => {
    const { status, message } = await ask(`POST ${items}/counted`, { body: { number: 1 } })
    expect([status, message]).toEqual([422, expect.stringContaining('counted')])
  })
})

onlyInPostgres('GraphQL and the served specification offer the same columns', async () => {
  const query = 'mutation { create_doubled_item(data: { title: "by graph", twice: 12 }) { title twice } }'
  expect((await own.ask('POST /graphql', { body: { query } })).body).toEqual({
    data: { create_doubled_item: { title: 'by graph', twice: 12 } },
  })
  const refusal = 'mutation { update_doubled_item(id: 1, data: { twice: 12 }) { twice } }'
  expect(JSON.stringify((await own.ask('POST /graphql', { body: { query: refusal } })).body)).toContain('twice')
  const { components } = (await own.ask('GET /server/specs/oas')).body as {
    readonly components: { readonly schemas: { readonly [name: string]: { readonly properties: object } } }
  }
  expect(Object.keys(components.schemas['NewItem_doubled']?.properties ?? {})).toEqual(['id', 'title', 'twice'])
  expect(components.schemas['NewItem_titles']?.properties).not.toHaveProperty('loud')
})
