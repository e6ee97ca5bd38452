/** What an import makes of users and their secrets, and of projects of versions before 11. */
import { afterEach, expect, test } from 'vitest'
import { openTestModel, type TestModel } from '../../core/testing/test-model.ts'
import { type ImportSource, SourceRefusal, type SourceRow } from '../../domain/ports/import-source.ts'
import { findForeignSecrets, findForeignSharePasswords } from '../../sql/statements/accounts/foreign-secrets.ts'
import { hasGeometry } from '../../sql/statements/imports.ts'
import { hashToken } from '../../tokens/opaque.ts'
import { verifyPassword } from '../../tokens/password.ts'
import { createView } from '../views/schema-view.ts'
import { projectImport } from './project-import.ts'

let model: TestModel
afterEach(() => model.close())

const id = (number: number): string => `0000000${number}-0000-4000-8000-000000000000`
const publicPolicy = 'abf8a154-5b1c-4a46-ac9c-7300570f4f17'
/** A hash of the word "password", as the other platform stores it. */
const hash = '$argon2id$v=19$m=65536,t=3,p=4$c29tZXNhbHRzb21lc2FsdA$+gKJGSCoJKs2BmTrlHZxyQ4Nr+F3sUqDr0HPXAyY4ew'

const options = { update: false, onProgress: () => undefined }

/** A source with these rows and an empty model. */
const sourceOf = (rows: { readonly [name: string]: readonly SourceRow[] }, more: object = {}): ImportSource => ({
  name: 'test',
  snapshot: () => Promise.resolve({ directus: '10.0.0', vendor: 'sqlite', collections: [], fields: [], relations: [] }),
  async *rows({ collection }) {
    const found = rows[collection]
    if (found === undefined) throw new SourceRefusal(`no ${collection}`)
    yield await Promise.resolve(found)
  },
  count: (collection) => Promise.resolve(rows[collection]?.length ?? null),
  contents: () => Promise.resolve(null),
  secrets: null,
  sharePasswords: null,
  ...more,
})

async function importOf(source: ImportSource) {
  const ctx = model.ctx({ actor: { kind: 'system' } })
  return projectImport.run({ ...ctx, view: createView(ctx.schema) }, source, options)
}

test('roles that hold rights themselves get policies', async () => {
  model = await openTestModel()
  const role = { id: id(1), name: 'Writers', icon: 'edit', description: null, ip_access: null, enforce_tfa: true }
  const permission = { action: 'read', permissions: {}, validation: null, presets: null, fields: ['*'] }
  const source = sourceOf({
    directus_roles: [{ ...role, admin_access: false, app_access: true }],
    directus_users: [],
    directus_permissions: [
      { id: 1, role: id(1), collection: 'directus_files', ...permission },
      { id: 2, role: null, collection: 'posts', ...permission },
    ],
  })
  const { tables } = await importOf(source)
  expect(tables.find(({ collection }) => collection === 'platform_permissions')).toMatchObject({ source: 2, here: 2 })
  await importOf(source)
  const policies = `select p.name, p.app_access, p.enforce_tfa from platform_policies p
    join platform_access a on a.policy = p.id where a.role = '${id(1)}'`
  expect(await model.rowsOf(policies)).toEqual([{ name: 'Writers', app_access: true, enforce_tfa: true }])
  expect(await model.rowsOf('select policy::text, collection from platform_permissions order by collection')).toEqual([
    { policy: id(1), collection: 'platform_files' },
    { policy: publicPolicy, collection: 'posts' },
  ])
})

test('shares keep their passwords, which the database of the source has', async () => {
  model = await openTestModel(`create table posts (id int primary key); insert into posts values (1);
    create table directus_shares (id uuid primary key, password text);
    insert into directus_shares values ('${id(5)}', '${hash}')`)
  const { db } = model.ctx()
  const share = { collection: 'posts', item: '1', role: null, user_created: id(4), password: '**********' }
  const users = [{ id: id(4), email: 'bea@example.com' }]
  const lost = { ...share, id: id(6), item: '2' }
  const shares = [{ ...share, id: id(5) }, lost, { ...share, id: id(7), password: null, user_created: null }]
  const rows = { directus_roles: [], directus_policies: [], directus_users: users, directus_shares: shares }
  const passwords = async () => new Map([...(await findForeignSharePasswords(db)), [id(6), hash]])
  const { notes, tables } = await importOf(sourceOf(rows, { sharePasswords: passwords }))
  expect(tables.find(({ collection }) => collection === 'platform_shares')).toMatchObject({ source: 3, here: 2 })
  expect(notes).toContain(`1 row of platform_shares: item not found, collection posts (${id(6)})`)
  expect(notes).toContain(`The share ${id(7)} has no creator, and opens nothing`)
  expect(await model.rowsOf('select id::text, password from platform_shares order by id')).toEqual([
    { id: id(5), password: hash },
    { id: id(7), password: null },
  ])
})

