import { afterAll, expect, test } from 'vitest'
import { seedIds } from '../../domain/schema/identity.ts'
import { createTestDatabase } from '../../sql/testing/test-database.ts'
import { createTestContext, failuresOf } from '../testing/test-context.ts'
import { isSetUp, setUp } from './bootstrap.ts'

let forgotten = 0
const testing = await createTestDatabase()
const base = createTestContext(testing.db, await testing.loadSchema())
const ids = { ...base.ids, uuid: () => crypto.randomUUID() }
const ctx = {
  ...base,
  ids,
  forgetActors: async () => void (forgotten += 1),
  server: { ...base.server, leavesSetup: true },
}
afterAll(() => testing.close())

const ada = { email: ' Ada@Example.com', password: 'correct-horse-42', firstName: 'Ada', lastName: null }
const run = async (text: string) => (await testing.db.run({ text, values: [] })).rows

test('a server that makes its administrator itself is set up by nobody else', async () => {
  const usual = { ...ctx, server: { ...ctx.server, leavesSetup: false } }
  expect(await isSetUp(usual)).toBe(true)
  expect(await failuresOf(setUp(usual, ada))).toEqual([{ kind: 'forbidden' }])
})

test.each([
  [{ email: 'nonsense' }, { kind: 'failed-validation', field: 'email' }],
  [{ firstName: 'a\0' }, { kind: 'invalid-payload', name: 'first_name' }],
  [{ password: 'short' }, { kind: 'failed-validation', field: 'password' }],
  [{ email: 'taken@example.com' }, { kind: 'not-unique', field: 'email' }],
])('%j sets nothing up', async (wrong, failure) => {
  await run(`update platform_settings set auth_password_policy = '/^.{8,}$/';
    insert into platform_users (id, email) values (gen_random_uuid(), 'taken@example.com') on conflict do nothing`)
  expect(await failuresOf(setUp(ctx, { ...ada, ...wrong }))).toMatchObject([failure])
  expect(await isSetUp(ctx)).toBe(false)
  expect(forgotten).toBe(0)
})

test('of several who ask at once one administers, and nobody after it', async () => {
  const attempts = ['one', 'two', 'three'].map((name) => setUp(ctx, { ...ada, email: `${name}@example.com` }))
  const outcomes = await Promise.allSettled(attempts)
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected'])
  const made = await run(`select first_name, last_name, role, status, password like '$argon2id$%' as hashed
    from platform_users where email <> 'taken@example.com'`)
  const role = seedIds.administratorRole
  expect(made).toEqual([{ first_name: 'Ada', last_name: null, role, status: 'active', hashed: true }])
  expect([await isSetUp(ctx), forgotten]).toEqual([true, 1])
  expect(await failuresOf(setUp(ctx, ada))).toEqual([{ kind: 'forbidden' }])
})
