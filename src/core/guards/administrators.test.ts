/** Who counts as an administrator. */
import { afterAll, beforeEach, expect, test } from 'vitest'
import { seedIds } from '../../domain/schema/identity.ts'
import { answering } from '../testing/answering-database.ts'
import { chief, chiefRole, editor, editorRole, key, openRightsWorld } from '../testing/test-rights.ts'
import { hasAdministrator } from './administrators.ts'

const world = await openRightsWorld()
beforeEach(() => world.reset())
afterAll(() => world.close())

test.each<[lists: readonly (string | null)[], ip: string | null, isThere: boolean]>([
  [[], null, false],
  [[], '10.0.0.1', false],
  [[null], '10.0.0.1', true],
  [['10.0.0.2,10.0.0.1'], '10.0.0.1', true],
  [['10.0.0.2'], '10.0.0.1', false],
  [['10.0.0.2', ''], '10.0.0.1', true],
  [['10.0.0.2'], null, true],
])('of administrators from %j one is there at %s: %s', async (lists, ip, isThere) => {
  const { ctx } = answering([lists.map((list) => ({ ip_access: list }))], {})
  expect(await hasAdministrator(ctx.db, ip)).toBe(isThere)
})

test.each([
  ['its role demands', 'role', editorRole],
  ['a policy of its own demands', 'user', editor],
])('a user without a password who cannot set up the second factor that %s is none', async (_name, column, holder) => {
  const { run } = world
  const { db } = await world.as(chief, chiefRole)
  const strict = key('e1')
  await run(`delete from platform_access where policy = '${seedIds.administratorPolicy}'`)
  await run(`insert into platform_access (id, policy, "user")
    values ('${key('e2')}', '${seedIds.administratorPolicy}', '${editor}')`)
  await run(`insert into platform_policies (id, name, enforce_tfa) values ('${strict}', 'Strict', true)`)
  await run(`update platform_users set password = null, token = 'a-static-token' where id = '${editor}'`)
  expect(await hasAdministrator(db, null)).toBe(true)
  await run(`insert into platform_access (id, policy, "${column}") values ('${key('e3')}', '${strict}', '${holder}')`)
  expect(await hasAdministrator(db, null)).toBe(false)
  await run(`update platform_users set password = 'a hash' where id = '${editor}'`)
  expect(await hasAdministrator(db, null)).toBe(true)
})
