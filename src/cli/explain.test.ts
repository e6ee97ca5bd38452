/** `tandem explain`: the rule that grants or refuses, for people and as JSON. */
import { afterAll, expect, test } from 'vitest'
import { createDatabase, run } from './test-program.ts'

const eve = '00000000-0000-4000-8000-0000000000e5'
const policy = '00000000-0000-4000-8000-0000000000f1'

const place = await createDatabase({ isMigrated: true })
await place.onDatabase(async (db) => {
  for (const text of [
    'create table notes (id serial primary key, title text, secret text, live boolean)',
    `insert into notes (title, live) values ('Shown', true), ('Hidden', false)`,
    `insert into platform_policies (id, name) values ('${policy}', 'Readers')`,
    `insert into platform_users (id, email) values ('${eve}', 'eve@example.com')`,
    `insert into platform_access (id, "user", policy) values (gen_random_uuid(), '${eve}', '${policy}')`,
    `insert into platform_permissions (policy, collection, action, fields, permissions)
        values ('${policy}', 'notes', 'read', 'id,title', '{"live":{"_eq":true}}')`,
  ])
    await db.run({ text, values: [] })
})
afterAll(() => place.remove())

const explain = (...more: readonly string[]) =>
  run(place.settings, 'explain', '--user', 'eve@example.com', '--collection', 'notes', ...more)

test('an item that the filter of a rule leaves out is refused, with the rule', async () => {
  const { code, out } = await explain('--action', 'read', '--item', '2')
  expect(code).toBe(0)
  expect(out).toContain('policy "Readers" through')
  expect(out).toContain('read notes: refused')
  expect(out).toMatch(/rule: .*: does not grant/)
  const shown = await explain('--action', 'read', '--item', '1')
  expect(shown.out).toContain('read notes: granted')
})

test('a field outside the rule is refused, and an action without a rule', async () => {
  expect((await explain('--action', 'read', '--field', 'secret')).out).toContain('read notes: refused')
  expect((await explain('--action', 'read', '--field', 'title')).out).toContain('read notes: granted')
  expect((await explain('--action', 'delete')).out).toContain('delete notes: refused')
})

test('as JSON it is what the API answers', async () => {
  const { out } = await explain('--action', 'read', '--item', '2', '--json')
  expect(JSON.parse(out)).toMatchObject({
    data: {
      collection: 'notes',
      user: { id: eve, email: 'eve@example.com' },
      policies: [{ name: 'Public' }, { name: 'Readers', through: ['the user'] }],
      actions: [{ action: 'read', granted: false }],
    },
  })
})

test('a user that is not there, and values that are no JSON, are named', async () => {
  const nobody = await run(place.settings, 'explain', '--user', 'nobody@example.com', '--collection', 'notes')
  expect(nobody.code).not.toBe(0)
  expect(nobody.error).toContain('nobody@example.com')
  const { code, error } = await explain('--values', 'title')
  expect(code).not.toBe(0)
  expect(error).toContain('--values')
})
