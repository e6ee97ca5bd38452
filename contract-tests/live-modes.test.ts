/** Live connections under other settings than the defaults, of several servers over one database. */
import { createDirectus, realtime, staticToken } from '@directus/sdk'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { seedIds } from '../src/domain/schema/identity.ts'
import { type LiveSocket, openSocket } from './live-socket.ts'
import { type OwnDatabase, openOwnDatabase } from './own-database.ts'

const tables = `
  create table notes (id serial primary key, text text not null);
  insert into platform_collections (collection, singleton) values ('notes', false);
  insert into platform_permissions (policy, collection, action, permissions, fields)
    select id, 'notes', 'read', '{"text":{"_starts_with":"public"}}', '*' from platform_policies
    where id = '${seedIds.publicPolicy}'`

const password = 'correct-horse-42'
const email = 'ada@example.com'

type Server = Pick<OwnDatabase, 'url' | 'ask'>
beforeEach(() => own.rows('truncate notes restart identity'))
afterAll(() => own.close())

const adminRole = () => own.rows("select role as id from platform_users where email = 'admin@example.com'")

const own = await openOwnDatabase(tables, { WEBSOCKETS_ENABLED: 'true' })
const handshake = await own.openReplica({
  ACCESS_TOKEN_TTL: '2s',
  WEBSOCKETS_REST_AUTH_TIMEOUT: '1',
  WEBSOCKETS_GRAPHQL_AUTH_TIMEOUT: '1',
})
const beating = await own.openReplica({ WEBSOCKETS_HEARTBEAT_PERIOD: '1' })
const mixed = await own.openReplica({
  WEBSOCKETS_REST_AUTH: 'strict',
  WEBSOCKETS_GRAPHQL_AUTH: 'public',
  WEBSOCKETS_REST_PATH: '/Live',
  WEBSOCKETS_CALLER_CONN_LIMIT: '2',
  WEBSOCKETS_HEARTBEAT_ENABLED: 'false',
})
const turned = await own.openReplica({
  WEBSOCKETS_REST_AUTH: 'public',
  WEBSOCKETS_GRAPHQL_AUTH: 'strict',
  WEBSOCKETS_GRAPHQL_PATH: '/live/graphql',
  WEBSOCKETS_REST_CONN_LIMIT: '2',
  WEBSOCKETS_MAX_BACKLOG: '10kb',
  EVENTS_CALLER_LIMIT: '2',
})
const created = await own.ask('POST /users', {
  body: { email, password, status: 'active', role: (await adminRole())[0]?.['id'] },
})
expect(created.status).toBe(200)

const create = async (text: string, { ask }: Server = own): Promise<void> => {
  expect((await ask('POST /items/notes', { body: { text } })).status).toBe(200)
}

const bearer = () => ({ authorization: `Bearer ${own.adminToken}` })
const graphqlProtocol = 'graphql-transport-ws'
const ofNotes = 'subscription { notes_mutated { event data { text } } }'
const told = (text: string) => ({
  id: '1',
  type: 'next',
  payload: { data: { notes_mutated: { event: 'create', data: { text } } } },
})

async function login({ ask }: Server): Promise<{ readonly access: string; readonly refresh: string }> {
  const { status, body } = await ask('POST /auth/login', { body: { email, password }, token: null })
  expect(status).toBe(200)
  const { data } = body as { readonly data: { readonly access_token: string; readonly refresh_token: string } }
  return { access: data.access_token, refresh: data.refresh_token }
}

async function subscribe(socket: LiveSocket): Promise<void> {
  socket.send({ type: 'subscribe', collection: 'notes', query: { fields: ['text'] }, event: 'create' })
  expect(await socket.next()).toEqual({ type: 'subscription', event: 'init' })
}

