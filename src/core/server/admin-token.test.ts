import { afterAll, expect, test } from 'vitest'
import { seedIds } from '../../domain/schema/identity.ts'
import { createTestDatabase } from '../../sql/testing/test-database.ts'
import { ensureAdminToken } from './admin-token.ts'

const testing = await createTestDatabase()

afterAll(() => testing.close())

const { administratorRole, publicRole } = seedIds

test.each([
  ['an administrator without a token', { role: administratorRole, token: null }, 'given', 'new'],
  ['an administrator who has it', { role: administratorRole, token: 'new' }, 'present', 'new'],
  ['an administrator with another one', { role: administratorRole, token: 'old' }, 'another', 'old'],
  ['somebody without rights', { role: publicRole, token: null }, 'no-administrator', null],
  [
    'a suspended administrator',
    { role: administratorRole, token: null, status: 'suspended' },
    'no-administrator',
    null,
  ],
  ['nobody', null, 'no-administrator', undefined],
])('of %s', async (_name, user, outcome, token) => {
  const { db } = testing
  const run = (text: string, values: readonly unknown[] = []) => db.run({ text, values })
  await run('delete from platform_users')
  if (user !== null)
    await run(
      `insert into platform_users (id, email, role, token, status) values ($1, 'chief@example.com', $2, $3, $4)`,
      [crypto.randomUUID(), user.role, user.token, 'status' in user ? user.status : 'active'],
    )
  expect(await ensureAdminToken(db, { email: 'Chief@example.com', tokenHash: 'new' })).toBe(outcome)
  const { rows } = await run('select token from platform_users')
  expect((rows as { token: unknown }[])[0]?.token).toBe(token)
})

test('a token of another user is not given twice', async () => {
  const { db } = testing
  const text = `delete from platform_users; insert into platform_users (id, email, role, token) values
    ('${crypto.randomUUID()}', 'chief@example.com', '${administratorRole}', null),
    ('${crypto.randomUUID()}', 'other@example.com', null, 'new')`
  for (const each of text.split(';')) await db.run({ text: each, values: [] })
  expect(await ensureAdminToken(db, { email: 'chief@example.com', tokenHash: 'new' })).toBe('taken')
})
