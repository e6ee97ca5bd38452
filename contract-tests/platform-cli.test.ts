/** The command line `@directus/cli`, as npm has it: pulls a project, compares it with another server, and pushes it. */
import { afterAll, expect, test } from 'vitest'
import { openToolServers } from './tool-servers.ts'

const servers = await openToolServers(
  new URL('../node_modules/@directus/cli/dist/bin.js', import.meta.url),
  `create table authors (id serial primary key, name text not null);
     create table articles (id serial primary key, title varchar(100), author integer references authors on delete set null);
     insert into platform_collections (collection) values ('authors'), ('articles');
     insert into platform_fields (collection, field, special, interface) values ('articles', 'author', 'm2o', 'select-dropdown-m2o')`,
)
const { source, target, made, list } = servers
afterAll(() => servers.close())

const run = async (...args: readonly string[]): Promise<unknown> => JSON.parse(await servers.run('--json', ...args))

const sync = (command: string, ...args: readonly string[]) =>
  run('sync', command, ...args) as Promise<{ readonly [key: string]: unknown }>

test('profiles with a token connect to a server', async () => {
  for (const [name, { url, adminToken }] of Object.entries({ source, target }))
    await run('profile', 'add', name, '--url', url, '--token', adminToken)
  expect(await run('profile', 'test-connection', 'target')).toMatchObject({
    url: target.url,
    user: 'admin@example.com',
    role: 'Administrator',
  })
})

test('pull, diff and push bring a project to another server, once', async () => {
  const policy = await made('/policies', { name: 'Editing', app_access: true })
  const role = await made('/roles', { name: 'Editors', policies: [{ policy }] })
  await made('/users', { email: 'editor@example.com', role })
  const rule = { policy, collection: 'articles', action: 'read', fields: ['id', 'author'] }
  await made('/permissions', { ...rule, permissions: { author: { name: { _nnull: true } } } })
  const folderOfFiles = await made('/folders', { name: 'Covers' })
  await made('/folders', { name: 'Old covers', parent: folderOfFiles })
  const dashboard = await made('/dashboards', { name: 'Sales' })
  const panel = { dashboard, name: 'Total', type: 'metric', position_x: 1, position_y: 1, width: 8, height: 6 }
  await made('/panels', { ...panel, show_header: true, options: { collection: 'articles' } })
  await made('/translations', { language: 'de-DE', key: 'articles', value: 'Artikel' })
  await source.ask('PATCH /settings', { body: { project_name: 'From the source' } })
  expect(await sync('pull', '--from', 'source', '--all')).toMatchObject({ collections: 2, fields: 5, relations: 1 })

  expect(await sync('diff', '--to', 'target')).toMatchObject({ changes: true, added: 8, modified: 0, deleted: 0 })
  expect((await target.ask('GET /items/articles')).status).toBe(403)
  expect(await sync('push', '--to', 'target', '--yes')).toMatchObject({ applied: true, added: 8 })

  expect(await list(target, '/fields/articles/title')).toMatchObject({ type: 'string', schema: { max_length: 100 } })
  expect(await list(target, '/relations/articles/author')).toMatchObject({
    related_collection: 'authors',
    schema: { on_delete: 'SET NULL' },
  })
  expect(await list(target, '/roles?fields=policies.policy.name,users.email&filter[name][_eq]=Editors')).toEqual([
    { policies: [{ policy: { name: 'Editing' } }], users: [{ email: 'editor@example.com' }] },
  ])
  expect(await list(target, '/permissions?fields=fields,permissions&filter[collection][_eq]=articles')).toEqual([
    { fields: ['id', 'author'], permissions: { author: { name: { _nnull: true } } } },
  ])
  expect(await list(target, '/folders?fields=name,parent.name&sort=name')).toEqual([
    { name: 'Covers', parent: null },
    { name: 'Old covers', parent: { name: 'Covers' } },
  ])
  expect(await list(target, '/dashboards?fields=name,panels.name,panels.options')).toEqual([
    { name: 'Sales', panels: [{ name: 'Total', options: { collection: 'articles' } }] },
  ])
  expect(await list(target, '/translations?fields=key,value')).toEqual([{ key: 'articles', value: 'Artikel' }])
  expect(await list(target, '/settings?fields=project_name')).toEqual({ project_name: 'From the source' })
  expect(await sync('diff', '--to', 'target')).toMatchObject({ changes: false, added: 0, modified: 0, deleted: 0 })
}, 300_000)

test('a mirroring push removes what the source has lost, and nothing else', async () => {
  await source.ask('DELETE /fields/articles/title')
  await source.ask('DELETE /translations', { body: { query: { filter: { key: { _eq: 'articles' } } } } })
  await sync('pull', '--from', 'source', '--all')
  await sync('push', '--to', 'target', '--mode', 'mirror', '--yes', '--dangerously-allow-delete')
  expect((await target.ask('GET /fields/articles/title')).status).toBe(403)
  expect(await list(target, '/translations')).toEqual([])
  expect(await list(target, '/users?fields=email&sort=email')).toEqual([
    { email: 'admin@example.com' },
    { email: 'editor@example.com' },
  ])
}, 300_000)
