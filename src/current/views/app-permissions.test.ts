import { afterAll, expect, test } from 'vitest'
import { appRules } from '../../authz/app-rules.ts'
import { toRules } from '../../authz/rules.ts'
import { adminUser, openTestWorld, type TestWorld, userWith } from '../../core/testing/test-context.ts'
import type { Actor } from '../../domain/rights/actor.ts'
import type { HttpRequest } from '../../http/request/request.ts'
import { permissions } from '../handlers/system/permissions.ts'
import { appPermissions } from './app-permissions.ts'
import { createView } from './schema-view.ts'

const world = await openTestWorld()
await world.rowsOf(`insert into platform_permissions (policy, collection, action)
    values ('abf8a154-5b1c-4a46-ac9c-7300570f4f17', 'articles', 'read')`)
afterAll(() => world.close())

type Ask = (
  ctx: TestWorld['ctx'],
  input: object,
) => Promise<{ readonly body: { readonly text: string | readonly string[] } }>

type Row = { readonly [field: string]: unknown }

async function read(actor: Actor, query: object, more: object = {}): Promise<readonly Row[]> {
  const ctx = { ...world.ctx, view: createView(world.ctx.schema), actor }
  const input = { path: {}, query, request: { path: '/permissions' } as HttpRequest, ...more }
  const { body } = await (permissions.readPermissions as unknown as Ask)(ctx, input)
  return (JSON.parse([body.text].flat().join('')) as { readonly data: readonly Row[] }).data
}

const user = (): Actor => userWith(appRules(world.ctx.schema), { app: true })

test('the shown application rules match the effective ones', () => {
  const { schema } = world.ctx
  const rows = appPermissions(schema).map((row) => ({ ...row, id: 0, fields: row.fields.join(',') }))
  const { rules, ignored } = toRules(rows, schema)
  expect({ rules, ignored }).toEqual({ rules: appRules(schema), ignored: [] })
})

test('app users see application rules after the stored ones, without keys', async () => {
  const built = appPermissions(world.ctx.schema).map((row) => ({ ...row, system: true }))
  expect(built.length).toBeGreaterThan(10)
  expect(await read(user(), { limit: 1 })).toEqual(built)
  const [stored, ...others] = await read(userWith([], { admin: true, app: true }), { limit: 1 })
  expect(stored).toMatchObject({ id: 1, collection: 'articles', action: 'read' })
  expect(others).toEqual(built)
})

test('other callers do not see them', async () => {
  expect(await read(adminUser, {})).toHaveLength(1)
  expect(await read(userWith([{ collection: 'platform_permissions' }]), {})).toHaveLength(1)
})

test('permissions of the application have the requested fields', async () => {
  const rows = await read(user(), { fields: 'id,action', alias: { what: 'collection' } })
  expect(rows[0]).toEqual({ action: 'read', system: true })
  const [named] = await read(user(), { fields: 'what', alias: { what: 'collection' } })
  expect(named).toEqual({ what: 'platform_collections', system: true })
})

test('lists of written permissions include them, single permissions do not', async () => {
  const place = { ...world.ctx, view: createView(world.ctx.schema), actor: userWith([], { admin: true, app: true }) }
  const row = { policy: 'abf8a154-5b1c-4a46-ac9c-7300570f4f17', collection: 'tags', action: 'read' }
  const write = async (operation: 'createPermissions' | 'updatePermissions', body: unknown) => {
    const input = { path: {}, query: { fields: 'collection' }, body, request: { path: '/permissions' } }
    const answer = await (permissions[operation] as unknown as Ask)(place, input)
    return (JSON.parse([answer.body.text].flat().join('')) as { readonly data: unknown }).data
  }
  const built = appPermissions(world.ctx.schema).map(({ collection }) => ({ collection, system: true }))
  expect(await write('createPermissions', [row])).toEqual([{ collection: 'tags' }, ...built])
  expect(await write('createPermissions', { ...row, action: 'update' })).toEqual({ collection: 'tags' })
  const target = { query: { filter: { collection: { _eq: 'tags' } } }, data: { fields: ['*'] } }
  expect(await write('updatePermissions', target)).toEqual([{ collection: 'tags' }, { collection: 'tags' }, ...built])
  await world.rowsOf(`delete from platform_permissions where collection = 'tags'`)
})

test('a filtered list does not include them', async () => {
  const all = userWith([], { admin: true, app: true })
  expect(await read(all, { filter: { collection: { _eq: 'articles' } } })).toHaveLength(1)
  expect(await read(all, { search: 'articles' })).toHaveLength(1)
  expect(await read(all, { offset: 1 })).toEqual([])
  expect(await read(all, {}, { keys: [1] })).toHaveLength(1)
  expect(await read(all, { aggregate: { count: '*' } })).toHaveLength(1)
})

test('rules that levels of roles stand for are shown in the form in which rules are written', async () => {
  const role = '00000000-0000-4000-8000-000000000002'
  await world.rowsOf(`insert into platform_role_levels (role, collection, "create", "read", "update", "delete", status_blacklist,
    read_field_blacklist) values ('${role}', 'articles', 'full', 'full', 'none', 'none', 'archived', 'body')`)
  await world.rowsOf(`insert into platform_role_levels (role, collection, "read", "update")
    values ('${role}', 'platform_users', 'role', 'mine')`)
  const rows = (await read(adminUser, {})).filter(({ system }) => system === true)
  const levels = (await world.rowsOf('select id from platform_role_levels order by id')) as readonly { id: number }[]
  const [ofArticles, ofUsers] = levels.map(({ id }) => ({ id, status: null }))
  const { schema } = world.ctx
  const fields = [...(schema.collections.get('articles')?.fields.keys() ?? [])].filter((name) => name !== 'body')
  const derived = { policy: null, role, presets: null, system: true }
  expect(rows).toEqual([
    {
      ...derived,
      collection: 'articles',
      action: 'create',
      permissions: null,
      validation: { status: { _nin: ['archived'] } },
      fields: ['*'],
      level: { ...ofArticles, value: 'full' },
    },
    {
      ...derived,
      collection: 'articles',
      action: 'read',
      permissions: null,
      validation: null,
      fields,
      level: { ...ofArticles, value: 'full' },
    },
    {
      ...derived,
      collection: 'platform_users',
      action: 'read',
      permissions: { _or: [{ id: { _eq: '$CURRENT_USER' } }, { role: { _eq: '$CURRENT_ROLE' } }] },
      validation: null,
      fields: ['*'],
      level: { ...ofUsers, value: 'role' },
    },
    {
      ...derived,
      collection: 'platform_users',
      action: 'update',
      permissions: { id: { _eq: '$CURRENT_USER' } },
      validation: { status: { _nin: ['archived'] } },
      fields: ['*'],
      level: { ...ofUsers, value: 'mine' },
    },
  ])
  const stored = rows.map((row) => ({ ...row, id: 0, fields: (row['fields'] as readonly string[]).join(',') }))
  expect(toRules(stored as never, schema).ignored).toEqual([])
  await world.rowsOf('delete from platform_role_levels')
})
