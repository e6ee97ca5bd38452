/** An installation of version 8 is taken over from MariaDB, and its old clients find everything where it was. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { createScratch } from '../../sql/sources/mysql/test-mysql.ts'
import { perVendor } from '../../sql/testing/test-vendors.ts'
import { createDatabase, type OpenServer, openServer, type Result, run } from '../test-program.ts'
import { annToken, magazine, originals, passwords } from './test-magazine.ts'

/** The client as programs load it; its types are those of another kind of module. */
type OldClient = {
  readonly login: (credentials: object) => Promise<unknown>
  readonly getMe: (query: object) => Promise<{ readonly data: unknown }>
  readonly getItems: (collection: string, query: object) => Promise<{ readonly data: unknown }>
}
const { default: OldSdk } = createRequire(import.meta.url)('legacy-sdk') as {
  readonly default: new (options: object) => OldClient
}

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })
let server: OpenServer

const take = (...words: readonly string[]): Promise<Result> =>
  run(database.settings, 'import', 'version-8', '--from', source.url, '--files', folder, ...words)

/** Numbers of the report by table: source, here, created, updated, deleted, differing, refused. */
function countsOf({ out }: Result): { readonly [table: string]: readonly number[] } {
  const lines = out.split('\n').flatMap((line) => {
    const match = /^(\w+) +(\d+) +(\d+) +(\d+) +(\d+) +(\d+) +(\d+) +(\d+) +equal$/.exec(line)
    return match === null ? [] : [[match[1] as string, match.slice(2).map(Number)] as const]
  })
  return Object.fromEntries(lines)
}

const rowsOf = (text: string): Promise<readonly unknown[]> =>
  database.onDatabase(async (db) => (await db.run({ text, values: [] })).rows)

const source = await createScratch()
await source.run(...magazine())
const database = await createDatabase({ isMigrated: true })
const folder = join(database.settings['DATA_DIR'] as string, 'old', 'uploads')
mkdirSync(join(folder, 'originals'), { recursive: true })
for (const [name, text] of Object.entries(originals)) writeFileSync(join(folder, 'originals', name), text)

afterAll(async () => {
  await server?.close()
  await database.remove()
  await source.drop()
})

test('a plan tells what would be taken and what has to be decided, and writes nothing', async () => {
  const planned = await take('--plan', '--foreign-keys')
  expect([planned.code, planned.error]).toEqual([0, ''])
  const lines = planned.out.split('\n')
  expect(planned.out).toContain('ASSETS_PRIVATE_HASH=open ASSETS_FILE_NAMES=open opens them.')
  for (const line of [
    '  directus_users → platform_users: 4 rows',
    '  directus_webhooks → platform_webhooks: 1 row',
    '  foreign key articles.author → authors',
    'The collection nowhere is left out: there is no such table',
    'The relation 26 of articles.nothing is left out: there is no such column',
    'The users 4 and 7 have one address, bob@example.com: 4 keeps it and 7 logs in as bob+7@example.com',
    'The permission 32 of authors is left out: 33 is of the same role, collection and status',
    'The view published becomes a table with the rows that it has now',
  ])
    expect(lines).toContain(line)
  expect(await rowsOf('select count(*)::int as users from platform_users')).toEqual([{ users: 0 }])
  const tables = "select count(*)::int as tables from information_schema.tables where table_name = 'published'"
  const own = perVendor({ postgres: '', mariadb: ' and table_schema = database()' })
  expect(await rowsOf(tables + own)).toEqual([{ tables: 0 }])
})

