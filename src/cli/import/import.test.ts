/** Projects of other servers are taken over whole, once, and also after an interruption. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { textFor } from '../../sql/testing/test-database.ts'
import { perVendor } from '../../sql/testing/test-vendors.ts'
import { createDatabase, type ProgramDatabase, type Result, run } from '../test-program.ts'
import { blog, shop } from '../test-projects.ts'
import { type Project, type Source, serveProject, sourceWords, writeTemplate } from './test-source.ts'

// Each step opens the database.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 180_000 })

const closing: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closing) await close()
})

async function open(project: Project): Promise<{ readonly place: ProgramDatabase; readonly source: Source }> {
  const database = await createDatabase({ isMigrated: true })
  const source = await serveProject(project)
  closing.push(database.remove, source.close)
  return { place: database, source }
}

function countsOf({ out }: Result): { readonly [collection: string]: readonly number[] } {
  const lines = out.split('\n').flatMap((line) => {
    const match = /^(\w+) +(\d+) +(\d+) +(\d+) +(\d+)$/.exec(line)
    return match === null ? [] : [[match[1] as string, match.slice(2).map(Number)] as const]
  })
  return Object.fromEntries(lines)
}

/** Rows of all tables that imports write, without history. */
const contentsOf = (
  database: ProgramDatabase,
  tables: readonly string[],
): Promise<{ readonly [table: string]: unknown }> =>
  database.onDatabase(async (db) => {
    const found: Record<string, unknown> = {}
    for (const name of tables)
      found[name] = (await db.run({ text: `select * from "${name}" order by 1`, values: [] })).rows.map((row) =>
        JSON.stringify(row),
      )
    return found
  })

/** Rows of a statement that both vendors take. Documents are parsed. */
const rowsOf = (database: ProgramDatabase, text: string): Promise<unknown> =>
  database.onDatabase(async (db) => (await db.run({ text: textFor(db, text), values: [] })).rows.map(withDocuments))

const withDocuments = (row: unknown): unknown =>
  Object.fromEntries(
    Object.entries(row as object).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'string' && value.startsWith('{') ? (JSON.parse(value) as unknown) : value,
    ]),
  )

const moment = (column: string): string =>
  perVendor({
    postgres: `to_json(${column} at time zone 'UTC')`,
    mariadb: `date_format(${column}, '%Y-%m-%dT%H:%i:%s')`,
  })

/** What is told beside the results. */
const ignored =
  /^(Opening the database.*\n)*(A snapshot has keys that are not known and are ignored, keys \["systemFields"\], .*\n)?$/

const own = ['posts', 'authors', 'categories', 'languages', 'posts_translations']
const system =
  'roles policies users access permissions folders files presets dashboards panels translations comments shares versions settings'
const everything = [...own, ...system.split(' ').map((name) => `platform_${name}`)]

/** A blog that is planned, then taken over, and a shop that is taken over. */
let ofBlog: Awaited<ReturnType<typeof open>>
let ofShop: Awaited<ReturnType<typeof open>>
/** Of the blog that was taken over at once. */
let whole: { readonly requests: number; readonly contents: { readonly [table: string]: unknown } }

test('a plan tells what would be taken and changes nothing', async () => {
  ofBlog = await open(blog)
  const { place: database, source } = ofBlog
  const planned = await run(database.settings, ...sourceWords(source), '--plan')
  expect([planned.code, planned.error]).toEqual([0, expect.stringMatching(ignored)])
  const lines = planned.out.split('\n')
  expect(lines).toContain('  + posts.author → authors')
  expect(lines).toContain('  posts: 450')
  expect(lines).toContain('  platform_users: 2')
  expect(lines).toContain('  platform_shares: 2')
  expect(lines).toContain('Not taken: 1 flows; there are no flows here')
  expect((await run(database.settings, ...sourceWords(source), '--dry-run')).out).toEqual(planned.out)
  const tables = `select count(*) as count from information_schema.tables where table_name = 'posts'
    and table_schema = ${perVendor({ postgres: 'current_schema()', mariadb: 'database()' })}`
  expect(await rowsOf(database, tables)).toEqual([{ count: expect.toSatisfy((count) => Number(count) === 0) }])
})

