/** API keys of some policies: what their user may do beside them stays out of reach. */
import { afterAll, expect, test } from 'vitest'
import { openOwnDatabase } from './own-database.ts'
import type { RequestOptions } from './send.ts'

const tables = `
  create table notes (id serial primary key, title text);
  create table drafts (id serial primary key, title text);
  insert into notes (title) values ('Note');
  insert into drafts (title) values ('Draft')`
const own = await openOwnDatabase(tables)
afterAll(() => own.close())

type Answer<Data> = { readonly data: Data }

const codeOf = async (request: string, options: RequestOptions): Promise<readonly unknown[]> => {
  const { status, body } = await own.ask(request, options)
  const [first] = (body as { errors?: { extensions: { code: string } }[] } | null)?.errors ?? []
  return [status, first?.extensions.code]
}

async function create(body: object, token: string): Promise<{ readonly id: string; readonly key: string }> {
  const { status, body: answer } = await own.ask('POST /keys', { body, token })
  expect([status, answer]).toEqual([200, { data: expect.anything() }])
  return (answer as Answer<{ readonly id: string; readonly key: string }>).data
}

const all = (collection: string) => ({ collection, action: 'read', fields: ['*'] })
const mayWrite = (collection: string) =>
  ['create', 'read', 'update'].map((action) => ({ collection, action, fields: ['*'] }))

/** A user who holds one policy of these permissions beside one for all notes and drafts, and a key of the first alone. */
async function limitedKey(permissions: readonly object[]) {
  const token = await own.addUser([
    { collection: 'notes', action: 'read', fields: '*' },
    { collection: 'drafts', action: 'read', fields: '*' },
  ])
  const me = (await own.ask('GET /users/me?fields=id', { token })).body as Answer<{ readonly id: string }>
  const someone = { token, id: me.data.id }
  const made = await own.ask('POST /policies', { body: { name: 'Part', permissions } })
  const { id } = (made.body as { readonly data: { readonly id: string } }).data
  await own.ask('POST /access', { body: { user: someone.id, policy: id } })
  return { ...someone, key: (await create({ name: 'Part', policies: [id] }, someone.token)).key }
}

const webhook = {
  name: 'All',
  url: 'https://example.com/hook',
  collections: ['drafts'],
  actions: ['create'],
  status: 'inactive',
}

test('a key of some policies: no webhook, which would be sent what the user may read', async () => {
  const { key, token } = await limitedKey(mayWrite('platform_webhooks'))
  expect(await codeOf('POST /webhooks', { body: webhook, token: key })).toEqual([403, 'FORBIDDEN'])
  const made = await own.ask('POST /webhooks', { body: webhook, token })
  expect(made.status).toBe(200)
  const { id } = (made.body as { readonly data: { readonly id: number } }).data
  const url = 'https://example.org/other'
  expect(await codeOf(`PATCH /webhooks/${id}`, { body: { url }, token: key })).toEqual([403, 'FORBIDDEN'])
  expect(await codeOf(`PATCH /webhooks/${id}`, { body: { url }, token })).toEqual([200, undefined])
})

test('a key of some policies: no answer that was kept under the key of a request of the user', async () => {
  const { key, token } = await limitedKey([...mayWrite('platform_comments'), all('notes')])
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const body = { collection: 'notes', item: '1', comment: 'One' }
  const ask = async (caller: string) => {
    const { status, headers: answered } = await own.ask('POST /comments', { body, token: caller, headers })
    return [status, answered.get('idempotency-replayed')]
  }
  expect([await ask(token), await ask(key)]).toEqual([
    [200, null],
    [200, null],
  ])
  expect([await ask(token), await ask(key)]).toEqual([
    [200, 'true'],
    [200, 'true'],
  ])
})

test('a key of some policies: no share with the levels of a role', async () => {
  const { key, id } = await limitedKey([
    ...mayWrite('platform_shares'),
    { collection: 'notes', action: 'share', fields: ['*'] },
  ])
  const roleOf = (await own.ask(`GET /users/${id}?fields=role`, {})).body as { data: { role: string | null } }
  const role =
    roleOf.data.role ??
    ((await own.ask('POST /roles', { body: { name: 'Levels' } })).body as { data: { id: string } }).data.id
  await own.ask(`PATCH /users/${id}`, { body: { role } })
  await own.rows(
    `insert into platform_role_levels (role, collection, read) values ($1, 'notes', 'full'), ($1, 'drafts', 'full')`,
    [role],
  )
  expect(await codeOf('POST /shares', { body: { collection: 'notes', item: '1', role }, token: key })).toEqual([
    403,
    'FORBIDDEN',
  ])
  expect(await codeOf('POST /shares', { body: { collection: 'notes', item: '1' }, token: key })).toEqual([
    200,
    undefined,
  ])
})

/** Whether the explanation grants the caller to read the first note, and the first draft. */
async function explainedGrants(token: string): Promise<readonly boolean[]> {
  const grants = ['notes', 'drafts'].map(async (collection) => {
    const { body } = await own.ask(`GET /permissions/explain?collection=${collection}&action=read&item=1`, { token })
    return (body as Answer<{ readonly actions: readonly [{ readonly granted: boolean }] }>).data.actions[0].granted
  })
  return Promise.all(grants)
}

test('the explanation for a key of some policies is about its own rights, not those of its user', async () => {
  const { key, token } = await limitedKey([all('notes')])
  expect(await explainedGrants(token)).toEqual([true, true])
  expect(await explainedGrants(key)).toEqual([true, false])
  expect(await codeOf('GET /items/drafts/1', { token: key })).toEqual([403, 'FORBIDDEN'])
})

test('a key of some policies has no rights for SCIM from the user of an identity provider', async () => {
  const { key, token, id } = await limitedKey([all('notes')])
  await own.rows(`update platform_users set provider = 'scim' where id = $1`, [id])
  expect((await own.ask('GET /scim/v2/Users', { token })).status).toBe(200)
  expect((await own.ask('GET /scim/v2/Users', { token: key })).status).toBe(403)
  const body = { userName: 'made@example.com', active: true }
  const headers = { 'content-type': 'application/scim+json' }
  expect((await own.ask('POST /scim/v2/Users', { body, headers, token: key })).status).toBe(403)
})

test('a key makes no key by a batch or by GraphQL', async () => {
  const { key } = await limitedKey([all('notes')])
  const batch = { operations: [{ method: 'POST', path: '/keys', body: { name: 'Child' } }] }
  expect((await own.ask('POST /batch', { body: batch, token: key })).status).not.toBe(200)
  const query = 'mutation { create_keys_item(data: { name: "Child" }) { key } }'
  const made = await own.ask('POST /graphql/system', { body: { query }, token: key })
  expect(JSON.stringify(made.body)).toContain('FORBIDDEN')
  expect(await own.rows(`select name from platform_keys where name = 'Child'`)).toEqual([])
})

test('a key ends at its second, not after it', async () => {
  const token = await own.addUser([{ collection: 'notes', action: 'read', fields: '*' }])
  const { key, id } = await create({ name: 'Second', expires: '2099-01-01T00:00:00Z' }, token)
  await own.rows(`update platform_keys set expires = now() + interval '1 second' where id = $1`, [id])
  expect(await codeOf('GET /items/notes', { token: key })).toEqual([200, undefined])
  await new Promise((resolve) => setTimeout(resolve, 1100))
  expect(await codeOf('GET /items/notes', { token: key })).toEqual([401, 'TOKEN_EXPIRED'])
})