test('everything is taken, and what does not fit is told with its place', async () => {
  const report = join(database.settings['DATA_DIR'] as string, 'report.json')
  const done = await take('--report', report, '--foreign-keys')
  // The contents of one file are lost there.
  expect([done.code, done.error]).toEqual([4, ''])
  expect(countsOf(done)).toEqual({
    // The two that every project has are there.
    directus_roles: [3, 3, 1, 2, 0, 0, 0],
    directus_folders: [2, 2, 2, 0, 0, 0, 0],
    directus_users: [4, 4, 4, 0, 0, 0, 0],
    directus_files: [3, 3, 3, 0, 0, 0, 0],
    directus_collections: [9, 9, 9, 0, 0, 0, 0],
    directus_fields: [26, 26, 26, 0, 0, 0, 0],
    directus_relations: [11, 11, 11, 0, 0, 0, 0],
    directus_permissions: [6, 6, 6, 0, 0, 0, 0],
    directus_collection_presets: [1, 1, 1, 0, 0, 0, 0],
    directus_settings: [1, 1, 0, 1, 0, 0, 0],
    articles: [4, 4, 4, 0, 0, 0, 0],
    articles_files: [1, 1, 1, 0, 0, 0, 0],
    articles_keywords: [2, 2, 2, 0, 0, 0, 0],
    articles_translations: [2, 2, 2, 0, 0, 0, 0],
    authors: [3, 3, 3, 0, 0, 0, 0],
    everything: [2, 2, 2, 0, 0, 0, 0],
    keywords: [2, 2, 2, 0, 0, 0, 0],
    languages: [2, 2, 2, 0, 0, 0, 0],
    loose: [2, 2, 2, 0, 0, 0, 0],
    published: [2, 2, 2, 0, 0, 0, 0],
    directus_activity: [4, 4, 4, 0, 0, 0, 0],
    directus_revisions: [3, 3, 3, 0, 0, 0, 0],
    directus_webhooks: [1, 1, 1, 0, 0, 0, 0],
  })
  expect(done.out).toMatch(/Files: 2 copied [^]*\nNot everything is here: files without contents: 1\n$/)
  expect(done.out).toContain('Foreign key articles.cover → platform_files')
  const { values, foreignKeys } = JSON.parse(readFileSync(report, 'utf8')) as { [name: string]: unknown }
  expect(values).toEqual([
    {
      table: 'articles',
      column: 'extra',
      what: 'no JSON, so it became a JSON text',
      count: 1,
      examples: [{ key: '12', value: 'no json' }],
    },
    {
      table: 'authors',
      column: 'account',
      what: 'names a row that is not there, so it became null',
      count: 1,
      examples: [{ key: '3', value: '66' }],
    },
    {
      table: 'everything',
      column: 'v',
      what: 'zero characters became U+FFFD',
      count: 1,
      examples: [{ key: 'Z,1', value: 'nul \0 within' }],
    },
    {
      table: 'everything',
      column: 'tx',
      what: 'looks like UTF-8 that was stored under the label latin1; it is left as it is',
      count: 1,
      examples: [{ key: 'Z,1', value: 'Ã¼ber' }],
    },
  ])
  expect(foreignKeys).toContainEqual({
    table: 'articles',
    column: 'author',
    target: 'authors',
    fault: '1 × names a row that is not there: 9',
  })
})

test('an unmodified client of version 8 finds everything where it was', async () => {
  server = await openServer({ ...database.settings, ADMIN_SETUP: 'false' })
  const client = new OldSdk({ url: server.url, project: '_', mode: 'jwt' })
  await client.login({ email: 'bob@example.com', password: passwords.bob, mode: 'jwt' })
  const mine = await client.getMe({ fields: 'id,email,role' })
  expect(mine.data).toEqual({ id: 4, email: 'bob@example.com', role: 3 })
  const articles = await client.getItems('articles', {
    fields: 'id,status,title,extra,featured,price,created,owner,cover.filename_disk,author.name',
    sort: 'id',
  })
  // Published ones, and his own drafts; the deleted one stays deleted.
  expect(articles.data).toEqual([
    {
      id: 10,
      status: 'published',
      title: 'First',
      extra: { deep: [1, 2.5] },
      featured: true,
      price: 0.5,
      created: '2020-01-01 10:00:00',
      owner: 4,
      cover: { filename_disk: 'file-2.txt' },
      author: { name: 'Ann Müller' },
    },
    expect.objectContaining({ id: 11, status: 'draft', title: 'Second', owner: 4, cover: null }),
    expect.objectContaining({ id: 13, status: 'published', title: 'Fourth', owner: 1, author: null }),
  ])
})

