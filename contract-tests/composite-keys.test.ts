/** Rows whose key has several columns, in both generations: by key, by query, nested, with history and permissions. */
import { array, assert, asyncProperty, property, record, string } from 'fast-check'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { joinKey, keyOfRow, splitKey } from '../src/domain/schema/row-keys.ts'
import { perVendor } from '../src/sql/testing/test-vendors.ts'
import { openOwnDatabase } from './own-database.ts'
import type { RequestOptions } from './send.ts'

const sql = `
create table actor (id serial primary key, name text);
create table film (id serial primary key, title text);
create table film_actor (actor_id int references actor, film_id int references film, part text, primary key (actor_id, film_id));
create table rate (currency text, day date, at timestamptz, value numeric, open boolean default true, primary key (currency, day));
create table pinned (id serial primary key, kind text, item text);
create table ticket (id uuid primary key default (gen_random_uuid()), title text);
create table seat (hall varchar(20), id uuid default (gen_random_uuid()), title text, primary key (hall, id));
insert into platform_collections (collection) values ('ticket'), ('seat'), ('actor'), ('film'), ('film_actor'), ('rate'), ('pinned');
insert into platform_relations (many_collection, many_field, one_collection, one_field, junction_field) values
  ('film_actor', 'actor_id', 'actor', 'film_actors', 'film_id'), ('film_actor', 'film_id', 'film', 'film_actors', 'actor_id');
insert into platform_relations (many_collection, many_field, one_collection_field, one_allowed_collections) values
  ('pinned', 'item', 'kind', 'rate,film')`

const rows = `
truncate ticket, seat, actor, film, film_actor, rate, pinned, platform_revisions, platform_activity restart identity cascade;
insert into actor (name) values ('Ann'), ('Bo');
insert into film (title) values ('One'), ('Two'), ('Three');
insert into film_actor values (1, 1, 'lead'), (1, 2, 'extra'), (2, 2, 'lead');
insert into rate (currency, day, value) values ('a,b;c%', '2026-01-31', 1.5), ('EUR', '2026-01-31', 2);
insert into pinned (kind, item) values ('rate', 'EUR;2026-01-31'), ('film', '2')`
const own = await openOwnDatabase(sql)
beforeEach(async () => void (await own.rows(rows)))
afterAll(() => own.close())

const bodyOf = async (request: string, options?: RequestOptions): Promise<unknown> =>
  (await own.ask(request, options)).body
const dataOf = async (request: string, options?: RequestOptions): Promise<unknown> =>
  ((await bodyOf(request, options)) as { readonly data?: unknown } | null)?.data
const odd = 'a%2Cb%3Bc%25;2026-01-31'
const inPath = (key: string): string => encodeURIComponent(key)

test('keys that a default of the database computes are answered as they are stored, also in history', async () => {
  for (const [path, part] of [
    ['/items/ticket', {}],
    ['/items/seat', { hall: 'A' }],
    ['/_/items/ticket', {}],
  ] as const) {
    const titles = ['one', 'two', 'three']
    const made = await dataOf(`POST ${path}`, { body: titles.map((title) => ({ ...part, title })) })
    expect(made).toMatchObject(titles.map((title) => ({ ...part, id: expect.stringMatching(/^[\da-f-]{36}$/), title })))
    const stored = (await dataOf(`GET ${path}?limit=-1`)) as object[]
    expect(stored).toEqual(expect.arrayContaining(made as object[]))
    const [first] = made as [{ readonly id: string }]
    const item = [...Object.values(part), first.id].join(';')
    expect(await own.rows('select data from platform_revisions where item = $1', [item])).toHaveLength(1)
    expect(await dataOf(`GET ${path}/${inPath(item)}`)).toEqual(first)
  }
})

