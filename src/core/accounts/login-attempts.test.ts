import { afterAll, beforeEach, expect, test } from 'vitest'
import { openAccountsWorld, password } from '../testing/test-accounts.ts'
import { kindsOf } from '../testing/test-context.ts'
import { chief, editor } from '../testing/test-rights.ts'
import { mayAttempt, passAttempt } from './login-attempts.ts'
import { requestPasswordReset, resetPassword } from './password-reset.ts'
import { login, refresh } from './sessions.ts'

const world = await openAccountsWorld()
beforeEach(async () => {
  await world.reset()
  await world.run('update platform_settings set auth_login_attempts = 3')
})
afterAll(() => world.close())

const logIn = async (given: string, email = 'editor@example.com') =>
  login(await world.stranger(), { email, password: given })

async function fail(times: number, email?: string): Promise<void> {
  for (let count = 0; count < times; count += 1)
    expect(await kindsOf(logIn('wrong', email))).toEqual(['invalid-credentials'])
}

const statusOf = async (user: string): Promise<unknown> =>
  (await world.run(`select status from platform_users where id = '${user}'`))[0]

test('too many failures in a row suspend the user, and the right password gets the same answer as a wrong one', async () => {
  await fail(2)
  expect(await statusOf(editor)).toEqual({ status: 'active' })
  await fail(1)
  expect(await statusOf(editor)).toEqual({ status: 'suspended' })
  expect(await kindsOf(logIn(password))).toEqual(['invalid-credentials'])
  expect(world.forgotten()).toBe(1)
  const activity = await world.run(`select action, item, "user" from platform_activity where comment is not null`)
  expect(activity).toEqual([{ action: 'update', item: editor, user: null }])
})

const be = (status: string) => world.run(`update platform_users set status = '${status}' where id = '${editor}'`)

test('only the correct password of an account that is not active tells so', async () => {
  for (const status of ['draft', 'invited', 'archived']) {
    await be(status)
    expect([status, await kindsOf(logIn(password))]).toEqual([status, ['user-inactive']])
  }
  await be('suspended')
  expect(await kindsOf(logIn(password))).toEqual(['user-suspended'])
  await fail(3)
  expect(await kindsOf(logIn(password))).toEqual(['invalid-credentials'])
})

test('a login that works ends the row, and an administrator begins it anew', async () => {
  await fail(2)
  await logIn(password)
  await fail(3)
  await world.run(`update platform_users set status = 'active' where id = '${editor}'`)
  await fail(2)
  await logIn(password)
})

test('a suspended user with a session gets the error of a suspended user', async () => {
  const session = await logIn(password)
  await fail(3)
  expect(await kindsOf(refresh(await world.stranger(), session.refreshToken))).toEqual(['user-suspended'])
})

test('guesses at once are no more than guesses in a row', async () => {
  await Promise.allSettled(Array.from({ length: 12 }, () => logIn('wrong')))
  expect(await statusOf(editor)).toEqual({ status: 'suspended' })
  // A correct guess that is processed meanwhile comes too late.
  const ctx = await world.stranger()
  expect([await passAttempt(ctx, editor), await mayAttempt(ctx, editor)]).toEqual([false, false])
})

test('many logins at once with the right password do not count against each other', async () => {
  await fail(2)
  const all = await Promise.allSettled(Array.from({ length: 12 }, () => logIn(password)))
  expect(all.filter(({ status }) => status !== 'fulfilled')).toEqual([])
})

test.each(['null', '0'])('with %s there is no bound', async (most) => {
  await world.run(`update platform_settings set auth_login_attempts = ${most}`)
  await fail(30)
  await logIn(password)
})

test('the last administrator is not suspended, but may try once a minute', async () => {
  const email = 'chief@example.com'
  await fail(3, email)
  expect(await statusOf(chief)).toEqual({ status: 'active' })
  expect(await kindsOf(logIn(password, email))).toEqual(['invalid-credentials'])
  world.pass(60_000)
  await fail(1, email)
  expect(await kindsOf(logIn(password, email))).toEqual(['invalid-credentials'])
  world.pass(60_000)
  expect((await logIn(password, email)).user.id).toBe(chief)
  await fail(2, email)
  await logIn(password, email)
})

test('a reset of the password forgets failures', async () => {
  const email = 'chief@example.com'
  await fail(3, email)
  await requestPasswordReset(await world.stranger(), email, undefined)
  await expect.poll(() => world.mails.length).toBe(1)
  await resetPassword(await world.stranger(), world.lastToken(), 'battery staple')
  expect((await logIn('battery staple', email)).user.id).toBe(chief)
})

test('a login without its code is not a failure, and forgives none', async () => {
  await world.run(`update platform_users set tfa_secret = 'WS36IYF5QGENQ3NE3UTBJN2AVYXYFX4G' where id = '${editor}'`)
  await fail(2)
  for (const _ of [1, 2, 3]) expect(await kindsOf(logIn(password))).toEqual(['missing-otp'])
  await fail(1)
  expect(await statusOf(editor)).toEqual({ status: 'suspended' })
})
