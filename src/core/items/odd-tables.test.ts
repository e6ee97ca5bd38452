/** Tables with unusual names, keys and types. */

import { afterAll, expect, test } from 'vitest'
import { parseFilter } from '../../domain/conditions/filter-json.ts'
import { jsonOf } from '../../domain/ports/row-store.ts'
import { compare, type Filter } from '../../domain/query/filter.ts'
import type { Mutation } from '../../domain/query/mutation.ts'
import type { Selected } from '../../domain/query/query.ts'
import { loadSchema } from '../../sql/schema/load-schema.ts'
import { createTestDatabase, silentLog } from '../../sql/testing/test-database.ts'
import { perVendor, testOnPostgres } from '../../sql/testing/test-vendors.ts'
import { registerMetadata } from '../model/introspect.ts'
import { readItem, readItems } from '../rows/read-items.ts'
import { changesOf, createTestContext, failuresOf, is, queryOf } from '../testing/test-context.ts'
import { writeItems } from './items.ts'

const names = ['r', 'w', 'a', 'v', 's', 'd', 'n', 'h', 'p', 't0', 'item', 'delta', 'data', 'json', 'rows', 'key']

const inPostgres = `
create function leave_out() returns trigger language plpgsql as $$ begin
  if new.word = 'out' then return null; end if;
  return new;
end $$;
create trigger leave_out before insert on picky for each row execute function leave_out();
create type mood as enum ('sad', 'glad');
create table moods (mood mood primary key, word text);
create table lists (id serial primary key, words text[], codes varchar(3)[]);
insert into lists (words, codes) values ('{a,"b c"}', '{x}'), ('{z}', '{y}');
create table measures (id serial primary key, weight real, until timestamptz, opens time, abroad timetz);
insert into measures (weight, until, opens, abroad) values
  (1.1, 'infinity', '11:59:59.7', '12:00:00+02'), (2.5, '2026-01-31 23:59:59.999Z', '12:00:01', '10:00:00+00'),
  (null, null, '24:00:00', null)`

/** No list, no moment without an end and no time with a zone there. */
const inMariaDb = `
create table moods (mood enum ('sad', 'glad') primary key, word text);
create table measures (id serial primary key, weight real, until timestamptz, opens time);
insert into measures (weight, until, opens) values
  (1.1, null, '11:59:59.7'), (2.5, '2026-01-31 23:59:59.999', '12:00:01'), (null, null, '23:59:59')`

const sql = `
create table named (id serial primary key, ${names.map((name) => `"${name}" text`).join(', ')});
create table picky (id serial primary key, word text);
create table flags (flag boolean primary key, word text);
insert into flags values (true, 'one'), (false, 'two');
create table short_words (id serial primary key, word varchar(255), other varchar(10) ${perVendor({ postgres: '', mariadb: 'collate utf8mb4_unicode_ci' })});
insert into short_words (word, other) values ('a', 'a'), ('B', 'B'), (null, null), ('${'x'.repeat(255)}', 'é');
create table branches (id serial primary key, parent integer references branches, root integer references branches);
insert into platform_collections (collection) values ('named');
${perVendor({ postgres: inPostgres, mariadb: inMariaDb })};
insert into moods values ('sad', 'one'), ('glad', 'two')`

const database = await createTestDatabase({ sql })
const ctx = createTestContext(database.db, await database.loadSchema())
const write: (mutation: Mutation) => ReturnType<typeof writeItems> = (mutation) => writeItems(ctx, mutation)

afterAll(() => database.close())

