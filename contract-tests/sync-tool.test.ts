/** The tool `directus-sync`, as npm has it: pulls a project, and pushes it to another server. */
import { afterAll, expect, test } from 'vitest'
import type { OwnDatabase } from './own-database.ts'
import { openToolServers } from './tool-servers.ts'

const servers = await openToolServers(
  new URL('../node_modules/directus-sync/bin/index.js', import.meta.url),
  `create table articles (id serial primary key, title text);
     insert into platform_collections (collection) values ('articles')`,
)
const { source, target, made, list } = servers
afterAll(() => servers.close())

const run = (command: string, { url, adminToken }: OwnDatabase) => servers.run('-u', url, '-t', adminToken, command)

test('pull, push and diff bring roles, rights and settings to another server, once', async () => {
  const policy = await made('/policies', { name: 'Editing', app_access: true })
  const role = await made('/roles', { name: 'Editors', policies: [{ policy }] })
  await made('/roles', { name: 'Juniors', parent: role })
  const rule = { policy, collection: 'directus_files', action: 'read', fields: ['id'] }
  await made('/permissions', { ...rule, permissions: { title: { _nnull: true } } })
  await source.ask('PATCH /settings', { body: { project_name: 'From the source' } })
  await run('pull', source)
  await run('push', target)
  expect(await list(target, '/collections/articles')).toMatchObject({ collection: 'articles' })
  const roles = '/roles?fields=name,parent.name,policies.policy.name&sort=name&filter[name][_in]=Editors,Juniors,Public'
  expect(await list(target, roles)).toEqual([
    { name: 'Editors', parent: null, policies: [{ policy: { name: 'Editing' } }] },
    { name: 'Juniors', parent: { name: 'Editors' }, policies: [] },
  ])
  const rights = '/permissions?fields=collection,fields,permissions&filter[policy][name][_eq]=Editing'
  expect(await list(target, rights)).toContainEqual({
    collection: 'directus_files',
    fields: ['id'],
    permissions: { title: { _nnull: true } },
  })
  expect(await list(target, '/settings?fields=project_name')).toEqual({ project_name: 'From the source' })
  const again = await run('diff', target)
  expect(again).not.toMatch(/To (create|update|delete): [1-9]/)
  await run('push', target)
  expect(await list(target, '/roles?aggregate[count]=*')).toEqual(await list(source, '/roles?aggregate[count]=*'))
}, 300_000)

test('the names of rows, as the tool asks for them', async () => {
  const at = '/directus-extension-sync/table/roles'
  const named = await source.ask(`POST ${at}`, { body: { table: 'roles', local_id: 7, sync_id: '_sync_seven' } })
  expect([named.status, named.body]).toEqual([200, { sync_id: '_sync_seven' }])
  const shown = { table: 'roles', local_id: '7', sync_id: '_sync_seven', created_at: expect.any(String) as string }
  for (const way of ['local_id/7', 'sync_id/_sync_seven'])
    expect((await source.ask(`GET ${at}/${way}`)).body).toEqual(shown)
  expect((await source.ask(`GET ${at}`)).body).toContainEqual(shown)
  const taken = await source.ask(`POST ${at}`, { body: { local_id: 8, sync_id: '_sync_seven' } })
  expect([taken.status, taken.body]).toMatchObject([400, { message: expect.stringContaining('_sync_seven') as string }])
  const reader = await source.addUser([])
  for (const token of [reader, null]) expect((await source.ask(`GET ${at}`, { token })).status).toBe(403)
  expect((await source.ask(`DELETE ${at}/sync_id/_sync_seven`)).status).toBe(204)
  const gone = await source.ask(`GET ${at}/sync_id/_sync_seven`)
  expect([gone.status, gone.body]).toMatchObject([404, { message: 'No id map found' }])
})
