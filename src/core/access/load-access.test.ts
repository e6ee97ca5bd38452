import { afterAll, describe, expect, test } from 'vitest'
import { compare, equals } from '../../domain/query/filter.ts'
import type { TandemError } from '../../domain/rights/errors.ts'
import { seedIds } from '../../domain/schema/identity.ts'
import { createTestDatabase } from '../../sql/testing/test-database.ts'
import { worldSql } from '../../sql/testing/test-world.ts'
import { loadAccess } from './load-access.ts'

const id = (n: number) => `00000000-0000-4000-9000-${String(n).padStart(12, '0')}`

const sql = `
insert into platform_roles (id, name, parent) values ('${id(1)}', 'grandparent', null), ('${id(2)}', 'parent', '${id(1)}'), ('${id(3)}', 'child', '${id(2)}');
update platform_roles set parent = '${id(3)}' where id = '${id(1)}';
insert into platform_users (id, role) values ('${id(10)}', '${id(3)}'), ('${id(11)}', null), ('${id(12)}', null);
insert into platform_policies (id, name, ip_access, admin_access, app_access) values
  ('${id(20)}', 'of the grandparent', null, false, false), ('${id(21)}', 'of the child', '10.0.0.0/8', false, true),
  ('${id(22)}', 'of the user', null, false, false), ('${id(23)}', 'elsewhere', '192.0.2.1', true, false), ('${id(24)}', 'nobody''s', null, true, false);
insert into platform_access (id, role, "user", policy) values
  ('${id(30)}', '${id(1)}', null, '${id(20)}'), ('${id(31)}', '${id(3)}', null, '${id(21)}'), ('${id(32)}', null, '${id(10)}', '${id(22)}'),
  ('${id(33)}', null, '${id(12)}', '${id(23)}');
insert into platform_permissions (policy, collection, action, fields, permissions, validation, presets) values
  ('${id(20)}', 'articles', 'read', '*', '{"author":{"_eq":"3"}}', null, null),
  ('${id(22)}', 'articles', 'create', 'title,status,gone', null, '{"title":{"_regex":"^x"}}', '{"date_created":"$NOW","published_at":"$NOW","status":"draft","keywords":["a"]}'),
  ('${id(22)}', 'nowhere', 'read', '*', null, null, null),
  ('${id(22)}', 'articles', 'fly', '*', null, null, null),
  ('${id(22)}', 'articles', 'read', 'gone', null, null, null),
  ('${id(22)}', 'articles', 'read', '*', '{"gone":{"_eq":1}}', null, null),
  ('${id(22)}', 'articles', 'delete', null, '{}', null, null),
  ('${seedIds.publicPolicy}', 'tags', 'read', 'name', null, null, null);
`

const now = { kind: 'now', milliseconds: 0, months: 0 } as const

const database = await createTestDatabase({ sql: worldSql })
await database.db.run({ text: sql, values: [] })
const schema = await database.loadSchema()

afterAll(() => database.close())

const user = (n: number, role: number | null, ip: string | null = '10.1.2.3') =>
  loadAccess(database.db, schema, { kind: 'user', user: id(n), role: role === null ? null : id(role) }, ip)

const fingerprint = async (role: number | null, ip?: string) => (await user(10, role, ip)).access.fingerprint

describe('policies', () => {
  test("are the own ones, the role's and those of its ancestors, also where these form a circle", async () => {
    const { access, roles } = await user(10, 3)
    expect(roles).toEqual([id(3), id(2), id(1)])
    expect(access).toMatchObject({ admin: false, app: true, policies: [id(20), id(21), id(22)] })
  })

  test('a policy whose list lacks the address does not count', async () => {
    const { access } = await user(10, 3, '172.16.0.1')
    expect(access).toMatchObject({ admin: false, app: false, policies: [id(20), id(22)] })
    expect((await user(12, null, '192.0.2.1')).access).toMatchObject({ admin: true, rules: [] })
  })

  test('a public policy is what an actor without a role has, and no user with one', async () => {
    const { access } = await loadAccess(database.db, schema, { kind: 'public' }, null)
    expect(access.policies).toEqual([seedIds.publicPolicy])
    expect(access.rules).toMatchObject([{ collection: 'tags', action: 'read', fields: ['name'] }])
    expect((await user(11, null)).access.policies).toEqual([seedIds.publicPolicy])
    expect((await user(10, 3)).access.policies).not.toContain(seedIds.publicPolicy)
  })

  test('the seeded administrator role is one', async () => {
    const who = { kind: 'user', user: id(99), role: seedIds.administratorRole } as const
    expect((await loadAccess(database.db, schema, who, null)).access).toMatchObject({ admin: true, app: true })
  })

  test('equal rights have equal fingerprints, and everything in them counts', async () => {
    expect(await fingerprint(3)).toBe(await fingerprint(3, '10.9.9.9'))
    expect(await fingerprint(3)).not.toBe(await fingerprint(3, '172.16.0.1'))
    const other = { ...schema, version: 'other' }
    const { access } = await loadAccess(database.db, other, { kind: 'user', user: id(10), role: id(3) }, '10.9.9.9')
    expect(access.fingerprint).not.toBe(await fingerprint(3))
  })
})

test('a user whose policies all exclude the address is told so', async () => {
  await database.db.run({
    text: `update platform_access set role = null, "user" = null where policy = '${seedIds.publicPolicy}'`,
    values: [],
  })
  await database.db.run({
    text: `update platform_policies set ip_access = '10.0.0.1' where id = '${seedIds.publicPolicy}'`,
    values: [],
  })
  const refused = await user(12, null, '203.0.113.9').catch((error: unknown) => (error as TandemError).failures)
  await database.db.run({
    text: `update platform_policies set ip_access = null where id = '${seedIds.publicPolicy}'`,
    values: [],
  })
  expect(refused).toEqual([{ kind: 'invalid-ip' }])
})

test('rules are what the rows say, and rows that cannot be used grant nothing', async () => {
  const { access, ignored } = await user(10, 3, '172.16.0.1')
  expect(access.rules).toEqual([
    {
      collection: 'articles',
      action: 'read',
      fields: '*',
      filter: equals('author', 3),
      validation: null,
      presets: null,
    },
    {
      collection: 'articles',
      action: 'create',
      fields: ['title', 'status'],
      filter: { kind: 'all' },
      validation: compare('title', 'regex', ['^x']),
      presets: { date_created: now, published_at: { ...now, part: 'time' }, status: 'draft', keywords: ['a'] },
    },
    { collection: 'articles', action: 'delete', fields: [], filter: { kind: 'all' }, validation: null, presets: null },
  ])
  expect(ignored.map(({ reason }) => reason)).toEqual([
    'Fields gone of collection articles do not exist',
    'Collection nowhere does not exist',
    'Action fly does not exist',
    'Fields gone of collection articles do not exist',
    'Field gone of collection articles does not exist',
  ])
})

test('the application brings the rules that it needs', async () => {
  const { access } = await user(10, 3)
  const own = access.rules.filter(({ collection }) => collection === 'platform_users')
  expect(own).toMatchObject([
    { action: 'read', filter: { operator: 'eq', values: [{ kind: 'current-user', path: [] }] } },
    { action: 'update', filter: { operator: 'eq', values: [{ kind: 'current-user', path: [] }] } },
  ])
})