test('a list of texts that are longer than the column, or not there, finds those that are', async () => {
  const selection: Selected[] = [{ kind: 'field', key: 'id', field: 'id' }]
  const find = async (filter: Filter): Promise<readonly number[]> => {
    const found = await readItems(ctx, queryOf('short_words', { filter, selection }))
    return (JSON.parse(jsonOf(found)) as readonly { readonly id: number }[]).map(({ id }) => id)
  }
  const long = ['x'.repeat(256), 'x'.repeat(300), `a${' '.repeat(300)}b`]
  const values = ['a', 'b', 'E', 'é', ...long]
  for (const [field, found] of [
    ['word', [1]],
    ['other', [1, 4]],
  ] as const) {
    expect(await find(compare(field, 'in', values))).toEqual(found)
    expect(await find(compare(field, 'nin', values))).toEqual([1, 2, 4].filter((id) => !found.includes(id as never)))
  }
  expect(await find(compare('word', 'in', ['x'.repeat(255), ...long]))).toEqual([4])
})

const rowsOf = async (text: string) => (await database.db.run({ text, values: [] })).rows
const create = (collection: string, ...items: readonly { readonly [field: string]: string }[]) =>
  write({ kind: 'create', collection, items: items.map(changesOf) })

const all = (value: string) => Object.fromEntries(names.map((name) => [name, value]))

test('columns may be named like anything within a statement', async () => {
  await create('named', all('one'))
  const keys = await create('named', all('two'), all('three'))
  expect(keys).toEqual([2, 3])
  const target = { kind: 'keys', keys: [1, 2] } as const
  await write({ kind: 'update', collection: 'named', target, changes: changesOf(all('both')) })
  const items = keys.map((key) => ({ key, changes: changesOf(all(`own ${key}`)) }))
  await write({ kind: 'update-each', collection: 'named', items })
  const remaining = await rowsOf(
    `select item, data ->> 'r' as r, delta ->> 'w' as w from platform_revisions order by id desc limit 2`,
  )
  expect(remaining).toEqual(
    expect.arrayContaining(['2', '3'].map((item) => ({ item, r: `own ${item}`, w: `own ${item}` }))),
  )
})

testOnPostgres('a trigger drops no row without an error there')(
  'rows that a trigger leaves out are refused, and with them those of the same request',
  async () => {
    for (const words of [['out'], ['in', 'out']]) {
      const failures = await failuresOf(create('picky', ...words.map((word) => ({ word }))))
      expect(failures).toEqual([
        { kind: 'unprocessable', reason: 'A trigger or rule of the database rejects the change' },
      ])
    }
    expect(await rowsOf('select * from picky')).toEqual([])
  },
)

test('rows are found by keys of types that the program does not know', async () => {
  const target = { kind: 'keys', keys: ['sad', 'glad'] } as const
  await write({ kind: 'update', collection: 'moods', target, changes: changesOf({ word: 'x' }) })
  await write({ kind: 'delete', collection: 'moods', target: { kind: 'keys', keys: ['sad'] } })
  expect(await rowsOf('select mood::text as mood, word from moods')).toEqual([{ mood: 'glad', word: 'x' }])
})

test('rows are found by keys that are true or false', async () => {
  const one = queryOf('flags', { selection: [{ kind: 'field', key: 'word', field: 'word' }] })
  expect(JSON.parse(await readItem(ctx, one, 'true'))).toEqual({ word: 'one' })
  const target = { kind: 'keys', keys: ['true', 'false'] } as const
  await write({ kind: 'update', collection: 'flags', target, changes: changesOf({ word: 'x' }) })
  await write({ kind: 'delete', collection: 'flags', target: { kind: 'keys', keys: ['false'] } })
  expect(await rowsOf('select flag, word from flags')).toEqual([{ flag: true, word: 'x' }])
  expect(await failuresOf(readItem(ctx, one, 'perhaps'))).toMatchObject([{ kind: 'item-not-found' }])
})

test('a number of four bytes is found by the value that is shown of it', async () => {
  const filter = is('weight', 1.1)
  const found = await readItems(
    ctx,
    queryOf('measures', { filter, selection: [{ kind: 'field', key: 'id', field: 'id' }] }),
  )
  expect(JSON.parse(jsonOf(found))).toEqual([{ id: 1 }])
})

