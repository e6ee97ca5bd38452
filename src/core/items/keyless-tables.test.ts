/** Views, tables without a primary key, partitions and inherited tables, with any names. */

import { afterAll, expect, test } from 'vitest'
import { parseFilter } from '../../domain/conditions/filter-json.ts'
import type { Context } from '../../domain/ports/context.ts'
import { jsonOf } from '../../domain/ports/row-store.ts'
import type { Mutation } from '../../domain/query/mutation.ts'
import type { Query, Selected } from '../../domain/query/query.ts'
import { createTestDatabase } from '../../sql/testing/test-database.ts'
import { readItem, readItems } from '../rows/read-items.ts'
import { changesOf, createTestContext, failuresOf, queryOf, userWith } from '../testing/test-context.ts'
import { writeItems } from './items.ts'

const sql = `
create table people (id serial primary key, name text not null, "Job Title.en" text);
insert into people (name, "Job Title.en") values ('Ada', 'lead'), ('Bob', null), ('Cem', 'lead');
create table visits (person integer references people, place text, data json, at date);
insert into visits values (1, 'b', '{}', null), (2, 'a', null, '2026-01-02'), (1, 'a', '[1]', '2026-01-01'),
  (1, 'a', '[1]', '2026-01-01');
create table codes (code text not null, word text, unique (code));
insert into codes values ('x', 'one'), ('y', 'two');
create view leads as select id, name, id * 2 as twice from people where "Job Title.en" = 'lead' or name like 'new%';
create view totals as select person, count(*)::integer as visits from visits group by person;
create materialized view places as select distinct place from visits;
insert into platform_fields (collection, field, special) values ('leads', 'id', 'primary-key'),
  ('totals', 'person', 'primary-key'), ('people', 'of_visits', 'o2m'), ('people', 'totals', 'o2m');
insert into platform_relations (many_collection, many_field, one_collection, one_field) values
  ('visits', 'person', 'people', 'of_visits'), ('totals', 'person', 'people', 'totals');
insert into platform_collections (collection) values ('leads'), ('visits');
create table "Odd ""name"".of 'it" (id serial primary key, "a.b c" text);
create table events (id integer, day date, word text, primary key (id, day)) partition by range (day);
create table events_old partition of events for values from ('2020-01-01') to ('2026-01-01');
create table events_new partition of events for values from ('2026-01-01') to ('2030-01-01');
create table animals (id serial primary key, name text);
create table birds (wings integer) inherits (animals);
create table filled (id serial primary key, word text not null, sum integer not null);
create function fill() returns trigger language plpgsql as $$ begin
  new.word := coalesce(new.word, 'filled');
  new.sum := coalesce(new.sum, length(new.word));
  return new;
end $$;
create trigger fill before insert on filled for each row execute function fill()`

const database = await createTestDatabase({ sql })
const ctx = createTestContext(database.db, await database.loadSchema())

afterAll(() => database.close())

const fields = (...names: readonly string[]): readonly Selected[] =>
  names.map((name) => ({ kind: 'field', key: name, field: name }))

const read = async (collection: string, more: Partial<Query> = {}) =>
  JSON.parse(jsonOf(await readItems(ctx, queryOf(collection, more)))) as readonly object[]

const where = (collection: string, json: unknown) =>
  parseFilter(json, { schema: ctx.schema, collection }, { name: 'filter', depth: 10, dynamicPaths: false })

const write = (mutation: Mutation) => writeItems(ctx, mutation)
const create = (collection: string, ...items: readonly { readonly [field: string]: unknown }[]) =>
  write({ kind: 'create', collection, items: items.map((item) => changesOf(item as never)) })
const rowsOf = async (text: string) => (await database.db.run({ text, values: [] })).rows

test('rows without a key are listed in one order, page by page, filtered and counted', async () => {
  const whole = await read('visits', { selection: fields('person', 'place', 'at') })
  const [a, b] = [
    { person: 1, place: 'a', at: '2026-01-01' },
    { person: 1, place: 'b', at: null },
  ]
  expect(whole).toEqual([a, a, b, { person: 2, place: 'a', at: '2026-01-02' }])
  const pages = await Promise.all(
    [0, 2].map((offset) => read('visits', { selection: fields('person', 'place', 'at'), page: { limit: 2, offset } })),
  )
  expect(pages.flat()).toEqual(whole)
  const filter = where('visits', { person: { name: { _eq: 'Bob' } } })
  expect(await read('visits', { selection: fields('place'), filter })).toEqual([{ place: 'a' }])
  const counted = queryOf('visits', { selection: fields('place'), counts: ['filtered'], page: { limit: 1, offset: 0 } })
  expect((await readItems(ctx, counted)).counts).toEqual({ filtered: 4 })
})

test('rows without a key are created, and never changed', async () => {
  expect(await create('visits', { person: 2, place: 'c' }, { person: 2, place: 'd' })).toHaveLength(2)
  expect(await rowsOf("select place from visits where place in ('c', 'd') order by 1")).toEqual([
    { place: 'c' },
    { place: 'd' },
  ])
  const target = {
    kind: 'query',
    query: queryOf('visits', { filter: where('visits', { place: { _eq: 'c' } }) }),
  } as const
  const reason = 'The rows of "visits" have no key, so that none can be named'
  const changes = changesOf({ place: 'e' })
  for (const mutation of [
    { kind: 'update', collection: 'visits', target, changes },
    { kind: 'delete', collection: 'visits', target },
  ] as const) {
    expect(await failuresOf(write(mutation))).toEqual([{ kind: 'unprocessable', reason }])
  }
  expect(await failuresOf(readItem(ctx, queryOf('visits'), 1))).toMatchObject([{ kind: 'item-not-found' }])
})

