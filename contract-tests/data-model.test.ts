/** Changes of the data model by a client on one server, observed through another server on the same database. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type App, createApp } from '../src/app.ts'
import { loadConfig } from '../src/config/config.ts'
import { createTestDatabase, silentLog } from '../src/sql/testing/test-database.ts'
import { perVendor } from '../src/sql/testing/test-vendors.ts'
import { hashToken } from '../src/tokens/opaque.ts'
import { send } from './send.ts'

const secret = 'a-secret-that-only-this-journey-knows'
const tokens = { admin: 'static-token-of-the-administrator', reader: 'static-token-of-the-reader' }

const peopleSql = `
  create table found (id serial primary key, word varchar(20));
  insert into found (word) values ('kept');
  insert into platform_roles (id, name) values ('00000000-0000-4000-8000-0000000000a1', 'Reader');
  insert into platform_policies (id, name, app_access) values ('00000000-0000-4000-8000-0000000000a2', 'Reader', true);
  insert into platform_access (id, role, policy) values
    (gen_random_uuid(), '00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-0000000000a2');
  insert into platform_users (id, email, token, role) values
    (gen_random_uuid(), 'admin@example.com', '${hashToken(tokens.admin, secret)}', (select id from platform_roles where name = 'Administrator')),
    (gen_random_uuid(), 'reader@example.com', '${hashToken(tokens.reader, secret)}', '00000000-0000-4000-8000-0000000000a1')`
const folder = mkdtempSync(join(tmpdir(), 'tandem-model-'))
const apps: App[] = []
const urls: string[] = []

const database = await createTestDatabase({ sql: peopleSql })
const settings = { HOST: '127.0.0.1', PORT: '0', SECRET: secret, DATA_DIR: folder, VALIDATE_RESPONSES: 'true' }
const account = { ADMIN_EMAIL: 'first@example.com', ADMIN_PASSWORD: 'correct-horse-42' }
for (const _replica of [1, 2]) {
  const db = { ...database.db, close: () => Promise.resolve() }
  const app = await createApp(loadConfig({ ...settings, ...account }, folder), { log: silentLog, db })
  apps.push(app)
  urls.push((await app.listen()).replace(/\/$/, ''))
}

afterAll(async () => {
  for (const app of apps) await app.close()
  await database.close()
  rmSync(folder, { recursive: true })
})

type RequestOptions = { readonly body?: unknown; readonly as?: keyof typeof tokens; readonly replica?: 0 | 1 }

/** Status and `data` of a response, or code and message of its error. */
async function ask(method: string, path: string, { body, as = 'admin', replica = 0 }: RequestOptions = {}) {
  const answer = await send(`${urls[replica]}`, `${method} ${path}`, { body, token: tokens[as] })
  const value = (answer.body ?? {}) as { data?: unknown; error?: { code: string; message: string } }
  return { status: answer.status, data: value.data, code: value.error?.code, message: value.error?.message ?? '' }
}

const integer = (field: string) => ({ field, type: 'integer', schema: {} })

