import { afterAll, expect, test } from 'vitest'
import type { Database } from '../../domain/ports/context.ts'
import { seedIds } from '../../domain/schema/identity.ts'
import type { OpenDatabase } from '../database.ts'
import { createTestDatabase, silentLog } from '../testing/test-database.ts'
import { isOnMariaDb, testOnPostgres } from '../testing/test-vendors.ts'
import { migrate, migrations } from './migrate.ts'
import { initial } from './migrations/0001-initial.ts'
import type { Migration } from './migrations/migration.ts'

const world = await createTestDatabase()
const db = world.db
afterAll(() => world.close())

const rowsOf = async (text: string) => (await db.run({ text, values: [] })).rows

test('a migrated database has nothing left to migrate', async () => {
  expect(await migrate(db, silentLog)).toEqual([])
})

test('the first rows are two roles with the numbers 1 and 2, their policies, and the settings', async () => {
  expect(await rowsOf('select id, number, name from platform_roles order by number')).toEqual([
    { id: seedIds.administratorRole, number: 1, name: 'Administrator' },
    { id: seedIds.publicRole, number: 2, name: 'Public' },
  ])
  expect(await rowsOf('select id, admin_access, app_access from platform_policies order by id')).toEqual([
    { id: seedIds.administratorPolicy, admin_access: true, app_access: true },
    { id: seedIds.publicPolicy, admin_access: false, app_access: false },
  ])
  expect(await rowsOf('select role, "user", policy from platform_access order by id')).toEqual([
    { role: seedIds.administratorRole, user: null, policy: seedIds.administratorPolicy },
    { role: null, user: null, policy: seedIds.publicPolicy },
  ])
  expect(await rowsOf('select project_name from platform_settings')).toEqual([{ project_name: 'Tandem' }])
})

test('an avatar may name a file that is not there, and is cleared with its file', async () => {
  const [file, user] = ['77777777-7777-4777-8777-777777777777', '66666666-6666-4666-8666-666666666666']
  await rowsOf(`insert into platform_files (id, storage, filename_download) values ('${file}', 'local', 'a.png')`)
  await rowsOf(`insert into platform_users (id, avatar) values ('${user}', '${user}')`)
  const avatar = `select avatar from platform_users where id = '${user}'`
  expect(await rowsOf(avatar)).toEqual([{ avatar: user }])
  await rowsOf(`update platform_users set avatar = '${file}' where id = '${user}'`)
  await rowsOf(`delete from platform_files where id = '${file}'`)
  expect(await rowsOf(avatar)).toEqual([{ avatar: null }])
  await rowsOf(`delete from platform_users where id = '${user}'`)
})

if (isOnMariaDb)
  test('system tables compare texts exactly, whatever the collation of the database is', async () => {
    const columns = await rowsOf(`select distinct collation_name as name from information_schema.columns
      where table_schema = database() and table_name like 'platform%' and collation_name is not null order by name`)
    expect(columns).toEqual([{ name: 'ascii_bin' }, { name: 'utf8mb4_bin' }])
  })

test('rows of identity collections get the next number', async () => {
  const id = '99999999-9999-4999-8999-999999999999'
  await db.run({ text: `insert into platform_roles (id, name) values ($1, 'Third')`, values: [id] })
  const { rows } = await db.run({ text: 'select number from platform_roles where id = $1', values: [id] })
  expect(rows).toEqual([{ number: 3 }])
})

test('two addresses that differ in case alone are one', async () => {
  const insert = 'insert into platform_users (id, email) values ($1, $2)'
  await db.run({ text: insert, values: ['88888888-8888-4888-8888-888888888881', 'ann@example.com'] })
  const second = db.run({ text: insert, values: ['88888888-8888-4888-8888-888888888882', 'Ann@Example.com'] })
  await expect(second).rejects.toMatchObject({
    failures: [{ kind: 'not-unique', collection: 'platform_users', field: 'email' }],
  })
})

testOnPostgres('MariaDB makes an index for each foreign key')(
  'rows that refer to a deleted one are found by an index, except in tables of few rows',
  async () => {
    const unindexed = await rowsOf(`select distinct c.conrelid::regclass::text as name from pg_constraint c
      where c.contype = 'f' and c.conrelid::regclass::text like 'platform%' and not exists (
        select 1 from pg_index i where i.indrelid = c.conrelid and i.indkey[0] = c.conkey[1]) order by 1`)
    expect(unindexed).toEqual([{ name: 'platform_collections' }, { name: 'platform_settings' }])
  },
)

test('the activity of one user is found by an index in the order of its time', async () => {
  const [index] = isOnMariaDb
    ? await rowsOf(`select group_concat(column_name order by seq_in_index) as columns from information_schema.statistics
        where table_schema = database() and index_name = 'platform_activity_user_timestamp_index'`)
    : await rowsOf(`select string_agg(a.attname, ',' order by a.attnum) as columns from pg_attribute a
        where a.attrelid = 'platform_activity_user_timestamp_index'::regclass`)
  expect(index).toEqual({ columns: 'user,timestamp' })
})

/** Runs the task in a schema of its own. */
const inSchema = <T>(each: OpenDatabase, name: string, task: (inner: Database) => Promise<T>): Promise<T> =>
  each.transaction(async (inner) => {
    await inner.run({ text: `set local search_path = ${name}`, values: [] })
    return task(inner)
  })

const start = (each: OpenDatabase) => inSchema(each, 'fresh', (inner) => migrate(inner, silentLog))

testOnPostgres('MariaDB has no schemas in a database')(
  'a database of the first release gets each later migration once, and keeps its rows',
  async () => {
    const later: Migration = {
      name: '9999-later',
      statements: (knex) => [
        knex.schema.alterTable('platform_roles', (table) => table.integer('added').notNullable().defaultTo(7)),
      ],
    }
    const all = [...migrations, later]
    await db.run({ text: 'create schema released', values: [] })
    expect(await inSchema(db, 'released', (inner) => migrate(inner, silentLog, [initial]))).toEqual(['0001-initial'])
    await rowsOf(`insert into released.platform_roles (id, name)
    values ('55555555-5555-4555-8555-555555555555', 'Kept')`)
    const upgraded = await inSchema(db, 'released', (inner) => migrate(inner, silentLog, all))
    expect(upgraded).toEqual(all.slice(1).map((migration) => migration.name))
    expect(await rowsOf(`select number, added from released.platform_roles where name = 'Kept'`)).toEqual([
      { number: 3, added: 7 },
    ])
    expect(await inSchema(db, 'released', (inner) => migrate(inner, silentLog, all))).toEqual([])
  },
)

testOnPostgres('MariaDB has no schemas in a database')(
  'replicas that start together on an empty database migrate it once, and touch nothing else',
  async () => {
    await db.run({ text: 'create schema fresh; create table fresh.theirs (id integer)', values: [] })
    const other = world.openAgain === null ? null : await world.openAgain()
    const done = await Promise.all([start(db), start(other ?? db)])
    expect(done.flat()).toEqual(migrations.map((migration) => migration.name))
    expect(
      await rowsOf(`select count(*)::int as count from pg_tables where schemaname = 'fresh' and tablename = 'theirs'`),
    ).toEqual([{ count: 1 }])
    await other?.close()
  },
)
