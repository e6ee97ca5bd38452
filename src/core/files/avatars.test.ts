/** Avatars refer to files without a foreign key: they may name none, and are cleared with the file that they name. */
import { afterAll, beforeEach, expect, test } from 'vitest'
import { matchAll } from '../../domain/query/filter.ts'
import type { Mutation } from '../../domain/query/mutation.ts'
import { isOnMariaDb } from '../../sql/testing/test-vendors.ts'
import { createMemoryLocations } from '../../storage/test-storage.ts'
import { writeItems } from '../items/items.ts'
import { readItem } from '../rows/read-items.ts'
import { cascadedFrom } from '../rows/touched-collections.ts'
import { withTransaction } from '../rows/transaction.ts'
import { erase, nested } from '../testing/test-changes.ts'
import { changesOf, is, openTestWorld, queryOf, testUser } from '../testing/test-context.ts'

const [file, other, nobody] = [1, 2, 3].map((n) => `77777777-7777-4777-8777-77777777777${n}`) as [
  string,
  string,
  string,
]
const [second, third] = [2, 3].map((n) => `66666666-6666-4666-8666-66666666666${n}`) as [string, string]

const world = await openTestWorld()
await world.rowsOf('create table albums (id integer primary key)')
await world.rowsOf('alter table platform_files add column album integer references albums (id) on delete cascade')
await world.rowsOf(`insert into platform_users (id, email) values
    ('${second}', 'second@example.com'), ('${third}', 'third@example.com')`)
const ctx = { ...world.ctx, schema: await world.loadSchema(), storage: createMemoryLocations() }
afterAll(() => world.close())

beforeEach(async () => {
  await world.rowsOf('delete from platform_files')
  await world.rowsOf('delete from platform_activity')
  await world.rowsOf('insert into albums values (1) on conflict do nothing')
  await world.rowsOf(`insert into platform_files (id, storage, filename_download, title, album) values
    ('${file}', 'local', 'a.png', 'Mine', 1), ('${other}', 'local', 'b.png', 'Other', null)`)
  await world.rowsOf(`update platform_users set avatar = '${file}' where id in ('${testUser}', '${second}')`)
  await world.rowsOf(`update platform_users set avatar = '${other}' where id = '${third}'`)
})

const avatars = () => world.rowsOf('select id, avatar from platform_users where avatar is not null order by id')
const files = 'platform_files'
const byKeys = (...keys: readonly string[]): Mutation => ({
  kind: 'delete',
  collection: files,
  target: { kind: 'keys', keys },
})

const deletions: { readonly [way: string]: () => Promise<Mutation> } = {
  'by key': async () => byKeys(file),
  'among several': async () => {
    await world.rowsOf(`insert into platform_files (id, storage, filename_download) values ('${nobody}', 'local', 'c')`)
    return byKeys(file, nobody)
  },
  'by query': async () => ({
    kind: 'delete',
    collection: files,
    target: { kind: 'query', query: queryOf(files, { filter: is('title', 'Mine') }) },
  }),
  'as the related item of another collection': async () => {
    await world.rowsOf(`update articles set image = '${file}' where id = 1`)
    const target = { kind: 'keys', keys: [1] } as const
    return { kind: 'update', collection: 'articles', target, changes: nested({ image: erase(file) }) }
  },
  // On MariaDB, rows that a foreign key deletes call no triggers.
  ...(isOnMariaDb
    ? {}
    : {
        'by a foreign key that cascades': async () => ({
          kind: 'delete',
          collection: 'albums',
          target: { kind: 'keys', keys: [1] },
        }),
      }),
}

test.each(Object.entries(deletions))(
  'a file that is deleted %s clears the avatars that name it',
  async (_way, make) => {
    const mutation = await make()
    const failing = withTransaction(ctx, async (inner) => {
      await writeItems(inner, mutation)
      throw new Error('after the deletion')
    })
    await expect(failing).rejects.toThrow('after the deletion')
    expect(await avatars()).toHaveLength(3)
    world.statements.length = 0
    await writeItems(ctx, mutation)
    expect(await avatars()).toEqual([{ id: third, avatar: other }])
    expect(await world.rowsOf(`select 1 from platform_activity where collection = 'platform_users'`)).toEqual([])
    expect(world.statements.filter(({ text }) => text.includes('platform_users'))).toEqual([])
  },
)

test('the deletion of files counts as a change of users, that of users not as one of files', () => {
  expect([...cascadedFrom(ctx.schema, files)]).toContain('platform_users')
  expect([...cascadedFrom(ctx.schema, 'platform_presets')]).toEqual(['platform_presets'])
})

test('an avatar that names no file is kept, and has nothing to show', async () => {
  const target = { kind: 'keys', keys: [second] } as const
  const write = (avatar: string) =>
    writeItems(ctx, { kind: 'update', collection: 'platform_users', target, changes: changesOf({ avatar }) })
  const shown = async () => {
    const title = { kind: 'field', key: 'title', field: 'title' } as const
    const picture = { kind: 'one', key: 'picture', field: 'avatar', selection: [title], filter: matchAll } as const
    const avatar = { kind: 'field', key: 'avatar', field: 'avatar' } as const
    const query = queryOf('platform_users', { selection: [avatar, picture] })
    return JSON.parse(await readItem(ctx, query, second)) as unknown
  }
  expect(await shown()).toEqual({ avatar: file, picture: { title: 'Mine' } })
  await write(nobody)
  expect(await shown()).toEqual({ avatar: nobody, picture: null })
})