test('versions before 11 have comments in the activity, and saves of versions in revisions', async () => {
  model = await openTestModel(`create table posts (id int primary key, title text); insert into posts values (1, 'One');
    insert into platform_collections (collection, versioning) values ('posts', true)`)
  const about = { collection: 'posts', item: '1' }
  const activity = { ...about, user: null, timestamp: '2024-05-01T10:00:00.000Z' }
  const version = {
    id: id(2),
    key: 'spring',
    name: null,
    ...about,
    hash: 'x',
    date_created: '2024-05-01T10:00:00.000Z',
  }
  const source = sourceOf({
    directus_activity: [
      { ...activity, id: 1, action: 'comment', comment: 'First' },
      { ...activity, id: 2, action: 'update', comment: null },
    ],
    directus_versions: [version],
    directus_revisions: [
      { id: 8, ...about, version: id(2), data: { title: 'Draft' }, delta: { title: 'Draft' } },
      { id: 9, ...about, version: id(2), data: { title: 'Spring' }, delta: null },
    ],
  })
  for (const created of [1, 0]) {
    const { tables } = await importOf(source)
    expect(tables.filter(({ collection }) => /comments|versions/.test(collection))).toEqual([
      { collection: 'platform_comments', source: 1, here: 1, created, updated: 0 },
      { collection: 'platform_versions', source: 1, here: 1, created, updated: 0 },
    ])
  }
  const found = 'select comment, c.item, delta from platform_comments c, platform_versions'
  expect(await model.rowsOf(found)).toEqual([{ comment: 'First', item: '1', delta: { title: 'Spring' } }])
})

const deltaOf = (user: string, more: object = {}) => ({
  notes: {
    create: [{ text: 'New', owner: user, lines: [{ writer: user }, 7] }],
    update: [{ id: 4, owner: { id: user, title: 'Chief', ...more }, seen: [user] }],
    delete: [5],
  },
})

test('a version refers to the user here in changes of related items too, at any depth', async () => {
  model =
    await openTestModel(`insert into platform_users (id, email, status) values ('${id(8)}', 'ann@example.com', 'active');
    create table posts (id int primary key, title text); insert into posts values (1, 'One');
    create table notes (id serial primary key, post int references posts, owner uuid references platform_users, text text, seen json);
    create table "lines" (id serial primary key, note int references notes, writer uuid references platform_users);
    insert into platform_fields (collection, field, special) values ('posts', 'notes', 'o2m'), ('notes', 'lines', 'o2m');
    insert into platform_relations (many_collection, many_field, one_collection, one_field) values
      ('notes', 'post', 'posts', 'notes'), ('lines', 'note', 'notes', 'lines');
    insert into platform_collections (collection, versioning) values ('posts', true)`)
  const [there, here] = [id(2), id(8)]
  const version = { id: id(3), key: 'spring', name: null, collection: 'posts', item: '1', hash: 'x' }
  const { notes } = await importOf(
    sourceOf({
      directus_roles: [],
      directus_policies: [],
      directus_users: [{ id: there, email: 'ann@example.com', first_name: 'Ann' }],
      directus_versions: [
        { ...version, delta: deltaOf(there, { password: 'x' }), date_created: '2024-05-01T10:00:00.000Z' },
      ],
    }),
  )
  expect(await model.rowsOf('select delta from platform_versions')).toEqual([{ delta: deltaOf(here) }])
  expect(notes).toContain('The version spring of posts 1 has no notes.owner.password')
})

test('of an address that is here already, references lead to the user here', async () => {
  model = await openTestModel(
    `insert into platform_users (id, email, status) values ('${id(8)}', 'ann@example.com', 'active')`,
  )
  const { notes, tables } = await importOf(
    sourceOf({
      directus_roles: [],
      directus_policies: [],
      directus_users: [{ id: id(2), email: 'Ann@example.com', first_name: 'Other' }],
      directus_presets: [{ id: 3, user: id(2), collection: 'posts', bookmark: 'Mine' }],
    }),
  )
  expect(notes).toContain('The user Ann@example.com was here already, and stays as it is')
  expect(notes).toContain('platform_folders: no directus_folders')
  expect(tables.find(({ collection }) => collection === 'platform_users')).toMatchObject({
    source: 1,
    here: 1,
    created: 0,
  })
  expect(await model.rowsOf('select "user"::text, bookmark from platform_presets')).toEqual([
    { user: id(8), bookmark: 'Mine' },
  ])
})

test('passwords, tokens and second factors come from the database of the source', async () => {
  model = await openTestModel(`
    create table directus_users (id uuid primary key, password text, token text, tfa_secret text);
    insert into directus_users values ('${id(4)}', '${hash}', 'a-token-of-the-source', 'ABCDEF')`)
  const { db } = model.ctx()
  const users = [{ id: id(4), email: 'bea@example.com', password: '**********', token: '**********' }]
  const rows = { directus_roles: [], directus_policies: [], directus_users: users }
  const { notes } = await importOf(sourceOf(rows))
  expect(notes).toContain(
    'Users have no passwords, tokens and second factors: the API of the source does not show them',
  )
  await importOf(sourceOf(rows, { secrets: () => findForeignSecrets(db) }))
  const [user] = (await model.rowsOf(
    'select password, token, tfa_secret from platform_users where password is not null',
  )) as [{ readonly password: string }]
  expect(user).toEqual({ password: hash, token: hashToken('a-token-of-the-source', 'secret'), tfa_secret: 'ABCDEF' })
  const cost = { memory: 65_536, passes: 3, parallelism: 4, length: 32 }
  expect(await verifyPassword('another', user.password, { cost })).toMatchObject({ matches: false, needsRehash: false })
})

