import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { Mutation } from '../../domain/query/mutation.ts'
import { seedIds } from '../../domain/schema/identity.ts'
import { hashToken } from '../../tokens/opaque.ts'
import { writeItems } from '../items/items.ts'
import { changesOf, failuresOf, is, queryOf } from '../testing/test-context.ts'
import {
  chief,
  chiefRole,
  editor,
  editorPolicy,
  editorRole,
  key,
  managed,
  manager,
  managerPolicy,
  managerRole,
  openRightsWorld,
  spareRole,
} from '../testing/test-rights.ts'

const world = await openRightsWorld()
beforeEach(() => world.reset())
afterAll(() => world.close())

const run = (text: string) => world.run(text)
const as = (user: string, role: string, ip?: string) => world.as(user, role, ip)
const asChief = () => as(chief, chiefRole)
const asManager = () => as(manager, managerRole)

type Values = { readonly [field: string]: unknown }

const update = (collection: string, id: string, values: Values): Mutation => ({
  kind: 'update',
  collection: `platform_${collection}`,
  target: { kind: 'keys', keys: [id] },
  changes: changesOf(values),
})
const updateWhere = (collection: string, field: string, id: string, values: Values): Mutation => ({
  kind: 'update',
  collection: `platform_${collection}`,
  target: { kind: 'query', query: queryOf(`platform_${collection}`, { filter: is(field, id) }) },
  changes: changesOf(values),
})
const settings = (values: Values): Mutation => ({
  kind: 'write-singleton',
  collection: 'platform_settings',
  changes: changesOf(values),
})
const remove = (collection: string, id: string): Mutation => ({
  kind: 'delete',
  collection: collection === 'firms' ? collection : `platform_${collection}`,
  target: { kind: 'keys', keys: [id] },
})
const removeAll = (collection: string): Mutation => ({
  kind: 'delete',
  collection: `platform_${collection}`,
  target: { kind: 'query', query: queryOf(`platform_${collection}`) },
})
const create = (collection: string, ...items: readonly Values[]): Mutation => ({
  kind: 'create',
  collection: `platform_${collection}`,
  items: items.map(changesOf),
})

const registersAs = (role: string) =>
  run(`delete from platform_settings; insert into platform_settings (public_registration_role) values ('${role}')`)

