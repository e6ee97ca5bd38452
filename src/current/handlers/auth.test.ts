import { afterAll, beforeEach, expect, test } from 'vitest'
import { writeItems } from '../../core/items/items.ts'
import { openTestWorld } from '../../core/testing/test-context.ts'
import type { Context } from '../../domain/ports/context.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { seedIds } from '../../domain/schema/identity.ts'
import type { Cookie, Reply } from '../../http/reply/reply.ts'
import type { HttpRequest } from '../../http/request/request.ts'
import { hashPassword } from '../../tokens/password.ts'
import { createView } from '../views/schema-view.ts'
import { toErrorBody } from '../wire/errors.ts'
import { auth } from './auth.ts'

const user = '77777777-7777-4777-8777-777777777777'
const account = { email: 'ann@example.com', password: 'correct horse' }
const here = 'http://localhost:8055'
const app = 'https://app.example'

const world = await openTestWorld()
const security = { ...world.ctx.security, accessTtl: 900_000, refreshTtl: 604_800_000 }
const ids = { ...world.ctx.ids, uuid: () => crypto.randomUUID() }
const ctx = { ...world.ctx, security, ids, view: createView(world.ctx.schema) }

afterAll(() => world.close())

beforeEach(async () => {
  await ctx.db.run({ text: 'delete from platform_users where id = $1', values: [user] })
  const values = [
    user,
    account.email,
    await hashPassword(account.password, ctx.security.hash),
    seedIds.administratorRole,
  ]
  const text = 'insert into platform_users (id, email, password, role) values ($1, $2, $3, $4)'
  await ctx.db.run({ text, values })
})

type Answer = {
  readonly status: number
  readonly data: { readonly [name: string]: unknown }
  readonly cookies: readonly Cookie[]
}
type Carried = { readonly cookies?: { readonly [name: string]: string }; readonly origin?: string }

async function ask(
  operation: keyof typeof auth,
  body: unknown,
  { cookies = {}, origin }: Carried = {},
): Promise<Answer> {
  const headers = origin === undefined ? {} : { origin }
  const request = { cookies, headers, origin: here, trustedOrigins: [app] } as unknown as HttpRequest
  const input = { path: {}, query: {}, body, request }
  try {
    const reply = await (auth[operation] as (ctx: Context, input: unknown) => Promise<Reply>)(ctx, input)
    const { data = {} } = (reply.body as { value?: { data?: Answer['data'] } } | null)?.value ?? {}
    return { status: reply.status, data, cookies: reply.cookies ?? [] }
  } catch (error) {
    if (!(error instanceof TandemError)) throw error
    const { status, body: refused } = toErrorBody(error)
    return { status, data: refused as Answer['data'], cookies: [] }
  }
}

const carry = ({ cookies }: Answer): Record<string, string> =>
  Object.fromEntries(cookies.map(({ name, value }) => [name, value ?? '']))

const codeOf = ({ data }: Answer): unknown => (data as { error?: { code?: string } }).error?.code

test('json: both tokens in the body; the refresh token works once', async () => {
  const first = await ask('login', account)
  expect(Object.keys(first.data).toSorted()).toEqual(['access_token', 'expires', 'refresh_token'])
  expect([first.status, first.data['expires'], first.cookies]).toEqual([200, 900_000, []])
  const body = { refresh_token: first.data['refresh_token'] }
  expect((await ask('refreshSession', body)).status).toBe(200)
  expect(codeOf(await ask('refreshSession', body))).toBe('INVALID_CREDENTIALS')
})

test('cookie: the refresh token only in an HttpOnly cookie, which is renewed and deleted', async () => {
  const first = await ask('login', { ...account, mode: 'cookie' })
  expect(Object.keys(first.data).toSorted()).toEqual(['access_token', 'expires'])
  expect(first.cookies).toMatchObject([{ name: 'c', httpOnly: true, sameSite: 'lax', maxAgeSeconds: 604_800 }])
  const second = await ask('refreshSession', undefined, { cookies: carry(first), origin: here })
  expect(Object.keys(second.data).toSorted()).toEqual(['access_token', 'expires'])
  expect(carry(second)['c']).not.toBe(carry(first)['c'])
  const last = await ask('logout', {}, { cookies: carry(second) })
  expect([last.status, last.cookies.map(({ name, value }) => [name, value])]).toEqual([204, [['c', null]]])
  expect(codeOf(await ask('refreshSession', {}, { cookies: carry(second) }))).toBe('INVALID_CREDENTIALS')
})

