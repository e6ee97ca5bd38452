import { afterAll, expect, test } from 'vitest'
import type { Key } from '../../domain/query/key.ts'
import { writeItems } from '../items/items.ts'
import { wholeItem } from '../rows/versioned.ts'
import { changesOf, failuresOf, openTestWorld, testUser, userWith } from '../testing/test-context.ts'
import { revertItem } from './revisions.ts'
import { saveVersion } from './versions.ts'

const world = await openTestWorld()
await world.rowsOf(`update platform_collections set versioning = true where collection = 'articles'`)
const ids = { uuid: () => crypto.randomUUID(), token: (length: number) => 'x'.repeat(length) }
const ctx = { ...world.ctx, schema: await world.loadSchema(), ids }
afterAll(() => world.close())

type Values = { readonly [field: string]: unknown }

const create = async (collection: string, values: Values): Promise<Key> => {
  const [key] = await writeItems(ctx, { kind: 'create', collection, items: [changesOf(values)] })
  return key as Key
}

const update = (collection: string, key: Key, values: Values) =>
  writeItems(ctx, { kind: 'update', collection, target: { kind: 'keys', keys: [key] }, changes: changesOf(values) })

/** The first state of an item in its history; with a version, that of the version. */
const firstOf = async (collection: string, item: Key, version: Key | null = null): Promise<Key> => {
  const own = version === null ? 'version is null' : `version = '${version}'`
  const text = `select id from platform_revisions where collection = '${collection}' and item = '${item}' and ${own} order by id`
  return ((await world.rowsOf(text)) as readonly { readonly id: number }[])[0]?.id as Key
}

const save = (version: Key, values: Values, at = ctx) =>
  saveVersion(at, version, { changes: () => changesOf(values), query: wholeItem })

test('reverting a revision of a version changes the version and not the item', async () => {
  const item = await create('articles', { title: 'Main', status: 'draft' })
  const version = await create('platform_versions', { collection: 'articles', item, key: 'summer' })
  await save(version, { title: 'First' })
  await save(version, { title: 'Second', body: 'More' })
  const revision = await firstOf('articles', item, version)
  await revertItem(ctx, revision)
  expect(await world.rowsOf(`select delta from platform_versions where id = '${version}'`)).toEqual([
    { delta: { title: 'First' } },
  ])
  expect(await world.rowsOf(`select title, body from articles where id = ${item}`)).toEqual([
    { title: 'Main', body: null },
  ])
  const rules = [
    { collection: 'platform_revisions' },
    { collection: 'articles' },
    { collection: 'articles', action: 'update' },
  ] as const
  const blind = { ...ctx, actor: userWith(rules) }
  expect(await failuresOf(revertItem(blind, revision))).toMatchObject([{ kind: 'forbidden' }])
  const reader = { ...ctx, actor: userWith([{ collection: 'platform_versions' }, ...rules.slice(0, 2)]) }
  expect(await failuresOf(revertItem(reader, revision))).toMatchObject([{ kind: 'forbidden' }])
})

test('a state from before there was a second factor or a password takes neither away', async () => {
  const user = await create('platform_users', { email: 'safe@example.com', title: 'One' })
  await update('platform_users', user, { password: 'pass-1', token: 'a-token', title: 'Two' })
  await world.rowsOf(`update platform_users set tfa_secret = 'JBSWY3DP' where id = '${user}'`)
  const secrets = `select password, token, tfa_secret from platform_users where id = '${user}'`
  const before = await world.rowsOf(secrets)
  await revertItem(ctx, await firstOf('platform_users', user))
  expect(await world.rowsOf(secrets)).toEqual(before)
  expect(await world.rowsOf(`select title from platform_users where id = '${user}'`)).toEqual([{ title: 'One' }])
})

test('a share goes back to its name and keeps its password and its uses', async () => {
  const share = await create('platform_shares', { collection: 'articles', item: '1', name: 'One' })
  await update('platform_shares', share, { name: 'Two', password: 'letter press' })
  await world.rowsOf(`update platform_shares set times_used = 3 where id = '${share}'`)
  await revertItem(ctx, await firstOf('platform_shares', share))
  const text = `select name, times_used, password is null as "isOpen" from platform_shares where id = '${share}'`
  expect(await world.rowsOf(text)).toEqual([{ name: 'One', times_used: 3, isOpen: false }])
})

test('a file goes back to its title and keeps its contents and what is said of them', async () => {
  const file = '00000000-0000-4000-8000-0000000000f1'
  await world.rowsOf(`insert into platform_files (id, storage, filename_disk, filename_download, title, type, filesize)
    values ('${file}', 'local', 'a.png', 'a.png', 'One', 'image/png', 5)`)
  await update('platform_files', file, { title: 'Two' })
  await world.rowsOf(
    `update platform_files set filename_disk = 'b.gif', type = 'image/gif', filesize = 9 where id = '${file}'`,
  )
  await update('platform_files', file, { title: 'Three' })
  await revertItem(ctx, await firstOf('platform_files', file))
  expect(await world.rowsOf(`select title, filename_disk, type, filesize::integer from platform_files`)).toEqual([
    { title: 'Two', filename_disk: 'b.gif', type: 'image/gif', filesize: 9 },
  ])
})

test('a revert needs the rights of its caller, whoever wrote the revision', async () => {
  const item = await create('articles', { title: 'Old', status: 'draft' })
  await update('articles', item, { title: 'New' })
  const found = `select "user" from platform_activity where collection = 'articles' and item = '${item}' order by id desc limit 1`
  await revertItem(ctx, await firstOf('articles', item))
  expect(await world.rowsOf(found)).toEqual([{ user: testUser }])
  expect(await world.rowsOf(`select title from articles where id = ${item}`)).toEqual([{ title: 'Old' }])
})
