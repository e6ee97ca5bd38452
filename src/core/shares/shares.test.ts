import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createCounter } from '../../counters/counter.ts'
import type { Context } from '../../domain/ports/context.ts'
import { jsonOf } from '../../domain/ports/row-store.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Mutation } from '../../domain/query/mutation.ts'
import { seedIds } from '../../domain/schema/identity.ts'
import { sqlRows } from '../../sql/run/sql-rows.ts'
import { createTestDatabase } from '../../sql/testing/test-database.ts'
import { worldSql } from '../../sql/testing/test-world.ts'
import { createAuthenticator } from '../access/authenticator.ts'
import { loadAccess } from '../access/load-access.ts'
import { createAttempts } from '../accounts/attempts.ts'
import { endSession } from '../accounts/sessions.ts'
import { writeItems } from '../items/items.ts'
import { readItem, readItems } from '../rows/read-items.ts'
import { changesOf, createTestContext, failuresOf, is, queryOf, testAccounts } from '../testing/test-context.ts'
import { createShareToken, loginShare, renewShareSession, type ShareSession } from './share-sessions.ts'
import { readShareInfo } from './shares.ts'

const id = (last: string): string => `00000000-0000-4000-8000-0000000000${last}`

/** An administrator; a user who shares its own published articles; a user who shares nothing. */
const chief = id('a1')
const sharer = id('a2')
const outsider = id('a3')

/** Rights of visitors; rights of the sharer; all rights. */
const visitorRole = id('b1')
const sharerRole = id('b2')
const chiefRole = seedIds.administratorRole
const spareRole = id('b3')

const rows = `
  delete from platform_access; delete from platform_permissions; delete from platform_users; delete from platform_policies;
  delete from platform_roles; delete from platform_activity;
  insert into platform_roles (id, name) values
    ('${chiefRole}', 'Administrator'), ('${visitorRole}', 'Visitor'), ('${sharerRole}', 'Sharer'), ('${spareRole}', 'Spare');
  insert into platform_policies (id, name, admin_access) values
    ('${seedIds.administratorPolicy}', 'Administrator', true), ('${id('c1')}', 'Visitor', false), ('${id('c2')}', 'Sharer', false),
    ('${seedIds.publicPolicy}', 'Public', false), ('${id('c3')}', 'Spare', false);
  insert into platform_access (id, role, policy) values
    ('${id('d0')}', '${chiefRole}', '${seedIds.administratorPolicy}'), ('${id('d1')}', '${visitorRole}', '${id('c1')}'),
    ('${id('d2')}', '${sharerRole}', '${id('c2')}'), ('${id('d3')}', '${sharerRole}', '${id('c1')}'),
    ('${id('d4')}', '${spareRole}', '${id('c3')}');
  insert into platform_permissions (policy, collection, action, fields, permissions) values
    ('${id('c1')}', 'articles', 'read', 'id,title,body,status,author,comments,tags', '{"status":{"_neq":"archived"}}'),
    ('${id('c1')}', 'comments', 'read', '*', '{"approved":{"_eq":true}}'), ('${id('c1')}', 'authors', 'read', 'id,name,age', null),
    ('${id('c1')}', 'articles_tags', 'read', '*', null), ('${id('c1')}', 'tags', 'read', '*', null),
    ('${id('c1')}', 'pages', 'read', '*', null),
    ('${id('c2')}', 'articles', 'share', null, '{"_and":[{"status":{"_eq":"published"}},{"user_created":{"_eq":"$CURRENT_USER"}}]}'),
    ('${id('c2')}', 'articles', 'update', '*', null),
    ('${id('c2')}', 'platform_shares', 'create', '*', null), ('${id('c2')}', 'platform_shares', 'update', '*', null),
    ('${id('c3')}', 'articles', 'delete', null, null);
  insert into platform_users (id, email, role) values
    ('${chief}', 'chief@example.com', '${chiefRole}'), ('${sharer}', 'sharer@example.com', '${sharerRole}'),
    ('${outsider}', 'outsider@example.com', '${visitorRole}');
  update articles set status = case id when 3 then 'draft' when 4 then 'archived' else 'published' end,
    user_created = '${sharer}'`