/** Subscribes, and waits for the answer to a query that comes after it. */
async function subscribeGraphql(socket: LiveSocket, payload: object = {}): Promise<void> {
  socket.send({ type: 'connection_init', payload })
  expect(await socket.next()).toEqual({ type: 'connection_ack' })
  socket.send({ id: '1', type: 'subscribe', payload: { query: ofNotes } })
  socket.send({ id: '2', type: 'subscribe', payload: { query: '{ __typename }' } })
  expect(await socket.next()).toMatchObject({ id: '2', type: 'next' })
  expect(await socket.next()).toEqual({ id: '2', type: 'complete' })
}

const event = (text: string) => ({ type: 'subscription', event: 'create', data: [{ text }] })

describe('strict', () => {
  test('WebSocket: the request that opens the connection says who opens it', async () => {
    await expect(openSocket(`${mixed.url}/live`)).rejects.toThrow('401')
    await expect(openSocket(`${mixed.url}/live?access_token=wrong`)).rejects.toThrow('401')
    const socket = await openSocket(`${mixed.url}/live?access_token=${own.adminToken}`)
    await subscribe(socket)
    await create('a')
    expect(await socket.next()).toEqual(event('a'))
    socket.close()
    await socket.ended
    // Headers say it, too, for programs that can set them.
    const other = await openSocket(`${mixed.url}/live`, bearer())
    await subscribe(other)
    other.close()
    await other.ended
  })

  test('GraphQL: the first message needs no token', async () => {
    await expect(openSocket(`${turned.url}/live/graphql`, {}, graphqlProtocol)).rejects.toThrow('401')
    const socket = await openSocket(`${turned.url}/live/graphql`, bearer(), graphqlProtocol)
    await subscribeGraphql(socket)
    await create('a')
    expect(await socket.next()).toEqual(told('a'))
    socket.close()
  })
})

describe('public', () => {
  test('WebSocket: nobody is told what everybody may read, until a token comes', async () => {
    const socket = await openSocket(`${turned.url}/websocket`)
    await subscribe(socket)
    await create('secret')
    await create('public')
    expect(await socket.next()).toEqual(event('public'))
    socket.send({ type: 'auth', access_token: 'wrong' })
    expect(await socket.next()).toMatchObject({ type: 'auth', status: 'error', error: { code: 'AUTH_FAILED' } })
    socket.send({ type: 'auth', access_token: own.adminToken })
    expect(await socket.next()).toEqual({ type: 'auth', status: 'ok' })
    await create('secret')
    expect(await socket.next()).toEqual(event('secret'))
    socket.close()
    await socket.ended
  })

  test('GraphQL: the same, by the payload of the first message', async () => {
    const [nobody, admin] = [
      await openSocket(`${mixed.url}/graphql`, {}, graphqlProtocol),
      await openSocket(`${mixed.url}/graphql`, {}, graphqlProtocol),
    ]
    await subscribeGraphql(nobody)
    await subscribeGraphql(admin, { access_token: own.adminToken })
    await create('secret')
    await create('public')
    expect(await nobody.next()).toEqual(told('public'))
    expect([await admin.next(), await admin.next()]).toEqual([told('secret'), told('public')])
    for (const each of [nobody, admin]) each.close()
    const wrong = await openSocket(`${mixed.url}/graphql`, {}, graphqlProtocol)
    wrong.send({ type: 'connection_init', payload: { access_token: 'wrong' } })
    expect((await wrong.ended).code).toBe(4403)
  })
})

