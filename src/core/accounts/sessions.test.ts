import { hash as bcryptHash } from 'bcryptjs'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Context, Database } from '../../domain/ports/context.ts'
import type { Actor } from '../../domain/rights/actor.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { seedIds } from '../../domain/schema/identity.ts'
import { sqlRows } from '../../sql/run/sql-rows.ts'
import { hashToken } from '../../tokens/opaque.ts'
import { hashPassword } from '../../tokens/password.ts'
import { type Authenticator, createAuthenticator } from '../access/authenticator.ts'
import { kindsOf, openTestWorld, type TestWorld, testAccounts } from '../testing/test-context.ts'
import { createAccessToken, extendSession, type FreshSession, login, logout, readFlags, refresh } from './sessions.ts'

let world: TestWorld
let ctx: Context
let now: Date
let statements = 0
let authenticator: Authenticator

const password = 'correct horse'
const security = {
  secret: 'a secret of at least thirty-two characters',
  accessTtl: 900_000,
  refreshTtl: 7 * 86_400_000,
  loginStall: 0,
  accounts: testAccounts,
  hash: { memory: 256, passes: 2, parallelism: 1, length: 32 },
  cookie: { name: 'refresh', domain: null, secure: false, sameSite: 'lax' },
} as const

beforeAll(async () => {
  world = await openTestWorld()
  const { db } = world.ctx
  const counted: Database = {
    ...db,
    run: (statement) => {
      statements += 1
      return db.run(statement)
    },
  }
  authenticator = createAuthenticator({
    rows: sqlRows,
    db: counted,
    schema: () => world.ctx.schema,
    clock: () => now,
    project: '_',
    security,
  })
  const request = { ...world.ctx.request, ip: '10.0.0.1', userAgent: 'a browser', origin: null }
  const forgetActors = async (): Promise<void> => authenticator.forget()
  ctx = { ...world.ctx, clock: () => now, project: '_', security, forgetActors, request }
})

afterAll(() => world.close())

const user = { id: '77777777-7777-4777-8777-777777777777', email: 'ann@example.com' }

beforeEach(async () => {
  now = new Date('2026-01-01T00:00:00Z')
  await run('delete from platform_users where id = $1', user.id)
  await run('delete from platform_activity')
  await run(
    `insert into platform_users (id, email, password, token, role) values ($1, $2, $3, $4, $5)`,
    user.id,
    user.email,
    await hashPassword(password, security.hash),
    hashToken('a static token', security.secret),
    seedIds.administratorRole,
  )
  authenticator.forget()
})

async function run(text: string, ...values: readonly unknown[]): Promise<readonly unknown[]> {
  return (await ctx.db.run({ text, values })).rows
}

const logIn = (): Promise<FreshSession> => login(ctx, { email: user.email, password })

const authenticate = (session: FreshSession): Promise<Actor> =>
  authenticator.authenticate(authenticator.read(createAccessToken(ctx, session, {})), '10.0.0.1')

test('a login opens a session, of which only hashes are stored, and leaves its traces', async () => {
  const session = await login(ctx, { email: ' Ann@Example.COM', password })
  expect(session.user).toMatchObject({ id: user.id, role: seedIds.administratorRole })
  const [stored] = await run('select token_hash, ip, user_agent, expires from platform_sessions')
  expect(stored).toEqual({
    token_hash: hashToken(session.refreshToken, security.secret),
    ip: '10.0.0.1',
    user_agent: 'a browser',
    expires: '2026-01-08T00:00:00Z',
  })
  expect(await run('select action, collection, item, ip, "user" from platform_activity')).toEqual([
    { action: 'login', collection: 'platform_users', item: user.id, ip: '10.0.0.1', user: user.id },
  ])
  expect(await run('select last_access from platform_users where id = $1', user.id)).toEqual([
    { last_access: '2026-01-01T00:00:00Z' },
  ])
})

test('an access token makes its bearer the user, with the rights of its role', async () => {
  const session = await logIn()
  expect(await authenticate(session)).toMatchObject({
    kind: 'user',
    user: user.id,
    role: seedIds.administratorRole,
    roles: [seedIds.administratorRole],
    session: session.id,
    access: { admin: true },
  })
  expect(await readFlags(ctx, session.user)).toEqual({ admin: true, app: true })
})

test('a known bearer costs no statement, and neither do anonymous callers and static tokens', async () => {
  const session = await logIn()
  const all = () =>
    Promise.all([
      authenticate(session),
      authenticator.authenticate({ kind: 'none' }, null),
      authenticator.authenticate({ kind: 'static', token: 'a static token' }, null),
    ])
  const first = await all()
  const before = statements
  expect(await all()).toEqual(first)
  expect(statements).toBe(before)
})

const stored = () => run('select token from platform_users where id = $1', user.id)
const write = (token: string) => run('update platform_users set token = $2 where id = $1', user.id, token)
const ask = (token: string) => authenticator.authenticate({ kind: 'static', token }, null)

