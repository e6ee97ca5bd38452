import { afterAll, beforeEach, expect, test } from 'vitest'
import { openAccountsWorld } from '../testing/test-accounts.ts'
import { kindsOf } from '../testing/test-context.ts'
import { editorRole, spareRole } from '../testing/test-rights.ts'
import { registerUser, verifyRegistration } from './registration.ts'
import { login } from './sessions.ts'

const world = await openAccountsWorld()
beforeEach(async () => {
  await world.reset()
  await allow(`public_registration = true, public_registration_role = '${spareRole}'`)
})
afterAll(() => world.close())

const allow = (settings: string): Promise<unknown> => world.run(`update platform_settings set ${settings}`)

const email = 'new@example.com'
const password = 'battery staple'

async function register(changes: object = {}): Promise<void> {
  await registerUser(await world.stranger(), { email, password, ...changes })
}

const verify = async (token: string): Promise<string> => verifyRegistration(await world.stranger(), token)

const rows = (): Promise<readonly unknown[]> =>
  world.run(`select status, role, first_name from platform_users where email = '${email}'`)

test('an account waits until its address is confirmed', async () => {
  await register({ email: ' New@Example.com', firstName: 'Ada' })
  expect(await rows()).toEqual([{ status: 'unverified', role: spareRole, first_name: 'Ada' }])
  expect(world.mails).toMatchObject([{ to: email, template: 'user-registration' }])
  expect(world.mails[0]?.data.url).toMatch(/^http:\/\/localhost:8055\/users\/register\/verify-email\?token=/)
  expect(await kindsOf(login(await world.stranger(), { email, password }))).toEqual(['user-inactive'])
  const id = await verify(world.lastToken())
  expect((await login(await world.stranger(), { email, password })).user).toMatchObject({ id, role: spareRole })
  expect(await kindsOf(verify(world.lastToken()))).toEqual(['invalid-payload'])
})

test('without confirmation it is open at once', async () => {
  await allow('public_registration_verify_email = false, public_registration_role = null')
  await register()
  expect(await rows()).toEqual([{ status: 'active', role: null, first_name: null }])
  expect(world.mails).toEqual([])
})

test('registration is refused unless the settings allow it', async () => {
  await allow('public_registration = false')
  expect(await kindsOf(register())).toEqual(['forbidden'])
  await allow(
    `public_registration = true, public_registration_email_filter = '{"email":{"_ends_with":"@firm.example"}}'`,
  )
  expect(await kindsOf(register())).toEqual(['forbidden'])
  await register({ email: 'Ann@FIRM.example' })
  await allow(`public_registration_email_filter = '{"email":{"_nonsense":1}}'`)
  expect(await kindsOf(register({ email: 'bo@firm.example' }))).toEqual(['forbidden'])
  expect(await rows()).toEqual([])
})

test('a registration does not change an existing account and answers as for a new one', async () => {
  const before = await world.run(`select * from platform_users where email = 'editor@example.com'`)
  expect(await register({ email: 'editor@example.com', firstName: 'Eve' })).toBeUndefined()
  expect(await world.run(`select * from platform_users where email = 'editor@example.com'`)).toEqual(before)
  expect(world.mails).toEqual([])
})

test('the last registration sets the password, and earlier links stop working', async () => {
  await register({ password: 'of a stranger' })
  const first = world.lastToken()
  await register()
  expect(await kindsOf(verify(first))).toEqual(['forbidden'])
  await verify(world.lastToken())
  expect(await kindsOf(login(await world.stranger(), { email, password: 'of a stranger' }))).toEqual([
    'invalid-credentials',
  ])
  await login(await world.stranger(), { email, password })
})

test('a confirmed account does not change any more', async () => {
  await register()
  await verify(world.lastToken())
  await register({ password: 'of a stranger' })
  await login(await world.stranger(), { email, password })
  expect(world.mails).toHaveLength(1)
})

test('of many registrations at once there is one account', async () => {
  await Promise.all(Array.from({ length: 5 }, () => register()))
  expect(await rows()).toHaveLength(1)
})

test('address, password and page are judged', async () => {
  await allow(`auth_password_policy = '/^.{8,}$/'`)
  expect(await kindsOf(register({ email: 'nonsense' }))).toEqual(['failed-validation'])
  expect(await kindsOf(register({ password: 'short' }))).toEqual(['failed-validation'])
  expect(await kindsOf(register({ password: '**********' }))).toEqual(['failed-validation'])
  expect(await kindsOf(register({ verificationUrl: 'https://evil.example/confirm' }))).toEqual(['invalid-payload'])
  expect(await rows()).toEqual([])
  await register({ verificationUrl: 'https://app.example.com/confirm' })
  expect(world.mails[0]?.data.url).toMatch(/^https:\/\/app\.example\.com\/confirm\?token=/)
})

test('a role that is changed meanwhile is the one that was given', async () => {
  await register()
  await allow(`public_registration_role = '${editorRole}'`)
  await verify(world.lastToken())
  expect(await rows()).toMatchObject([{ role: spareRole }])
})

test('mail is made ready before anybody is looked up, and the mailbox is counted', async () => {
  const ctx = await world.stranger()
  const events: string[] = []
  const loaded = Promise.withResolvers<void>()
  const registered = registerUser(
    {
      ...ctx,
      attempts: { ...ctx.attempts, begin: async ({ action, account }) => void events.push(`${action} ${account}`) },
      db: { ...ctx.db, transaction: (work) => (events.push('looked up'), ctx.db.transaction(work)) },
      mail: { ...ctx.mail, prepare: () => (events.push('preparing'), loaded.promise) },
    },
    { email: ' New@example.com', password },
  )
  await expect.poll(() => events).toEqual([`registration ${email}`, 'preparing'])
  loaded.resolve()
  await registered
  expect(events).toEqual([`registration ${email}`, 'preparing', 'looked up'])
})