test('a new data model can be used immediately', async () => {
  const books = {
    collection: 'books',
    schema: {},
    meta: { note: 'What we read', sort_field: 'title' },
    fields: [
      {
        field: 'id',
        type: 'uuid',
        schema: { is_primary_key: true, length: 36, has_auto_increment: false },
        meta: { special: ['uuid'] },
      },
      { field: 'title', type: 'string', schema: { is_nullable: false, max_length: 100 }, meta: { interface: 'input' } },
      { field: 'writer', type: 'integer', schema: {}, meta: { special: ['m2o'] } },
      { field: 'genres', type: 'alias', schema: null, meta: { special: ['m2m'] } },
      { field: 'parts', type: 'alias', meta: { special: ['m2a'] } },
    ],
  }
  expect(await ask('POST', '/collections', { body: books })).toMatchObject({
    status: 200,
    data: { collection: 'books' },
  })
  const others = [
    { collection: 'writers', schema: {}, fields: [{ field: 'name', type: 'string' }] },
    { collection: 'genres', schema: {}, fields: [{ field: 'word', type: 'string' }] },
    {
      collection: 'books_genres',
      schema: {},
      meta: { hidden: true },
      fields: [{ field: 'book', type: 'uuid' }, integer('genre')],
    },
    {
      collection: 'books_parts',
      schema: {},
      fields: [
        { field: 'book', type: 'uuid' },
        { field: 'item', type: 'string' },
        { field: 'collection', type: 'string' },
      ],
    },
  ]
  expect(await ask('POST', '/collections', { body: others })).toMatchObject({ status: 200 })
  const relations = [
    {
      collection: 'books',
      field: 'writer',
      related_collection: 'writers',
      schema: { on_delete: 'SET NULL' },
      meta: { one_field: 'books' },
    },
    {
      collection: 'books_genres',
      field: 'book',
      related_collection: 'books',
      meta: { one_field: 'genres', junction_field: 'genre' },
    },
    { collection: 'books_genres', field: 'genre', related_collection: 'genres', meta: { junction_field: 'book' } },
    {
      collection: 'books_parts',
      field: 'book',
      related_collection: 'books',
      meta: { one_field: 'parts', junction_field: 'item' },
    },
    {
      collection: 'books_parts',
      field: 'item',
      related_collection: null,
      schema: null,
      meta: {
        one_collection_field: 'collection',
        one_allowed_collections: ['genres', 'writers'],
        junction_field: 'book',
      },
    },
  ]
  for (const body of relations) expect(await ask('POST', '/relations', { body })).toMatchObject({ status: 200 })
  await ask('POST', '/items/writers', { body: { name: 'Ann' } })
  await ask('POST', '/items/genres', { body: { word: 'crime' } })
  const { data } = await ask('POST', '/items/books', { body: { title: 'One', writer: 1 } })
  const book = (data as { id: string }).id
  await ask('POST', '/items/books_genres', { body: { book, genre: 1 } })
  await ask('POST', '/items/books_parts', { body: { book, item: '1', collection: 'genres' } })
  const fields = 'title,writer.name,genres.genre.word,parts.collection,parts.item:genres.word'
  expect(await ask('GET', `/items/books?fields=${fields}`)).toMatchObject({
    status: 200,
    data: [
      {
        title: 'One',
        writer: { name: 'Ann' },
        genres: [{ genre: { word: 'crime' } }],
        parts: [{ collection: 'genres', item: { word: 'crime' } }],
      },
    ],
  })
  expect(await ask('GET', '/items/writers?fields=books.title')).toMatchObject({ data: [{ books: [{ title: 'One' }] }] })
})

test('a response can be sent back as a request', async () => {
  for (const path of ['/fields/books', '/fields/books_parts', '/collections/books', '/relations/books/writer']) {
    const { data } = await ask('GET', path)
    expect(await ask('PATCH', path, { body: data }), path).toMatchObject({ status: 200, data })
  }
  const { data } = await ask('GET', '/fields/books/title')
  expect(await ask('PATCH', '/fields/books/title', { body: data })).toMatchObject({ status: 200, data })
})

test('names cannot be changed', async () => {
  for (const [path, body] of [
    ['/collections/books', { collection: 'novels' }],
    ['/collections/books', { schema: { name: 'novels' } }],
    ['/fields/books/title', { field: 'name' }],
    ['/relations/books/writer', { field: 'author' }],
  ] as const) {
    const answer = await ask('PATCH', path, { body })
    expect(answer).toMatchObject({ status: 400, code: 'INVALID_PAYLOAD' })
    expect(answer.message).toContain('names cannot be changed')
  }
})

test('errors list null among the allowed values', async () => {
  const answer = await ask('PATCH', '/collections/books', { body: { meta: { accountability: 'some' } } })
  expect(answer).toMatchObject({ status: 400, code: 'INVALID_PAYLOAD' })
  expect(answer.message).toContain('Expected one of all, activity, null for "meta.accountability"')
})

test('another replica hears of a new field', async () => {
  const field = { field: 'pages', type: 'integer', schema: { default_value: 5 } }
  expect(await ask('POST', '/fields/books', { body: field })).toMatchObject({ status: 200 })
  const read = () => ask('GET', '/items/books?fields=pages', { replica: 1 })
  await expect.poll(read).toMatchObject({ status: 200, data: [{ pages: 5 }] })
})

const sql = (text: string) => database.db.run({ text, values: [] })

