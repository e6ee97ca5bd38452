import { afterAll, expect, test, vi } from 'vitest'
import type { Database } from '../domain/ports/context.ts'
import { migrations } from '../sql/schema/migrate.ts'
import { textFor } from '../sql/testing/test-database.ts'
import { perVendor } from '../sql/testing/test-vendors.ts'
import { createDatabase, run } from './test-program.ts'

// Each step opens the database.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

/** A record shop: a self reference, two keys to one table, junctions with one and with two key columns, a view. */
const shop = [
  'create table artist (artist_id serial primary key, name varchar(120) not null, manager_id int references artist (artist_id))',
  'create table category (id serial primary key, name text)',
  `create table album (id serial primary key, title varchar(160) not null, artist_id int not null references artist (artist_id),
    mixed_by_id int references artist (artist_id), category_id int references category (id) on delete set null)`,
  'create table label (id serial primary key, albums int)',
  'create table album_label (album_id int references album (id), label_id int references label (id), primary key (album_id, label_id))',
  'create table tag (id uuid primary key, name varchar(50) unique)',
  'create table album_tag (id serial primary key, album_id int references album (id), tag_id uuid references tag (id), sort int)',
  'create table album_note (album_id int primary key references album (id), body text)',
  'create table scratch (anything text)',
  'create view titles as select title from album',
  `insert into artist (name) values ('Nina'), ('Otis')`,
  `insert into album (title, artist_id) values ('Blue', 1), ('Soul', 2)`,
]

afterAll(() => database.remove())

const onPostgres = [
  `select table_name, column_name, data_type, is_nullable, column_default from information_schema.columns
    where table_schema = 'public' and table_name not like 'platform\\_%' order by 1, ordinal_position`,
  `select conrelid::regclass::text, conname, pg_get_constraintdef(oid) from pg_constraint
    where connamespace = 'public'::regnamespace and conrelid::regclass::text not like 'platform\\_%' order by 1, 2`,
  `select indexname, indexdef from pg_indexes where schemaname = 'public' and tablename not like 'platform\\_%' order by 1`,
]

const onMariaDb = [
  `select table_name, column_name, column_type, is_nullable, column_default, extra from information_schema.columns
    where table_schema = database() and table_name not like 'platform\\_%' order by table_name, ordinal_position`,
  `select table_name, constraint_name, constraint_type from information_schema.table_constraints
    where table_schema = database() and table_name not like 'platform\\_%' order by 1, 2`,
  `select table_name, index_name, seq_in_index, column_name from information_schema.statistics
    where table_schema = database() and table_name not like 'platform\\_%' order by 1, 2, 3`,
]

/** Every column, constraint, index and row count outside Tandem's tables. */
const describeOthers = async (db: Database): Promise<unknown> =>
  Promise.all(
    [
      ...perVendor({ postgres: onPostgres, mariadb: onMariaDb }),
      'select (select count(*) from artist) as artists, (select count(*) from album) as albums',
    ].map(async (text) => (await db.run({ text, values: [] })).rows),
  )

const database = await createDatabase()
/** The shop before anything of Tandem. */
const before: unknown = await database.onDatabase(async (db) => {
  for (const text of shop) await db.run({ text: textFor(db, text), values: [] })
  return describeOthers(db)
})

test('migrate and introspect add only platform tables and change nothing else', async () => {
  const migrated = await run(database.settings, 'migrate')
  const names = migrations.map(({ name }) => `Migrated ${name}\n`).join('')
  expect({ ...migrated, error: '' }).toEqual({ code: 0, out: names, error: '' })
  const introspected = await run(database.settings, 'introspect')
  expect(introspected.code).toBe(0)
  expect(introspected.out.trim().split('\n').toSorted()).toEqual(
    [
      'Collection album',
      'Collection album_label',
      'Collection album_note',
      'Collection album_tag',
      'Collection artist',
      'Collection category',
      'Collection label',
      'Collection scratch',
      'Collection tag',
      'Collection titles',
      'Relation album.artist_id → artist, one-to-many artist.albums_by_artist',
      'Relation album.category_id → category, one-to-many category.albums',
      'Relation album.mixed_by_id → artist, one-to-many artist.albums_by_mixed_by',
      'Relation album_label.album_id → album, many-to-many album.labels → label through album_label',
      'Relation album_label.label_id → label, many-to-many label.albums_of_album_labels → album through album_label',
      'Relation album_note.album_id → album, one-to-many album.album_notes',
      'Relation album_tag.album_id → album, many-to-many album.tags → tag through album_tag',
      'Relation album_tag.tag_id → tag, many-to-many tag.albums → album through album_tag',
      'Relation artist.manager_id → artist, one-to-many artist.artists',
    ].toSorted(),
  )
  await database.onDatabase(async (db) => {
    expect(await describeOthers(db)).toEqual(before)
    const text = `insert into platform_permissions (policy, collection, action, fields)
      select id, 'artist', 'read', 'name,stage_name' from platform_policies where name = 'Public'`
    await db.run({ text, values: [] })
  })
})

test('permissions without effect are listed', async () => {
  const { out } = await run(database.settings, 'introspect')
  expect(out).toMatch(/^Permission \d+ \(read artist\) has no effect: .*stage_name/m)
})

test('an untracked table is unchanged and can be registered again', async () => {
  expect(await run(database.settings, 'untrack', 'album_tag')).toMatchObject({
    code: 0,
    out: 'Untracked album_tag; its table is unchanged.\n',
  })
  await database.onDatabase(async (db) => {
    expect(await describeOthers(db)).toEqual(before)
    await db.run({ text: 'delete from platform_permissions', values: [] })
  })
  expect((await run(database.settings, 'introspect')).out.trim().split('\n')).toEqual([
    'Collection album_tag',
    'Relation album_tag.album_id → album, many-to-many album.tags → tag through album_tag',
    'Relation album_tag.tag_id → tag, many-to-many tag.albums → album through album_tag',
  ])
})

test('a second run changes nothing', async () => {
  expect((await run(database.settings, 'migrate')).out).toBe('The system tables are up to date.\n')
  expect(await run(database.settings, 'introspect')).toMatchObject({
    code: 0,
    out: 'Everything is registered already; nothing changed.\n',
  })
})

test('a missing table cannot be untracked', async () => {
  const { code, error } = await run(database.settings, 'untrack', 'nothing')
  expect([code, error.trim().split('\n').at(-1)]).toEqual([1, 'tandem: collection not found, collection nothing'])
})
