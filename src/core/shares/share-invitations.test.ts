import { afterAll, beforeEach, expect, test } from 'vitest'
import type { Context } from '../../domain/ports/context.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { openAccountsWorld } from '../testing/test-accounts.ts'
import { kindsOf, userWith } from '../testing/test-context.ts'
import { chief, chiefRole } from '../testing/test-rights.ts'
import { inviteToShare } from './shares.ts'

let ctx: Context
const world = await openAccountsWorld()
beforeEach(async () => {
  await world.reset()
  await world.run('delete from platform_shares')
  await world.run(`insert into articles (id, title) values (1, 'One') on conflict do nothing`)
  await insertShare(share)
  ctx = await world.as(chief, chiefRole)
})
afterAll(() => world.close())

const share = '00000000-0000-4000-8000-00000000c0de'

const insertShare = (id: string, more = 'null, null, 0'): Promise<unknown> =>
  world.run(`insert into platform_shares (id, name, collection, item, user_created, password, date_end, max_uses, times_used)
    values ('${id}', 'One', 'articles', '1', '${chief}', 'a-hash', ${more})`)

const invite = (emails: readonly string[], id = share) => inviteToShare(ctx, { share: id, emails })

test('everybody gets the link once, and no password', async () => {
  await invite([' Ada@Example.com', 'grace@example.com', 'ada@example.com'])
  const data = { projectName: 'Test', url: `http://localhost:8055/admin/shared/${share}` }
  expect(world.mails).toMatchObject([
    { to: 'ada@example.com', template: 'share-invitation', data },
    { to: 'grace@example.com', template: 'share-invitation', data },
  ])
  expect(JSON.stringify(world.mails)).not.toContain('a-hash')
})

test('an invitation needs the rights to read the share and to share the item', async () => {
  const read = { collection: 'platform_shares', action: 'read' } as const
  const mayShare = { collection: 'articles', action: 'share' } as const
  const admin = ctx
  for (const rules of [[], [read], [mayShare], [{ ...read, fields: ['name'] }, mayShare]]) {
    ctx = { ...admin, actor: userWith(rules) }
    expect(await kindsOf(invite(['ada@example.com']))).toEqual(['forbidden'])
  }
  ctx = await world.stranger()
  expect(await kindsOf(invite(['ada@example.com']))).toEqual(['forbidden'])
  expect(world.mails).toEqual([])
  ctx = { ...admin, actor: userWith([read, mayShare]) }
  await invite(['ada@example.com'])
  expect(world.mails).toHaveLength(1)
})

test.each([share.replace('c0de', 'dead'), 'nonsense'])('no share %s, no mail', async (id) => {
  expect(await kindsOf(invite(['ada@example.com'], id))).toEqual(['item-not-found'])
  expect(world.mails).toEqual([])
})

test.each([
  ['has ended', `'2020-01-01', null, 0`],
  ['is used up', 'null, 2, 2'],
])('nobody is told of a share that %s', async (_, more) => {
  const over = share.replace('c0de', '0e4d')
  await insertShare(over, more)
  expect(await kindsOf(invite(['ada@example.com'], over))).toEqual(['invalid-payload'])
  expect(world.mails).toEqual([])
})

test('addresses are addresses, all of them', async () => {
  expect(await kindsOf(invite(['ada@example.com', 'nonsense']))).toEqual(['failed-validation'])
  expect(world.mails).toEqual([])
})

test('too many recipients are refused before any mail, and count only for permitted callers', async () => {
  const counted: string[] = []
  const attempts: Context['attempts'] = {
    begin: async ({ action, account, user }) => {
      counted.push(`${action} ${account} by ${user}`)
      if (counted.length === 2) throw new TandemError({ kind: 'requests-exceeded', limit: 1, retryAfter: 1, reset: '' })
    },
    succeed: async () => {},
  }
  ctx = { ...(await world.stranger()), attempts }
  expect(await kindsOf(invite(['ada@example.com']))).toEqual(['forbidden'])
  expect(counted).toEqual([])
  ctx = { ...(await world.as(chief, chiefRole)), attempts }
  expect(await kindsOf(invite(['ada@example.com', 'grace@example.com']))).toEqual(['requests-exceeded'])
  expect(counted).toEqual([
    `share-invitation ada@example.com by ${chief}`,
    `share-invitation grace@example.com by ${chief}`,
  ])
  expect(world.mails).toEqual([])
})
