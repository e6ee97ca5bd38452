import { afterAll, beforeEach, expect, test } from 'vitest'
import type { Context } from '../../domain/ports/context.ts'
import { seedIds } from '../../domain/schema/identity.ts'
import { sqlRows } from '../../sql/run/sql-rows.ts'
import { codeAt } from '../../tokens/one-time-codes.ts'
import { createAuthenticator } from '../access/authenticator.ts'
import { writeItems } from '../items/items.ts'
import { openAccountsWorld, password } from '../testing/test-accounts.ts'
import { changesOf, failuresOf, kindsOf } from '../testing/test-context.ts'
import { chief, chiefRole, editor, editorPolicy, editorRole, manager, managerRole } from '../testing/test-rights.ts'
import { disableSecondFactor, enableSecondFactor, generateSecondFactor, resetSecondFactor } from './second-factor.ts'
import { createAccessToken, login } from './sessions.ts'

let ctx: Context
const world = await openAccountsWorld()
beforeEach(async () => {
  await world.reset()
  ctx = await world.as(editor, editorRole)
})
afterAll(() => world.close())

const email = 'editor@example.com'
const logIn = async (otp?: string): Promise<unknown> => login(await world.stranger(), { email, password, otp })

/** A second factor of the editor. Its first code can be used for a login. */
async function enable(): Promise<(offset?: number) => string> {
  const { secret } = await generateSecondFactor(ctx, password)
  const code = (offset = 0) => codeAt(secret, new Date(world.now().getTime() + offset))
  await enableSecondFactor(ctx, secret, code())
  return code
}