describe('the last administrator', () => {
  const admin = seedIds.administratorPolicy
  const paths: readonly (readonly [string, Mutation])[] = [
    ['is not suspended', update('users', chief, { status: 'suspended' })],
    ['is not archived by a query', updateWhere('users', 'email', 'chief@example.com', { status: 'archived' })],
    ['gets no other role', update('users', chief, { role: editorRole })],
    ['keeps its role', update('users', chief, { role: null })],
    ['keeps its password', update('users', chief, { password: null })],
    ['keeps its address', update('users', chief, { email: null })],
    ['is not deleted', remove('users', chief)],
    ['is not deleted with all others', removeAll('users')],
    ['keeps the role above its own', update('roles', chiefRole, { parent: null })],
    ['keeps its role from deletion', remove('roles', chiefRole)],
    ['keeps its policy', remove('policies', admin)],
    ['keeps all policies', removeAll('policies')],
    ['keeps what its policy gives', update('policies', admin, { admin_access: false })],
    ['is not locked out by address', update('policies', admin, { ip_access: ['10.0.0.0/8'] })],
    ['keeps the attachment of its policy', remove('access', seedIds.administratorAccess)],
    ['keeps all attachments', removeAll('access')],
    ['keeps the policy of the attachment', update('access', seedIds.administratorAccess, { policy: editorPolicy })],
    ['keeps the role of the attachment', update('access', seedIds.administratorAccess, { role: spareRole })],
    [
      'is not demoted in a batch',
      {
        kind: 'update-each',
        collection: 'platform_users',
        items: [
          { key: editor, changes: changesOf({ title: 'Dr' }) },
          { key: chief, changes: changesOf({ role: editorRole }) },
        ],
      },
    ],
  ]
  test.each(paths)('%s', async (_name, mutation) => {
    const before = await run('select id, status, role, title from platform_users order by id')
    expect(await failuresOf(writeItems(await asChief(), mutation))).toEqual([
      { kind: 'last-administrator', reason: 'The last administrator cannot lose its rights' },
    ])
    expect(await run('select id, status, role, title from platform_users order by id')).toEqual(before)
    expect(await run('select count(*)::int as n from platform_sessions')).toEqual([{ n: 3 }])
  })

  test.each([
    ['the role above its own', remove('roles', seedIds.administratorRole)],
    ['any of all roles', removeAll('roles')],
    ['the role of the public', remove('roles', seedIds.publicRole)],
  ])('cannot delete %s', async (_name, mutation) => {
    const before = await run('select id from platform_roles order by id')
    expect(await failuresOf(writeItems(await asChief(), mutation))).toEqual([
      { kind: 'forbidden', reason: 'The Administrator and Public roles cannot be deleted' },
    ])
    expect(await run('select id from platform_roles order by id')).toEqual(before)
  })

  test('is not deleted along with a row of a table of the project', async () => {
    await run('update platform_users set firm = 1')
    expect(await failuresOf(writeItems(await asChief(), remove('firms', '1')))).toMatchObject([
      { kind: 'last-administrator' },
    ])
    expect(await run('select count(*)::int as n from firms')).toEqual([{ n: 1 }])
  })

  test('may go when there is another one, and may come from some networks when it is there itself', async () => {
    const ctx = await as(chief, chiefRole, '10.1.2.3')
    await writeItems(ctx, update('policies', admin, { ip_access: ['10.0.0.0/8', '192.168.0.1-192.168.0.9'] }))
    await writeItems(ctx, update('users', editor, { role: chiefRole }))
    await writeItems(ctx, update('users', chief, { status: 'suspended' }))
    expect(await run(`select status from platform_users where id = '${chief}'`)).toEqual([{ status: 'suspended' }])
  })

  test('is one of two who demote each other at the same time', async () => {
    await run(`update platform_users set role = '${chiefRole}' where id = '${editor}'`)
    const first = await asChief()
    const second = await as(editor, chiefRole)
    const results = await Promise.allSettled([
      writeItems(first, update('users', editor, { role: spareRole })),
      writeItems(second, update('users', chief, { role: spareRole })),
    ])
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await run(`select count(*)::int as n from platform_users where role = '${chiefRole}'`)).toEqual([{ n: 1 }])
  })

  test('is one of two whose roles are taken in different collections at the same time', async () => {
    const other = key('c9')
    await run(`insert into platform_policies (id, name, admin_access) values ('${other}', 'Other', true);
      insert into platform_access (id, "user", policy) values ('${key('d9')}', '${editor}', '${other}')`)
    const results = await Promise.allSettled([
      writeItems(await asChief(), update('policies', other, { admin_access: false })),
      writeItems(await as(editor, editorRole), update('roles', chiefRole, { parent: null })),
    ])
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })
})