test('related rows without a key are shown inside their items, and are not named', async () => {
  const selection: readonly Selected[] = [
    ...fields('name', 'of_visits'),
    { kind: 'many', key: 'visits', field: 'of_visits', query: queryOf('visits', { selection: fields('place') }) },
  ]
  const found = await read('people', { selection, filter: where('people', { name: { _eq: 'Ada' } }) })
  expect(found).toEqual([{ name: 'Ada', of_visits: null, visits: [{ place: 'a' }, { place: 'a' }, { place: 'b' }] }])
})

test('a table with a unique index over columns without nulls has its rows named by it', async () => {
  expect(JSON.parse(await readItem(ctx, queryOf('codes', { selection: fields('word') }), 'y'))).toEqual({ word: 'two' })
  const target = { kind: 'keys', keys: ['y'] } as const
  await write({ kind: 'update', collection: 'codes', target, changes: changesOf({ word: 'deux' }) })
  await write({ kind: 'delete', collection: 'codes', target: { kind: 'keys', keys: ['x'] } })
  expect(await create('codes', { code: 'z', word: 'trois' })).toEqual(['z'])
  expect(await rowsOf('select * from codes order by code')).toEqual([
    { code: 'y', word: 'deux' },
    { code: 'z', word: 'trois' },
  ])
})

test('a view with a declared key is read, and written where the database can', async () => {
  const [id] = await create('leads', { name: 'new one' })
  expect(JSON.parse(await readItem(ctx, queryOf('leads', { selection: fields('name', 'twice') }), Number(id)))).toEqual(
    {
      name: 'new one',
      twice: Number(id) * 2,
    },
  )
  const target = { kind: 'keys', keys: [Number(id)] } as const
  await write({ kind: 'update', collection: 'leads', target, changes: changesOf({ name: 'newer' }) })
  expect(await failuresOf(create('leads', { name: 'new', twice: 1 }))).toMatchObject([
    { kind: 'invalid-payload', name: 'twice' },
  ])
  expect(await rowsOf(`select name from people where id = ${id}`)).toEqual([{ name: 'newer' }])
  await write({ kind: 'delete', collection: 'leads', target })
  expect(await rowsOf(`select name from people where id = ${id}`)).toEqual([])
})

test('a view that the database cannot write is related, filtered and refused', async () => {
  const many = {
    kind: 'many',
    key: 'totals',
    field: 'totals',
    query: queryOf('totals', { selection: fields('visits') }),
  }
  const filter = where('people', { totals: { visits: { _gte: 3 } } })
  expect(await read('people', { selection: [...fields('name'), many as Selected], filter })).toMatchObject([
    { name: 'Ada', totals: [{ visits: 3 }] },
    { name: 'Bob' },
  ])
  const target = { kind: 'keys', keys: [1] } as const
  const failures = await failuresOf(write({ kind: 'delete', collection: 'totals', target }))
  expect(failures).toEqual([{ kind: 'unprocessable', reason: 'The database takes no "delete" for rows of "totals"' }])
  expect(await failuresOf(create('places', { place: 'x' }))).toMatchObject([{ kind: 'unprocessable' }])
  expect(await read('places', { selection: fields('place') })).toEqual([{ place: 'a' }, { place: 'b' }])
})

test('without a right to a view its capabilities are not revealed', async () => {
  const nobody: Context = { ...ctx, actor: userWith([]) }
  const target = { kind: 'keys', keys: [1] } as const
  const failures = await failuresOf(writeItems(nobody, { kind: 'delete', collection: 'totals', target }))
  expect(failures).toMatchObject([{ kind: 'forbidden' }])
})

test('names hold spaces, dots and quotes', async () => {
  const name = `Odd "name".of 'it`
  expect(await create(name, { 'a.b c': 'x' })).toEqual([1])
  expect(await read(name)).toEqual([{ id: 1, 'a.b c': 'x' }])
  expect(await read('people', { selection: fields('Job Title.en') })).toContainEqual({ 'Job Title.en': null })
})

test('partitions and heirs are collections beside the tables that they belong to', async () => {
  await create('events', { id: 1, day: '2025-05-05', word: 'old' }, { id: 1, day: '2026-05-05', word: 'new' })
  expect(await read('events_new', { selection: fields('word') })).toEqual([{ word: 'new' }])
  expect(await read('events', { selection: fields('word') })).toEqual([{ word: 'old' }, { word: 'new' }])
  await create('birds', { name: 'robin', wings: 2 })
  expect(await read('animals', { selection: fields('name') })).toEqual([{ name: 'robin' }])
})

test('columns that a trigger fills are not required', async () => {
  expect(await create('filled', {}, { word: 'given' })).toEqual([1, 2])
  expect(await rowsOf('select word, sum from filled order by id')).toEqual([
    { word: 'filled', sum: 6 },
    { word: 'given', sum: 5 },
  ])
})