test('an app gets the secret, a code confirms it, and logins need one', async () => {
  const { secret, url } = await generateSecondFactor(ctx, password)
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  expect(url).toBe(
    `otpauth://totp/Test:editor%40example.com?issuer=Test&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
  )
  await logIn()
  await enableSecondFactor(ctx, secret, codeAt(secret, world.now()))
  expect(await kindsOf(logIn())).toEqual(['missing-otp'])
  expect(await kindsOf(logIn('000000'))).toEqual(['invalid-otp'])
  await logIn(codeAt(secret, world.now()))
})

test('a code works once, also the one before it not any more', async () => {
  const code = await enable()
  await logIn(code(30_000))
  for (const offset of [30_000, 0, -30_000]) expect(await kindsOf(logIn(code(offset)))).toEqual(['invalid-otp'])
  world.pass(60_000)
  await logIn(code())
})

test('of two logins with one code one wins', async () => {
  const code = await enable()
  const results = await Promise.allSettled([logIn(code()), logIn(code())])
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test('codes of the last, this and the next half minute count, others do not', async () => {
  const code = await enable()
  expect(await kindsOf(logIn(code(-60_000)))).toEqual(['invalid-otp'])
  expect(await kindsOf(logIn(code(60_000)))).toEqual(['invalid-otp'])
  await logIn(code(-30_000))
  await logIn(code(30_000))
})

test('the secret is one that was generated for this user, lately', async () => {
  const { secret } = await generateSecondFactor(ctx, password)
  const other = 'WS36IYF5QGENQ3NE3UTBJN2AVYXYFX4G'
  expect(await kindsOf(enableSecondFactor(ctx, other, codeAt(other, world.now())))).toEqual(['invalid-payload'])
  const stranger = await world.as(manager, managerRole)
  expect(await kindsOf(enableSecondFactor(stranger, secret, codeAt(secret, world.now())))).toEqual(['invalid-payload'])
  expect(await kindsOf(enableSecondFactor(ctx, secret, '000000'))).toEqual(['invalid-payload'])
  world.pass(3_600_001)
  expect(await kindsOf(enableSecondFactor(ctx, secret, codeAt(secret, world.now())))).toEqual(['invalid-payload'])
  await logIn()
})

test('a second factor is set up with the password alone, and only once', async () => {
  expect(await kindsOf(generateSecondFactor(ctx, 'wrong'))).toEqual(['invalid-credentials'])
  expect(await kindsOf(generateSecondFactor(await world.stranger(), password))).toEqual(['unauthenticated'])
  await enable()
  expect(await kindsOf(generateSecondFactor(ctx, password))).toEqual(['invalid-payload'])
  await world.run(`update platform_users set email = null where id = '${manager}'`)
  expect(await kindsOf(generateSecondFactor(await world.as(manager, managerRole), password))).toEqual([
    'invalid-payload',
  ])
})

test('wrong passwords and codes are counted like failed logins', async () => {
  await world.run('update platform_settings set auth_login_attempts = 2')
  for (const _ of [1, 2]) await failuresOf(generateSecondFactor(ctx, 'wrong'))
  expect(await world.run(`select status from platform_users where id = '${editor}'`)).toEqual([{ status: 'suspended' }])
  await world.run(`update platform_users set status = 'active' where id = '${editor}'`)
  await enable()
  for (const _ of [1, 2]) expect(await kindsOf(disableSecondFactor(ctx, '000000'))).toEqual(['invalid-payload'])
  expect(await world.run(`select status from platform_users where id = '${editor}'`)).toEqual([{ status: 'suspended' }])
})

test('its holder takes it away with a code that was not used', async () => {
  const code = await enable()
  await logIn(code())
  expect(await kindsOf(disableSecondFactor(ctx, code()))).toEqual(['invalid-payload'])
  await disableSecondFactor(ctx, code(30_000))
  await logIn()
  expect(await kindsOf(disableSecondFactor(ctx, code()))).toEqual(['invalid-payload'])
})

test('an administrator takes it away from anybody, others from nobody', async () => {
  await enable()
  expect(await kindsOf(resetSecondFactor(await world.as(manager, managerRole), editor))).toEqual(['forbidden'])
  expect(await kindsOf(resetSecondFactor(ctx, editor))).toEqual(['forbidden'])
  const admin = await world.as(chief, chiefRole)
  expect(await kindsOf(resetSecondFactor(admin, '00000000-0000-4000-8000-00000000dead'))).toEqual(['item-not-found'])
  expect(await kindsOf(resetSecondFactor(admin, 'nonsense'))).toEqual(['item-not-found'])
  await resetSecondFactor(admin, editor)
  await logIn()
})

const history = (): Promise<readonly unknown[]> =>
  world.run(`select a."user", replace(r.delta::text, ': ', ':') as delta from platform_activity a
    left join platform_revisions r on r.activity = a.id where a.item = '${editor}' and a.action = 'update' order by a.id`)

test('every change of it is in the history of the user, and the secret in none', async () => {
  await enable()
  await resetSecondFactor(await world.as(chief, chiefRole), editor)
  const { secret } = await generateSecondFactor(ctx, password)
  await enableSecondFactor(ctx, secret, codeAt(secret, world.now()))
  await disableSecondFactor(ctx, codeAt(secret, world.now()))
  const masked = '{"tfa_secret":"**********"}'
  const none = '{"tfa_secret":null}'
  expect(await history()).toEqual([
    { user: editor, delta: masked },
    { user: chief, delta: none },
    { user: editor, delta: masked },
    { user: editor, delta: none },
  ])
  const everything = JSON.stringify(await world.run('select data::text, delta::text from platform_revisions'))
  expect(everything).not.toContain(secret)
})

test('administrators cannot write a secret either', async () => {
  const changes = changesOf({ tfa_secret: 'WS36IYF5QGENQ3NE3UTBJN2AVYXYFX4G' })
  const target = { kind: 'keys', keys: [chief] } as const
  const write = writeItems(await world.as(chief, chiefRole), {
    kind: 'update',
    collection: 'platform_users',
    target,
    changes,
  })
  expect(await kindsOf(write)).toEqual(['invalid-payload'])
})

test('the last administrator keeps one that is demanded and that it could not set up again', async () => {
  ctx = await world.as(chief, chiefRole)
  const code = await enable()
  await world.run(`update platform_users set password = null, token = 'x' where id = '${chief}'`)
  await world.run(`update platform_policies set enforce_tfa = true where id = '${seedIds.administratorPolicy}'`)
  expect(await kindsOf(disableSecondFactor(ctx, code()))).toEqual(['last-administrator'])
  expect(await world.run(`select tfa_secret is null as gone from platform_users where id = '${chief}'`)).toEqual([
    { gone: false },
  ])
  await world.run(`update platform_policies set enforce_tfa = false where id = '${seedIds.administratorPolicy}'`)
  await disableSecondFactor(ctx, code(30_000))
})

test('a secret that is none opens nothing', async () => {
  for (const secret of ['', 'x', 'AAAA', '!nonsense!']) {
    await world.run(`update platform_users set tfa_secret = '${secret}' where id = '${editor}'`)
    expect(await kindsOf(logIn('123456'))).toEqual(['invalid-otp'])
  }
})

test('a user whose policy demands a second factor may only set it up and read the own user', async () => {
  await world.run(`update platform_policies set enforce_tfa = true where id = '${editorPolicy}'`)
  const { security } = ctx
  const authenticator = createAuthenticator({
    rows: sqlRows,
    db: ctx.db,
    schema: () => ctx.schema,
    clock: ctx.clock,
    project: '_',
    security,
  })
  const session = await login(ctx, { email, password })
  const actor = () => authenticator.authenticate(authenticator.read(createAccessToken(ctx, session, {})), '192.0.2.1')
  const limited = await actor()
  expect(limited).toMatchObject({ user: editor, access: { admin: false, app: false, policies: [editorPolicy] } })
  const rules = limited.kind === 'user' ? limited.access.rules : []
  expect(rules.map(({ collection, action }) => `${action} ${collection}`)).toEqual(['read platform_users'])
  ctx = { ...ctx, actor: limited }
  await enable()
  authenticator.forget()
  const free = await actor()
  const { rules: granted } = free.kind === 'user' ? free.access : { rules: [] }
  expect(granted.map(({ collection, action }) => `${action} ${collection}`)).toContain('update articles')
})

test('a policy does not demand one of the last administrator that could not set one up', async () => {
  const demand = async (): Promise<unknown> =>
    writeItems(await world.as(chief, chiefRole), {
      kind: 'update',
      collection: 'platform_policies',
      target: { kind: 'keys', keys: [seedIds.administratorPolicy] },
      changes: changesOf({ enforce_tfa: true }),
    })
  await world.run(`update platform_users set password = null, token = 'x' where id = '${chief}'`)
  expect(await kindsOf(demand())).toEqual(['last-administrator'])
  await world.run(`update platform_users set tfa_secret = 'WS36IYF5QGENQ3NE3UTBJN2AVYXYFX4G' where id = '${chief}'`)
  await demand()
})