describe('time', () => {
  test('WebSocket: a token that expires is renewed without losing changes', async () => {
    const { access, refresh } = await login(handshake)
    const socket = await openSocket(`${handshake.url}/websocket`)
    socket.send({ type: 'auth', access_token: access })
    await socket.next()
    await subscribe(socket)
    const expired = { type: 'auth', status: 'error', error: { code: 'TOKEN_EXPIRED', message: 'Token expired.' } }
    expect(await socket.next()).toEqual(expired)
    await create('meanwhile')
    socket.send({ type: 'auth', refresh_token: refresh })
    expect(await socket.next()).toMatchObject({ type: 'auth', status: 'ok' })
    expect(await socket.next()).toEqual(event('meanwhile'))
    expect(await socket.next()).toEqual(expired)
    expect(await socket.next()).toMatchObject({ error: { code: 'AUTH_TIMEOUT' } })
    expect((await socket.ended).code).toBe(1008)
  })

  test('WebSocket: a renewed token begins anew if changes meanwhile are not kept', async () => {
    const { access, refresh } = await login(handshake)
    const socket = await openSocket(`${handshake.url}/websocket`)
    socket.send({ type: 'auth', access_token: access })
    await socket.next()
    socket.send({ type: 'subscribe', collection: 'notes', query: { fields: ['text'] } })
    expect(await socket.next()).toEqual({ type: 'subscription', event: 'init', data: [] })
    expect(await socket.next()).toMatchObject({ error: { code: 'TOKEN_EXPIRED' } })
    const other = await openSocket(`${handshake.url}/websocket`)
    other.send({ type: 'auth', access_token: own.adminToken })
    await other.next()
    await subscribe(other)
    await create('not kept')
    expect(await other.next()).toEqual(event('not kept'))
    other.close()
    await own.rows('delete from platform_events')
    await own.rows('update platform_feed set last = last + 2, floor = last + 2')
    socket.send({ type: 'auth', refresh_token: refresh })
    expect(await socket.next()).toMatchObject({ type: 'auth', status: 'ok' })
    expect(await socket.next()).toEqual({ type: 'subscription', event: 'init', data: [{ text: 'not kept' }] })
    await create('then')
    expect(await socket.next()).toEqual(event('then'))
    socket.close()
  })

  test('GraphQL: a token that expires closes the connection', async () => {
    const { access } = await login(handshake)
    const socket = await openSocket(`${handshake.url}/graphql`, {}, graphqlProtocol)
    await subscribeGraphql(socket, { access_token: access })
    expect(await socket.ended).toEqual({ code: 4403, reason: 'The token has expired' })
  })

  test('Server-Sent Events end with the token', async () => {
    const { access } = await login(handshake)
    const answer = await fetch(`${handshake.url}/items/notes/changes?access_token=${access}`, {
      headers: { accept: 'text/event-stream' },
    })
    expect(answer.status).toBe(200)
    // The caller is looked up again every ten seconds, if nothing changes.
    const last = (await answer.text()).trim().split('\n\n').at(-1)
    expect(last).toMatch(/^event: error\ndata: \{.*"TOKEN_EXPIRED"/)
  })

  test('whoever says nothing in time is cut off', async () => {
    const silent = await openSocket(`${handshake.url}/websocket`)
    expect(await silent.next()).toMatchObject({ type: 'auth', error: { code: 'AUTH_TIMEOUT' } })
    expect((await silent.ended).code).toBe(1008)
    const graphql = await openSocket(`${handshake.url}/graphql`, {}, graphqlProtocol)
    expect((await graphql.ended).code).toBe(4408)
  })

  test('the heartbeat is answered before the client has authenticated', async () => {
    const socket = await openSocket(`${beating.url}/websocket`)
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    socket.send({ type: 'auth', access_token: own.adminToken })
    expect(await socket.next()).toMatchObject({ status: 'ok' })
    socket.close()
  })

  test('whoever does not answer the heartbeat is cut off, and nobody else', async () => {
    const [dead, alive] = [await openSocket(`${beating.url}/websocket`), await openSocket(`${beating.url}/websocket`)]
    dead.fallSilent()
    for (const each of [dead, alive]) {
      each.send({ type: 'auth', access_token: own.adminToken })
      expect(await each.next()).toMatchObject({ status: 'ok' })
    }
    expect((await dead.ended).code).toBe(1006)
    alive.send({ type: 'ping' })
    expect(await alive.next()).toEqual({ type: 'pong' })
    alive.close()
  })
})

describe('bounds', () => {
  test('connections of one caller, and of all', async () => {
    const first = await openSocket(`${mixed.url}/live`, bearer())
    const second = await openSocket(`${mixed.url}/live`, bearer())
    await expect(openSocket(`${mixed.url}/live`, bearer())).rejects.toThrow('403')
    second.close()
    await second.ended
    const third = await openSocket(`${mixed.url}/live`, bearer())
    const all = [await openSocket(`${turned.url}/websocket`), await openSocket(`${turned.url}/websocket`)]
    await expect(openSocket(`${turned.url}/websocket`)).rejects.toThrow('403')
    for (const each of [first, third, ...all]) {
      each.close()
      await each.ended
    }
  })

  test('subscriptions of one caller, whatever their connections are', async () => {
    const sockets = [await openSocket(`${turned.url}/websocket`), await openSocket(`${turned.url}/websocket`)]
    for (const each of sockets) await subscribe(each)
    const [first] = sockets
    first?.send({ type: 'subscribe', collection: 'notes', uid: 'more' })
    expect(await first?.next()).toMatchObject({ type: 'subscribe', error: { code: 'REQUESTS_EXCEEDED' }, uid: 'more' })
    for (const each of sockets) {
      each.close()
      await each.ended
    }
  })

  test('a client that takes nothing is cut off, and others are told all the same', async () => {
    const [slow, other] = [await openSocket(`${turned.url}/websocket`), await openSocket(`${turned.url}/websocket`)]
    await subscribe(other)
    slow.pause()
    for (let count = 0; count < 30; count += 1) slow.send({ type: 'ping', uid: 'x'.repeat(900_000) })
    await create('public')
    expect(await other.next()).toEqual(event('public'))
    // The server waits two seconds for the client to take the reason.
    const gone = slow.ended
    await expect
      .poll(() =>
        openSocket(`${turned.url}/websocket`).then(
          (each) => each.close(),
          () => 'full',
        ),
      )
      .not.toBe('full')
    slow.resume()
    expect([1006, 1013]).toContain((await gone).code)
    other.close()
    await other.ended
  })
})

const redis = process.env['TEST_REDIS_URL']
const stores = redis === undefined ? ['no Redis'] : ['no Redis', 'Redis']

test.each(stores)('a change of one server is told by another, once and in order, with %s', async (store) => {
  const settings: { readonly [name: string]: string } =
    redis === undefined || store === 'no Redis' ? {} : { REDIS: redis, CACHE_ENABLED: 'true', CACHE_STORE: 'redis' }
  const [writer, reader] = [await own.openReplica(settings), await own.openReplica(settings)]
  type Schema = { notes: { id: number; text: string }[] }
  const client = createDirectus<Schema>(reader.url)
    .with(staticToken(own.adminToken))
    .with(realtime({ reconnect: false }))
  await client.connect()
  const { subscription } = await client.subscribe('notes', { query: { fields: ['text'] } })
  expect((await subscription.next()).value).toMatchObject({ event: 'init', data: [] })
  const socket = await openSocket(`${reader.url}/websocket`)
  socket.send({ type: 'auth', access_token: own.adminToken })
  await socket.next()
  socket.send({ type: 'subscribe', collection: 'notes' })
  await socket.next()
  await create('a', writer)
  expect((await subscription.next()).value).toMatchObject({ event: 'create', data: [{ text: 'a' }] })
  for (let count = 0; count < 20; count += 1)
    await (count % 2 === 0 ? writer : reader).ask('PATCH /items/notes/1', { body: { text: `${count}` } })
  const texts: string[] = []
  while (texts.length < 21) {
    const { data } = (await socket.next()) as { readonly data: readonly { readonly text: string }[] }
    texts.push(...data.map(({ text }) => text))
  }
  expect(texts).toEqual(['a', ...Array.from({ length: 20 }, (_, count) => `${count}`)])
  socket.close()
  client.disconnect()
})