let now: Date
const clock = () => now

const security = {
  secret: 'a secret of at least thirty-two characters',
  accessTtl: 900_000,
  refreshTtl: 7 * 86_400_000,
  loginStall: 0,
  hash: { memory: 256, passes: 2, parallelism: 1, length: 32 },
  cookie: { name: 'refresh', domain: null, secure: false, sameSite: 'lax' },
  accounts: testAccounts,
} as const

const database = await createTestDatabase({ sql: worldSql })
const schema = await database.loadSchema()
const authenticator = createAuthenticator({
  db: database.db,
  rows: sqlRows,
  schema: () => schema,
  clock,
  project: '_',
  security,
})
const ctx = createTestContext(database.db, schema, {
  clock,
  security,
  forgetActors: async () => authenticator.forget(),
  ids: { uuid: () => crypto.randomUUID(), token: (length) => 'x'.repeat(length) },
})
beforeEach(async () => {
  now = new Date('2026-01-01T00:00:00Z')
  await run(rows)
  authenticator.forget()
})
afterAll(() => database.close())

const run = async (text: string): Promise<readonly unknown[]> => (await database.db.run({ text, values: [] })).rows

async function as(user: string, role: string): Promise<Context> {
  const who = { kind: 'user', user, role } as const
  const { access, roles } = await loadAccess(database.db, ctx.schema, who, null)
  return { ...ctx, actor: { ...who, access, roles, session: null } }
}

type Values = { readonly [field: string]: unknown }

const create = (collection: string, values: Values): Mutation => ({
  kind: 'create',
  collection,
  items: [changesOf(values)],
})

const update = (collection: string, key: Key, values: Values): Mutation => ({
  kind: 'update',
  collection,
  target: { kind: 'keys', keys: [key] },
  changes: changesOf(values),
})

async function share(values: Values = {}, user = sharer, role = sharerRole): Promise<string> {
  const shared = { collection: 'articles', item: '1', role: visitorRole, ...values }
  const [key] = await writeItems(await as(user, role), create('platform_shares', shared))
  return String(key)
}

/** The context of the next request of the session. */
async function visit({ id: session }: ShareSession): Promise<Context> {
  return { ...ctx, actor: await authenticator.authenticate({ kind: 'session', session }, null) }
}

const enter = async (key: string, password?: string): Promise<Context> =>
  visit(await loginShare(ctx, { share: key, password }))

const rowsOf = async (at: Context, collection: string, changes = {}): Promise<readonly unknown[]> =>
  JSON.parse(jsonOf(await readItems(at, queryOf(collection, changes)))) as readonly unknown[]

const named = (...names: readonly string[]) => ({
  selection: names.map((field) => ({ kind: 'field', key: field, field }) as const),
})

const ended = [{ kind: 'unknown-token' }]
const refused = [{ kind: 'invalid-credentials' }]

test('a visitor reads the item, what is around it as far as the role may, and nothing else', async () => {
  const at = await enter(await share())
  expect(await rowsOf(at, 'articles', named('id', 'title', 'author'))).toEqual([
    { id: 1, title: 'Glaciers melt', author: 1 },
  ])
  expect(await failuresOf(readItem(at, queryOf('articles'), 2))).toMatchObject([{ kind: 'item-not-found' }])
  expect(await failuresOf(rowsOf(at, 'articles', named('views')))).toMatchObject([{ kind: 'forbidden' }])
  expect(await rowsOf(at, 'comments', named('id'))).toEqual([{ id: '1' }, { id: '3' }])
  expect(await rowsOf(at, 'authors')).toEqual([
    { id: 1, name: 'Ann', age: 61 },
    { id: 2, name: 'Bob', age: 34 },
  ])
  expect(await rowsOf(at, 'tags', named('name'))).toEqual([{ name: 'ice' }, { name: 'sea' }])
  for (const name of ['pages', 'categories', 'platform_users', 'platform_shares', 'platform_permissions']) {
    expect(await failuresOf(rowsOf(at, name))).toMatchObject([{ kind: 'forbidden' }])
  }
})

