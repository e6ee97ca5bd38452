/** A project of version 11.17 is taken over whole, with what its metadata does not know, and with users under other ids. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createDatabase, type ProgramDatabase, type Result, run } from '../test-program.ts'
import { changed, id, made, newsroom, photo, reporter, scan, uploaded } from './test-newsroom.ts'
import { field, type Project, reference, type Source, serveProject, sourceWords } from './test-source.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 180_000 })

/** The administrator here, with the address of the one there. */
const chief = '0000aaaa-0000-4000-8000-000000000000'

const closing: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closing) await close()
})

const rowsOf = (database: ProgramDatabase, text: string): Promise<unknown> =>
  database.onDatabase(async (db) => (await db.run({ text, values: [] })).rows)

async function imported(project: Project): Promise<{ readonly place: ProgramDatabase; readonly done: Result }> {
  const database = await createDatabase({ isMigrated: true })
  const source: Source = await serveProject(project)
  closing.push(database.remove, source.close)
  await rowsOf(
    database,
    `insert into platform_users (id, email, status) values ('${chief}', 'admin@example.com', 'active')`,
  )
  return { place: database, done: await run(database.settings, ...sourceWords(source), '--yes') }
}

let database: ProgramDatabase
let done: Result
beforeAll(async () => {
  ;({ place: database, done } = await imported(newsroom))
})

/** A slow opening of the database is told while it lasts. */
const nothingButProgress = expect.stringMatching(/^(Opening the database.*\n)*$/)

test('all that is named came along', () => {
  expect([done.error, done.code]).toEqual([nothingButProgress, 0])
  expect(done.out).toContain('The user Admin@example.com was here already, and stays as it is')
})

test('tables, columns and relations without metadata are there', async () => {
  expect(
    await rowsOf(
      database,
      `select a.subtitle, a.origin, a.reviewer::text, w.name, w.contact::text, l.amount::text
    from articles a, wires w, ledger l where a.id = 1`,
    ),
  ).toEqual([{ subtitle: 'Below 1', origin: 7, reviewer: chief, name: 'Agency', contact: chief, amount: '12.50' }])
  const keys = `select conrelid::regclass::text as place, confrelid::regclass::text as target from pg_constraint
    where contype = 'f' and conrelid in ('articles'::regclass, 'profiles'::regclass) order by 1, 2`
  expect(await rowsOf(database, keys)).toEqual([
    { place: 'articles', target: 'articles' },
    { place: 'articles', target: 'platform_files' },
    ...Array.from({ length: 4 }, () => ({ place: 'articles', target: 'platform_users' })),
    { place: 'articles', target: 'wires' },
    { place: 'profiles', target: 'platform_users' },
  ])
})

test('additions to system collections are there', async () => {
  const people = `select id::text, desk, badge, avatar::text from platform_users where id <> '${chief}'`
  expect(await rowsOf(database, people)).toEqual([{ id: reporter, desk: 1, badge: 'P-17', avatar: photo }])
  const indexes = `select count(*)::int as count from pg_indexes where tablename = 'platform_users' and indexdef like '%(last_name)%'`
  expect(await rowsOf(database, indexes)).toEqual([{ count: 1 }])
})