describe('somebody who manages users and rights', () => {
  const article = { collection: 'articles', action: 'read', fields: ['title'] }
  const rule = { permissions: { status: { _eq: 'published' } } }
  const making = { collection: 'articles', action: 'create', fields: [] }
  const refused: readonly (readonly [string, Mutation])[] = [
    ['becomes no administrator by role', update('users', manager, { role: seedIds.administratorRole })],
    ['becomes none by a role below it', update('users', manager, { role: chiefRole })],
    ['makes none', create('users', { email: 'new@example.com', role: chiefRole })],
    ['makes none in a batch', create('users', { email: 'a@example.com' }, { email: 'b@example.com', role: chiefRole })],
    ['gives no role with rights that it lacks', update('users', manager, { role: editorRole })],
    ['gives a role no administrator above it', update('roles', managerRole, { parent: seedIds.administratorRole })],
    ['makes no policy of administrators', create('policies', { name: 'All', admin_access: true })],
    ['makes its own policy none', update('policies', managerPolicy, { admin_access: true })],
    ['gives its own policy no use of the application', update('policies', managerPolicy, { app_access: true })],
    ['frees no policy of its networks', update('policies', seedIds.administratorPolicy, { ip_access: null })],
    ['attaches no stronger policy to itself', create('access', { user: manager, policy: seedIds.administratorPolicy })],
    ['attaches none to its role', create('access', { role: managerRole, policy: editorPolicy })],
    ['attaches none to everybody', create('access', { policy: editorPolicy })],
    ['points no attachment elsewhere', update('access', key('d2'), { policy: seedIds.administratorPolicy })],
    [
      'permits itself no fields',
      create('permissions', { policy: managerPolicy, ...article, ...rule, fields: ['status'] }),
    ],
    ['permits itself no rows', create('permissions', { policy: managerPolicy, ...article })],
    [
      'permits itself no actions',
      create('permissions', { policy: managerPolicy, ...article, ...rule, action: 'delete' }),
    ],
    [
      'permits itself no collections',
      create('permissions', { policy: managerPolicy, ...article, collection: 'firms' }),
    ],
    [
      'permits nothing that is not there yet',
      create('permissions', { policy: managerPolicy, ...article, collection: 'new' }),
    ],
    [
      'permits itself to set no field that it may not write',
      create('permissions', { policy: managerPolicy, ...making, presets: { status: 'published' } }),
    ],
    ['permits nothing to everybody', create('permissions', { policy: seedIds.publicPolicy, ...article })],
    ['takes over no administrator by its password', update('users', chief, { password: 'another-1' })],
    ['takes over none by its address', update('users', chief, { email: 'mine@example.com' })],
    ['takes over none by a token', update('users', chief, { token: 'a-token-that-i-know' })],
    ['lets nobody register with more', settings({ public_registration_role: chiefRole })],
    ['opens no registration for its role', settings({ public_registration: true })],
    ['drops no confirmation of addresses', settings({ public_registration_verify_email: false })],
    ['lets no other addresses register', settings({ public_registration_email_filter: null })],
    ['gives the role of registrations nothing through others', create('settings', { public_registration: true })],
    ['takes over nobody elsewhere', update('users', editor, { provider: 'google' })],
  ]
  test.each(refused)('%s', async (_name, mutation) => {
    await registersAs(chiefRole)
    expect(await failuresOf(writeItems(await asManager(), mutation))).toMatchObject([{ kind: 'forbidden' }])
    const rights = `select count(*)::int as n from platform_permissions`
    expect(await run(rights)).toEqual([{ n: managed.length * 4 + 3 }])
  })

  test('opens registration where nothing is gained by it, and closes it anywhere', async () => {
    await registersAs(managerRole)
    const open = { public_registration: true, public_registration_verify_email: false }
    await writeItems(await asManager(), settings({ ...open, public_registration_email_filter: null }))
    await registersAs(chiefRole)
    await writeItems(await asManager(), settings({ project_name: 'Ours' }))
    await writeItems(
      await asManager(),
      settings({ public_registration: false, public_registration_verify_email: true }),
    )
    const text = `select project_name as name, public_registration as open, public_registration_verify_email as verify
      from platform_settings`
    expect(await run(text)).toEqual([{ name: 'Ours', open: false, verify: true }])
  })

  const allowed: readonly (readonly [string, Mutation])[] = [
    ['makes users without a role', create('users', { email: 'new@example.com', password: 'pass-1' })],
    ['gives its own role', create('users', { email: 'new@example.com', role: managerRole })],
    ['changes its own password', update('users', manager, { password: 'another-1' })],
    ['describes an administrator', update('users', chief, { title: 'Dr' })],
    ['permits what it holds', create('permissions', { policy: editorPolicy, ...article, ...rule })],
    [
      'permits what it may write to be set',
      create('permissions', { policy: editorPolicy, ...making, presets: { title: 'A' } }),
    ],
    ['attaches what it holds', create('access', { role: spareRole, policy: managerPolicy })],
    ['puts its own role above another', update('roles', spareRole, { parent: managerRole })],
    ['takes rights away', remove('access', key('d3'))],
  ]
  test.each(allowed)('%s', async (_name, mutation) => {
    expect(await writeItems(await asManager(), mutation)).toHaveLength(1)
    expect(world.forgotten()).toBe(1)
  })
})