testOnPostgres('every moment ends there')('what never ends has no year', async () => {
  const selection = [{ kind: 'function', key: 'year', function: 'year', field: 'until' }] as const
  const found = await readItems(ctx, queryOf('measures', { selection }))
  expect(JSON.parse(jsonOf(found))).toEqual([{ year: null }, { year: 2026 }, { year: null }])
})

const seconds = (field: string) => ({ kind: 'function', key: field, function: 'second', field }) as const

test('a second lasts until the next one begins', async () => {
  const found = await readItems(ctx, queryOf('measures', { selection: [seconds('until'), seconds('opens')] }))
  expect(JSON.parse(jsonOf(found))).toEqual([
    { until: null, opens: 59 },
    { until: 59, opens: 1 },
    { until: null, opens: perVendor({ postgres: 0, mariadb: 59 }) },
  ])
})

testOnPostgres('no type of a time has a zone there')('a time is shown with its zone, and compared in UTC', async () => {
  const shown: readonly Selected[] = [
    { kind: 'field', key: 'abroad', field: 'abroad' },
    { kind: 'function', key: 'hour', function: 'hour', field: 'abroad' },
  ]
  const found = await readItems(ctx, queryOf('measures', { filter: is('abroad', '10:00:00'), selection: shown }))
  expect(JSON.parse(jsonOf(found))).toEqual([
    { abroad: '12:00:00+02:00', hour: 10 },
    { abroad: '10:00:00+00:00', hour: 10 },
  ])
})

test.each([
  ['$NOW', { opens: { _lte: '$NOW' } }, [1]],
  [
    perVendor({ postgres: 'midnight, which ends a day', mariadb: 'the last second of a day' }),
    { opens: { _gte: '12:00:01' } },
    [2, 3],
  ],
  ['$NOW moved', { opens: { _lte: '$NOW(+1 minute)' } }, [1, 2]],
  ['a day', { _and: [{ until: { _lte: '$NOW' } }, { opens: { _gt: '$NOW' } }] }, []],
])('a time is compared with the time of day of %s', async (_name, json, ids) => {
  const options = { name: 'filter', depth: 10, dynamicPaths: false }
  const filter = parseFilter(json, { schema: ctx.schema, collection: 'measures' }, options)
  const noon = { ...ctx, clock: () => new Date('2025-06-15T12:00:00.000Z') }
  const found = await readItems(
    noon,
    queryOf('measures', { filter, selection: [{ kind: 'field', key: 'id', field: 'id' }] }),
  )
  expect(JSON.parse(jsonOf(found))).toEqual(ids.map((id) => ({ id })))
})

test('a table that leads to itself twice is no junction', async () => {
  const { done: lines } = await registerMetadata(database.db, (db) => loadSchema(db, { exclude: [], log: silentLog }))
  expect(lines.filter((line) => line.startsWith('Relation')).toSorted()).toEqual([
    'Relation branches.parent → branches, one-to-many branches.branches_by_parent',
    'Relation branches.root → branches, one-to-many branches.branches_by_root',
  ])
})

const listsWhere = async (
  field: string,
  operator: 'eq' | 'in' | 'gt',
  ...values: readonly string[]
): Promise<unknown> => {
  const filter: Filter = compare(field, operator, values)
  const selection = [{ kind: 'field', key: 'id', field: 'id' }] as const
  return JSON.parse(jsonOf(await readItems(ctx, queryOf('lists', { filter, selection }))))
}

testOnPostgres('there is no type of lists there')(
  'a list of texts is compared by its text, as lists of anything else are',
  async () => {
    expect(await listsWhere('words', 'eq', '{a,"b c"}')).toEqual([{ id: 1 }])
    expect(await listsWhere('words', 'in', '{z}', 'z')).toEqual([{ id: 2 }])
    expect(await listsWhere('words', 'gt', '{b}')).toEqual([{ id: 2 }])
    expect(await listsWhere('codes', 'eq', '{x}')).toEqual([{ id: 1 }])
  },
)
