/** The served spec of a database passes the linters of others, and their generators make clients that compile. */
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import currentSpec from '../src/generated/current-spec.json' with { type: 'json' }
import legacySpec from '../src/generated/legacy-spec.json' with { type: 'json' }
import { openOwnDatabase } from './own-database.ts'
import { compile, writeClientsOf } from './spec-clients.ts'
import { lintByRedocly, lintBySpectral } from './spec-linters.ts'

// Linters and compilers take their time with a document of this size.
vi.setConfig({ testTimeout: 240_000 })

const sql = `
create type mood as enum ('glad', 'sad');
create table people (id uuid primary key default gen_random_uuid(), name varchar(40) not null, mood mood, born date,
  since timestamptz not null default now(), woken time, moment timestamp, score double precision, worth numeric(10, 2),
  big bigint, small smallint, flag boolean default true, words text[], numbers int[] not null, facts jsonb default '[]',
  plain json, address inet, span interval, bytes bytea, place point, twice int generated always as (1 + 1) stored);
create table books (id serial primary key, title text not null, author uuid references people, sequel int references books,
  cover uuid references platform_files);
create table people_books (person uuid references people, book int references books, primary key (person, book));
create table "odd name" ("a.b" int primary key, "c d" text);
create table notes (words text);
create view titles as select id, title from books;
insert into platform_relations (many_collection, many_field, one_collection, one_field)
  values ('books', 'author', 'people', 'books');
insert into people (name, numbers) values ('Bob & sons', '{}');
insert into books (title, author) values ('One', null), ('Two', (select id from people))`
const own = await openOwnDatabase(sql)
const spec: object = (await own.ask('GET /server/specs/oas')).body as object
const clients = await writeClientsOf(spec, own.url)
afterAll(async () => {
  clients.remove()
  await own.close()
})

test('Spectral finds no errors in the served spec', async () => {
  expect(await lintBySpectral(spec)).toEqual([])
})

test('Redocly finds no errors in the served spec', async () => {
  expect(await lintByRedocly(spec)).toEqual([])
})

const withoutNote = (document: object): object =>
  Object.fromEntries(Object.entries(document).filter(([name]) => name !== 'x-generated'))

test.each([
  ['current', currentSpec],
  ['legacy', legacySpec],
])('Redocly finds no errors in the spec of the %s generation', async (_name, document) => {
  expect(await lintByRedocly(withoutNote(document))).toEqual([])
})

// The served spec holds the operations of the current generation.
test('Spectral finds no errors in the spec of the legacy generation', async () => {
  expect(await lintBySpectral(withoutNote(legacySpec))).toEqual([])
})

test('an example and a default that do not fit are found', async () => {
  const schema = { type: 'object', properties: { a: { type: 'integer', default: 'x', example: 1 } } }
  const content = { 'application/json': { schema, example: { a: 'y' } } }
  const parameters = [{ name: 'b', in: 'query', schema: { type: 'boolean', example: 2 } }]
  const get = { parameters, responses: { 200: { description: 'a', content } } }
  const found = (await lintByRedocly({ openapi: '3.1.0', paths: { '/a': { get } } })).join('\n')
  expect(found).toMatch(/200.*example\/a: .* must be integer/)
  expect(found).toMatch(/properties\/a\/example: .* must be integer/)
  expect(found).toMatch(/parameters\/0\/schema\/example: .* must be boolean/)
})

test.each(['types', 'heyApi', 'oazapfts', 'orval'] as const)(
  'what is generated as %s compiles strictly',
  async (name) => {
    expect(await compile(clients[name])).toBe('')
  },
)

const filter = JSON.stringify({ author: { name: { _in: ['Ann', 'Bob & sons'] } } })
const deep = JSON.stringify({ author: { books: { _limit: 1 } } })

test('the client of hey-api sends filters as JSON text', async () => {
  const { readItemsBooks } = await import(join(clients.heyApi, 'sdk.gen.ts'))
  const auth = { baseUrl: own.url, headers: { authorization: `Bearer ${own.adminToken}` } }
  const { data } = await readItemsBooks({ ...auth, query: { fields: 'title,author.name', filter, deep } })
  expect(data).toEqual({ data: [{ title: 'Two', author: { name: 'Bob & sons' } }] })
  const { data: counted } = await readItemsBooks({ ...auth, query: { aggregate: JSON.stringify({ count: '*' }) } })
  expect(counted).toEqual({ data: [{ count: '2' }] })
})

test('the client of oazapfts sends filters as JSON text', async () => {
  const { readItemsBooks, defaults } = await import(join(clients.oazapfts, 'client.ts'))
  Object.assign(defaults, { baseUrl: own.url, headers: { authorization: `Bearer ${own.adminToken}` } })
  const alias = JSON.stringify({ name: 'title' })
  expect(await readItemsBooks({ fields: 'name', filter, alias })).toMatchObject({
    status: 200,
    data: { data: [{ name: 'Two' }] },
  })
})

test('no published spec types an object in the query string as brackets', async () => {
  const documents = await Promise.all(['current', 'legacy'].map((name) => own.ask(`GET /docs/${name}.json`)))
  for (const document of [spec, ...documents.map(({ body }) => body)])
    expect(JSON.stringify(document)).not.toContain('deepObject')
})
