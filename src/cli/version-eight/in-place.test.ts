/** An installation of version 8 is served in its own database, and answers as it does after an import. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { createServedScratch, type ScratchDatabase } from '../../sql/sources/mysql/test-mysql.ts'
import { guide } from '../test-guide.ts'
import { createDatabase, type OpenServer, openServer, type ProgramDatabase, type Result, run } from '../test-program.ts'
import { type Difference, differencesOf } from './test-answer-differences.ts'
import { annToken, magazine, originals } from './test-magazine.ts'
import { clients, replay } from './test-session.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

let source: ScratchDatabase
let imported: ProgramDatabase
let servers: { readonly inPlace: OpenServer; readonly imported: OpenServer } | null = null

const adopt = (...words: readonly string[]): Promise<Result> =>
  run(settings, 'adopt', 'version-8', '--url', source.url, '--files', folder, ...words)

;[source, imported] = [await createServedScratch(), await createDatabase({ isMigrated: true })]
await source.run(...magazine())
const folder = join(imported.settings['DATA_DIR'] as string, 'old')
mkdirSync(folder)
for (const [name, text] of Object.entries(originals)) writeFileSync(join(folder, name), text)
const settings = {
  ...imported.settings,
  DATA_DIR: join(imported.settings['DATA_DIR'] as string, 'place'),
  DB_CLIENT: 'mysql',
  DB_CONNECTION_STRING: source.url,
  STORAGE_LOCAL_ROOT: folder,
  ADMIN_SETUP: 'false',
}

afterAll(async () => {
  await servers?.inPlace.close()
  await servers?.imported.close()
  await imported.remove()
  await source.drop()
})

const tables = async (): Promise<readonly string[]> =>
  (await source.run('show tables')).map((row) => String(Object.values(row)[0]))

/** Checksums of the tables of version 8's own. */
const checksums = async (): Promise<readonly unknown[]> => {
  const own = (await tables()).filter((name) => name.startsWith('directus_'))
  return source.run(`checksum table ${own.map((name) => `\`${name}\``).join(', ')}`)
}

test('a plan tells what stays and what is taken over, and writes nothing', async () => {
  const before = await tables()
  const planned = await adopt('--plan')
  expect([planned.code, planned.error]).toEqual([0, ''])
  const lines = planned.out.split('\n')
  for (const line of [
    '  articles: a table that stays as it is',
    '  published: a view that stays as it is',
    '  articles.owner: keeps the numbers of platform_users',
    '  directus_users → platform_users: 4 rows',
    'The collection nowhere is left out: there is no such table',
  ])
    expect(lines).toContain(line)
  expect(await tables()).toEqual(before)
})

test('system rows are taken over, and no table of the installation is changed', async () => {
  const [before, definition] = [await checksums(), await source.run('show create table articles')]
  const done = await adopt()
  // The contents of one file are lost there.
  expect([done.code, done.error]).toEqual([4, ''])
  expect(done.out).toMatch(/^directus_users +4 +4 +4 +0 +0 +0 +0 +equal$/m)
  expect(done.out).toMatch(/^directus_revisions +3 +3 +3 +0 +0 +0 +0 +equal$/m)
  expect(done.out).toContain('Files: 0 copied (0 bytes), 2 present, 1 missing')
  expect(done.out).not.toContain('different')
  expect(await checksums()).toEqual(before)
  expect(await source.run('show create table articles')).toEqual(definition)
  const again = await adopt()
  expect(again.out).toMatch(/^directus_users +4 +4 +0 +0 +0 +0 +0 +equal$/m)
})

/** Its keys have an accent and an upper case. */
const unsorted = '/_/items/everything?fields=k,n'

/** Differences that the guide lists: the words of its line, and what they are about. */
const listed: readonly (readonly [line: string, is: (place: Difference & { readonly request: string }) => boolean])[] =
  [
    ['`set`', ({ path }) => /\.st(\.\d)?$/.test(path)],
    ['JSON columns', ({ path }) => /\.[gj](\.|$)/.test(path)],
    ['`int unsigned`', ({ path, left, right }) => path.endsWith('.iu') && String(left) === String(right)],
    ['zero characters', ({ left, right }) => String(left).replaceAll('\0', '\uFFFD') === right],
    ['`timestamp`', ({ path }) => path.endsWith('.ts')],
    ['names no row', ({ path, right }) => /\.(account|portrait)$/.test(path) && right === null],
    ['dates of zeros', ({ path }) => path.endsWith('.seen')],
    [
      'history',
      ({ path, request }) =>
        /\.(id|item)$/.test(path) && /\bget(Activity|ItemRevisions|Permissions|MyPermissions)\b/.test(request),
    ],
    ['texts: order of keys', ({ request }) => request === unsorted],
    [
      'datatypes',
      ({ path }) => /\.(datatype|data_type|length|default_value|signed|numeric_precision|numeric_scale)$/.test(path),
    ],
  ]

/** Those that the guide does not list. */
function unlisted(request: string, left: unknown, right: unknown): readonly Difference[] {
  return differencesOf(left, right).filter((each) => !listed.some(([, is]) => is({ ...each, request })))
}

test('the guide lists at most ten differences, those of this test', () => {
  const [, chapter = ''] = guide().split('### In place, and after an import')
  const lines = (chapter.split('\n#')[0] ?? '')
    .split('\n')
    .filter((line) => /^\| [^-]/.test(line))
    .slice(1)
  expect(lines.length).toBeLessThanOrEqual(10)
  expect(lines.map((line) => listed.find(([words]) => line.includes(words))?.[0])).toEqual(
    listed.map(([words]) => words),
  )
})

const requests: readonly string[] = [
  '/_/items/articles?fields=*.*&status=*&sort=id',
  '/_/items/articles?filter[owner]=4&fields=id&sort=id',
  '/_/items/articles?filter[owner][in]=4,1&fields=id,owner&sort=-owner,id',
  '/_/items/articles?filter[owner][neq]=4&fields=id&sort=id',
  '/_/items/articles?filter[owner][null]&fields=id',
  '/_/items/articles?filter[changed_by][null]&fields=id&sort=id',
  '/_/items/authors?fields=*,account.*,portrait.title&sort=id',
  '/_/items/everything?sort=n',
  unsorted,
  '/_/items/loose?sort=seen',
  '/_/items/published?sort=id',
  '/_/items/articles_files?fields=*.*',
  '/_/users?fields=*.*&status=*&sort=id',
  '/_/files?fields=*.*&sort=id',
  '/_/folders?sort=id',
  '/_/roles?sort=id',
  '/_/permissions?sort=id',
  '/_/relations?sort=id',
  '/_/collections/articles',
  '/_/fields/articles',
  '/_/revisions?sort=id',
  '/_/activity?sort=id',
  '/_/settings',
  '/_/collection_presets?sort=id',
  '/items/articles?fields=*.*&sort=id',
  '/items/articles?filter[owner][email][_eq]=bob@example.com&fields=id,title&sort=id',
  '/items/articles?aggregate[count]=id&groupBy[]=status&sort=status',
  '/items/everything?sort=n',
  '/items/authors?fields=*,account.email,portrait.title&sort=id',
  '/items/keywords?sort=word',
  '/items/articles?filter[tags][_contains]=sea&fields=id,tags',
  '/users?fields=id,email,role.name,avatar.title&sort=email',
  '/files?fields=id,title,folder.name,uploaded_by.email&sort=title',
  '/fields/articles/owner',
  '/relations/articles',
  '/permissions?sort=id',
]

async function ask(server: OpenServer, path: string, token: string | null): Promise<unknown> {
  const headers = token === null ? {} : { authorization: `Bearer ${token}` }
  const answer = await fetch(`${server.url}${path}`, { headers })
  return { status: answer.status, body: (await answer.json()) as unknown }
}

test('both generations answer as after an import', async () => {
  expect((await run(imported.settings, 'import', 'version-8', '--from', source.url, '--files', folder)).code).toBe(4)
  servers = {
    inPlace: await openServer(settings),
    imported: await openServer({ ...imported.settings, ADMIN_SETUP: 'false' }),
  }
  for (const token of [annToken, null]) {
    for (const path of requests) {
      const [left, right] = [await ask(servers.inPlace, path, token), await ask(servers.imported, path, token)]
      expect([path, token, unlisted(path, left, right)]).toEqual([path, token, []])
    }
  }
})

test.each(clients)('a session of the client %s has the same answers', async (name) => {
  if (servers === null) throw new Error('The servers are not open')
  const [left, right] = [await replay(servers.inPlace.url, name), await replay(servers.imported.url, name)]
  for (const [at, { call, answer }] of left.entries()) {
    expect([call, unlisted(`/_/ ${call}`, answer, right[at]?.answer)]).toEqual([right[at]?.call, []])
  }
})

test('a later run is refused after writes here, and otherwise takes over what has changed there', async () => {
  await source.run(
    "update directus_users set first_name = 'Robert' where id = 4",
    "insert into directus_roles (id, name) values (8, 'Later')",
    'delete from directus_users where id = 9',
  )
  const refused = await adopt()
  expect([refused.code, refused.error]).toEqual([
    1,
    expect.stringMatching(
      /found \d+; their history and changes of system rows would be lost, which --overwrite allows/,
    ),
  ])
  const done = await adopt('--overwrite')
  expect(done.out).not.toContain('different')
  const [row] = await source.run('select first_name from platform_users where number = 4')
  expect(row).toEqual({ first_name: 'Robert' })
  expect(await source.run('select name from platform_roles where number = 8')).toEqual([{ name: 'Later' }])
  // Items that were written here are the rows of both servers, and name users by their numbers.
  const titles = "select owner from articles where title = 'By Bob again with legacy-sdk'"
  expect(await source.run(titles)).toEqual([{ owner: 4 }])
})