test('a static token that an operator wrote into its column works, and is its hash from the first use on', async () => {
  for (const token of ['by-hand', 'a\'b"c\\d', 'ä'.repeat(100), 'x'.repeat(42), 'x'.repeat(44)]) {
    await write(token)
    const both = await Promise.all([ask(token), ask(token)])
    expect(both).toMatchObject([{ user: user.id }, { user: user.id }])
    expect(await stored()).toEqual([{ token: hashToken(token, security.secret) }])
    authenticator.forget()
    expect(await ask(token)).toMatchObject({ user: user.id })
  }
})

test('a stored hash is not accepted as a token, nor is a plain token of that form', async () => {
  const hash = hashToken('a static token', security.secret)
  const refused = (token: string) => kindsOf(ask(token))
  expect(await refused(hash)).toEqual(['unknown-token'])
  const plain = 'A'.repeat(43)
  await write(plain)
  expect(await refused(plain)).toEqual(['unknown-token'])
  await write(hashToken(plain, security.secret))
  expect(await ask(plain)).toMatchObject({ user: user.id })
  await write('by-hand')
  for (const near of ['by-hand ', 'BY-HAND', 'by-han', 'by-hand\u0000'])
    expect(await refused(near)).toEqual(['unknown-token'])
})

test('equal rights are one object', async () => {
  const session = await logIn()
  const [one, two] = await Promise.all([
    authenticate(session),
    authenticator.authenticate({ kind: 'static', token: 'a static token' }, null),
  ])
  expect(one.kind === 'user' && two.kind === 'user' && one.access === two.access).toBe(true)
})

const refused: readonly (readonly [name: string, change: string, email: string, password: string])[] = [
  ['an unknown address', '', 'nobody@example.com', password],
  ['a wrong password', '', user.email, 'wrong'],
  ['a suspended user with a wrong password', "status = 'suspended'", user.email, 'wrong'],
  ['an invited user with a wrong password', "status = 'invited'", user.email, 'wrong'],
  ['a user without password', 'password = null', user.email, password],
  ['a user of another provider', "provider = 'ldap'", user.email, password],
]

test.each(refused)('%s is refused as invalid credentials', async (_name, change, email, given) => {
  if (change !== '') await run(`update platform_users set ${change} where id = $1`, user.id)
  expect(await kindsOf(login(ctx, { email, password: given }))).toEqual(['invalid-credentials'])
  expect(await run('select 1 from platform_sessions')).toEqual([])
})

test('an account with a second factor stays closed', async () => {
  await run(`update platform_users set tfa_secret = 'x' where id = $1`, user.id)
  expect(await kindsOf(logIn())).toEqual(['missing-otp'])
  expect(await kindsOf(login(ctx, { email: user.email, password, otp: '123456' }))).toEqual(['invalid-otp'])
  expect(await kindsOf(login(ctx, { email: user.email, password: 'wrong' }))).toEqual(['invalid-credentials'])
})

test('an old hash is replaced at the next login', async () => {
  await run('update platform_users set password = $2 where id = $1', user.id, await bcryptHash(password, 4))
  await logIn()
  const [stored] = await run('select password from platform_users where id = $1', user.id)
  expect((stored as { password: string }).password).toMatch(/^\$argon2id\$/)
  expect((await logIn()).user.id).toBe(user.id)
})

test('a login with the first 72 bytes of a password, which bcrypt takes for it, changes nothing', async () => {
  const long = 'correct horse battery staple '.repeat(3)
  const stored = await bcryptHash(long, 4)
  await run('update platform_users set password = $2 where id = $1', user.id, stored)
  await login(ctx, { email: user.email, password: long.slice(0, 72) })
  await login(ctx, { email: user.email, password: long })
  expect(await run('select password from platform_users where id = $1', user.id)).toEqual([{ password: stored }])
})

test('a refresh token works once; its second use ends the session for both', async () => {
  const first = await logIn()
  const second = await refresh(ctx, first.refreshToken)
  expect(second.id).toBe(first.id)
  expect((await refresh(ctx, second.refreshToken)).user.id).toBe(user.id)
  expect((await authenticate(first)).kind).toBe('user')
  expect(await kindsOf(refresh(ctx, first.refreshToken))).toEqual(['invalid-credentials'])
  expect(await kindsOf(authenticate(first))).toEqual(['unknown-token'])
  expect(await run('select 1 from platform_sessions')).toEqual([])
})

