/** The served spec of a database passes the linters of others, and their generators make clients that compile. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import currentSpec from '../src/generated/current-spec.json' with { type: 'json' }
import legacySpec from '../src/generated/legacy-spec.json' with { type: 'json' }
import { type OwnDatabase, openOwnDatabase } from './own-database.ts'
import { compileClientOf, compileTypesOf } from './spec-clients.ts'
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
  values ('books', 'author', 'people', 'books')`

let own: OwnDatabase
let spec: object
beforeAll(async () => {
  own = await openOwnDatabase(sql)
  spec = (await own.ask('GET /server/specs/oas')).body as object
})
afterAll(() => own.close())

test('Spectral finds no errors in the served spec', async () => {
  expect(await lintBySpectral(spec)).toEqual([])
})

test('Redocly finds no errors in the served spec', async () => {
  expect(await lintByRedocly(spec)).toEqual([])
})

test.each([
  ['current', currentSpec],
  ['legacy', legacySpec],
])(
  'the linters find no errors in the spec of the %s generation',
  async (_name, { 'x-generated': _note, ...document }) => {
    expect(await lintByRedocly(document)).toEqual([])
    expect(await lintBySpectral(document)).toEqual([])
  },
)

test('types of openapi-typescript compile strictly', async () => {
  expect(await compileTypesOf(spec)).toEqual([])
})

test('a client of hey-api compiles strictly', async () => {
  expect(await compileClientOf(spec)).toEqual([])
})
