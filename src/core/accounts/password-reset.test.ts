import { afterAll, beforeEach, expect, test } from 'vitest'
import { openAccountsWorld, password } from '../testing/test-accounts.ts'
import { failuresOf, kindsOf } from '../testing/test-context.ts'
import { chief, editor } from '../testing/test-rights.ts'
import { acceptInvitation } from './invitations.ts'
import { requestPasswordReset, resetPassword } from './password-reset.ts'
import { login } from './sessions.ts'

const world = await openAccountsWorld()
beforeEach(() => world.reset())
afterAll(() => world.close())

const email = 'editor@example.com'

async function request(address = email, page?: string): Promise<void> {
  await requestPasswordReset(await world.stranger(), address, page)
}

/** The link is made after the response. */
async function requestToken(): Promise<string> {
  await request()
  await expect.poll(() => world.mails.length).toBe(1)
  return world.lastToken()
}

const reset = async (token: string, to = 'battery staple'): Promise<void> =>
  resetPassword(await world.stranger(), token, to)

test('the mail goes to the stored address and leads to the server', async () => {
  await request(' Editor@Example.COM')
  await expect.poll(() => world.mails).toMatchObject([{ to: email, template: 'password-reset' }])
  expect(world.mails[0]?.data.url).toMatch(/^http:\/\/localhost:8055\/admin\/reset-password\?token=[\w.-]+$/)
  expect(world.mails[0]?.data.projectName).toBe('Test')
})

test('the new password counts, once for a token, and sessions end', async () => {
  const token = await requestToken()
  await reset(token)
  const ctx = await world.stranger()
  expect((await login(ctx, { email, password: 'battery staple' })).user.id).toBe(editor)
  expect(await kindsOf(login(ctx, { email, password }))).toEqual(['invalid-credentials'])
  expect(
    await world.run(`select 1 from platform_sessions where "user" = '${editor}' and token_hash = 'three'`),
  ).toEqual([])
  expect(world.forgotten()).toBeGreaterThan(0)
  expect(await kindsOf(reset(token, 'another one'))).toEqual(['forbidden'])
  expect(await world.run(`select count(*)::int as n from platform_sessions where "user" = '${chief}'`)).toEqual([
    { n: 1 },
  ])
})

test('history says that the owner did it, and not what', async () => {
  await reset(await requestToken())
  const revisions = await world.run(
    `select a."user", replace(r.delta::text, ': ', ':') as delta from platform_revisions r join platform_activity a on a.id = r.activity where r.item = '${editor}'`,
  )
  expect(revisions).toEqual([{ user: editor, delta: '{"password":"**********"}' }])
})

test('of two uses at once one wins', async () => {
  const token = await requestToken()
  const results = await Promise.allSettled([reset(token, 'one'), reset(token, 'two')])
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test.each([
  ['an unknown address', '', 'nobody@example.com'],
  ['a suspended user', `status = 'suspended'`, email],
  ['an invited user', `status = 'invited'`, email],
  ['a user of another provider', `provider = 'ldap'`, email],
])('%s gets no mail, and nobody is told', async (_name, change, address) => {
  if (change !== '') await world.run(`update platform_users set ${change} where id = '${editor}'`)
  expect(await request(address)).toBeUndefined()
  // A mail would have been sent before this one.
  await request('chief@example.com')
  await expect.poll(() => world.mails.map(({ to }) => to)).toEqual(['chief@example.com'])
})

test.each([
  ['https://app.example.com/reset', 'https://app.example.com/reset?token='],
  ['https://APP.example.com:443/reset?from=a%22b#part', 'https://app.example.com/reset?from=a%22b&token='],
  ['https://app.example.com/reset?token=mine', 'https://app.example.com/reset?token='],
])('%s is a page that was listed', async (page, begin) => {
  await request(email, page)
  await expect.poll(() => world.mails.length).toBe(1)
  expect(world.mails[0]?.data.url.startsWith(begin)).toBe(true)
  expect(world.lastToken()).toMatch(/^eyJ/)
})

test.each([
  'https://evil.example/reset',
  'https://app.example.com.evil.example/reset',
  'https://app.example.com@evil.example/reset',
  'https://user:pass@app.example.com/reset',
  String.raw`https://app.example.com\@evil.example/reset`,
  'http://app.example.com/reset',
  'https://app.example.com:444/reset',
  'https://app.example.com/reset/../other',
  'https://app.example.com/other',
  '//app.example.com/reset',
  'javascript:alert(1)',
  'not an address',
])('%s is refused before anybody is looked up', async (page) => {
  const ctx = await world.stranger()
  const db = { ...ctx.db, run: () => Promise.reject(new Error('Somebody is looked up')) }
  const [failure] = await failuresOf(requestPasswordReset({ ...ctx, db }, email, page))
  expect(failure).toMatchObject({ kind: 'invalid-payload', name: 'reset_url' })
})

test.each([
  ['another password', `password = 'x'`],
  ['another address', `email = 'other@example.com'`],
  ['a suspension', `status = 'suspended'`],
])('%s ends the links that were sent before', async (_name, change) => {
  const token = await requestToken()
  await world.run(`update platform_users set ${change} where id = '${editor}'`)
  expect(await kindsOf(reset(token))).toEqual(['forbidden'])
})

test('a token of a user that is gone opens nothing', async () => {
  const token = await requestToken()
  await world.run(`delete from platform_users where id = '${editor}'`)
  expect(await kindsOf(reset(token))).toEqual(['forbidden'])
})

test('old tokens, invented ones and those for something else are refused', async () => {
  const token = await requestToken()
  expect(await kindsOf(reset('nonsense'))).toEqual(['invalid-token'])
  const wrong = token.at(-10) === 'A' ? 'B' : 'A'
  expect(await kindsOf(reset(`${token.slice(0, -10)}${wrong}${token.slice(-9)}`))).toEqual(['invalid-token'])
  expect(await kindsOf(acceptInvitation(await world.stranger(), token, 'battery staple'))).toEqual(['forbidden'])
  expect(await kindsOf(resetPassword({ ...(await world.stranger()), project: 'other' }, token, 'a'))).toEqual([
    'forbidden',
  ])
  world.pass(3_600_001)
  expect(await kindsOf(reset(token))).toEqual(['token-expired'])
})

test('the password obeys the policy, and is not what a concealed one looks like', async () => {
  await world.run(`update platform_settings set auth_password_policy = '/^.{8,}$/'`)
  const token = await requestToken()
  expect(await kindsOf(reset(token, 'short'))).toEqual(['failed-validation'])
  expect(await kindsOf(reset(token, '**********'))).toEqual(['failed-validation'])
  await reset(token)
})

test.each(['editor@example.com', 'nobody@example.com'])(
  'for %s mail is made ready before anybody is looked up',
  async (address) => {
    const ctx = await world.stranger()
    const events: string[] = []
    const loaded = Promise.withResolvers<void>()
    const requested = requestPasswordReset(
      {
        ...ctx,
        attempts: {
          ...ctx.attempts,
          begin: async ({ action, account }) => void events.push(`counted ${action} ${account}`),
        },
        db: { ...ctx.db, run: (statement) => (events.push(statement.name ?? statement.text), ctx.db.run(statement)) },
        mail: { ...ctx.mail, prepare: () => (events.push('preparing'), loaded.promise) },
      },
      address,
      undefined,
    )
    await expect.poll(() => events).toEqual([`counted password-reset ${address}`, 'preparing'])
    loaded.resolve()
    await requested
    expect(events[2]).toBe('account-by-address')
  },
)