test('a blog is taken over whole, and a second run changes nothing', async () => {
  const { place: database, source } = ofBlog
  const planning = source.requests()
  const done = await run(database.settings, ...sourceWords(source), '--yes')
  expect([done.code, done.error]).toEqual([4, expect.stringMatching(ignored)])
  expect(countsOf(done)).toMatchObject({
    posts: [450, 450, 450, 0],
    authors: [3, 3, 3, 0],
    categories: [2, 2, 2, 0],
    languages: [1, 1, 1, 0],
    posts_translations: [1, 1, 1, 0],
    platform_roles: [1, 1, 1, 0],
    platform_policies: [2, 2, 1, 0],
    platform_users: [2, 2, 2, 0],
    platform_access: [2, 2, 1, 0],
    platform_permissions: [2, 2, 2, 0],
    platform_folders: [2, 2, 2, 0],
    platform_files: [2, 1, 1, 0],
    platform_presets: [1, 1, 1, 0],
    platform_dashboards: [1, 1, 1, 0],
    platform_panels: [1, 1, 1, 0],
    platform_translations: [1, 1, 1, 0],
    platform_comments: [1, 1, 1, 0],
    platform_shares: [2, 1, 1, 0],
    platform_versions: [1, 1, 1, 0],
    platform_settings: [1, 1, 0, 1],
  })
  expect(done.out).toContain('1 row of platform_files: the source has no contents (00000013-')
  expect(done.out).toContain('Not taken: 1 flows; there are no flows here')
  expect(done.out).toContain('1 row of platform_shares: the API of the source does not show their passwords (00000025-')
  expect(done.out).not.toContain('The version spring')
  const before = await contentsOf(database, everything)
  whole = { requests: source.requests() - planning, contents: before }
  const again = await run(database.settings, ...sourceWords(source), '--yes')
  expect(Object.values(countsOf(again)).every(([, , created, updated]) => created === 0 && updated === 0)).toBe(true)
  expect(await contentsOf(database, everything)).toEqual(before)
  expect(await rowsOf(database, 'select id, best from authors order by id')).toEqual([
    { id: 1, best: 450 },
    { id: 2, best: 449 },
    { id: 3, best: 448 },
  ])
  const versions = `select v.id::text, v.item, v.delta, v.user_updated::text as editor, 
    case when v.hash = 'of the source' then 'theirs' else 'own' end as hash, ${moment('v.date_updated')} as at, s.times_used as used, c.collection, c."user_created"::text as author
    from platform_versions v, platform_shares s, platform_comments c`
  expect(await rowsOf(database, versions)).toEqual([
    {
      id: '00000026-0000-4000-8000-000000000000',
      item: '2',
      delta: { title: 'Spring', category: 2, translations: { create: [], update: [], delete: [5] } },
      editor: '00000004-0000-4000-8000-000000000000',
      hash: 'own',
      at: '2024-05-01T10:00:00',
      used: 3,
      collection: 'platform_files',
      author: '00000004-0000-4000-8000-000000000000',
    },
  ])
  const first = `select title, tags, extra, cover::text, related, made_by::text, ${moment('changed')} as changed from posts order by id limit 2`
  expect(await rowsOf(database, first)).toEqual([
    {
      title: 'Post 1',
      tags: 'a,b',
      extra: { deep: [0] },
      cover: '00000012-0000-4000-8000-000000000000',
      related: 450,
      made_by: '00000003-0000-4000-8000-000000000000',
      changed: '2024-05-01T10:00:00',
    },
    {
      title: 'Post 2',
      tags: 'a,b',
      extra: { deep: [1] },
      cover: null,
      related: null,
      made_by: '00000004-0000-4000-8000-000000000000',
      changed: '2024-05-01T10:00:00',
    },
  ])
  expect(await rowsOf(database, "insert into posts (title, author) values ('Next', 1) returning id")).toEqual([
    { id: 451 },
  ])
  const folder = join(database.settings['DATA_DIR'] as string, 'uploads')
  const texts = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'))
  expect(texts).toEqual(['words'])
})

