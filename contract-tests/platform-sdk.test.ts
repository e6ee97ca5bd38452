/** The newest `@directus/sdk`, unmodified and strictly typed: log-in, items, the data model, files, access, history, tools, GraphQL. */
import * as sdk from '@directus/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOwnDatabase } from './own-database.ts'

type Author = { id: number; name: string; notes: number[] | Note[] }
type Note = { id: number; title: string; position: number | null; author: number | Author | null }
type Schema = { notes: Note[]; authors: Author[] }

const sql = `
create table authors (id serial primary key, name varchar(100) not null);
create table notes (id serial primary key, title varchar(100) not null, position integer, author integer references authors (id));
insert into platform_collections (collection, sort_field, versioning) values ('notes', 'position', true);
insert into platform_relations (many_collection, many_field, one_collection, one_field) values ('notes', 'author', 'authors', 'notes')`
const own = await openOwnDatabase(sql)
const password = 'a password of the sdk'
const client = sdk
  .createDirectus<Schema>(own.url)
  .with(sdk.authentication('json', { autoRefresh: false }))
  .with(sdk.rest())
  .with(sdk.graphql())
beforeAll(async () => {
  await own.ask('PATCH /users/me', { body: { password } })
  await client.login({ email: 'admin@example.com', password })
})
afterAll(() => own.close())

/** One after another: the later ones may need that the earlier ones are done. */
const empty = async (...requests: readonly (() => Promise<unknown>)[]): Promise<void> => {
  for (const send of requests) expect([null, undefined, '']).toContain(await send())
}

test('a session is renewed, and ends', async () => {
  const other = sdk.createDirectus<Schema>(own.url).with(sdk.authentication('json')).with(sdk.rest())
  await other.login({ email: 'admin@example.com', password })
  const { refresh_token: before } = await client.refresh()
  expect((await client.refresh()).refresh_token).not.toBe(before)
  expect(await other.request(sdk.readMe({ fields: ['email'] }))).toEqual({ email: 'admin@example.com' })
  await other.logout()
  expect(await other.getToken()).toBeNull()
  await expect(other.request(sdk.readMe())).rejects.toMatchObject({
    errors: [{ extensions: { code: 'INVALID_CREDENTIALS' } }],
  })
  const wrong = client.request(sdk.readItems('notes', { limit: 'many' as never }))
  await expect(wrong).rejects.toMatchObject({ errors: [{ extensions: { code: 'INVALID_QUERY' } }] })
  expect(await client.request(sdk.readProviders())).toEqual([])
  expect(await client.request(sdk.serverPing())).toBe('pong')
  expect(await client.request(sdk.serverInfo())).toMatchObject({
    project: { project_name: 'Tandem' },
    extensions: { limit: null },
  })
  expect(await client.request(sdk.serverHealth())).toMatchObject({ status: 'ok' })
})

test('items are written and read, with related ones', async () => {
  await own.rows('delete from notes')
  const ann = await client.request(sdk.createItem('authors', { name: 'Ann' }))
  const made = await client.request(
    sdk.createItems('notes', [{ title: 'one', author: ann.id }, { title: 'two' }, { title: 'three' }]),
  )
  const [one = 0, two = 0, three = 0] = made.map(({ id }) => id)
  const read = await client.request(
    sdk.readItems('notes', {
      fields: ['title', { author: ['name'] }],
      filter: { title: { _in: ['one', 'two'] } },
      sort: ['title'],
    }),
  )
  expect(read).toEqual([
    { title: 'one', author: { name: 'Ann' } },
    { title: 'two', author: null },
  ])
  expect(await client.request(sdk.updateItem('notes', one, { title: '1' }, { fields: ['title'] }))).toEqual({
    title: '1',
  })
  expect(await client.request(sdk.updateItems('notes', [two, three], { author: ann.id }))).toHaveLength(2)
  expect(await client.request(sdk.updateItemsBatch('notes', [{ id: two, title: '2' }], { fields: ['title'] }))).toEqual(
    [{ title: '2' }],
  )
  const author = await client.request(
    sdk.readItem('authors', ann.id, { fields: ['*', { notes: ['title'] }], deep: { notes: { _sort: ['title'] } } }),
  )
  expect(author).toMatchObject({ name: 'Ann', notes: [{ title: '1' }, { title: '2' }, { title: 'three' }] })
  expect(await client.request(sdk.aggregate('notes', { aggregate: { count: '*' }, groupBy: ['author'] }))).toEqual([
    { author: ann.id, count: '3' },
  ])
  expect(
    await client.request(sdk.withSearch(sdk.readItems('notes', { fields: ['title'], filter: { id: { _eq: three } } }))),
  ).toEqual([{ title: 'three' }])
  await client.request(sdk.utilitySort('notes', three, one))
  expect(await client.request(sdk.readItems('notes', { fields: ['id'], sort: ['position'], limit: 1 }))).toEqual([
    { id: three },
  ])
  await empty(
    () => client.request(sdk.deleteItem('notes', one)),
    () => client.request(sdk.deleteItems('notes', [two])),
  )
  expect(await client.query(`{ notes { title author { name } } }`)).toEqual({
    notes: [{ title: 'three', author: { name: 'Ann' } }],
  })
  expect(await client.query('{ users_me { email } }', {}, 'system')).toEqual({
    users_me: { email: 'admin@example.com' },
  })
})