const one = async (field: string, email: string) =>
  ((await run(`select ${field} as value from platform_users where email = '${email}'`))[0] as { value: unknown }).value

describe('users', () => {
  test('have one address each, whatever its case, and one that can be one', async () => {
    const ctx = await asChief()
    await writeItems(ctx, create('users', { email: ' New@Example.COM ' }))
    expect(await one('email', 'new@example.com')).toBe('new@example.com')
    expect(await failuresOf(writeItems(ctx, create('users', { email: 'NEW@example.com' })))).toEqual([
      { kind: 'not-unique', collection: 'platform_users', field: 'email' },
    ])
    expect(await failuresOf(writeItems(ctx, create('users', { email: 'nobody' })))).toEqual([
      { kind: 'failed-validation', field: 'email', type: 'email' },
    ])
  })

  test('have tokens and passwords that are stored as hashes, in no revision, and found again', async () => {
    await writeItems(await asChief(), update('users', editor, { token: 'a-token', password: 'pass-1' }))
    expect(await one('token', 'editor@example.com')).toBe(hashToken('a-token', 'secret'))
    expect(String(await one('password', 'editor@example.com'))).toMatch(/^\$argon2id\$/)
    const revision = JSON.stringify(await run('select data, delta from platform_revisions order by id desc limit 1'))
    expect(revision).not.toMatch(/a-token|pass-1|argon2id/)
    expect(revision).not.toContain(hashToken('a-token', 'secret'))
  })

  test('have passwords that obey the policy, which is not told back', async () => {
    await run(`update platform_settings set auth_password_policy = '/(?=.*[0-9])^.{8,}$/'`)
    const failures = await failuresOf(writeItems(await asChief(), update('users', editor, { password: 'short' })))
    expect(failures).toEqual([
      {
        kind: 'failed-validation',
        field: 'password',
        type: 'regex',
        message: 'Expected a password that the policy of the project allows',
      },
    ])
  })

  const unsettable = [
    ['tfa_secret', 'x'],
    ['password_reset_token', 'x'],
  ]
  test.each(unsettable)('have no %s that is set by hand', async (name, value) => {
    const work = writeItems(await asChief(), update('users', editor, { [name]: value }))
    expect(await failuresOf(work)).toMatchObject([{ kind: 'invalid-payload', name }])
  })

  const endings: readonly (readonly [string, Mutation, number])[] = [
    ['a new password', update('users', editor, { password: 'pass-1' }), 0],
    ['suspension', update('users', editor, { status: 'suspended' }), 0],
    ['another role', update('users', editor, { role: spareRole }), 0],
    ['deletion', remove('users', editor), 0],
    ['the end of the role', remove('roles', editorRole), 0],
    ['not a new title', update('users', editor, { title: 'Dr' }), 1],
  ]
  test.each(endings)('lose their sessions by %s', async (_name, mutation, left) => {
    await writeItems(await asChief(), mutation)
    const sessions = await run(`select 1 from platform_sessions where "user" = '${editor}'`)
    expect(sessions).toHaveLength(left)
    expect(world.forgotten()).toBe(1)
  })

  test('of a role that is deleted are suspended', async () => {
    await writeItems(await asChief(), remove('roles', editorRole))
    expect(await one('status', 'editor@example.com')).toBe('suspended')
  })
})