test('of two refreshes at once one wins', async () => {
  const session = await logIn()
  const results = await Promise.allSettled([refresh(ctx, session.refreshToken), refresh(ctx, session.refreshToken)])
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test('refresh tokens that nobody made, and expired ones, are refused', async () => {
  const session = await logIn()
  expect(await kindsOf(refresh(ctx, 'x'.repeat(64)))).toEqual(['invalid-credentials'])
  now = new Date('2026-01-08T00:00:01Z')
  expect(await kindsOf(refresh(ctx, session.refreshToken))).toEqual(['invalid-credentials'])
})

test('a suspended user cannot refresh, and the session ends', async () => {
  const session = await logIn()
  await run(`update platform_users set status = 'suspended' where id = $1`, user.id)
  expect(await kindsOf(refresh(ctx, session.refreshToken))).toEqual(['user-suspended'])
  expect(await run('select 1 from platform_sessions')).toEqual([])
})

test('logout acts on the very next request; unknown tokens log nobody out', async () => {
  const session = await logIn()
  expect((await authenticate(session)).kind).toBe('user')
  await logout(ctx, 'x'.repeat(64))
  expect((await authenticate(session)).kind).toBe('user')
  await logout(ctx, session.refreshToken)
  expect(await kindsOf(authenticate(session))).toEqual(['unknown-token'])
})

test('suspension, deletion and change of role act on the next request after the announcement', async () => {
  const session = await logIn()
  await authenticate(session)
  await run('update platform_users set role = null where id = $1', user.id)
  await ctx.forgetActors()
  expect(await authenticate(session)).toMatchObject({ role: null, access: { admin: false } })
  await run(`update platform_users set status = 'suspended' where id = $1`, user.id)
  await ctx.forgetActors()
  expect(await kindsOf(authenticate(session))).toEqual(['user-suspended'])
  await run('delete from platform_users where id = $1', user.id)
  await ctx.forgetActors()
  expect(await kindsOf(authenticate(session))).toEqual(['unknown-token'])
})

test('an actor is cached for at most a minute and not past the end of the session', async () => {
  const session = await logIn()
  await authenticate(session)
  await run('delete from platform_sessions')
  expect((await authenticate(session)).kind).toBe('user')
  now = new Date(now.getTime() + 60_000)
  expect(await kindsOf(authenticate(session))).toEqual(['unknown-token'])
})

test('a session can be extended without a new refresh token, until it has ended', async () => {
  const session = await logIn()
  now = new Date('2026-01-02T00:00:00Z')
  expect((await extendSession(ctx, session.id)).expires).toEqual(new Date('2026-01-09T00:00:00Z'))
  await logout(ctx, session.refreshToken)
  expect(await kindsOf(extendSession(ctx, session.id))).toEqual(['unknown-token'])
})

test('an unknown static token is refused', async () => {
  expect(await kindsOf(authenticator.authenticate({ kind: 'static', token: 'nobody' }, null))).toEqual([
    'unknown-token',
  ])
})

test('expired sessions are cleared away at the next login', async () => {
  await logIn()
  now = new Date('2026-01-09T00:00:00Z')
  await logIn()
  expect(await run('select count(*)::int as n from platform_sessions')).toEqual([{ n: 1 }])
})

test('a login clears away so many expired sessions, and leaves the others to the next ones', async () => {
  await logIn()
  const ids = Array.from({ length: 1002 }, (_, n) => `10000000-0000-4000-8000-${String(n).padStart(12, '0')}`)
  await world.ctx.db.run({
    text: `insert into platform_sessions (id, token_hash, "user", expires)
      select e.v::uuid, e.v, u.id, '2025-01-01T00:00:00Z' from json_array_elements_text($1::json) e(v), platform_users u
      where u.email = 'ann@example.com'`,
    texts: {
      mysql: `insert into platform_sessions (id, token_hash, "user", expires)
        select e.v, e.v, u.id, '2025-01-01 00:00:00' from json_table($1, '$[*]' columns (v char(36) path '$')) e, platform_users u
        where u.email = 'ann@example.com'`,
    },
    values: [JSON.stringify(ids)],
  })
  const counts = []
  for (let login = 0; login < 3; login += 1) {
    const [row] = await run('select count(*)::int as n from platform_sessions')
    counts.push(row)
    await logIn()
  }
  expect(counts).toEqual([{ n: 1003 }, { n: 4 }, { n: 3 }])
})

test('a login that the database has ended because of a conflict is done again, as one session', async () => {
  const cause = Object.assign(new Error('Deadlock'), { code: '40P01' })
  const reason = 'The change conflicts with a concurrent change'
  const conflict = new TandemError({ kind: 'unavailable', service: 'database', reason, retryAfter: 1 }, { cause })
  const { db } = ctx
  let begun = 0
  const transaction: Database['transaction'] = (work) =>
    db.transaction(async (inner) => {
      begun += 1
      const done = await work(inner)
      if (begun === 1) throw conflict
      return done
    })
  await login({ ...ctx, db: { ...db, transaction } }, { email: user.email, password })
  expect(begun).toBe(2)
  const text = 'select count(*) from platform_sessions where "user" = $1'
  const { rows } = await db.run({ text, values: [user.id], rows: 'array' })
  expect(rows).toEqual([['1']])
})