test('an interrupted import resumes', async () => {
  const { place: database, source } = await open(blog)
  for (const part of [0.5, 0.7, 0.9]) {
    source.failAfter(Math.floor(whole.requests * part))
    const { code, error } = await run(database.settings, ...sourceWords(source), '--yes')
    expect([code, error]).toEqual([1, expect.stringContaining('answered with 500')])
  }
  source.failAfter(Number.POSITIVE_INFINITY)
  expect((await run(database.settings, ...sourceWords(source), '--yes')).code).toBe(4)
  expect(await contentsOf(database, own)).toEqual(Object.fromEntries(own.map((name) => [name, whole.contents[name]])))
  const count = `select cast(count(*) as char(9)) as count from platform_permissions where collection = 'posts'`
  expect(await rowsOf(database, count)).toEqual([{ count: expect.stringMatching(/^1 *$/) }])
})

test.each([true, false])(
  'a shop is taken over from a server and from a template with one snapshot: %s',
  async (isWhole) => {
    ofShop = await open(shop)
    const { place: database, source } = ofShop
    const template = ['import', 'directus', '--template', writeTemplate(shop, isWhole), '--yes']
    const done = await run(database.settings, ...template)
    expect([done.code, done.error]).toEqual([0, expect.stringMatching(ignored)])
    expect(countsOf(done)).toMatchObject({
      products: [2, 2, 2, 0],
      tags: [2, 2, 2, 0],
      products_tags: [3, 3, 3, 0],
      pages_blocks: [3, 3, 3, 0],
      about: [1, 1, 1, 0],
      platform_files: [1, 1, 1, 0],
    })
    expect(done.out).toContain('The values of products.secret are secret and cannot be read')
    expect(await rowsOf(database, 'select item, collection from pages_blocks order by id')).toEqual([
      { item: '8', collection: 'heroes' },
      { item: '00000040-0000-4000-8000-000000000000', collection: 'products' },
      { item: '00000012-0000-4000-8000-000000000000', collection: 'platform_files' },
    ])
    const again = await run(database.settings, ...sourceWords(source), '--yes')
    expect(Object.values(countsOf(again)).every(([, , created, updated]) => created === 0 && updated === 0)).toBe(true)
  },
)

test('rows that differ stay as they are, unless --update is given', async () => {
  const { place: database, source } = ofShop
  await rowsOf(database, `update tags set name = 'mine' where id = 3`)
  const names = 'select name from tags order by id'
  expect(countsOf(await run(database.settings, ...sourceWords(source), '--yes'))['tags']).toEqual([2, 2, 0, 0])
  expect(await rowsOf(database, names)).toEqual([{ name: 'mine' }, { name: 'old' }])
  expect(countsOf(await run(database.settings, ...sourceWords(source), '--yes', '--update'))['tags']).toEqual([
    2, 2, 0, 1,
  ])
  expect(await rowsOf(database, names)).toEqual([{ name: 'new' }, { name: 'old' }])
})

test('the source is asked before the database here is opened', async () => {
  const { settings } = ofShop.place
  const nowhere = { ...settings, DB_CLIENT: 'pg', DB_CONNECTION_STRING: 'postgres://nobody@127.0.0.1:1/none' }
  const [, , ...words] = sourceWords({ ...ofShop.source, url: 'http://127.0.0.1:1' })
  const refused = await run(nowhere, 'import', 'directus', ...words, '--plan')
  expect([refused.code, refused.error]).toEqual([
    1,
    expect.stringContaining('GET http://127.0.0.1:1/schema/snapshot failed'),
  ])
  const wrong = await run(nowhere, ...sourceWords(ofShop.source).slice(0, -1), 'another-token', '--plan')
  expect([wrong.code, wrong.error]).toEqual([
    1,
    expect.stringMatching(/snapshot answered with 40[13].*Is --token the static token of an admin/),
  ])
})