test('a request that meets an unknown change of the schema is retried once', async () => {
  const body = { collection: 'moved', schema: {}, fields: [integer('count'), integer('lost'), integer('gone')] }
  expect(await ask('POST', '/collections', { body })).toMatchObject({ status: 200 })
  const there = () => ask('GET', '/items/moved', { replica: 1 })
  await expect.poll(there).toMatchObject({ status: 200 })
  await sql('alter table moved drop column lost')
  const made = { status: 200, data: { id: 1, count: 5, gone: null } }
  expect(await ask('POST', '/items/moved', { body: { count: 5 } })).toEqual(expect.objectContaining(made))
  expect(await there()).toEqual(expect.objectContaining({ ...made, data: [made.data] }))
  await sql(
    perVendor({
      postgres: 'alter table moved alter column count type varchar(20)',
      mariadb: 'alter table moved modify count varchar(20)',
    }),
  )
  const found = await ask('GET', '/items/moved?filter[count][_eq]=5&fields=count')
  expect(found).toMatchObject({ status: 200, data: [{ count: '5' }] })
  await sql('alter table moved drop column gone')
  expect(await ask('GET', '/_/items/moved/1')).toMatchObject({ status: 200, data: { id: 1, count: '5' } })
  expect(await ask('GET', '/items/moved?fields=gone', { replica: 1 })).toMatchObject({ status: 403, code: 'FORBIDDEN' })
  await sql('drop table moved')
  expect(await ask('GET', '/items/moved')).toMatchObject({ status: 403, code: 'FORBIDDEN' })
})

test('a caller who may not read an item does not learn of its fields', async () => {
  expect(await ask('GET', '/collections', { as: 'reader' })).toMatchObject({ status: 200 })
  const seen = async (path: string, key: string): Promise<readonly unknown[]> => {
    const { data } = await ask('GET', path, { as: 'reader' })
    return (data as { [key: string]: string }[])
      .filter(({ collection = '' }) => !collection.startsWith('platform_'))
      .map((each) => each[key])
  }
  expect(await seen('/collections', 'collection')).toEqual([])
  await database.db.run({
    text: `insert into platform_permissions (policy, collection, action, fields) values
      ('00000000-0000-4000-8000-0000000000a2', 'books', 'read', 'id,title,writer'),
      ('00000000-0000-4000-8000-0000000000a2', 'genres', 'read', '*')`,
    values: [],
  })
  await database.db.run({
    text: perVendor({
      postgres: `select pg_notify('tandem', '{"topic":"access"}')`,
      mariadb: `insert into platform_announcements (channel, payload) values ('tandem', '{"topic":"access"}')`,
    }),
    values: [],
  })
  await expect.poll(() => seen('/collections', 'collection')).toEqual(['books', 'genres'])
  expect(await seen('/fields', 'field')).toEqual(['id', 'title', 'writer', 'id', 'word'])
  expect(await seen('/relations', 'field')).toEqual([])
  expect(await ask('GET', '/fields/books/title', { as: 'reader' })).toMatchObject({ status: 200 })
  for (const path of ['/fields/books/pages', '/fields/writers', '/collections/writers', '/relations/books/writer']) {
    expect(await ask('GET', path, { as: 'reader' }), path).toMatchObject({ status: 403, code: 'FORBIDDEN' })
  }
  for (const [method, path, body] of [
    ['POST', '/collections', { collection: 'mine', schema: {} }],
    ['PATCH', '/collections/books', { meta: { note: 'mine' } }],
    ['DELETE', '/fields/books/title', undefined],
    ['DELETE', '/collections/books', undefined],
  ] as const) {
    expect(await ask(method, path, { as: 'reader', body })).toMatchObject({ status: 403, code: 'FORBIDDEN' })
  }
})

test('a permission is deleted with its field', async () => {
  expect(await ask('DELETE', '/fields/books/writer')).toMatchObject({ status: 204 })
  expect(await ask('POST', '/fields/books', { body: { field: 'writer', type: 'string' } })).toMatchObject({
    status: 200,
  })
  expect(await ask('GET', '/items/books?fields=title', { as: 'reader' })).toMatchObject({ status: 200 })
  expect(await ask('GET', '/items/books?fields=writer', { as: 'reader' })).toMatchObject({ status: 403 })
})

test('an existing table can be registered', async () => {
  expect(await ask('GET', '/collections/found')).toMatchObject({ data: { meta: null, schema: { name: 'found' } } })
  const taken = await ask('PATCH', '/collections/found', { body: { meta: { note: 'Found' } } })
  expect(taken).toMatchObject({ status: 200, data: { meta: { note: 'Found', accountability: 'all' } } })
  expect(await ask('GET', '/items/found')).toMatchObject({ data: [{ id: 1, word: 'kept' }] })
})

