import { expect, test } from 'vitest'
import { appRules } from '../../authz/app-rules.ts'
import { writeItems } from '../../core/items/items.ts'
import { changesOf, is, type TestWorld, testUser, userWith } from '../../core/testing/test-context.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { Rule } from '../../domain/rights/actor.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { seedIds } from '../../domain/schema/identity.ts'
import type { HttpRequest } from '../../http/request/request.ts'
import { withViewedWorld } from '../testing/test-view.ts'
import { toErrorBody } from '../wire/errors.ts'
import { permissions } from './system/permissions.ts'
import { policies } from './system/policies.ts'
import { presets } from './system/presets.ts'
import { revisions } from './system/revisions.ts'
import { roles } from './system/roles.ts'
import { settings } from './system/settings.ts'
import { users } from './system/users.ts'
import { utils } from './utils.ts'

const handlers = { ...permissions, ...policies, ...presets, ...revisions, ...roles, ...settings, ...users, ...utils }

let world: TestWorld
let ctx: Context

withViewedWorld((...opened) => ([world, ctx] = opened))

type Call = {
  readonly path?: object
  readonly query?: object
  readonly body?: unknown
  readonly keys?: readonly unknown[]
}
type Handle = (
  ctx: Context,
  input: unknown,
) => Promise<{ status: number; body: null | { text?: string | readonly string[]; value?: unknown } }>

/** Status and body of the answer as sent. */
async function ask(operation: keyof typeof handlers, call: Call = {}, asker: Context = ctx) {
  const request = { path: '/', headers: {} } as HttpRequest
  try {
    const { status, body } = await (handlers[operation] as unknown as Handle)(asker, {
      path: {},
      query: {},
      headers: {},
      request,
      ...call,
    })
    return [
      status,
      body?.text === undefined ? (body?.value ?? null) : (JSON.parse([body.text].flat().join('')) as unknown),
    ]
  } catch (error) {
    if (!(error instanceof TandemError)) throw error
    const { status, body } = toErrorBody(error)
    return [status, body]
  }
}

const as = (...rules: readonly Partial<Rule>[]): Context => ({ ...ctx, actor: userWith(rules) })
const anonymous = (): Context => ({
  ...ctx,
  actor: { kind: 'public', access: { admin: false, app: false, policies: [], rules: [], fingerprint: '' } },
})

test('users are created, read with masked secrets, updated and deleted', async () => {
  const body = { email: 'ann@example.com', password: 'pass-1', token: 'a-token' }
  const query = { fields: 'email,password,token,tfa_secret' }
  const shown = { email: 'ann@example.com', password: '**********', token: '**********', tfa_secret: null }
  expect(await ask('createUsers', { body, query })).toEqual([200, { data: shown }])
  const found = { filter: { email: { _eq: 'ann@example.com' } } }
  const changed = await ask('updateUsers', {
    body: { query: found, data: { title: 'Dr' } },
    query: { fields: 'title' },
  })
  expect(changed).toEqual([200, { data: [{ title: 'Dr' }] }])
  expect(await ask('deleteUsers', { body: { query: found } })).toEqual([204, null])
  expect(await ask('readUsers', { query: found })).toEqual([200, { data: [] }])
})

const stored = () => world.rowsOf(`select password, token, title from platform_users where id = '${testUser}'`)

test('sending masked values back changes nothing', async () => {
  await ask('updateUser', { path: { id: testUser }, body: { password: 'pass-1', token: 'mine' } })
  const [before] = (await stored()) as [object]
  const body = { password: '**********', token: '**********', tfa_secret: null, title: 'Dr' }
  expect(await ask('updateUser', { path: { id: testUser }, body, query: { fields: 'title' } })).toEqual([
    200,
    { data: { title: 'Dr' } },
  ])
  expect(await stored()).toEqual([{ ...before, title: 'Dr' }])
})

const concealed = [
  { filter: { token: { _starts_with: 'a' } } },
  { filter: { password: { _eq: 'x' } } },
  { sort: 'password' },
  { aggregate: { max: 'token' } },
  { groupBy: 'token' },
  { filter: { email: { _eq: 'x' } }, alias: { t: 'token' }, fields: 't', sort: 'token' },
]
test.each(concealed)('secrets cannot be inferred by %j', async (query) => {
  const [status] = await ask('readUsers', { query })
  expect([400, 403]).toContain(status)
})

test('users change themselves as permitted, and their last page without permission', async () => {
  const rule = {
    collection: 'platform_users',
    action: 'update',
    fields: ['first_name'],
    filter: is('id', testUser),
  } as const
  expect(await ask('updateMe', { body: { first_name: 'Ada' } }, as(rule))).toEqual([204, null])
  expect((await ask('updateMe', { body: { last_name: 'L' } }, as(rule)))[0]).toBe(403)
  expect((await ask('updateMe', { body: { first_name: 'Ada' } }, as()))[0]).toBe(403)
  expect(await ask('trackPage', { body: { last_page: '/here' } }, as())).toEqual([204, null])
  const row = await world.rowsOf(`select first_name, last_page from platform_users where id = '${testUser}'`)
  expect(row).toEqual([{ first_name: 'Ada', last_page: '/here' }])
})