test('references to users point at the users of this project', async () => {
  expect(
    await rowsOf(
      database,
      `select author::text, user_created::text, user_updated::text, notes from articles where id in (1, 2) order by id`,
    ),
  ).toEqual([
    { author: reporter, user_created: chief, user_updated: chief, notes: { asked: [chief, 'nobody'] } },
    { author: chief, user_created: chief, user_updated: chief, notes: { asked: [chief, 'nobody'] } },
  ])
  expect(
    await rowsOf(
      database,
      `select delta, user_created::text, user_updated::text, to_json(date_updated at time zone 'UTC') as at
    from platform_versions`,
    ),
  ).toEqual([
    {
      delta: { title: 'Article one', reviewer: chief, notes: { asked: [chief] } },
      user_created: chief,
      user_updated: chief,
      at: changed.slice(0, 19),
    },
  ])
  expect(
    await rowsOf(
      database,
      'select item, comment, user_created::text, user_updated::text from platform_comments order by id',
    ),
  ).toEqual([
    { item: '1', comment: `Ask @${chief}, please`, user_created: chief, user_updated: chief },
    { item: chief, comment: 'On leave', user_created: chief, user_updated: chief },
  ])
  expect(
    await rowsOf(
      database,
      `select s.user_created::text as share, d.user_created::text as dashboard, p.user_created::text as panel,
    p.options, t.user::text as preset, t.filter, r.permissions, r.presets, a.user::text as access
    from platform_shares s, platform_dashboards d, platform_panels p, platform_presets t, platform_permissions r,
    platform_access a where a.id = '${id(7)}' or a."user" is not null`,
    ),
  ).toEqual([
    {
      share: chief,
      dashboard: chief,
      panel: chief,
      options: { collection: 'articles', filter: { author: { _eq: chief } } },
      preset: chief,
      filter: { author: { _eq: chief } },
      permissions: { _or: [{ author: { _eq: chief } }, { author: { _eq: '$CURRENT_USER' } }] },
      presets: { reviewer: chief },
      access: chief,
    },
  ])
  expect(
    await rowsOf(
      database,
      `select u.users_id::text as many, b.item as any, p.user::text as key, l.profile::text as below
    from articles_users u, articles_blocks b, profiles p, bylines l where b.id = 2 and p.user <> '${reporter}'`,
    ),
  ).toEqual([{ many: chief, any: chief, key: chief, below: chief }])
})

test('files keep their dates and people', async () => {
  const text = `select id::text, title, uploaded_by::text, modified_by::text, licence, folder::text,
    to_json(array[created_on at time zone 'UTC', modified_on at time zone 'UTC', uploaded_on at time zone 'UTC']) as dates
    from platform_files order by id`
  const dates = [made, changed, uploaded].map((each) => each.slice(0, 19))
  const shared = { title: null, licence: 'free', folder: id(10), dates }
  expect(await rowsOf(database, text)).toEqual([
    { id: photo, uploaded_by: chief, modified_by: chief, ...shared },
    { id: scan, uploaded_by: reporter, modified_by: null, ...shared },
  ])
  expect(await rowsOf(database, 'select project_name, project_logo::text from platform_settings')).toEqual([
    { project_name: 'The newsroom', project_logo: photo },
  ])
})

test('rows that need each other are there, and their fields are required again', async () => {
  const rows = 'select e.id, e.cover, c.edition from editions e join covers c on c.id = e.cover'
  expect(await rowsOf(database, rows)).toEqual([{ id: 1, cover: 2, edition: 1 }])
  const columns = `select table_name || '.' || column_name as place, is_nullable from information_schema.columns
    where column_name in ('cover', 'edition') order by 1`
  expect(await rowsOf(database, columns)).toEqual([
    { place: 'covers.edition', is_nullable: 'NO' },
    { place: 'editions.cover', is_nullable: 'NO' },
  ])
})

test('relations can be read', async () => {
  const relations = `select many_collection || '.' || many_field as many, one_field as list, junction_field as junction,
    sort_field as sort from platform_relations where many_collection like 'articles%' order by 1`
  expect(await rowsOf(database, relations)).toContainEqual({
    many: 'articles_tags.articles_id',
    list: 'tags',
    junction: 'tags_code',
    sort: 'sort',
  })
  expect(await rowsOf(database, relations)).toContainEqual({
    many: 'articles.desk',
    list: 'articles',
    junction: null,
    sort: null,
  })
})

test('a second run changes nothing', async () => {
  const source = await serveProject(newsroom)
  closing.push(source.close)
  const again = await run(database.settings, ...sourceWords(source), '--yes')
  expect(again.code).toBe(0)
  expect(again.out).toContain('The data model is here already.')
  expect(again.out).toMatch(/articles +300 +300 +0 +0\n/)
  expect(again.out).not.toMatch(/ [1-9]\d* +\d+\n/)
})

