import { afterAll, expect, test } from 'vitest'
import type { Database, Ids } from '../../domain/ports/context.ts'
import { seedIds } from '../../domain/schema/identity.ts'
import { setProjectName } from '../../sql/statements/settings.ts'
import { createTestDatabase } from '../../sql/testing/test-database.ts'
import { type BootstrapOptions, bootstrap } from './bootstrap.ts'
import { createUser } from './provision.ts'

const testing = await createTestDatabase()

afterAll(() => testing.close())

const ids: Ids = { uuid: () => crypto.randomUUID(), token: (length) => 'g'.repeat(length) }

const options: BootstrapOptions = {
  email: 'First@Example.com',
  password: null,
  token: 'static token',
  projectName: 'Shop',
  ids,
  hashPassword: async (password) => `hash of ${password}`,
  hashToken: (token) => `hash of ${token}`,
}

const usersOf = async (db: Database) =>
  (await db.run({ text: 'select email, password, token, role from platform_users order by number', values: [] })).rows

test('an address that belongs to somebody without admin rights is refused', async () => {
  const { db } = testing
  const user = { email: 'first@example.com', passwordHash: 'x', role: seedIds.publicRole }
  await createUser(db, ids, user)
  await expect(bootstrap(db, options)).rejects.toThrow('ADMIN_EMAIL: expected an unused address')
  await db.run({ text: 'delete from platform_users', values: [] })
})

test('of several starts at once one makes the administrator, and later ones change nothing', async () => {
  const { db } = testing
  const results = await Promise.all([bootstrap(db, options), bootstrap(db, options), bootstrap(db, options)])
  expect(results.filter((each) => each !== null)).toEqual([{ email: 'first@example.com', password: 'g'.repeat(20) }])
  const made = [
    {
      email: 'first@example.com',
      password: `hash of ${'g'.repeat(20)}`,
      token: 'hash of static token',
      role: seedIds.administratorRole,
    },
  ]
  expect(await usersOf(db)).toEqual(made)
  expect(await bootstrap(db, { ...options, email: 'second@example.com', password: 'another one' })).toBeNull()
  expect(await usersOf(db)).toEqual(made)
  const settings = await db.run({ text: 'select project_name from platform_settings', values: [] })
  expect(settings.rows).toEqual([{ project_name: 'Shop' }])
})

test('a project that has a name keeps it', async () => {
  const { db } = testing
  await db.run({ text: `update platform_settings set project_name = 'Magazine'`, values: [] })
  await setProjectName(db, 'Shop')
  const settings = await db.run({ text: 'select project_name from platform_settings', values: [] })
  expect(settings.rows).toEqual([{ project_name: 'Magazine' }])
})
