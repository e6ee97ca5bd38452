/** Tables of an installation of version 8, as an import makes them: columns, keys, defaults, indexes, comments, values. */
import { afterAll, expect, test, vi } from 'vitest'
import { createScratch } from '../../sql/sources/mysql/test-mysql.ts'
import { perVendor } from '../../sql/testing/test-vendors.ts'
import { createDatabase, run } from '../test-program.ts'
import { magazine } from './test-magazine.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const source = await createScratch()
await source.run(...magazine())
const database = await createDatabase({ isMigrated: true })
afterAll(async () => {
  await database.remove()
  await source.drop()
})

const rowsOf = (text: string): Promise<readonly unknown[]> =>
  database.onDatabase(async (db) => (await db.run({ text, values: [] })).rows)

const onPostgres = {
  columns: `select a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as filled,
      pg_get_expr(d.adbin, d.adrelid) as preset
    from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attrelid = 'articles'::regclass and a.attnum > 0 order by a.attnum`,
  indexes: "select indexname as name from pg_indexes where tablename = 'articles' order by 1",
  comments: `select obj_description('authors'::regclass, 'pg_class') as "table", col_description('authors'::regclass, 2) as "column"`,
  row: 'select to_json(x)::text as row from everything x where n = -5',
}

const onMariaDb = {
  columns: `select column_name as name, replace(column_type, 'int(11)', 'int') as type, is_nullable = 'NO' as filled,
      nullif(trim(both '''' from column_default), 'NULL') as preset
    from information_schema.columns where table_schema = database() and table_name = 'articles' order by ordinal_position`,
  indexes: `select distinct index_name as name from information_schema.statistics
    where table_schema = database() and table_name = 'articles' order by 1`,
  comments: `select t.table_comment as "table", c.column_comment as "column" from information_schema.tables t
    join information_schema.columns c on c.table_schema = t.table_schema and c.table_name = t.table_name
    where t.table_schema = database() and t.table_name = 'authors' and c.column_name = 'name'`,
  row: `select concat(json_object('k', k, 't', t, 'tu', tu, 't1', t1, 's', s, 'su', su, 'm', m, 'i', i, 'iu', iu, 'b', b, 'bu', bu, 'd', d, 'f', f, 'dbl', dbl, 'bit1', bit1, 'bit8', bit8, 'y', y, 'e', e, 'st', st, 'c', c, 'v', v, 'tx', tx, 'lt', lt, 'da', da, 'dt', dt, 'dt6', dt6, 'ts', ts, 'ti', ti, 'z', z, 'g', g,
    'bl', hex(bl), 'vb', hex(vb)), '') as "row" from everything where n = -5`,
}

/** Values that the servers write in different words. */
const inWordsOfTheServer = perVendor<object>({
  postgres: {
    t1: true,
    bit1: true,
    bl: '\\x00ff01',
    vb: '\\x6279746573',
    dt: '2020-02-29T12:00:00',
    dt6: '2020-02-29T12:00:00.12',
    ts: '2020-02-29T12:00:00',
    ti: '23:59:59',
  },
  mariadb: {
    t1: 1,
    bit1: 1,
    bl: '00FF01',
    vb: '6279746573',
    dt: '2020-02-29 12:00:00.000000',
    dt6: '2020-02-29 12:00:00.120000',
    ts: '2020-02-29 12:00:00.000000',
    ti: '23:59:59.000000',
  },
})

type Words = readonly [postgres: string | null, mariadb: string | null]

const column = (name: string, type: Words, filled = false, preset: Words = [null, null]) => ({
  name,
  type: perVendor({ postgres: type[0], mariadb: type[1] }),
  filled,
  preset: perVendor({ postgres: preset[0], mariadb: preset[1] }),
})

const integer: Words = ['integer', 'int']
const uuid: Words = ['uuid', 'char(36)']

const columns = [
  column('id', integer, true),
  column('status', ['character varying(20)', 'varchar(20)'], true, ["'draft'::character varying", 'draft']),
  column('sort', integer),
  column('title', ['character varying(190)', 'varchar(190)'], true),
  column('body', ['text', 'longtext']),
  column('author', integer),
  column('cover', uuid),
  column('tags', ['character varying(255)', 'varchar(255)']),
  column('extra', ['json', perVendor({ postgres: '', mariadb: 'longtext', mysql: 'json' })]),
  column('featured', ['boolean', 'tinyint(1)'], true, ['false', '0']),
  column('price', ['numeric(10,2)', 'decimal(10,2)'], false, ['9.90', '9.90']),
  column('published_on', ['date', 'date']),
  column('owner', uuid),
  column('created', ['timestamp without time zone', 'datetime(6)']),
  column('changed_by', uuid),
]

const texts = perVendor({ postgres: onPostgres, mariadb: onMariaDb })

test('tables keep their keys, defaults, indexes and comments', async () => {
  expect((await run(database.settings, 'import', 'version-8', '--from', source.url)).code).toBe(0)
  expect(await rowsOf(texts.columns)).toEqual(columns)
  expect(await rowsOf(texts.indexes)).toEqual([
    { name: 'articles_by_author' },
    { name: 'articles_by_title' },
    { name: perVendor({ postgres: 'articles_pkey', mariadb: 'PRIMARY' }) },
  ])
  expect(await rowsOf(texts.comments)).toEqual([{ table: 'who writes', column: 'as printed' }])
  await rowsOf("insert into articles (title) values ('Fifth')")
  const fifth = "select id, status, price = 9.90 as price from articles where title = 'Fifth'"
  expect(await rowsOf(fifth)).toEqual([{ id: 14, status: 'draft', price: true }])
})

test('a value of every type is what it was', async () => {
  const [row] = await rowsOf(texts.row)
  const text = (row as { row: string }).row
  for (const digits of ['-9223372036854775808', '18446744073709551615', '12345678901234567890.1234567890'])
    expect(text).toContain(digits)
  expect(JSON.parse(text)).toMatchObject({
    k: 'é',
    t: -128,
    tu: 255,
    s: -32768,
    su: 65535,
    m: -8388608,
    i: -2147483648,
    iu: 4294967295,
    f: 0.1,
    dbl: 0.1,
    bit8: 200,
    y: 1999,
    e: "it's",
    st: 'x,z',
    c: 'ab',
    v: 'quote "\'\\',
    tx: 'line\nbreak',
    lt: 'x'.repeat(3000),
    da: '2020-02-29',
    z: 42,
    g: 'POINT(1 2)',
    ...inWordsOfTheServer,
  })
  expect(await rowsOf('select da, dt, dt6 from everything where n = 1')).toEqual([{ da: null, dt: null, dt6: null }])
})
