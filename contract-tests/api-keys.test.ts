/** API keys: what they may do, their limits, their end, and what must not be possible with them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Log } from '../src/domain/ports/context.ts'
import { openSocket } from './live-socket.ts'
import { type OwnDatabase, openOwnDatabase } from './own-database.ts'
import type { RequestOptions } from './send.ts'

const tables = `
  create table notes (id serial primary key, title text);
  create table drafts (id serial primary key, title text);
  insert into notes (title) select 'Note ' || n from generate_series(1, 200) n;
  insert into drafts (title) values ('Draft');
  analyze`

const read = (collection: string) => ({ collection, action: 'read', fields: '*' })

const lines: string[] = []
const note: Log['info'] = (detail, message) => void lines.push(`${message} ${JSON.stringify(detail)}`)

/** The answer to a token that nobody has. */
const unknown = [401, 'INVALID_CREDENTIALS']

let own: OwnDatabase
let replica: OwnDatabase['ask']
/** A user who may read notes and drafts. */
let user: { readonly id: string; readonly token: string; readonly policies: readonly string[] }
let other: { readonly id: string; readonly token: string }

beforeAll(async () => {
  const log: Log = { debug: note, info: note, warn: note, error: note }
  own = await openOwnDatabase(
    tables,
    { WEBSOCKETS_ENABLED: 'true', WEBSOCKETS_HEARTBEAT_PERIOD: '1', KEY_LIMIT_DURATION: '3600', TUS_ENABLED: 'true' },
    log,
  )
  replica = (await own.openReplica()).ask
  const found = await addUser([read('notes')])
  const policy = await own.ask('POST /policies', {
    body: { name: 'Drafts', permissions: [{ ...read('drafts'), fields: ['*'] }] },
  })
  const { id } = (policy.body as { readonly data: { readonly id: string } }).data
  await own.ask('POST /access', { body: { user: found.id, policy: id } })
  const held = await own.ask(`GET /access?filter[user][_eq]=${found.id}&fields=policy&sort=policy.name`)
  user = { ...found, policies: (held.body as { data: { policy: string }[] }).data.map(({ policy: each }) => each) }
  other = await addUser([read('notes')])
})
afterAll(() => own.close())

async function addUser(permissions: Parameters<OwnDatabase['addUser']>[0]) {
  const token = await own.addUser(permissions)
  const me = await own.ask('GET /users/me?fields=id', { token })
  return { token, id: (me.body as { readonly data: { readonly id: string } }).data.id }
}

type Key = { readonly id: string; readonly key: string; readonly prefix: string; readonly policies: unknown }

async function create(body: object, token: string | null = user.token): Promise<Key> {
  const { status, body: answer } = await own.ask('POST /keys', { body, token })
  expect([status, answer]).toEqual([200, { data: expect.anything() }])
  return (answer as { readonly data: Key }).data
}

const codeOf = async (request: string, options: RequestOptions, ask = own.ask): Promise<readonly unknown[]> => {
  const { status, body } = await ask(request, options)
  const [first] = (body as { errors?: { extensions: { code: string } }[] } | null)?.errors ?? []
  return [status, first?.extensions.code]
}

const count = async (path: string, token: string, ask = own.ask): Promise<unknown> => {
  const { status, body } = await ask(`GET ${path}`, { token })
  return status === 200 ? (body as { readonly data: readonly unknown[] }).data.length : status
}

test('a key acts as its user in both generations, in GraphQL, and in the query string', async () => {
  const { key, ...shown } = await create({ name: 'All' })
  expect(key).toMatch(/^tk_[\w-]{48}$/)
  expect(shown).toMatchObject({ user: user.id, name: 'All', prefix: key.slice(0, 11), policies: null, last_used: null })
  expect(await count('/items/notes?limit=2', key)).toBe(2)
  expect(await count(`/items/drafts?access_token=${key}`, null as never)).toBe(1)
  expect(await count('/_/items/drafts', key)).toBe(1)
  const graphql = await own.ask('POST /graphql', { body: { query: '{ drafts { title } }' }, token: key })
  expect(graphql.body).toEqual({ data: { drafts: [{ title: 'Draft' }] } })
})

test('a key of some policies has the permissions of these', async () => {
  const { key } = await create({ name: 'Drafts', policies: [user.policies[0]] })
  expect(await count('/items/drafts', key)).toBe(1)
  expect(await count('/items/notes', key)).toBe(403)
  const { body } = await own.ask('GET /permissions/me', { token: key })
  expect(Object.keys((body as { readonly data: object }).data)).toEqual(['drafts'])
})