test('the data model is changed, compared and applied', async () => {
  const free = sdk.createDirectus(own.url).with(sdk.staticToken(own.adminToken)).with(sdk.rest())
  const collection = 'things'
  const key = { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } }
  await free.request(sdk.createCollection({ collection, schema: {}, meta: {}, fields: [key] }))
  await free.request(sdk.updateCollection(collection, { meta: { note: 'Things' } }))
  expect(await free.request(sdk.readCollection(collection))).toMatchObject({ meta: { note: 'Things' } })
  expect((await free.request(sdk.readCollections())).map((each) => each.collection)).toContain(collection)
  await free.request(sdk.createField(collection, { field: 'author', type: 'integer' }))
  await free.request(sdk.updateField(collection, 'author', { meta: { note: 'Who' } }))
  expect(await free.request(sdk.readField(collection, 'author'))).toMatchObject({ meta: { note: 'Who' } })
  expect(await free.request(sdk.readFieldsByCollection(collection))).toHaveLength(2)
  await free.request(sdk.createRelation({ collection, field: 'author', related_collection: 'authors' }))
  expect(await free.request(sdk.readRelationByCollection(collection))).toHaveLength(1)
  await free.request(sdk.updateRelation(collection, 'author', { meta: { one_field: 'things' } }))
  expect(await free.request(sdk.readRelation(collection, 'author'))).toMatchObject({ meta: { one_field: 'things' } })
  const snapshot = await free.request(sdk.schemaSnapshot())
  await empty(() => free.request(sdk.schemaDiff(snapshot)))
  await empty(
    () => free.request(sdk.deleteRelation(collection, 'author')),
    () => free.request(sdk.deleteField(collection, 'author')),
  )
  await empty(() => free.request(sdk.deleteCollection(collection)))
  const diff = await free.request(sdk.schemaDiff(snapshot))
  await empty(() => free.request(sdk.schemaApply(diff)))
  expect(await free.request(sdk.readRelation(collection, 'author'))).toMatchObject({ related_collection: 'authors' })
})

test('files are sent, shown and deleted', async () => {
  const form = new FormData()
  form.append('title', 'Bytes')
  form.append('file', new Blob(['bytes']), 'bytes.bin')
  const { id } = await client.request(sdk.uploadFiles(form))
  expect(await client.request(sdk.readFile(id, { fields: ['title', 'filename_download'] }))).toEqual({
    title: 'Bytes',
    filename_download: 'bytes.bin',
  })
  const { id: folder } = await client.request(sdk.createFolder({ name: 'Kept' }))
  expect(await client.request(sdk.updateFile(id, { folder }, { fields: ['folder'] }))).toEqual({ folder })
  expect(await (await client.request(sdk.readAssetBlob(id))).text()).toBe('bytes')
  expect((await client.request(sdk.readAssetArrayBuffer(id))).byteLength).toBe(5)
  expect(await new Response(await client.request(sdk.readAssetRaw(id))).text()).toBe('bytes')
  const zip = await client.request(sdk.downloadFolderZip(folder, { output: 'arrayBuffer' }))
  expect(Buffer.from(zip).subarray(0, 2).toString()).toBe('PK')
  await empty(
    () => client.request(sdk.deleteFile(id)),
    () => client.request(sdk.deleteFolder(folder)),
  )
})