const wrongQuestions: readonly (readonly [name: string, query: object])[] = [
  ['user', { user: 'nobody@example.com' }],
  ['values', { values: '[1]' }],
  ['values', { values: '{' }],
  ['values', { values: '7' }],
  ['ip', { ip: 'here' }],
  ['action', { action: 'destroy' }],
]
test.each(wrongQuestions)('an explanation refuses a wrong "%s" (%j)', async (name, query) => {
  const [status, body] = await ask('explainPermissions', { query: { collection: 'articles', ...query } })
  expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining(`for \\"${name}\\" but received`)])
})

test('an explanation takes the names of this generation', async () => {
  const query = { user: 'test@example.com', action: 'read', field: 'email', item: testUser }
  const [status, body] = await ask('explainPermissions', { query: { ...query, collection: 'platform_users' } })
  expect([status, body]).toMatchObject([
    200,
    { data: { collection: 'platform_users', actions: [{ granted: false, causes: [{ code: 'app-access-missing' }] }] } },
  ])
})

test('a caller learns only its own permissions', async () => {
  const reader = as(
    { collection: 'articles', fields: ['id', 'title'] },
    {
      collection: 'articles',
      action: 'update',
      fields: ['title'],
      filter: is('status', 'published'),
      presets: { status: 'draft' },
    },
  )
  const none = { access: 'none' }
  expect(await ask('readMyPermissions', {}, reader)).toEqual([
    200,
    {
      data: {
        articles: {
          create: none,
          read: { access: 'full', fields: ['id', 'title'] },
          update: { access: 'partial', fields: ['title'], presets: { status: 'draft' } },
          delete: none,
          share: none,
        },
      },
    },
  ])
  expect((await ask('readMyPermissions', {}, anonymous()))[0]).toBe(403)
})

test('a caller learns its permissions for an item; missing and unreadable items look the same', async () => {
  const rule = {
    collection: 'articles',
    action: 'update',
    fields: ['title'],
    filter: is('status', 'published'),
  } as const
  const no = { access: false }
  const about = (collection: string, id: string) => ask('readItemPermissions', { path: { collection, id } }, as(rule))
  const yes = { update: { access: true, fields: ['title'] }, delete: no, share: no }
  expect(await about('articles', '1')).toEqual([200, { data: yes }])
  const nothing = [200, { data: { update: no, delete: no, share: no } }]
  for (const [collection, id] of [
    ['articles', '3'],
    ['articles', '999'],
    ['articles', 'x'],
    ['authors', '1'],
    ['nowhere', '1'],
  ] as const) {
    expect(await about(collection, id)).toEqual(nothing)
  }
})

test('a singleton tells the presets of updates, also that there are none', async () => {
  const rule = { collection: 'homepage', action: 'update', fields: ['headline'] } as const
  const no = { access: false }
  const rightsWith = (presets: object | null) => ({
    update: { access: true, fields: ['headline'], presets },
    delete: no,
    share: no,
  })
  const path = { collection: 'homepage' }
  expect(await ask('readCollectionPermissions', { path }, as(rule))).toEqual([200, { data: rightsWith(null) }])
  const presets = { headline: 'Hello' }
  expect(await ask('readCollectionPermissions', { path }, as({ ...rule, presets }))).toEqual([
    200,
    { data: rightsWith(presets) },
  ])
})

test('administrators are allowed everything', async () => {
  const yes = { access: true }
  const all = { update: { access: true, fields: ['*'] }, delete: yes, share: yes }
  expect(await ask('readCollectionPermissions', { path: { collection: 'homepage' } })).toEqual([200, { data: all }])
})

test('policies can be attached through users and roles, and both lists show all attachments', async () => {
  const query = { fields: 'users.user,users.role,roles.user' }
  const body = { name: 'Attached', users: [{ user: testUser }] }
  const shown = { users: [{ user: testUser, role: null }], roles: [{ user: testUser }] }
  expect(await ask('createPolicies', { body, query })).toEqual([200, { data: shown }])
  const found = { filter: { users: { user: { _eq: testUser } } }, fields: 'name' }
  expect(await ask('readPolicies', { query: found })).toEqual([200, { data: [{ name: 'Attached' }] }])
  await world.rowsOf(`delete from platform_policies where name = 'Attached'`)
})