test('rows that do not fit are reported, and the import continues', async () => {
  const { model, rows } = newsroom
  const lost = 'a'.repeat(70)
  const flaws: Project = {
    ...newsroom,
    model: {
      ...model,
      fields: [
        ...model.fields,
        field('articles.length', 'integer', { data_type: 'integer', is_generated: true, generation_expression: 'id' }),
        field('articles.words', 'unknown', { data_type: 'ARRAY' }),
        field('articles.mood', 'unknown', { data_type: 'mood' }),
        field('directus_flows.owner', 'string'),
        field('directus_users.company', 'string'),
        field('directus_access.note', 'string'),
        ...reference('articles.flow', 'directus_flows', { type: 'uuid' }).fields,
      ],
      relations: [
        ...model.relations,
        ...reference('articles.flow', 'directus_flows', { type: 'uuid' }).relations,
        ...reference('articles.nowhere', 'desks', { list: 'nothing' }).relations,
      ],
      systemFields: [{ collection: 'directus_users', field: 'unheard_of', schema: { is_indexed: true } }],
    },
    rows: {
      ...rows,
      articles: (rows['articles'] ?? []).map((row, at) => ({
        ...row,
        length: 3,
        words: ['a'],
        mood: 'calm',
        flow: id(60),
        title: at === 1 ? null : row['title'],
      })),
      directus_users: (rows['directus_users'] ?? []).map((row, at) =>
        at === 1 ? { ...row, company: 'Ours', appearance: lost.repeat(4) } : row,
      ),
      directus_comments: [
        ...(rows['directus_comments'] ?? []),
        { id: id(61), collection: 'articles', item: 'x', comment: 'Where?', user_created: reporter },
      ],
      directus_versions: (rows['directus_versions'] ?? []).map((row) => ({
        ...row,
        delta: { title: 'Kept', tags: { create: [{ tags_code: 'city' }], update: [], delete: [] } },
      })),
      directus_settings: [{ ...rows['directus_settings']?.[0], visual_editor_urls: [{ url: 'https://example.com' }] }],
    },
  }
  const { place: there, done: told } = await imported(flaws)
  expect([told.error, told.code]).toEqual([nothingButProgress, 4])
  const lines = told.out.split('\n')
  for (const line of [
    'Computed there and an ordinary column here: articles.length',
    'Of the type ARRAY there and json here: articles.words',
    'Of the type mood there and text here: articles.mood',
    'Not taken: the field directus_flows.owner; its collection is not here',
    'Not taken: the field platform_access.note; platform_access takes no further fields',
    'Not taken: the relation articles.flow; the collection directus_flows is not here',
    'Not taken: the relation articles.nowhere; its field is not in the data model of the source',
    'Not taken: the index of platform_users.unheard_of; the field does not exist here',
    'The field platform_users.company does not exist here',
    'The field platform_settings.visual_editor_urls does not exist here',
  ])
    expect(lines).toContain(line)
  expect(lines.filter((line) => /^\d+ rows? of /.test(line)).toSorted()).toEqual([
    '1 row of articles: failed validation, field title, type nnull (2)',
    `1 row of platform_comments: item not found, collection articles (${id(61)})`,
    `1 row of platform_users: value too long, collection platform_users, field appearance (${reporter})`,
    `1 row of profiles: invalid foreign key, collection profiles, field user, constraint profiles_user_foreign, value ${reporter} (${reporter})`,
  ])
  expect(
    await rowsOf(
      there,
      'select author::text, length, words, mood, flow::text from articles where id in (1, 4) order by id',
    ),
  ).toEqual([
    { author: null, length: 3, words: ['a'], mood: 'calm', flow: id(60) },
    { author: chief, length: 3, words: ['a'], mood: 'calm', flow: id(60) },
  ])
  expect(await rowsOf(there, 'select count(*)::int as count from articles')).toEqual([{ count: 299 }])
  expect(await rowsOf(there, 'select delta, project_name from platform_versions, platform_settings')).toEqual([
    {
      delta: { title: 'Kept', tags: { create: [{ tags_code: 'city' }], update: [], delete: [] } },
      project_name: 'The newsroom',
    },
  ])
})