const upload = (method: string, token: string, place: string, { offset = 0, body = '' } = {}) =>
  fetch(`${own.url}/files/tus${place}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'tus-resumable': '1.0.0',
      ...(method === 'POST' ? { 'upload-length': '6', 'upload-metadata': `filename_download ${btoa('a.txt')}` } : {}),
      ...(body === '' ? {} : { 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' }),
    },
    ...(body === '' ? {} : { body }),
  })

test('a key of some policies begins, goes on with, shows and removes no upload that these do not allow', async () => {
  const someone = await addUser([{ collection: 'platform_files', action: 'create', fields: '*' }])
  const { body } = await own.ask('POST /policies', { body: { name: 'Notes', permissions: [read('notes')] } })
  const policy = (body as { readonly data: { readonly id: string } }).data.id
  await own.ask('POST /access', { body: { user: someone.id, policy } })
  const { key } = await create({ name: 'Notes', policies: [policy] }, someone.token)
  expect((await upload('POST', key, '')).status).toBe(403)
  const place = `/${(await upload('POST', someone.token, '')).headers.get('location')?.split('/').at(-1)}`
  expect((await upload('PATCH', key, place, { body: 'abc' })).status).toBe(403)
  for (const method of ['HEAD', 'DELETE']) expect((await upload(method, key, place)).status).toBe(403)
  expect((await upload('PATCH', someone.token, place, { body: 'abc' })).status).toBe(204)
  expect((await upload('PATCH', key, place, { offset: 3, body: 'def' })).status).toBe(403)
  expect((await upload('PATCH', someone.token, place, { offset: 3, body: 'def' })).status).toBe(204)
  const { body: stored } = await own.ask('GET /files?fields=filesize,filename_download')
  expect(stored).toEqual({ data: [{ filesize: '6', filename_download: 'a.txt' }] })
})

test('a policy that the user loses is lost to the key', async () => {
  const someone = await addUser([read('notes')])
  const { body } = await own.ask(`GET /access?filter[user][_eq]=${someone.id}&fields=id,policy`)
  const [held] = (body as { readonly data: readonly { readonly id: string; readonly policy: string }[] }).data
  const { key } = await create({ name: 'Notes', policies: [held?.policy] }, someone.token)
  expect(await count('/items/notes?limit=1', key)).toBe(1)
  await own.ask(`DELETE /access/${held?.id}`)
  expect(await count('/items/notes?limit=1', key)).toBe(403)
})

test('GraphQL creates, lists and deletes keys', async () => {
  const query = `mutation { create_keys_item(data: {name: "By GraphQL"}) { id key } }`
  const made = await own.ask('POST /graphql/system', { body: { query }, token: user.token })
  const { id, key } = (made.body as { data: { create_keys_item: Key } }).data.create_keys_item
  expect(await count('/items/notes?limit=1', key)).toBe(1)
  const list = await own.ask('POST /graphql/system', { body: { query: '{ keys { id name key } }' }, token: user.token })
  expect((list.body as { data: { keys: unknown[] } }).data.keys[0]).toEqual({ id, name: 'By GraphQL', key: null })
  const gone = await own.ask('POST /graphql/system', {
    body: { query: `mutation { delete_keys_item(id: "${id}") }` },
    token: user.token,
  })
  expect(gone.body).toEqual({ data: { delete_keys_item: true } })
  expect(await codeOf('GET /items/notes', { token: key })).toEqual(unknown)
})

describe('nobody gains anything by keys:', () => {
  test('not policies that the user does not hold', async () => {
    const admin = (await own.ask('GET /policies?filter[admin_access][_eq]=true&fields=id')).body as {
      data: { id: string }[]
    }
    for (const policy of [admin.data[0]?.id, '00000000-0000-4000-8000-0000000000ff'])
      expect(await codeOf('POST /keys', { body: { name: 'x', policies: [policy] }, token: user.token })).toEqual([
        400,
        'INVALID_PAYLOAD',
      ])
  })

  test('not keys of others, to create, to read or to delete', async () => {
    const { id } = await create({ name: 'Mine' })
    const token = other.token
    const refused = [403, 'FORBIDDEN']
    expect(await codeOf('POST /keys', { body: { name: 'x', user: user.id }, token })).toEqual(refused)
    expect(await codeOf(`GET /keys?user=${user.id}`, { token })).toEqual(refused)
    expect(await codeOf(`DELETE /keys/${id}`, { token })).toEqual(refused)
    expect(await codeOf('DELETE /keys/nonsense', { token })).toEqual(refused)
    expect((await own.ask('GET /keys', { token })).body).toEqual({ data: [] })
    expect(await codeOf('GET /keys', { token: null })).toEqual([401, 'INVALID_CREDENTIALS'])
    expect(await codeOf('GET /items/platform_keys', {})).toEqual(refused)
  })

  test.each(['user', 'administrator'])('no key by a key of the %s', async (who) => {
    const { key, id } = await create({ name: 'Parent' }, who === 'user' ? user.token : own.adminToken)
    const sibling = await create({ name: 'Sibling' }, who === 'user' ? user.token : own.adminToken)
    expect(await codeOf('POST /keys', { body: { name: 'Child' }, token: key })).toEqual([403, 'FORBIDDEN'])
    expect(await codeOf(`DELETE /keys/${sibling.id}`, { token: key })).toEqual([403, 'FORBIDDEN'])
    expect(await codeOf(`DELETE /keys/${id}`, { token: key })).toEqual([204, undefined])
    expect(await codeOf('GET /keys', { token: key })).toEqual(unknown)
  })

  test.each(['password', 'token', 'email'])('not the account of its user, by the %s', async (field) => {
    const someone = await addUser([
      { collection: 'platform_users', action: 'update', fields: '*' },
      { collection: 'platform_users', action: 'read', fields: '*' },
    ])
    const { key } = await create({ name: 'Thief' }, someone.token)
    const body = { [field]: field === 'email' ? 'thief@example.com' : 'correct-horse-42-battery' }
    for (const request of ['PATCH /users/me', `PATCH /users/${someone.id}`])
      expect(await codeOf(request, { body, token: key })).toEqual([403, 'FORBIDDEN'])
    expect(await codeOf('PATCH /users/me', { body: { title: 'Dr' }, token: key })).toEqual([200, undefined])
    expect(await codeOf('PATCH /users/me', { body, token: someone.token })).toEqual([200, undefined])
  })

  test('not by a stored hash, a prefix or a static token of the form of a key', async () => {
    const { key, id } = await create({ name: 'Hashed' })
    const [row] = await own.rows('select hash from platform_keys where id = $1', [id])
    expect(row?.['hash']).toMatch(/^[\w-]{43}$/)
    for (const token of [row?.['hash'] as string, key.slice(0, 11), `tk_${'a'.repeat(48)}`])
      expect(await codeOf('GET /items/notes', { token })).toEqual(unknown)
    expect(JSON.stringify(await own.rows('select * from platform_keys'))).not.toContain(key.slice(11))
  })

  test('no key is in the log', async () => {
    const { key, id } = await create({ name: 'Secret' })
    await own.ask(`GET /items/notes?access_token=${key}&limit=x`, { token: null })
    await own.ask('GET /items/nowhere', { token: key })
    await own.ask(`DELETE /keys/${id}`, { token: user.token })
    await own.ask(`GET /items/notes?access_token=${key}`, { token: null })
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.filter((line) => line.includes(key.slice(11)))).toEqual([])
  })
})

test('administrators read all keys, and create and delete those of others', async () => {
  const { id, key } = await create({ name: 'Given', user: other.id, policies: null }, own.adminToken)
  expect(await count('/items/drafts', key)).toBe(403)
  const all = (await own.ask('GET /keys')).body as { readonly data: readonly { readonly user: string }[] }
  expect(new Set(all.data.map((each) => each.user)).size).toBeGreaterThan(1)
  const one = (await own.ask(`GET /keys?user=${other.id}`)).body as { readonly data: readonly object[] }
  expect(one.data).toEqual([expect.objectContaining({ id, name: 'Given' })])
  expect(await codeOf(`DELETE /keys/${id}`, {})).toEqual([204, undefined])
  expect(await codeOf('POST /keys', { body: { name: 'x', user: '00000000-0000-4000-8000-0000000000ff' } })).toEqual([
    400,
    'INVALID_PAYLOAD',
  ])
})

test('a deleted key counts nowhere from the next request on', async () => {
  const { id, key } = await create({ name: 'Short' })
  for (const ask of [own.ask, replica]) expect(await count('/items/notes?limit=1', key, ask)).toBe(1)
  await own.ask(`DELETE /keys/${id}`, { token: user.token })
  for (const ask of [replica, own.ask]) expect(await codeOf('GET /items/notes', { token: key }, ask)).toEqual(unknown)
})

test('the end of a key ends the sockets that it opened', async () => {
  const { id, key } = await create({ name: 'Socket' })
  const socket = await openSocket(`${own.url}/websocket`)
  socket.send({ type: 'auth', access_token: key })
  expect(await socket.next()).toMatchObject({ type: 'auth', status: 'ok' })
  socket.send({ type: 'subscribe', collection: 'notes', query: { limit: 1, fields: ['title'] } })
  expect(await socket.next()).toMatchObject({ type: 'subscription', data: [{ title: 'Note 1' }] })
  const idle = await openSocket(`${own.url}/websocket`)
  idle.send({ type: 'auth', access_token: key })
  await idle.next()
  await own.ask(`DELETE /keys/${id}`, { token: user.token })
  await own.ask('POST /items/notes', { body: { title: 'Unseen' } })
  expect(await socket.next()).toMatchObject({ type: 'auth', status: 'error', error: { code: 'AUTH_FAILED' } })
  expect((await socket.ended).code).toBe(1008)
  expect((await idle.ended).code).toBe(1008)
})

test('a key expires', async () => {
  expect(
    await codeOf('POST /keys', { body: { name: 'x', expires: '2020-01-01T00:00:00Z' }, token: user.token }),
  ).toEqual([400, 'INVALID_PAYLOAD'])
  const { id, key } = await create({ name: 'Expiring', expires: '2999-01-01T00:00:00.000Z' })
  expect(await count('/items/notes?limit=1', key)).toBe(1)
  await own.rows(`update platform_keys set expires = '2020-01-01' where id = '${id}'`)
  expect(await codeOf('GET /items/notes', { token: key })).toEqual([401, 'TOKEN_EXPIRED'])
})

test('the last use is stored, at most once a minute', async () => {
  const { id, key } = await create({ name: 'Used' })
  await count('/items/notes?limit=1', key)
  const used = async () => (await own.rows('select last_used from platform_keys where id = $1', [id]))[0]?.['last_used']
  const first = await used()
  expect(first).not.toBeNull()
  await count('/items/notes?limit=1', key)
  expect(await used()).toEqual(first)
  await own.rows(`update platform_keys set last_used = '2020-01-01' where id = '${id}'`)
  await count('/items/notes?limit=1', key)
  expect(String(await used())).not.toContain('2020-01-01')
})

test('a user who is suspended takes its keys along', async () => {
  const someone = await addUser([read('notes')])
  const { key } = await create({ name: 'Suspended' }, someone.token)
  expect(await count('/items/notes?limit=1', key)).toBe(1)
  await own.ask(`PATCH /users/${someone.id}`, { body: { status: 'suspended' } })
  expect((await own.ask('GET /items/notes', { token: key })).status).toBe(401)
})

/** What a request costs with a key of its own. */
async function costOf(request: string, options: RequestOptions = {}, token = user.token): Promise<number> {
  const { key } = await create({ name: 'Cost', max_cost: 1_000_000 }, token)
  const answer = await own.ask(request, { ...options, token: key })
  expect(answer.status).toBe(200)
  return 1_000_000 - Number(/"cost";r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1])
}

const limits = ({ headers }: { readonly headers: Headers }): readonly (string | null)[] => [
  headers.get('ratelimit-policy'),
  headers.get('ratelimit')?.replaceAll(/t=\d+/g, 't=T') ?? null,
]

describe('limits:', () => {
  test('requests are counted, and refused above the limit', async () => {
    const { key } = await create({ name: 'Few', max_requests: 2 })
    const first = await own.ask('GET /items/notes?limit=1', { token: key })
    expect(limits(first)).toEqual(['"requests";q=2;w=3600', '"requests";r=1;t=T'])
    expect((await own.ask('GET /_/items/notes?limit=1', { token: key })).status).toBe(200)
    const third = await own.ask('GET /items/notes?limit=1', { token: key })
    expect([third.status, third.headers.get('retry-after'), ...limits(third)]).toEqual([
      429,
      expect.stringMatching(/^\d+$/),
      '"requests";q=2;w=3600',
      '"requests";r=0;t=T',
    ])
  })

  test('one unit of cost in REST, GraphQL and the older generation', async () => {
    const rest = await costOf('GET /items/notes?fields=id,title&limit=100')
    expect(rest).toBe(201)
    expect(await costOf('POST /graphql', { body: { query: '{ notes(limit: 100) { id title } }' } })).toBe(rest)
    expect(await costOf('GET /_/items/notes?fields=id,title&limit=100')).toBe(rest)
    expect(await costOf('GET /items/notes?fields=id&limit=10')).toBe(11)
    expect(await costOf('GET /server/info')).toBe(1)
    const body = [{ title: 'a' }, { title: 'b' }]
    expect(await costOf('POST /items/drafts?fields=id', { body }, own.adminToken)).toBeGreaterThanOrEqual(3)
  })

  test('no request begins when the cost is spent', async () => {
    const { key } = await create({ name: 'Poor', max_cost: 150 })
    const first = await own.ask('GET /items/notes?limit=100', { token: key })
    expect([first.status, ...limits(first)]).toEqual([200, '"cost";q=150;w=3600', '"cost";r=0;t=T'])
    expect(await codeOf('GET /items/notes?limit=1', { token: key })).toEqual([429, 'REQUESTS_EXCEEDED'])
  })

  test('a key without limits says nothing of them', async () => {
    const { key } = await create({ name: 'Free' })
    expect(limits(await own.ask('GET /items/notes?limit=1', { token: key }))).toEqual([null, null])
  })
})

const change = (id: string, body: object, token: string | null = user.token) =>
  own.ask(`PATCH /keys/${id}`, { body, token })
const statusOf = async (key: string, path: string) => (await replica(`GET ${path}`, { token: key })).status

describe('changes', () => {
  test('count at the next request, on every replica, and leave the rest as it was', async () => {
    const { id, key } = await create({ name: 'Before', max_cost: 500, expires: '2999-01-01T00:00:00.000Z' })
    expect(await statusOf(key, '/items/drafts')).toBe(200)
    const [drafts, notes] = user.policies
    const { status, body } = await change(id, { name: 'After', policies: [notes] })
    expect([status, body]).toEqual([
      200,
      {
        data: expect.objectContaining({
          id,
          name: 'After',
          policies: [notes],
          max_cost: 500,
          max_requests: null,
          expires: '2999-01-01T00:00:00.000Z',
        }),
      },
    ])
    expect(body).not.toHaveProperty('data.key')
    const now = await Promise.all([statusOf(key, '/items/drafts'), statusOf(key, '/items/notes')])
    expect(now.toSorted()).toEqual([200, 403])
    await change(id, { policies: [drafts, notes], expires: null, max_cost: null })
    expect(await Promise.all([statusOf(key, '/items/drafts'), statusOf(key, '/items/notes')])).toEqual([200, 200])
    const { body: all } = await own.ask('GET /keys', { token: user.token })
    const shown = (all as { readonly data: readonly { readonly id: string }[] }).data.find((each) => each.id === id)
    expect(shown).toMatchObject({ name: 'After', expires: null, max_cost: null, last_used: expect.any(String) })
  })

  test('are refused for keys of others, for keys themselves and for wrong values', async () => {
    const { id, key } = await create({ name: 'Mine' })
    const refused = await Promise.all([
      change(id, { name: 'Theirs' }, other.token),
      change(id, { name: 'Itself' }, key),
      change('00000000-0000-4000-8000-00000000dead', { name: 'Nobody' }),
      change('no-id', { name: 'Nobody' }),
    ])
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403])
    const wrong = [{ expires: '2001-01-01T00:00:00.000Z' }, { policies: [crypto.randomUUID()] }, { user: other.id }]
    for (const body of wrong) expect([body, (await change(id, body)).status]).toEqual([body, 400])
    const { body } = await own.ask('GET /keys', { token: user.token })
    expect((body as { readonly data: readonly unknown[] }).data).toContainEqual(
      expect.objectContaining({ id, name: 'Mine', expires: null, policies: null }),
    )
    expect((await change(id, { name: 'Yours' }, own.adminToken)).status).toBe(200)
    const query = `mutation ($id: ID!) { update_keys_item(id: $id, data: { max_requests: 7 }) { name max_requests } }`
    const graphql = await own.ask('POST /graphql/system', { body: { query, variables: { id } }, token: user.token })
    expect(graphql.body).toEqual({ data: { update_keys_item: { name: 'Yours', max_requests: 7 } } })
  })
})