test('a visitor writes nothing, whatever role and creator may', async () => {
  const at = await enter(await share({ role: chiefRole }, chief, chiefRole))
  expect(await rowsOf(at, 'articles', named('id', 'views'))).toEqual([{ id: 1, views: 120 }])
  const target = { kind: 'keys', keys: [1] } as const
  const attempts: readonly Mutation[] = [
    update('articles', 1, { title: 'Mine' }),
    create('articles', { title: 'Mine' }),
    create('platform_shares', { collection: 'articles', item: '1' }),
    { kind: 'delete', collection: 'articles', target },
  ]
  for (const attempt of attempts)
    expect(await failuresOf(writeItems(at, attempt))).toMatchObject([{ kind: 'forbidden' }])
})

test('a visitor never sees more than the creator may, even by a role that has come to hold more', async () => {
  const key = await share()
  await run(`update platform_access set policy = '${id('c3')}' where id = '${id('d3')}';
    insert into platform_permissions (policy, collection, action, fields, permissions) values
      ('${id('c2')}', 'articles', 'read', 'id,title,views,comments', null), ('${id('c2')}', 'comments', 'read', 'id,body', '{"id":{"_lt":3}}')`)
  const at = await enter(key)
  expect(await rowsOf(at, 'articles')).toEqual([{ id: 1, title: 'Glaciers melt' }])
  expect(await failuresOf(rowsOf(at, 'articles', named('body')))).toMatchObject([{ kind: 'forbidden' }])
  expect(await rowsOf(at, 'comments')).toEqual([{ id: '1', body: 'Well said' }])
  expect(await failuresOf(rowsOf(at, 'authors'))).toMatchObject([{ kind: 'forbidden' }])
})