test('a key is one text that has all values, and SQL writes the same', async () => {
  assert(
    property(array(string({ unit: 'grapheme' }), { minLength: 2, maxLength: 4 }), (values) => {
      expect(splitKey(joinKey(values), values.length)).toEqual(values)
      expect(joinKey(values)).not.toContain(',')
    }),
  )
  const text = string({ unit: 'grapheme-ascii', maxLength: 6 })
  await assert(
    asyncProperty(record({ currency: text }), async ({ currency }) => {
      await own.rows(`delete from rate where currency <> 'EUR'`)
      await own.rows(`insert into rate (currency, day) values ($1, '2026-02-01') on conflict do nothing`, [currency])
      const key = keyOfRow({ keyColumns: ['currency', 'day'] }, { currency, day: '2026-02-01' })
      const shown = await dataOf(`GET /items/rate?fields=$key,currency&filter[day]=2026-02-01`)
      expect(shown).toEqual([{ $key: key, currency }])
      if (currency === '' || /^\.*$/.test(currency)) return
      expect(await dataOf(`GET /items/rate/${inPath(key)}?fields=currency`)).toEqual({ currency })
    }),
    { numRuns: 30 },
  )
})

describe.each([
  ['current', ''],
  ['legacy', '/_'],
])('the %s generation', (_name, prefix) => {
  const items = `${prefix}/items`

  test('reads, changes and deletes a row by its key', async () => {
    const path = `${items}/rate/${inPath(odd)}`
    expect(await dataOf(`GET ${path}?fields=$key,currency,day`)).toEqual({
      $key: odd,
      currency: 'a,b;c%',
      day: '2026-01-31',
    })
    const changed = await own.ask(`PATCH ${path}?fields=currency,open`, { body: { open: false } })
    expect([changed.status, changed.body]).toEqual([200, { data: { currency: 'a,b;c%', open: false } }])
    expect((await own.ask(`DELETE ${path}`)).status).toBe(204)
    expect((await own.ask(`GET ${path}`)).status).toBe(prefix === '' ? 403 : 404)
    for (const key of ['EUR', 'EUR;x', 'EUR;2026-01-31;1', ';', '%E0%A4;2026-01-31'])
      expect((await own.ask(`GET ${items}/rate/${inPath(key)}`)).status).toBe(prefix === '' ? 403 : 404)
  })

  test('answers with the rows that it made', async () => {
    const body = { currency: 'x/y', day: '2026-03-01', value: 3 }
    const made = await own.ask(`POST ${items}/rate?fields=$key,currency`, { body })
    expect([made.status, made.body]).toEqual([200, { data: { $key: 'x/y;2026-03-01', currency: 'x/y' } }])
    const several = [2, 1].map((day) => ({ currency: 'z', day: `2026-03-0${day}` }))
    expect(await dataOf(`POST ${items}/rate?fields=$key`, { body: several })).toEqual([
      { $key: 'z;2026-03-02' },
      { $key: 'z;2026-03-01' },
    ])
    const each = [
      { currency: 'z', day: '2026-03-01', open: false },
      { $key: 'x/y;2026-03-01', open: false },
    ]
    expect(await dataOf(`PATCH ${items}/rate?fields=currency,open`, { body: each })).toEqual([
      { currency: 'z', open: false },
      { currency: 'x/y', open: false },
    ])
  })

  test('shows the keys of related rows, and takes them', async () => {
    const path = `${items}/actor/1`
    expect(await dataOf(`GET ${path}?fields=name,film_actors`)).toEqual({
      name: 'Ann',
      film_actors: prefix === '' ? ['1;1', '1;2'] : [1, 2].map((film_id) => ({ actor_id: 1, film_id })),
    })
    expect(await dataOf(`GET ${path}?fields=film_actors.$key,film_actors.part`)).toEqual({
      film_actors: [
        { $key: '1;1', part: 'lead' },
        { $key: '1;2', part: 'extra' },
      ],
    })
  })

  test('keeps history by the same key', async () => {
    await own.ask(`PATCH ${items}/rate/${inPath(odd)}`, { body: { open: false } })
    await own.ask(`PATCH ${items}/rate/${inPath(odd)}`, { body: { value: 9 } })
    const kept = await own.rows('select item, data ->> $1 as value from platform_revisions order by id', ['value'])
    expect(kept).toEqual([
      { item: odd, value: perVendor({ postgres: '1.5', mariadb: '1.5000000000' }) },
      { item: odd, value: perVendor({ postgres: '9', mariadb: '9.0000000000' }) },
    ])
  })

  test('asks for the rights of the row', async () => {
    const token = await own.addUser([
      { collection: 'rate', action: 'read', permissions: { currency: { _eq: 'EUR' } }, fields: 'currency,day,open' },
      { collection: 'rate', action: 'update', permissions: { currency: { _eq: 'EUR' } }, fields: 'open' },
      { collection: 'film_actor', action: 'read', fields: 'actor_id,part' },
    ])
    const mine = `${items}/rate/${inPath('EUR;2026-01-31')}`
    expect((await own.ask(`PATCH ${mine}`, { token, body: { open: false } })).status).toBe(200)
    const refused = [403, 404]
    expect(refused).toContain((await own.ask(`GET ${items}/rate/${inPath(odd)}`, { token })).status)
    expect(refused).toContain(
      (await own.ask(`PATCH ${items}/rate/${inPath(odd)}`, { token, body: { open: true } })).status,
    )
    expect((await own.ask(`DELETE ${mine}`, { token })).status).toBe(403)
    expect((await own.ask(`GET ${items}/film_actor?fields=part`, { token })).status).toBe(200)
    expect((await own.ask(`GET ${items}/film_actor?fields=$key`, { token })).status).not.toBe(200)
  })
})