test('session: one token in a cookie, which can renew and end the session', async () => {
  const first = await ask('login', { ...account, mode: 'session' })
  expect(first.data).toEqual({ expires: 86_400_000 })
  expect(first.cookies).toMatchObject([{ name: 'platform_session_token', httpOnly: true, maxAgeSeconds: 86_400 }])
  const cookies = carry(first)
  expect((await ask('refreshSession', {}, { cookies })).data).toEqual({ expires: 86_400_000 })
  expect((await ask('logout', {}, { cookies })).status).toBe(204)
  expect(codeOf(await ask('refreshSession', {}, { cookies }))).toBe('INVALID_CREDENTIALS')
})

test('an access token in place of the session cookie cannot renew a session', async () => {
  for (const mode of ['json', 'cookie']) {
    const { data } = await ask('login', { ...account, mode })
    const cookies = { platform_session_token: String(data['access_token']) }
    const renewed = await ask('refreshSession', { mode: 'session' }, { cookies })
    expect([renewed.status, codeOf(renewed), renewed.cookies]).toEqual([403, 'INVALID_TOKEN', []])
  }
})

test('a session cookie can be renewed until a logout or a password change', async () => {
  for (const end of ['logout', 'password'] as const) {
    const { data } = await ask('login', account)
    const changed = await ask('refreshSession', { refresh_token: data['refresh_token'], mode: 'session' })
    const cookies = carry(changed)
    expect((await ask('refreshSession', {}, { cookies })).status).toBe(200)
    if (end === 'logout') await ask('logout', {}, { cookies })
    else {
      const target = { kind: 'keys', keys: [user] } as const
      const changes = new Map([['password', { kind: 'value', value: 'battery staple' }]] as const)
      const system = { ...ctx, actor: { kind: 'system' } } as const
      await writeItems(system, { kind: 'update', collection: 'platform_users', target, changes })
    }
    const late = await ask('refreshSession', {}, { cookies })
    expect([late.status, codeOf(late), late.cookies]).toEqual([401, 'INVALID_CREDENTIALS', []])
  }
})

test('a cookie from another origin is refused', async () => {
  const cookies = carry(await ask('login', { ...account, mode: 'cookie' }))
  for (const operation of ['refreshSession', 'logout'] as const) {
    expect(codeOf(await ask(operation, {}, { cookies, origin: 'http://evil.example' }))).toBe('FORBIDDEN')
  }
})

test('an origin that may send cookies can refresh and log out with them', async () => {
  for (const mode of ['cookie', 'session']) {
    const cookies = carry(await ask('login', { ...account, mode }))
    const refreshed = await ask('refreshSession', { mode }, { cookies, origin: app })
    expect(refreshed.status).toBe(200)
    expect((await ask('logout', { mode }, { cookies: carry(refreshed), origin: app })).status).toBe(204)
  }
})

test('without a token there is nothing to refresh or end', async () => {
  expect(codeOf(await ask('refreshSession', {}))).toBe('INVALID_PAYLOAD')
  expect(codeOf(await ask('logout', undefined))).toBe('INVALID_PAYLOAD')
})

test('logging out with an unknown token changes nothing and gets the usual answer', async () => {
  expect((await ask('logout', { refresh_token: 'nobody' })).status).toBe(204)
})

test('unknown emails and wrong passwords get the same answer', async () => {
  const unknown = await ask('login', { ...account, email: 'nobody@example.com' })
  expect(unknown).toEqual(await ask('login', { ...account, password: 'wrong' }))
  expect(codeOf(unknown)).toBe('INVALID_CREDENTIALS')
})