test('of visitors who come at once no more get in than may', async () => {
  const key = await share({ max_uses: 3 })
  const logins = await Promise.allSettled(Array.from({ length: 10 }, () => loginShare(ctx, { share: key })))
  expect(logins.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  expect(await run('select times_used from platform_shares')).toEqual([{ times_used: 3 }])
  expect(await run('select count(*)::integer as n from platform_sessions')).toEqual([{ n: 3 }])
  expect(await failuresOf(loginShare(ctx, { share: key }))).toEqual(refused)
})

test('password and dates are asked for, and refused alike with what does not exist', async () => {
  const key = await share({
    password: 'letter press',
    date_start: '2026-01-02T00:00:00Z',
    date_end: '2026-01-03T00:00:00Z',
  })
  const come = (password?: string) => loginShare(ctx, { share: key, password })
  expect(await failuresOf(come('letter press'))).toEqual(refused)
  now = new Date('2026-01-02T12:00:00Z')
  for (const wrong of [undefined, '', 'Letter press', '**********'])
    expect(await failuresOf(come(wrong))).toEqual(refused)
  expect(await failuresOf(loginShare(ctx, { share: id('ff') }))).toEqual(refused)
  expect(await failuresOf(loginShare(ctx, { share: "1' or '1'='1" }))).toEqual(refused)
  const session = await come('letter press')
  expect((await visit(session)).actor.kind).toBe('share')
  now = new Date('2026-01-03T00:00:00Z')
  expect(await failuresOf(visit(session))).toEqual(ended)
  const [stored] = (await run('select password from platform_shares')) as readonly { readonly password: string }[]
  expect(stored?.password).toMatch(/^\$argon2id\$/)
  expect(await rowsOf(await as(chief, chiefRole), 'platform_shares', named('password'))).toEqual([
    { password: '**********' },
  ])
})

const ends: readonly (readonly [what: string, how: (key: string) => Promise<unknown>])[] = [
  ['the share is deleted', (key) => remove('platform_shares', key)],
  ['its password is changed', async (key) => write(update('platform_shares', key, { password: 'new' }))],
  ['its time is over', async (key) => write(update('platform_shares', key, { date_end: '2025-12-31T00:00:00Z' }))],
  ['its role is deleted', () => remove('platform_roles', visitorRole)],
  ['its creator is deleted', () => remove('platform_users', sharer)],
  ['its creator is suspended', async () => write(update('platform_users', sharer, { status: 'suspended' }))],
  ['its creator gets another role', async () => write(update('platform_users', sharer, { role: visitorRole }))],
  ['the item is deleted', () => remove('articles', 5)],
]

const write = async (mutation: Mutation) => writeItems(await as(chief, chiefRole), mutation)
const remove = (collection: string, key: Key) =>
  write({ kind: 'delete', collection, target: { kind: 'keys', keys: [key] } })

test.each(ends)('a session ends with the next request when %s', async (what, how) => {
  const key = await share({ item: '5' })
  const session = await loginShare(ctx, { share: key })
  expect(await rowsOf(await visit(session), 'articles', named('id'))).toEqual([{ id: 5 }])
  await how(key)
  expect(await failuresOf(visit(session))).toEqual(ended)
  if (what === 'the item is deleted')
    await run(`insert into articles (id, title, status) values (5, 'Again', 'published')`)
})

test('an item that its creator may not share any more is not shown any more', async () => {
  const session = await loginShare(ctx, { share: await share() })
  await run(`update articles set status = 'draft' where id = 1`)
  expect(await rowsOf(await visit(session), 'articles')).toEqual([])
  expect(await rowsOf(await visit(session), 'comments')).toEqual([])
})

const makings: readonly (readonly [what: string, values: Values, kind: string])[] = [
  ['of an item that the writer may not share', { item: '3' }, 'item-not-found'],
  ['of an item that does not exist', { item: '9999' }, 'item-not-found'],
  ['of a collection without the right to share', { collection: 'tags', item: 'ice' }, 'forbidden'],
  ['of a collection that does not exist', { collection: 'nowhere' }, 'forbidden'],
  ['of a user', { collection: 'platform_users', item: chief }, 'forbidden'],
  ['with the role of administrators', { role: chiefRole }, 'forbidden'],
  ['with a role that holds what the writer lacks', { role: spareRole }, 'forbidden'],
  ['that has been used', { times_used: -5 }, 'invalid-payload'],
  ['of somebody else', { user_created: chief }, 'invalid-payload'],
  ['without uses', { max_uses: 0 }, 'failed-validation'],
  ['that ends before it begins', { date_start: '2026-02-01', date_end: '2026-01-01' }, 'invalid-payload'],
]

test.each(makings)('nobody makes a share %s', async (_what, values, kind) => {
  expect(await failuresOf(share(values))).toMatchObject([{ kind }])
  expect(await run('select 1 from platform_shares')).toEqual([])
})

const changes: readonly (readonly [what: string, values: Values, kind: string])[] = [
  ['its item', { item: '2' }, 'invalid-payload'],
  ['its collection', { collection: 'tags' }, 'invalid-payload'],
  ['its creator', { user_created: sharer }, 'invalid-payload'],
  ['its role to one that holds more', { role: chiefRole }, 'forbidden'],
  ['anything, where its role holds more', { name: 'Mine' }, 'forbidden'],
]

test.each(changes)('nobody changes of a share %s', async (_what, values, kind) => {
  const own = values['name'] === undefined
  const key = own ? await share() : await share({ role: chiefRole }, chief, chiefRole)
  const mutation = update('platform_shares', key, values)
  expect(await failuresOf(writeItems(await as(sharer, sharerRole), mutation))).toMatchObject([{ kind }])
})

test('anonymous callers cannot share', async () => {
  await run(`insert into platform_permissions (policy, collection, action, fields) values
    ('${seedIds.publicPolicy}', 'platform_shares', 'create', '*'), ('${seedIds.publicPolicy}', 'articles', 'share', null)`)
  await run(`insert into platform_access (id, policy) values ('${id('d9')}', '${seedIds.publicPolicy}')`)
  const at = { ...ctx, actor: await authenticator.authenticate({ kind: 'none' }, null) }
  const mutation = create('platform_shares', { collection: 'articles', item: '1' })
  expect(await failuresOf(writeItems(at, mutation))).toMatchObject([{ kind: 'forbidden' }])
})

test('a refresh token is good once; whoever brings an old one ends the session', async () => {
  const session = await loginShare(ctx, { share: await share() })
  const token = session.refreshToken ?? ''
  const renewed = await renewShareSession(ctx, { kind: 'refresh', token })
  expect(renewed?.share).toMatchObject({ collection: 'articles', item: '1' })
  expect((await visit(session)).actor.kind).toBe('share')
  expect(await failuresOf(renewShareSession(ctx, { kind: 'refresh', token }))).toEqual(refused)
  expect(await failuresOf(visit(session))).toEqual(ended)
  expect(await renewShareSession(ctx, { kind: 'refresh', token: renewed?.refreshToken ?? '' })).toBe(null)
})

test('a session can be kept for longer and be ended', async () => {
  const session = await loginShare(ctx, { share: await share() })
  expect(await renewShareSession(ctx, { kind: 'session', session: session.id })).toMatchObject({ id: session.id })
  const credentials = authenticator.read(createShareToken(ctx, session, {}))
  expect(credentials).toEqual({ kind: 'session', session: session.id })
  await endSession(ctx, session.id)
  expect(await failuresOf(visit(session))).toEqual(ended)
})

const counter = (name: string, points: number) => createCounter({ name, points, seconds: 300, redis: null })

test('guessing the password of a share comes to an end, and other shares stay open', async () => {
  const counters = { perAccount: counter('account', 2), perAddress: counter('address', 20) }
  const attempts = createAttempts(() => counters)
  const [key, other] = [await share({ password: 'letter press' }), await share({ password: 'another press' })]
  const come = (name: string, password: string) => loginShare({ ...ctx, attempts }, { share: name, password })
  await come(key, 'letter press')
  for (const wrong of ['a', 'b']) expect(await failuresOf(come(key, wrong))).toEqual(refused)
  for (const name of [key, key.toUpperCase()]) {
    expect(await failuresOf(come(name, 'letter press'))).toMatchObject([{ kind: 'requests-exceeded' }])
  }
  expect((await visit(await come(other, 'another press'))).actor.kind).toBe('share')
})

test('a share that has expired tells nothing of itself', async () => {
  const key = await share({ date_end: '2026-01-02T00:00:00Z', password: 'x', max_uses: 1 })
  expect(await readShareInfo(ctx, key)).toEqual({
    id: key,
    collection: 'articles',
    item: '1',
    password: '**********',
    max_uses: 1,
    times_used: 0,
    date_start: null,
    date_end: '2026-01-02T00:00:00.000Z',
  })
  now = new Date('2026-01-02T00:00:00Z')
  expect(await failuresOf(readShareInfo(ctx, key))).toMatchObject([{ kind: 'item-not-found' }])
})

test('shares of an item go with it, and an item of the same key is not shared', async () => {
  const at = await as(chief, chiefRole)
  const [key] = await writeItems(at, create('tags', { name: 'new' }))
  await share({ collection: 'tags', item: 'new' }, chief, chiefRole)
  await writeItems(at, { kind: 'delete', collection: 'tags', target: { kind: 'keys', keys: [key as Key] } })
  expect(await run('select 1 from platform_shares')).toEqual([])
  expect(await rowsOf(at, 'tags', { filter: is('name', 'new') })).toEqual([])
})

test('a visit that a deadlock has ended is made again, and counts once', async () => {
  const key = await share({ max_uses: 2 })
  await enter(key)
  await run(`update platform_sessions set expires = '2025-01-01'`)
  let visit: Promise<unknown> | undefined
  await database.db.transaction(async (inner) => {
    const change = (text: string) => inner.run({ text, values: [] })
    await change('update platform_sessions set user_agent = null')
    await change('update articles set status = status')
    visit = enter(key)
    visit.catch(() => undefined)
    await sleep(500)
    await change('update platform_shares set name = null')
  })
  await visit
  expect(await run('select times_used from platform_shares')).toEqual([{ times_used: 2 }])
})