describe('roles, policies and permissions', () => {
  test('a role is not above itself, nor below too many', async () => {
    const ctx = await asChief()
    await writeItems(ctx, update('roles', editorRole, { parent: spareRole }))
    const failures = await failuresOf(writeItems(ctx, update('roles', spareRole, { parent: editorRole })))
    expect(failures).toMatchObject([{ kind: 'invalid-payload', name: 'parent' }])
  })

  test.each(['*', '10.0.0.*', '10.0.0.0/33', '10.0.0.0/8/9', 'here'])(
    'a policy counts from no network named %s',
    async (entry) => {
      const work = writeItems(await asChief(), update('policies', editorPolicy, { ip_access: ['10.0.0.1', entry] }))
      expect(await failuresOf(work)).toMatchObject([{ kind: 'invalid-payload', name: 'ip_access' }])
    },
  )

  const ofGuard = { kind: 'invalid-payload', name: 'ip_access' }
  const ofField = { kind: 'failed-validation', field: 'ip_access' }

  test.each([
    [[' '], ofGuard],
    [[''], ofField],
    [['10.0.0.1', ''], ofGuard],
    [' ', ofGuard],
    ['10.0.0.1,,10.0.0.2', ofGuard],
  ])('a policy is not freed of its networks by the blank entry in %j', async (list, failure) => {
    const work = writeItems(await asChief(), update('policies', editorPolicy, { ip_access: list }))
    expect(await failuresOf(work)).toMatchObject([failure])
  })

  test.each([[[]], [''], [null]])('a policy counts from anywhere with the list %j', async (list) => {
    const ctx = await asChief()
    await writeItems(ctx, update('policies', editorPolicy, { ip_access: ['10.0.0.0/8'] }))
    await writeItems(ctx, update('policies', editorPolicy, { ip_access: list }))
    const [row] = await run(`select ip_access from platform_policies where id = '${editorPolicy}'`)
    expect(row).toMatchObject({ ip_access: list === null ? null : '' })
  })

  test('a permission written by role belongs to that role own policy, and says both', async () => {
    const ctx = await asChief()
    const rule = { collection: 'articles', action: 'read', fields: ['*'] }
    await writeItems(
      ctx,
      create('permissions', { role: spareRole, ...rule }, { role: spareRole, ...rule, action: 'update' }),
    )
    const found = `select p.role, q.name, q.of_role, a.role as held from platform_permissions p
      join platform_policies q on q.id = p.policy left join platform_access a on a.policy = q.id
      where p.collection = 'articles' and p.policy not in ('${managerPolicy}', '${editorPolicy}')`
    const row = { role: spareRole, name: 'Spare', of_role: spareRole, held: spareRole }
    expect(await run(found)).toEqual([row, row])
  })

  test('a permission written for no role is everybody’s', async () => {
    await writeItems(await asChief(), create('permissions', { role: null, collection: 'articles', action: 'read' }))
    const found = `select role from platform_permissions where policy = '${seedIds.publicPolicy}'`
    expect(await run(found)).toEqual([{ role: null }])
  })

  test('a permission names a role that exists and an action that exists', async () => {
    const ctx = await asChief()
    const rule = { collection: 'articles', action: 'read' }
    expect(await failuresOf(writeItems(ctx, create('permissions', { ...rule, role: key('ff') })))).toEqual([
      { kind: 'invalid-foreign-key', collection: 'platform_permissions', field: 'role' },
    ])
    const nobody = create('permissions', { ...rule, policy: editorPolicy, role: 'nobody' })
    expect(await failuresOf(writeItems(ctx, nobody))).toMatchObject([{ kind: 'invalid-foreign-key', field: 'role' }])
    const work = writeItems(ctx, create('permissions', { ...rule, policy: editorPolicy, action: 'look' }))
    expect(await failuresOf(work)).toMatchObject([{ kind: 'failed-validation', field: 'action', type: 'in' }])
  })
})
