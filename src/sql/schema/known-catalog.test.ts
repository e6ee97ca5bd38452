/** A schema that is read on from the one before is the one that is read whole, whatever has changed. */
import { afterAll, expect, test } from 'vitest'
import type { Log } from '../../domain/ports/context.ts'
import { createTestDatabase, silentLog } from '../testing/test-database.ts'
import { perVendor, testOnPostgres } from '../testing/test-vendors.ts'
import { loadSchema, reloadSchema } from './load-schema.ts'

const log: Log = silentLog
const options = { exclude: [], log }
const database = await createTestDatabase({
  sql: perVendor({
    mariadb: 'create table books (id serial primary key)',
    postgres: `
      create type mood as enum ('glad', 'sad');
      create domain small as int check (value < 100);
      create table authors (id serial primary key, name text not null, mood mood);
      create table books (id serial primary key, title text, author int references authors (id), pages small);
      create table plain (a int, b int);
      create view shelf as select id, title from books`,
  }),
})
let loaded = await reloadSchema(database.db, options, null)
afterAll(() => database.close())

const changes = [
  'alter table books add column isbn text',
  `alter table books alter column isbn set default 'none'`,
  'alter table books alter column isbn drop default',
  'alter table books alter column isbn type varchar(20)',
  'alter table books alter column isbn set not null',
  'alter table books alter column isbn drop not null',
  'alter table books add constraint books_isbn unique (isbn)',
  'alter table books drop constraint books_isbn',
  'create index books_title on books (title)',
  'drop index books_title',
  'alter table books add constraint positive check (pages > 0)',
  'alter table books drop constraint positive',
  `comment on table books is 'What is read'`,
  `comment on column books.title is 'Its name'`,
  'comment on column books.title is null',
  'comment on table books is null',
  'alter table books drop constraint books_author_fkey',
  'alter table books add constraint by_author foreign key (author) references authors (id) on delete cascade',
  'alter table authors rename to writers',
  'alter table writers rename column id to number',
  'alter table books rename column isbn to code',
  'alter table books drop column code',
  'create table added (id uuid primary key, book int references books (id))',
  'alter table plain add primary key (a, b)',
  'alter table plain drop constraint plain_pkey',
  `alter type mood add value 'calm'`,
  'alter domain small add constraint odd check (value % 2 = 1)',
  'alter domain small drop constraint odd',
  'create or replace view shelf as select id, title, pages from books',
  'create rule no_shelf as on delete to shelf do instead nothing',
  'drop rule no_shelf on shelf',
  `create function fill() returns trigger language plpgsql as 'begin return new; end'`,
  'create trigger filled before insert on writers for each row execute function fill()',
  'alter table writers disable trigger filled',
  'drop trigger filled on writers',
  'drop table added',
  'drop table writers cascade',
  'drop view shelf',
  'create view shelf as select 1 as one',
  'create materialized view kept as select id from books',
  'drop materialized view kept',
  'create schema apart',
  `insert into platform_collections (collection, note) values ('books', 'noted')`,
  `delete from platform_collections`,
  'select 1',
]

/** On a server with other transactions under way, more than what has changed is read again. */
const isAlone = process.env['TEST_DATABASE_URL'] === undefined

const changed = async (change: string): Promise<void> => {
  const { db } = database
  await db.run({ text: change, values: [] })
  const before = loaded
  loaded = await reloadSchema(db, options, before)
  const whole = await loadSchema(db, options)
  expect(loaded.schema.version).toBe(whole.version)
  expect([...loaded.schema.collections]).toEqual([...whole.collections])
  expect(loaded.schema.relations).toEqual(whole.relations)
  expect(loaded.schema.unserved).toEqual(whole.unserved)
  if (!isAlone) return
  if (change === 'select 1') expect(loaded.schema).toBe(before.schema)
  else if (change.includes('column isbn') && change.includes('add'))
    expect(loaded.schema.collections.get('authors')).toBe(before.schema.collections.get('authors'))
}

for (const change of changes) testOnPostgres('MariaDB tells of no changes')(change, () => changed(change))

test('a column that is added is read', async () => {
  await database.db.run({ text: 'alter table books add column later int', values: [] })
  loaded = await reloadSchema(database.db, options, loaded)
  expect(loaded.schema.collections.get('books')?.fields.has('later')).toBe(true)
  expect(loaded.schema.version).toBe((await loadSchema(database.db, options)).version)
})

testOnPostgres('MariaDB takes no change of tables back')(
  'what a transaction reads and takes back leaves no trace',
  async () => {
    const { db } = database
    const back = new Error('taken back')
    await expect(
      db.transaction(async (inner) => {
        await inner.run({ text: 'alter table books add column gone int', values: [] })
        const within = await reloadSchema(inner, options, loaded)
        expect(within.schema.collections.get('books')?.fields.has('gone')).toBe(true)
        throw back
      }),
    ).rejects.toBe(back)
    loaded = await reloadSchema(db, options, loaded)
    expect(loaded.schema.version).toBe((await loadSchema(db, options)).version)
    expect(loaded.schema.collections.get('books')?.fields.has('gone')).toBe(false)
  },
)