test('users get rights by roles and policies', async () => {
  const role = await client.request(sdk.createRole({ name: 'Readers' }))
  const policy = await client.request(sdk.createPolicy({ name: 'Reads', app_access: true }))
  const attached = { create: [{ policy: policy.id }], update: [], delete: [] }
  await client.request(sdk.updateRole(role.id, { policies: attached } as never))
  const rule = { policy: policy.id, collection: 'notes', action: 'read', fields: ['id'], permissions: {} }
  const { id } = await client.request(sdk.createPermission(rule as never))
  await client.request(sdk.updatePermission(id, { fields: ['title'] }))
  const user = await client.request(sdk.createUser({ email: 'reader@example.com', password, role: role.id }))
  const reader = sdk.createDirectus<Schema>(own.url).with(sdk.authentication()).with(sdk.rest())
  await reader.login({ email: 'reader@example.com', password })
  expect(await reader.request(sdk.readItems('notes', { limit: 1 }))).toEqual([{ title: 'three' }])
  expect(await reader.request(sdk.readUserPermissions())).toMatchObject({ notes: { read: { fields: ['title'] } } })
  expect(await reader.request(sdk.readPolicyGlobals())).toMatchObject({ app_access: true, admin_access: false })
  expect(await reader.request(sdk.readRolesMe({ fields: ['id'] }))).toEqual([{ id: role.id }])
  const remaining = [sdk.deletePermission(id), sdk.deletePolicy(policy.id), sdk.deleteUser(user.id)]
  await empty(...remaining.map((each) => () => client.request(each)), () => client.request(sdk.deleteRole(role.id)))
})

test('versions, shares, comments and what an application keeps', async () => {
  const note = await client.request(sdk.createItem('notes', { title: 'main' }))
  const version = await client.request(
    sdk.createContentVersion({ key: 'draft-1', collection: 'notes', item: String(note.id) }),
  )
  await client.request(sdk.saveToContentVersion(version.id, { title: 'other' }))
  const compared = await client.request(sdk.compareContentVersion(version.id))
  expect(compared).toMatchObject({ current: { title: 'other' }, main: { title: 'main' } })
  expect(await client.request(sdk.readItem('notes', note.id, { version: 'draft-1' }))).toMatchObject({ title: 'other' })
  await client.request(sdk.promoteContentVersion(version.id, compared.mainHash, ['title']))
  expect(await client.request(sdk.readItem('notes', note.id, { fields: ['title'] }))).toEqual({ title: 'other' })
  const revisions = sdk.readRevisions({ filter: { item: { _eq: String(note.id) } }, fields: ['collection'], limit: 1 })
  expect(await client.request(revisions)).toEqual([{ collection: 'notes' }])
  const target = { collection: 'notes', item: String(note.id) }
  const share = await client.request(sdk.createShare({ ...target, role: null, password: 'open' }))
  expect(await client.request(sdk.readShareInfo(share.id))).toMatchObject(target)
  expect(await client.request(sdk.authenticateShare(share.id, 'open', 'json'))).toMatchObject({ expires: 900_000 })
  const comment = await client.request(sdk.createComment({ ...target, comment: 'Hm' }))
  expect(await client.request(sdk.updateComment(comment.id, { comment: 'Ha' }))).toMatchObject({ comment: 'Ha' })
  const dashboard = await client.request(sdk.createDashboard({ name: 'Numbers' }))
  const place = { position_x: 1, position_y: 1, width: 2, height: 2 }
  const panel = await client.request(sdk.createPanel({ dashboard: dashboard.id, type: 'label', ...place }))
  const preset = await client.request(sdk.createPreset({ collection: 'notes', bookmark: 'Mine' }))
  const removed = [sdk.deleteShare(share.id), sdk.deleteComment(comment.id), sdk.deletePanel(panel.id)]
  await empty(...removed.map((each) => () => client.request(each)), () => client.request(sdk.deletePreset(preset.id)))
  await empty(
    () => client.request(sdk.deleteContentVersion(version.id)),
    () => client.request(sdk.deleteDashboard(dashboard.id)),
  )
})

test('tools and settings', async () => {
  const rows = new FormData()
  rows.append('file', new Blob([JSON.stringify([{ name: 'Bea' }])], { type: 'application/json' }), 'rows.json')
  await client.request(sdk.utilsImport('authors', rows))
  expect(await client.request(sdk.readItems('authors', { filter: { name: { _eq: 'Bea' } } }))).toHaveLength(1)
  await empty(() => client.request(sdk.utilsExport('authors', 'csv', { limit: 1 }, { title: 'Authors' })))
  expect(await client.request(sdk.randomString(12))).toHaveLength(12)
  expect(await client.request(sdk.generateTwoFactorSecret(password))).toMatchObject({ secret: expect.any(String) })
  await client.request(sdk.updateSettings({ project_name: 'Named' }))
  expect(await client.request(sdk.readSettings({ fields: ['project_name'] }))).toEqual({ project_name: 'Named' })
  expect(await client.request(sdk.readOpenApiSpec())).toMatchObject({ openapi: '3.1.0' })
  for (const list of [sdk.readFlows(), sdk.readOperations(), sdk.readExtensions()])
    expect(await client.request<unknown>(list as sdk.RestCommand<unknown, Schema>)).toEqual([])
})
