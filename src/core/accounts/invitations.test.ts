import { afterAll, beforeEach, expect, test } from 'vitest'
import { TandemError } from '../../domain/rights/errors.ts'
import { openAccountsWorld } from '../testing/test-accounts.ts'
import { failuresOf, kindsOf } from '../testing/test-context.ts'
import { chief, chiefRole, editor, editorRole, manager, managerRole, spareRole } from '../testing/test-rights.ts'
import { acceptInvitation, inviteUsers } from './invitations.ts'
import { login } from './sessions.ts'

const world = await openAccountsWorld()
beforeEach(() => world.reset())
afterAll(() => world.close())

async function invite(who: readonly [user: string, role: string], emails: readonly string[], role: string) {
  await inviteUsers(await world.as(...who), { emails, role, inviteUrl: undefined })
}

const byManager = [manager, managerRole] as const
const byChief = [chief, chiefRole] as const

const accept = async (token: string, password = 'battery staple'): Promise<unknown> =>
  acceptInvitation(await world.stranger(), token, password)

const rowOf = async (email: string): Promise<unknown> =>
  (await world.run(`select status, role, password is null as closed from platform_users where email = '${email}'`))[0]

test('an invited user gets a mail, sets a password and may log in', async () => {
  await invite(byManager, [' New@Example.com'], spareRole)
  expect(await rowOf('new@example.com')).toEqual({ status: 'invited', role: spareRole, closed: true })
  expect(world.mails).toMatchObject([{ to: 'new@example.com', template: 'user-invitation' }])
  expect(world.mails[0]?.data.url).toMatch(/^http:\/\/localhost:8055\/admin\/accept-invite\?token=/)
  await accept(world.lastToken())
  expect(await rowOf('new@example.com')).toEqual({ status: 'active', role: spareRole, closed: false })
  const session = await login(await world.stranger(), { email: 'new@example.com', password: 'battery staple' })
  expect(session.user.role).toBe(spareRole)
})

test('nobody is invited while the mail server cannot be used', async () => {
  const ctx = await world.as(...byManager)
  const failure = { kind: 'mail-failed', problem: 'server', reason: 'The mail server cannot be used' } as const
  const mail = { ...ctx.mail, verify: () => Promise.reject(new TandemError(failure)) }
  const invitation = { emails: ['new@example.com'], role: spareRole, inviteUrl: undefined }
  expect(await failuresOf(inviteUsers({ ...ctx, mail }, invitation))).toEqual([failure])
  expect(await rowOf('new@example.com')).toBeUndefined()
  expect(world.mails).toEqual([])
})

test('an invitation is accepted once, and in time', async () => {
  await invite(byChief, ['new@example.com'], spareRole)
  const token = world.lastToken()
  await accept(token)
  expect(await kindsOf(accept(token, 'another'))).toEqual(['invalid-payload'])
  await invite(byChief, ['other@example.com'], spareRole)
  world.pass(3_600_001)
  expect(await kindsOf(accept(world.lastToken()))).toEqual(['token-expired'])
})

test('an invitation cannot grant more rights than the inviting user has', async () => {
  expect(await kindsOf(invite(byManager, ['new@example.com'], chiefRole))).toEqual(['forbidden'])
  expect(await rowOf('new@example.com')).toBeUndefined()
  await invite(byManager, ['new@example.com'], spareRole)
  expect(await kindsOf(invite(byManager, ['new@example.com'], chiefRole))).toEqual(['forbidden'])
  expect(await rowOf('new@example.com')).toMatchObject({ role: spareRole })
  expect(world.mails).toHaveLength(1)
})

test('without the right to create users an invitation is refused and tells nothing about accounts', async () => {
  const by = [editor, editorRole] as const
  for (const email of ['new@example.com', 'chief@example.com']) {
    expect(await kindsOf(invite(by, [email], spareRole))).toEqual(['forbidden'])
  }
  expect(
    await kindsOf(
      inviteUsers(await world.stranger(), { emails: ['a@example.com'], role: spareRole, inviteUrl: undefined }),
    ),
  ).toEqual(['forbidden'])
  expect(world.mails).toEqual([])
})

test('a second invitation sets the new role and sends another mail; the first link opens the same account', async () => {
  await invite(byChief, ['new@example.com'], spareRole)
  const first = world.lastToken()
  await invite(byChief, ['new@example.com'], editorRole)
  await invite(byChief, ['new@example.com'], editorRole)
  expect(world.mails).toHaveLength(3)
  await accept(first)
  expect(await rowOf('new@example.com')).toMatchObject({ status: 'active', role: editorRole })
})

test('an invitation does not change an active account', async () => {
  await invite(byChief, ['editor@example.com', 'new@example.com', 'NEW@example.com'], chiefRole)
  expect(await rowOf('editor@example.com')).toMatchObject({ status: 'active', role: editorRole })
  expect(world.mails.map(({ to }) => to)).toEqual(['new@example.com'])
})

test('all or none are invited', async () => {
  expect(await kindsOf(invite(byChief, ['new@example.com', 'nonsense'], spareRole))).toEqual(['failed-validation'])
  const nowhere = '00000000-0000-4000-8000-00000000dead'
  expect(await kindsOf(invite(byChief, ['new@example.com'], nowhere))).toEqual(['invalid-foreign-key'])
  expect(await rowOf('new@example.com')).toBeUndefined()
  expect(world.mails).toEqual([])
})

test('an invitation to another address, or one that was taken back, opens nothing', async () => {
  await invite(byChief, ['new@example.com', 'two@example.com'], spareRole)
  const tokens = world.mails
    .toSorted((left, right) => left.to.localeCompare(right.to))
    .map(({ data }) => new URL(data.url).searchParams.get('token') ?? '')
  await world.run(`update platform_users set email = 'moved@example.com' where email = 'new@example.com'`)
  await world.run(`update platform_users set status = 'suspended' where email = 'two@example.com'`)
  expect(await kindsOf(accept(tokens[0] ?? ''))).toEqual(['forbidden'])
  expect(await kindsOf(accept(tokens[1] ?? ''))).toEqual(['invalid-payload'])
})

test('the page is one that was listed', async () => {
  const ctx = await world.as(...byChief)
  const inviteUrl = 'https://evil.example/join'
  const invitation = { emails: ['new@example.com'], role: spareRole }
  expect(await kindsOf(inviteUsers(ctx, { ...invitation, inviteUrl }))).toEqual(['invalid-payload'])
  await inviteUsers(ctx, { ...invitation, inviteUrl: 'https://app.example.com/join?lang=de' })
  expect(world.mails[0]?.data.url).toMatch(/^https:\/\/app\.example\.com\/join\?lang=de&token=/)
})

test('the password of who accepts obeys the policy', async () => {
  await world.run(`update platform_settings set auth_password_policy = '/^.{8,}$/'`)
  await invite(byChief, ['new@example.com'], spareRole)
  expect(await kindsOf(accept(world.lastToken(), 'short'))).toEqual(['failed-validation'])
  expect(await kindsOf(accept(world.lastToken(), '**********'))).toEqual(['failed-validation'])
  expect(await rowOf('new@example.com')).toMatchObject({ status: 'invited', closed: true })
})