test('rows are changed and deleted by keys and by queries', async () => {
  const keys = ['EUR;2026-01-31', odd]
  expect(await dataOf('PATCH /items/rate?fields=$key,open', { body: { keys, data: { open: false } } })).toEqual(
    keys.map(($key) => ({ $key, open: false })),
  )
  const query = { filter: { currency: { _eq: 'EUR' } } }
  expect(await dataOf('PATCH /items/rate?fields=currency', { body: { query, data: { open: true } } })).toEqual([
    { currency: 'EUR' },
  ])
  expect(
    (await own.ask('DELETE /items/film_actor', { body: { query: { filter: { part: { _eq: 'lead' } } } } })).status,
  ).toBe(204)
  expect(await own.rows('select * from film_actor')).toEqual([{ actor_id: 1, film_id: 2, part: 'extra' }])
  expect((await own.ask('DELETE /items/rate', { body: keys })).status).toBe(204)
  expect(await own.rows('select * from rate')).toEqual([])
})

test('nested writes name rows of a junction by their key', async () => {
  const body = {
    film_actors: { update: [{ $key: '1;2', part: 'villain' }], delete: ['1;1'], create: [{ film_id: 3 }] },
  }
  const fields = 'fields=film_actors.$key,film_actors.part'
  expect(await dataOf(`PATCH /items/actor/1?${fields}`, { body })).toEqual({
    film_actors: [
      { $key: '1;2', part: 'villain' },
      { $key: '1;3', part: null },
    ],
  })
  expect(await dataOf('PATCH /items/actor/1?fields=film_actors', { body: { film_actors: ['1;3'] } })).toEqual({
    film_actors: ['1;3'],
  })
  expect((await own.ask('PATCH /items/actor/1', { body: { film_actors: ['9;9'] } })).status).toBe(403)
})

test('a many-to-any names rows by their key', async () => {
  expect(await dataOf('GET /items/pinned?fields=item:rate.currency,item:film.title&sort=id')).toEqual([
    { item: { currency: 'EUR' } },
    { item: { title: 'Two' } },
  ])
  // Items of collections that no scope names are shown by their keys.
  const [first] = (await dataOf('GET /items/pinned?fields=item&sort=id')) as readonly object[]
  expect(await dataOf('GET /items/pinned?fields=item:film.title&sort=id')).toEqual([first, { item: { title: 'Two' } }])
  const made = await dataOf('POST /items/pinned?fields=item', { body: { kind: 'rate', item: odd } })
  expect(made).toEqual({ item: odd })
  const day = '2026-03-01'
  for (const value of [5, 6]) {
    const item = { currency: 'x', day, value }
    const body = { kind: 'rate', item }
    expect(await dataOf('POST /items/pinned?fields=item', { body })).toEqual({ item: `x;${day}` })
  }
  expect(await own.rows(`select value::text from rate where currency = 'x'`)).toEqual([
    { value: perVendor({ postgres: '6', mariadb: '6.0000000000' }) },
  ])
})