/** Users without an external id get one. */
const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/)

const asAnn = async (path: string): Promise<unknown> => {
  const response = await fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${annToken}` } })
  return ((await response.json()) as { data: unknown }).data
}

test('an administrator with an old static token sees numbers, names and settings as they were', async () => {
  expect(
    await asAnn(
      '/_/items/articles/10?fields=author.*,keywords.keyword.word,translations.title,gallery.directus_files_id.id',
    ),
  ).toEqual({
    author: { id: 1, name: 'Ann Müller', account: 1, portrait: 2 },
    keywords: [{ keyword: { word: 'Zeta' } }, { keyword: { word: 'alpha' } }],
    translations: [{ title: 'Erster' }, { title: 'Premier' }],
    gallery: [{ directus_files_id: { id: 3 } }],
  })
  expect(await asAnn('/_/items/articles?status=deleted&fields=id')).toEqual([{ id: 12 }])
  expect(await asAnn('/_/items/articles?filter[owner]=4&fields=id&sort=id')).toEqual([{ id: 10 }, { id: 11 }])
  expect(await asAnn('/_/users?status=*&fields=id,email,status,role,avatar,external_id&sort=id')).toEqual([
    { id: 1, email: 'ann@example.com', status: 'active', role: 1, avatar: 2, external_id: uuid },
    { id: 4, email: 'bob@example.com', status: 'active', role: 3, avatar: null, external_id: 'idp-4' },
    { id: 7, email: 'bob+7@example.com', status: 'suspended', role: null, avatar: null, external_id: uuid },
    { id: 9, email: 'cid@example.com', status: 'deleted', role: 3, avatar: null, external_id: uuid },
  ])
  expect(await asAnn('/_/files?fields=id,folder.name,tags,private_hash&sort=id')).toEqual([
    { id: 2, folder: { name: 'inner' }, tags: ['sea', 'sky'], private_hash: 'hash2hash2' },
    { id: 3, folder: null, tags: [], private_hash: 'hash3hash3' },
    { id: 5, folder: null, tags: [], private_hash: 'hash5hash5' },
  ])
  expect(await asAnn('/_/folders?fields=id,name,parent_folder&sort=id')).toEqual([
    { id: 1, name: 'inner', parent_folder: 3 },
    { id: 3, name: 'outer', parent_folder: null },
  ])
  expect(await asAnn('/_/activity?fields=id,action,action_by,action_on,item,comment&sort=id&limit=4')).toEqual([
    { id: 1, action: 'authenticate', action_by: 1, action_on: '2020-01-01T09:00:00+00:00', item: '1', comment: null },
    { id: 2, action: 'create', action_by: 4, action_on: '2020-01-01T10:00:00+00:00', item: '10', comment: null },
    { id: 3, action: 'update', action_by: 1, action_on: '2020-01-01T11:00:00+00:00', item: '4', comment: null },
    {
      id: 5,
      action: 'comment',
      action_by: 4,
      action_on: '2020-01-01T12:00:00+00:00',
      item: '10',
      comment: 'Well done 👍',
    },
  ])
  expect(await asAnn('/_/revisions?fields=id,item,data,parent_collection,parent_item&sort=id')).toEqual([
    { id: 1, item: '1', data: { id: 1, title: 'Erster' }, parent_collection: 'articles', parent_item: '10' },
    {
      id: 2,
      item: '10',
      data: { id: 10, title: 'First', owner: 4, cover: 2 },
      parent_collection: null,
      parent_item: null,
    },
    {
      id: 3,
      item: '4',
      data: { id: 4, email: 'bob@example.com', role: 3, locale: 'en-US' },
      parent_collection: null,
      parent_item: null,
    },
  ])
  const settings = (await asAnn('/_/settings?fields=key,value')) as readonly { key: string; value: unknown }[]
  const valueOf = (key: string) => settings.find((each) => each.key === key)?.value
  expect([valueOf('project_name'), valueOf('default_limit'), valueOf('own_setting')]).toEqual([
    'The Magazine',
    50,
    'kept',
  ])
  expect(JSON.parse(String(valueOf('asset_whitelist')))).toEqual([
    { key: 'card', width: 100, height: 80, fit: 'crop', quality: 70 },
  ])
})

test('old addresses of assets answer, with the same bytes', async () => {
  for (const path of ['/_/assets/hash2hash2', '/uploads/_/originals/file-2.txt']) {
    const response = await fetch(`${server.url}${path}`)
    expect([path, response.status, await response.text()]).toEqual([path, 200, originals['file-2.txt']])
  }
})

test('the public sees what it saw', async () => {
  const response = await fetch(`${server.url}/_/items/articles?fields=id&sort=id`)
  expect(await response.json()).toEqual({ data: [{ id: 10 }, { id: 13 }], public: true })
})

test('the current API has the same rows at the same time', async () => {
  const response = await fetch(`${server.url}/items/articles/10?fields=title,cover.filename_download,author.name`, {
    headers: { authorization: `Bearer ${annToken}` },
  })
  expect(await response.json()).toEqual({
    data: { title: 'First', cover: { filename_download: 'notes 2.txt' }, author: { name: 'Ann Müller' } },
  })
  await server.close()
})

test('a later run brings what has changed there, and nothing else', async () => {
  await source.run(
    `update articles set title = 'First again' where id = 10`,
    `delete from articles_keywords where id = 2`,
    `insert into keywords (id, word) values (3, 'new')`,
    `update directus_users set first_name = 'Robert' where id = 4`,
    `insert into loose values ('b', '2021-01-01')`,
    `delete from directus_users where id = 9`,
    'drop table languages',
  )
  const ids = 'select number, id::text as id from platform_users where number < 9 order by 1'
  const before = await rowsOf(ids)
  const later = await take('--foreign-keys')
  const changed = Object.entries(countsOf(later)).filter(([, [, , ...rest]]) => rest.some((count) => count > 0))
  expect(Object.fromEntries(changed)).toEqual({
    // Bob, who also has a new hash since his login here.
    directus_users: [3, 3, 0, 1, 1, 0, 0],
    articles: [4, 4, 0, 1, 0, 0, 0],
    articles_keywords: [1, 1, 0, 0, 1, 0, 0],
    keywords: [3, 3, 1, 0, 0, 0, 0],
    loose: [3, 3, 1, 0, 0, 0, 0],
    published: [2, 2, 1, 0, 1, 0, 0],
    directus_activity: [4, 4, 0, 0, expect.any(Number), 0, 0],
  })
  expect(await rowsOf(ids)).toEqual(before)
  expect(await rowsOf('select title from articles where id = 10')).toEqual([{ title: 'First again' }])
  expect(later.out).toContain('The table languages is not there any more; here it stays as the last import has left it')
  const verified = await take('--verify')
  expect(Object.values(countsOf(verified)).every(([, , ...rest]) => rest.every((count) => count === 0))).toBe(true)
})

test('verification finds rows that differ, and changes nothing', async () => {
  await rowsOf(`update articles set title = 'Mine' where id = 10`)
  const verified = await take('--verify')
  expect(verified.out).toMatch(/^articles +4 +4 +0 +0 +0 +1 +0 +different$/m)
  expect(await rowsOf('select title from articles where id = 10')).toEqual([{ title: 'Mine' }])
  await take()
  expect(await rowsOf('select title from articles where id = 10')).toEqual([{ title: 'First again' }])
})

test('after writes here, another import is refused unless they may be lost', async () => {
  const write = `insert into platform_activity (action, collection, item) values ('update', 'articles', '10')`
  await rowsOf(write)
  const refused = await take()
  expect([refused.code, refused.error]).toEqual([
    1,
    expect.stringContaining('found 1; they would be lost, which --overwrite allows'),
  ])
  expect((await take('--overwrite')).code).toBe(4)
})