const column = (table: string, name: string, isKey: boolean) => ({
  collection: table,
  field: name,
  type: 'integer',
  meta: null,
  schema: { name, table, data_type: 'integer', is_nullable: !isKey, is_primary_key: isKey },
})
const named = (collection: string) => ({ collection, meta: null, schema: { name: collection } })

test('a null of a field of the system that is required here becomes the default', async () => {
  model = await openTestModel()
  const dashboard = { id: id(5), name: 'Sales', icon: null, note: null, date_created: null, user_created: null }
  const { tables } = await importOf(sourceOf({ directus_dashboards: [dashboard] }))
  expect(tables.find(({ collection }) => collection === 'platform_dashboards')).toMatchObject({ source: 1, here: 1 })
  expect(await model.rowsOf('select name, icon from platform_dashboards')).toEqual([
    { name: 'Sales', icon: 'dashboard' },
  ])
})

test('shapes are JSON where the database has no geometry', async () => {
  model = await openTestModel()
  const schema = { ...column('places', 'at', false).schema, data_type: 'geometry' }
  const at = { ...column('places', 'at', false), type: 'geometry.Point', schema }
  const there = { directus: '11.0.0', vendor: 'postgres', collections: [named('places')], relations: [] }
  const snapshot = () => Promise.resolve({ ...there, fields: [column('places', 'id', true), at] })
  const point = { type: 'Point', coordinates: [1, 2] }
  const { tables, notes } = await importOf(sourceOf({ places: [{ id: 1, at: point }] }, { snapshot }))
  expect(tables.find(({ collection }) => collection === 'places')).toMatchObject({ source: 1, here: 1 })
  const note = 'Of the type geometry.Point there and json here, because the database has no geometry: places.at'
  const hasShapes = await hasGeometry(model.ctx().db)
  expect(notes.includes(note)).toBe(!hasShapes)
  if (!hasShapes) expect(await model.rowsOf('select at from places')).toEqual([{ at: point }])
})

test('tables whose key is not one column are left out, and counted as missing', async () => {
  model = await openTestModel()
  const list = { collection: 'lists', field: 'entries', type: 'alias', meta: { special: ['o2m'] }, schema: null }
  const relation = {
    collection: 'entries',
    field: 'list',
    related_collection: 'lists',
    schema: null,
    meta: { many_collection: 'entries', many_field: 'list', one_collection: 'lists', one_field: 'entries' },
  }
  const snapshot = () =>
    Promise.resolve({
      directus: '11.0.0',
      vendor: 'postgres',
      collections: [named('lists'), named('entries')],
      fields: [column('lists', 'id', true), list, column('entries', 'list', true), column('entries', 'place', true)],
      relations: [relation],
    })
  const source = sourceOf({ lists: [{ id: 1 }], entries: [{ list: 1, place: 1 }] }, { snapshot })
  const { tables, notes } = await importOf(source)
  expect(tables.find(({ collection }) => collection === 'lists')).toMatchObject({ source: 1, here: 1 })
  expect(tables.find(({ collection }) => collection === 'entries')).toMatchObject({ source: 1, here: 0 })
  expect(notes).toContain('Not taken: the table entries; its key is not one column')
  expect(await model.rowsOf("select field from platform_fields where collection = 'lists'")).toEqual([])
})

test('webhooks are sent what administrators may read, and an incomplete one is named', async () => {
  model = await openTestModel('create table posts (id int primary key)')
  const hook = { method: 'POST', url: 'https://example.com/hook', status: 'active', data: true, headers: null }
  const source = sourceOf({
    directus_webhooks: [
      { id: 7, name: 'Search', ...hook, actions: 'create,update', collections: 'posts', migrated_flow: null },
      { id: 8, name: 'Files', ...hook, actions: ['login', 'delete'], collections: ['directus_files'] },
      { id: 9, name: 'Gone', ...hook, actions: ['create'], collections: ['no_such_table'] },
    ],
  })
  const { tables, notes } = await importOf(source)
  await importOf(source)
  expect(tables.find(({ collection }) => collection === 'platform_webhooks')).toMatchObject({ source: 3, here: 2 })
  expect(notes.filter((note) => note.includes('webhooks'))).toEqual([expect.stringContaining('no_such_table')])
  const text = `select name, url, status, actions, collections, format, role::text, "user", secret like 'whsec_%' as signed
    from platform_webhooks order by name`
  const usual = { url: hook.url, status: 'active', format: 'standard', user: null, signed: true }
  const role = '00000000-0000-4000-8000-000000000001'
  expect(await model.rowsOf(text)).toEqual([
    { name: 'Files', actions: 'delete', collections: 'platform_files', role, ...usual },
    { name: 'Search', actions: 'create,update', collections: 'posts', role, ...usual },
  ])
})
