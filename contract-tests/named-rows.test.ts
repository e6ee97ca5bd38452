/** Rows that a text names by their key: many-to-any, versions of deleted rows, manual sorting; for keys of all types. */
import { afterAll, expect, test } from 'vitest'
import { perVendor } from '../src/sql/testing/test-vendors.ts'
import { openOwnDatabase } from './own-database.ts'

/** Columns of the key, the key of a row, and texts that are the key of none. */
type Case = readonly [columns: string, values: string, key: string, ...others: readonly string[]]

const cases: readonly Case[] = [
  ['a integer', '7', '7', 'x', '7;1', '99999999999999999999', ''],
  ['a bigint', '9223372036854775806', '9223372036854775806', '9999999999999999999', '-9999999999999999999'],
  ['a bigint', '-1234567890123456789', '-1234567890123456789', '1234567890123456789'],
  ['a uuid', `'00000000-0000-4000-8000-000000000001'`, '00000000-0000-4000-8000-000000000001', 'x'],
  ['a text', `'a;b%,c'`, 'a;b%,c', 'a', 'a%3Bb'],
  ['a date', `'2026-01-31'`, '2026-01-31', 'x', '2026-13-31'],
  ['a numeric(9,2)', '1.50', '1.50', 'x', '1.51'],
  ['a integer, b integer', '1, 5', '1;5', '1', '1;5;6', '5;1', '1;x', ';', '1;99999999999999999999'],
  ['a text, b bigint', `'x;,%y', 1234567890123456789`, 'x%3B%2C%25y;1234567890123456789', 'x;,%y;1234567890123456789'],
  [
    'a uuid, b date',
    `'00000000-0000-4000-8000-000000000001', '2026-01-31'`,
    '00000000-0000-4000-8000-000000000001;2026-01-31',
  ],
  ['a char(3), b varchar(3)', `'ab', 'c'`, 'ab;c', 'ab ;c', 'ab;c;'],
  // Keys that are true or false are numbers on MariaDB.
  ...perVendor<readonly Case[]>({
    postgres: [
      ['a boolean', 'true', 'true', 'x', 'false'],
      ['a boolean, b numeric', 'true, 1.5', 'true;1.5', 'true;1.50', 'yes;1.5'],
    ],
    mariadb: [],
  }),
]

const nameOf = (index: number): string => `t${index}`
const keyOf = (columns: string): string =>
  columns
    .split(', ')
    .map((column) => column.split(' ')[0])
    .join(', ')

const sql = `
create table links (id serial primary key, kind text, item text);
create table owners (id integer primary key);
${cases
  .map(
    ([columns, values], at) => `
create table ${nameOf(at)} (${columns}, note text, sort integer, owner integer references owners on delete cascade, primary key (${keyOf(columns)}));
insert into ${nameOf(at)} (${keyOf(columns)}, note, sort) values (${values}, 'mine', 1);
insert into platform_collections (collection, sort_field) values ('${nameOf(at)}', 'sort');`,
  )
  .join('')}
insert into platform_relations (many_collection, many_field, one_collection_field, one_allowed_collections)
  values ('links', 'item', 'kind', '${cases.map((_each, at) => nameOf(at)).join(',')}')`
const own = await openOwnDatabase(sql)
afterAll(() => own.close())

const dataOf = async (path: string): Promise<unknown> => ((await own.ask(`GET ${path}`)).body as { data: unknown }).data

test.each(cases.map((each, at) => [each[0], nameOf(at), each] as const))(
  'a key of %s',
  async (_columns, table, [, , key, ...others]) => {
    await own.rows('truncate links restart identity')
    for (const item of [key, ...others]) await own.rows('insert into links (kind, item) values ($1, $2)', [table, item])
    const linked = [{ note: 'mine' }, ...others.map(() => null)]
    expect(await dataOf('/items/links?fields=item.note&sort=id')).toEqual(linked.map((item) => ({ item })))
    const filter = encodeURIComponent(JSON.stringify({ [`item:${table}`]: { note: { _eq: 'mine' } } }))
    expect(await dataOf(`/items/links?fields=id&filter=${filter}`)).toEqual([{ id: 1 }])
    expect(await dataOf(`/items/links?fields=id&sort=-item:${table}.note,id&limit=1`)).toHaveLength(1)
  },
)

test('versions of rows that a cascade deletes are deleted, and those of all others are kept', async () => {
  await own.rows('insert into owners values (1)')
  const version = (table: string, item: string) =>
    own.rows('insert into platform_versions (id, key, collection, item) values (gen_random_uuid(), $1, $2, $3)', [
      `of ${table}`,
      table,
      item,
    ])
  for (const [at, [, , key, ...others]] of cases.entries()) {
    await version(nameOf(at), key)
    for (const other of others) await version(nameOf(at), other)
  }
  expect((await own.ask('DELETE /items/owners/1')).status).toBe(204)
  const kept = await own.rows('select collection, item from platform_versions order by substr(collection, 2)::integer')
  expect(kept).toEqual(cases.map(([, , item], at) => ({ collection: nameOf(at), item })))
  await own.rows('insert into owners values (2)')
  for (const at of cases.keys()) await own.rows(`update ${nameOf(at)} set owner = 2`)
  expect((await own.ask('DELETE /items/owners/2')).status).toBe(204)
  expect(await own.rows('select item from platform_versions')).toEqual([])
})

/** Rows of a table, and the first and the last key of its order. */
type SortedCase = readonly [type: string, rows: string, keys: readonly [item: string, to: string]]

test.each<SortedCase>([
  ...perVendor<readonly SortedCase[]>({
    postgres: [['boolean', `('true', 1), ('false', 2)`, ['true', 'false']]],
    mariadb: [],
  }),
  ['numeric(9,2)', `('1.50', 1), ('2.50', 2), ('3.00', 3)`, ['3.00', '1.50']],
  ['citext', `('a', null), ('b', null)`, ['b', 'a']],
])('rows with a key of type %s are sorted by hand', async (type, rows, [item, to]) => {
  const table = `sorted_${type.replace(/\W.*/, '')}`
  if (type === 'citext') await own.rows('create extension if not exists citext')
  await own.rows(`create table ${table} (id ${type} primary key, sort integer)`)
  await own.rows(`insert into ${table} values ${rows}`)
  await own.rows(`insert into platform_collections (collection, sort_field) values ('${table}', 'sort')`)
  await own.app.refresh()
  expect((await own.ask(`POST /utils/sort/${table}`, { body: { item, to } })).status).toBe(200)
  const [first] = await own.rows(
    `select cast(id as ${perVendor({ postgres: 'text', mariadb: 'char' })}) as id, sort from ${table} order by sort`,
  )
  expect(first).toEqual({ id: item === 'true' ? 'false' : item, sort: 1 })
})