test('policy flags are returned to users only', async () => {
  const data = { app_access: false, admin_access: true, enforce_tfa: false }
  expect(await ask('readPolicyGlobals')).toEqual([200, { data }])
  expect((await ask('readPolicyGlobals', {}, anonymous()))[0]).toBe(403)
})

test('visitors of a share are told their role, that they have no flags, and what they may do', async () => {
  const role = '00000000-0000-4000-8000-000000000001'
  const reader = userWith([{ collection: 'articles', action: 'read', fields: ['title'] }])
  const { access } = reader as Extract<typeof reader, { readonly kind: 'user' }>
  const visitor = { kind: 'share', share: 's', role, session: 's', access } as Context['actor']
  const asker: Context = { ...ctx, actor: visitor }
  const flags = { app_access: false, admin_access: false, enforce_tfa: false }
  expect(await ask('readPolicyGlobals', {}, asker)).toEqual([200, { data: flags }])
  expect(await ask('readMyRoles', {}, asker)).toEqual([200, { data: [{ id: role }] }])
  expect(await ask('readMyRoles', {}, { ...ctx, actor: { ...visitor, role: null } as Context['actor'] })).toEqual([
    200,
    { data: [] },
  ])
  const read = { access: 'full', fields: ['title'] }
  const [status, { data }] = (await ask('readMyPermissions', {}, asker)) as [number, { data: object }]
  expect([status, data]).toMatchObject([200, { articles: { read, update: { access: 'none' } } }])
  const no = { access: false }
  const rights = { update: no, delete: no, share: no }
  const path = { collection: 'articles' }
  expect(await ask('readCollectionPermissions', { path }, asker)).toEqual([200, { data: rights }])
})

test('roles of the caller are returned with their names if readable', async () => {
  const role = '00000000-0000-4000-8000-000000000001'
  const actor = { ...userWith([]), role, roles: [role] } as Context['actor']
  expect(await ask('readMyRoles', {}, { ...ctx, actor })).toEqual([200, { data: [{ id: role }] }])
  const admin = { ...userWith([], { admin: true }), role, roles: [role] } as Context['actor']
  const named = await ask('readMyRoles', { query: { fields: 'name' } }, { ...ctx, actor: admin })
  expect(named).toEqual([200, { data: [{ name: 'Administrator' }] }])
})

test('lists of roles leave out the role of callers without a token, which is read by its key', async () => {
  const { publicRole } = seedIds
  await ask('createRoles', { body: { name: 'Writers' } })
  const [, listed] = await ask('readRoles', { query: { fields: 'name', sort: 'name', meta: '*' } })
  const { data, meta } = listed as { readonly data: readonly { readonly name: string }[]; readonly meta: object }
  expect(data.map(({ name }) => name)).not.toContain('Public')
  expect(data.map(({ name }) => name)).toContain('Writers')
  expect(meta).toEqual({ total_count: data.length, filter_count: data.length })
  const filter = JSON.stringify({ id: { _eq: publicRole } })
  expect(await ask('readRoles', { query: { filter, fields: 'id' } })).toEqual([200, { data: [] }])
  const counted = [{ count: String(data.length) }]
  expect(await ask('readRoles', { query: { aggregate: { count: '*' } } })).toMatchObject([200, { data: counted }])
  const described = { query: { filter: { description: { _null: true } } }, data: { description: 'Seen' } }
  expect(await ask('updateRoles', { body: described })).toMatchObject([200, { data: expect.any(Array) as unknown }])
  const hidden = { path: { id: publicRole }, query: { fields: 'description' } }
  expect(await ask('readRole', hidden)).toEqual([200, { data: { description: null } }])
  const one = { path: { id: publicRole }, query: { fields: 'name' } }
  expect(await ask('readRole', one)).toEqual([200, { data: { name: 'Public' } }])
})

test('an app user sees its own presets and global ones', async () => {
  const actor = userWith(appRules(ctx.schema), { app: true })
  const asker = { ...ctx, actor }
  await world.rowsOf(`insert into platform_presets (bookmark) values ('For all')`)
  const other = { bookmark: 'Mine', user: '00000000-0000-4000-8000-000000000001' }
  expect((await ask('createPresets', { body: other }, asker))[0]).toBe(400)
  const made = await ask('createPresets', { body: { bookmark: 'Mine' }, query: { fields: 'bookmark,user' } }, asker)
  expect(made).toEqual([200, { data: { bookmark: 'Mine', user: testUser } }])
  const seen = await ask('readPresets', { query: { fields: 'bookmark', sort: 'bookmark' } }, asker)
  expect(seen).toEqual([200, { data: [{ bookmark: 'For all' }, { bookmark: 'Mine' }] }])
  const all = { body: { query: { limit: -1 } } }
  expect((await ask('deletePresets', all, asker))[0]).toBe(403)
  const own = { body: { query: { filter: { bookmark: { _eq: 'Mine' } } } } }
  expect(await ask('deletePresets', own, asker)).toEqual([204, null])
})