test('metadata of a collection is kept when a change contains null', async () => {
  expect(await ask('PATCH', '/collections/found', { body: { meta: { note: 'Said' } } })).toMatchObject({ status: 200 })
  for (const [path, body] of [
    ['/collections/found', { meta: null }],
    ['/collections', [{ collection: 'found', meta: null }]],
  ] as const) {
    const answer = await ask('PATCH', path, { body })
    expect(answer).toMatchObject({ status: 400, code: 'INVALID_PAYLOAD' })
    expect(answer.message).toContain('Expected an object for "meta" of "found" but received null')
  }
  expect(await ask('PATCH', '/collections/found', { body: {} })).toMatchObject({ status: 200 })
  expect(await ask('GET', '/collections/found')).toMatchObject({ data: { meta: { note: 'Said' } } })
})

test('a collection without a table has settings', async () => {
  const refused = await ask('POST', '/collections', { body: { collection: 'empty', schema: null, meta: null } })
  expect(refused).toMatchObject({ status: 400, code: 'INVALID_PAYLOAD' })
  expect(refused.message).toContain('Expected settings or a table for "empty" but received none')
})

test.each(['archive_field', 'sort_field'])('%s names a field with a column', async (setting) => {
  const reason = `for "${setting}" but received "nowhere"`
  const shelf = { collection: 'shelves', schema: {}, fields: [{ field: 'place', type: 'integer' }] }
  const blind = { field: 'blind', type: 'alias', meta: { special: ['alias', 'no-data'] } }
  for (const [method, path, body] of [
    ['PATCH', '/collections/found', { meta: { [setting]: 'nowhere' } }],
    ['PATCH', '/collections', [{ collection: 'found', meta: { [setting]: 'nowhere' } }]],
    ['POST', '/collections', { ...shelf, meta: { [setting]: 'nowhere' } }],
    ['POST', '/collections', { collection: 'folder', schema: null, meta: { [setting]: 'nowhere' } }],
    ['POST', '/collections', [shelf, { collection: 'other', schema: {}, meta: { [setting]: 'nowhere' } }]],
  ] as const) {
    const answer = await ask(method, path, { body })
    expect(answer).toMatchObject({ status: 400, code: 'INVALID_PAYLOAD' })
    expect(answer.message).toContain(reason)
  }
  const alias = { ...shelf, fields: [blind], meta: { [setting]: 'blind' } }
  expect((await ask('POST', '/collections', { body: alias })).message).toContain('with a column')
  expect(await ask('GET', '/collections/shelves')).toMatchObject({ status: 403 })
  expect(await ask('POST', '/collections', { body: { ...shelf, meta: { [setting]: 'place' } } })).toMatchObject({
    data: { meta: { [setting]: 'place' } },
  })
  for (const field of [null, 'id']) {
    const answer = await ask('PATCH', '/collections/shelves', { body: { meta: { [setting]: field } } })
    expect(answer).toMatchObject({ status: 200, data: { meta: { [setting]: field } } })
  }
  expect(await ask('DELETE', '/collections/shelves')).toMatchObject({ status: 204 })
})

const hostile = [
  '__proto__',
  'constructor',
  'toString',
  '',
  ' ',
  'a b ',
  'a.b',
  'a"b',
  "a'b",
  'a;--',
  'é',
  'a'.repeat(64),
  '1a',
  '\u0000',
]

test.each(hostile)('the name %j is rejected everywhere without side effects', async (name) => {
  const attempts = [
    ['/collections', { collection: name, schema: {} }],
    ['/collections', { collection: 'fine', schema: {}, fields: [{ field: name, type: 'string' }] }],
    ['/fields/found', { field: name, type: 'string' }],
    ['/relations', { collection: name, field: name, related_collection: name }],
    [
      '/relations',
      {
        collection: 'found',
        field: 'word',
        related_collection: 'found',
        schema: null,
        meta: { one_field: name === '' ? ' ' : name },
      },
    ],
  ] as const
  for (const [path, body] of attempts) {
    const answer = await ask('POST', path, { body })
    expect(answer.status, `${path} ${answer.message}`).toBeGreaterThanOrEqual(400)
    expect(answer.status, `${path} ${answer.message}`).toBeLessThan(404)
  }
  expect(await ask('GET', '/items/found')).toMatchObject({ status: 200, data: [{ id: 1, word: 'kept' }] })
})

test('related collections can be deleted in one request', async () => {
  const body = ['books', 'writers', 'genres', 'books_genres', 'books_parts']
  expect(await ask('DELETE', '/collections', { body })).toMatchObject({ status: 204 })
  expect(await ask('GET', '/items/books')).toMatchObject({ status: 403 })
  const rows = await database.db.run({ text: 'select collection from platform_permissions', values: [] })
  expect(rows.rows).toEqual([])
})