test('permissions are listed whatever the limit', async () => {
  const values = Array.from({ length: 120 }, (_, n) => `('abf8a154-5b1c-4a46-ac9c-7300570f4f17', 'c${n}', 'read')`)
  await world.rowsOf(`insert into platform_permissions (policy, collection, action) values ${values.join(', ')}`)
  const [, body] = await ask('readPermissions', { query: { limit: 1, fields: 'id' } })
  expect((body as { data: unknown[] }).data).toHaveLength(120)
})

test('settings are one object, and an invalid password pattern is refused', async () => {
  const query = { fields: 'project_descriptor' }
  const body = { project_descriptor: 'A shop' }
  expect(await ask('updateSettings', { body, query })).toEqual([200, { data: body }])
  expect(await ask('readSettings', { query })).toEqual([200, { data: body }])
  expect((await ask('updateSettings', { body: { auth_password_policy: '/(/' } }))[0]).toBe(400)
})

test('reverting needs read on the revision and update on the item', async () => {
  const target = { kind: 'keys', keys: [1] } as const
  for (const title of ['First', 'Second']) {
    await writeItems(ctx, { kind: 'update', collection: 'articles', target, changes: changesOf({ title }) })
  }
  const found = `select id from platform_revisions where collection = 'articles' and data->>'title' = 'First'`
  const [{ id }] = (await world.rowsOf(found)) as [{ id: number }]
  const path = { revision: String(id) }
  expect((await ask('revertItem', { path }, as({ collection: 'platform_revisions' })))[0]).toBe(403)
  expect((await ask('revertItem', { path }, as({ collection: 'articles', action: 'update' })))[0]).toBe(403)
  expect(await ask('revertItem', { path })).toEqual([204, null])
  expect(await world.rowsOf('select title from articles where id = 1')).toEqual([{ title: 'First' }])
  expect((await ask('revertItem', { path: { revision: '999999' } }))[0]).toBe(403)
})

test('a revision of a user contains no secret, and reverting to it changes none', async () => {
  await ask('updateUser', { path: { id: testUser }, body: { password: 'pass-2', title: 'One' } })
  const [{ password }] = (await stored()) as [{ password: string }]
  await ask('updateUser', { path: { id: testUser }, body: { title: 'Two' } })
  const query = { filter: { collection: { _eq: 'platform_users' } }, sort: '-id', limit: 2, fields: 'id,data' }
  const [, body] = await ask('readRevisions', { query })
  const { data } = body as { data: readonly { id: number; data: { password: string; title: string } }[] }
  expect(data.map((each) => [each.data.password, each.data.title])).toEqual([
    ['**********', 'Two'],
    ['**********', 'One'],
  ])
  expect(await ask('revertItem', { path: { revision: String(data[1]?.id) } })).toEqual([204, null])
  expect(await stored()).toMatchObject([{ password, title: 'One' }])
})

test('an excessively expensive hash is refused before it is computed', async () => {
  const refusal = async (hash: string) => {
    const [status, body] = await ask('matchHash', { body: { string: 'x', hash } })
    return [status, (body as { error: { reason: string } }).error.reason]
  }
  expect(await refusal(`$2b$31$${'a'.repeat(53)}`)).toEqual([
    400,
    'Expected a hash of at most 12 rounds of bcrypt (as a power of two) for "hash" but received 31',
  ])
  expect(await refusal('$argon2id$v=19$m=4194304,t=100,p=1$c2FsdHNhbHRzYWx0c2FsdA$aGFzaGhhc2hoYXNoaGFzaA')).toEqual([
    400,
    'Expected a hash of at most 262144 KiB of memory (m) for "hash" but received 4194304',
  ])
  const ofVersion8 = '$2y$10$abcdefghijklmnopqrstuuLaP7u6vS0Tly01ZzQzcMSjCHnjg3ruK'
  expect((await ask('matchHash', { body: { string: 'x', hash: ofVersion8 } }))[0]).toBe(200)
})

test('hashes and random texts need a user', async () => {
  const made = await ask('hashString', { body: { string: 'pass-1' } })
  const hash = (made[1] as { data: string }).data
  expect(await ask('matchHash', { body: { string: 'pass-1', hash } })).toEqual([200, { data: true }])
  expect(await ask('matchHash', { body: { string: 'pass-2', hash } })).toEqual([200, { data: false }])
  expect(await ask('createRandomString', { query: { length: 5 } })).toEqual([200, { data: 'xxxxx' }])
  for (const [operation, call] of [
    ['hashString', { body: { string: 'x' } }],
    ['matchHash', { body: { string: 'x', hash } }],
    ['createRandomString', {}],
  ] as const) {
    expect((await ask(operation, call, anonymous()))[0]).toBe(401)
  }
})
