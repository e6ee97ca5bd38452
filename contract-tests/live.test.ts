/** Live connections: messages as clients of the current platform send them, with the rights of now and bounds. */
import { createDirectus, realtime, staticToken } from '@directus/sdk'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { type LiveSocket, type Message, openSocket } from './live-socket.ts'
import { dataIn, send } from './send.ts'
import { openWorld, type UserKind } from './world.ts'

const world = await openWorld({ WEBSOCKETS_ENABLED: 'true', WEBSOCKETS_SUBSCRIPTIONS: '3' })
beforeEach(() => world.reset())
afterAll(() => world.close())

const ask = async (request: string, body?: unknown, as: UserKind = 'admin'): Promise<unknown> =>
  dataIn(await send(world.url, request, { body, token: world.tokens[as] }))

async function connect(as: UserKind = 'admin'): Promise<LiveSocket> {
  const socket = await openSocket(`${world.url}/websocket`)
  socket.send({ type: 'auth', access_token: world.tokens[as], uid: 'a' })
  expect(await socket.next()).toEqual({ type: 'auth', status: 'ok', uid: 'a' })
  return socket
}

const failure = (type: string, code: string, more: object = {}): Message => ({
  type,
  status: 'error',
  error: expect.objectContaining({ code }),
  ...more,
})

test('the unmodified SDK subscribes, is told of changes, and leaves', async () => {
  type Schema = { articles: { id: number; title: string }[] }
  const client = createDirectus<Schema>(world.url)
    .with(staticToken(world.tokens.admin ?? ''))
    .with(realtime({ reconnect: false }))
  await client.connect()
  const subscribed = await client.subscribe('articles', {
    query: { fields: ['id', 'title'], filter: { id: { _gt: 4 } } },
    uid: 's',
  })
  const next = async () => (await subscribed.subscription.next()).value
  expect(await next()).toEqual({ type: 'subscription', event: 'init', data: [{ id: 5, title: 'Old' }], uid: 's' })
  await ask('POST /items/articles', { title: 'New' })
  expect(await next()).toEqual({ type: 'subscription', event: 'create', data: [{ id: 6, title: 'New' }], uid: 's' })
  await ask('PATCH /items/articles/6', { title: 'Newer' })
  expect(await next()).toEqual({ type: 'subscription', event: 'update', data: [{ id: 6, title: 'Newer' }], uid: 's' })
  await ask('DELETE /items/articles/6')
  expect(await next()).toEqual({ type: 'subscription', event: 'delete', data: [6], uid: 's' })
  subscribed.unsubscribe()
  client.disconnect()
})

const ok = (data: unknown): Message => ({ type: 'items', data, uid: 7 })

test('items are read and written by messages under the rights of the caller', async () => {
  const socket = await connect()
  const answer = async (message: object) => {
    socket.send({ type: 'items', collection: 'tags', uid: 7, ...message })
    return socket.next()
  }
  expect(await answer({ action: 'create', data: { name: 'new' } })).toEqual(ok({ id: 4, name: 'new' }))
  expect(await answer({ action: 'create', data: [{ name: 'x' }, { name: 'y' }], query: { fields: 'name' } })).toEqual(
    ok([{ name: 'x' }, { name: 'y' }]),
  )
  expect(await answer({ action: 'read', id: 4 })).toEqual(ok({ id: 4, name: 'new' }))
  expect(await answer({ action: 'read', ids: [5, 6], query: { fields: ['id'] } })).toEqual(ok([{ id: 5 }, { id: 6 }]))
  const counted = { type: 'items', data: [{ id: 1 }], meta: { filter_count: 1 }, uid: 7 }
  expect(
    await answer({
      action: 'read',
      query: { fields: ['id'], filter: JSON.stringify({ name: { _eq: 'red' } }), meta: 'filter_count' },
    }),
  ).toEqual(counted)
  expect(await answer({ action: 'update', id: 4, data: { name: 'newer' } })).toEqual(ok({ id: 4, name: 'newer' }))
  expect(await answer({ action: 'update', ids: [5, 6], data: { name: 'z' }, query: { fields: ['name'] } })).toEqual(
    ok([{ name: 'z' }, { name: 'z' }]),
  )
  expect(await answer({ action: 'update', data: [{ id: 5, name: 'five' }] })).toEqual(ok([{ id: 5, name: 'five' }]))
  expect(await answer({ action: 'delete', id: 4 })).toEqual(ok([4]))
  expect(await answer({ action: 'delete', ids: [5, 6] })).toEqual(ok([5, 6]))
  const used = (await ask('GET /usage?operation=openSocket')) as readonly { readonly access: string; path: string }[]
  expect(used).toContainEqual(expect.objectContaining({ access: 'create', path: 'tags.name' }))
  socket.close()

  const nobody = await connect('nobody')
  nobody.send({ type: 'items', action: 'read', collection: 'tags', uid: 'n' })
  expect(await nobody.next()).toEqual(failure('items', 'FORBIDDEN', { uid: 'n' }))
  nobody.send({ type: 'subscribe', collection: 'tags' })
  expect(await nobody.next()).toEqual(failure('subscribe', 'FORBIDDEN'))
  nobody.close()
})

test.each<[string, object | string, string, string]>([
  ['no JSON', '{', 'server', 'INVALID_PAYLOAD'],
  ['a list', '[]', 'server', 'INVALID_PAYLOAD'],
  ['an unknown type', { type: 'toString' }, 'server', 'INVALID_PAYLOAD'],
  ['no type', {}, 'server', 'INVALID_PAYLOAD'],
  ['an unknown action', { type: 'items', action: 'constructor', collection: 'tags' }, 'items', 'INVALID_PAYLOAD'],
  ['no collection', { type: 'subscribe' }, 'subscribe', 'INVALID_PAYLOAD'],
  ['a missing collection', { type: 'subscribe', collection: 'nothing' }, 'subscribe', 'FORBIDDEN'],
  ['an unknown event', { type: 'subscribe', collection: 'tags', event: 'change' }, 'subscribe', 'INVALID_PAYLOAD'],
  ['a query that is none', { type: 'subscribe', collection: 'tags', query: [] }, 'subscribe', 'INVALID_PAYLOAD'],
  ['a wrong query', { type: 'subscribe', collection: 'tags', query: { limit: 'x' } }, 'subscribe', 'INVALID_QUERY'],
  ['groups', { type: 'subscribe', collection: 'tags', query: { groupBy: ['name'] } }, 'subscribe', 'INVALID_QUERY'],
  [
    'a field that is none',
    { type: 'subscribe', collection: 'tags', query: { fields: ['x'] } },
    'subscribe',
    'FORBIDDEN',
  ],
  ['a uid that is none', { type: 'subscribe', collection: 'tags', uid: {} }, 'subscribe', 'INVALID_PAYLOAD'],
  ['data that are none', { type: 'items', action: 'create', collection: 'tags', data: 1 }, 'items', 'INVALID_PAYLOAD'],
  ['a key that is none', { type: 'items', action: 'read', collection: 'tags', id: {} }, 'items', 'INVALID_PAYLOAD'],
])('%s is refused, and the connection goes on', async (_name, message, type, code) => {
  const socket = await connect()
  socket.send(message)
  expect(await socket.next()).toMatchObject(failure(type, code))
  socket.send({ type: 'ping', uid: 'p' })
  expect(await socket.next()).toEqual({ type: 'pong', uid: 'p' })
  socket.close()
})

test('subscriptions have names, kinds and a number; one of the same name replaces another', async () => {
  const socket = await connect()
  const subscribe = async (uid: unknown, more: object = {}) => {
    socket.send({ type: 'subscribe', collection: 'tags', query: { fields: ['name'] }, uid, ...more })
    return socket.next()
  }
  expect(await subscribe(1, { event: 'delete' })).toEqual({ type: 'subscription', event: 'init', uid: '1' })
  expect(await subscribe('b', { item: 3 })).toEqual({
    type: 'subscription',
    event: 'init',
    data: [{ name: 'blue' }],
    uid: 'b',
  })
  await subscribe('c', { event: 'create' })
  expect(await subscribe('d')).toEqual(failure('subscribe', 'INVALID_PAYLOAD', { uid: 'd' }))
  expect(await subscribe('c', { event: 'update', query: { fields: ['id'] } })).toEqual({
    type: 'subscription',
    event: 'init',
    uid: 'c',
  })
  await ask('PATCH /items/tags/1', { name: 'x' })
  expect(await socket.next()).toEqual({ type: 'subscription', event: 'update', data: [{ id: 1 }], uid: 'c' })
  await ask('POST /items/tags', { name: 'not told' })
  await ask('DELETE /items/tags', [3, 2])
  const last = [await socket.next(), await socket.next()]
  expect(last.find(({ uid }) => uid === 'b')).toEqual({ type: 'subscription', event: 'delete', data: [3], uid: 'b' })
  const deleted = last.find(({ uid }) => uid === '1') as { readonly data: readonly number[] }
  expect(deleted.data.toSorted((a, b) => a - b)).toEqual([2, 3])
  socket.send({ type: 'unsubscribe' })
  expect(await socket.next()).toEqual({ type: 'subscription', event: 'unsubscribe' })
  await ask('PATCH /items/tags/1', { name: 'y' })
  socket.send({ type: 'ping' })
  expect(await socket.next()).toEqual({ type: 'pong' })
  socket.close()
})

const told = (event: string, ...names: string[]): Message => ({
  type: 'subscription',
  event,
  data: names.map((name) => ({ name })),
})

test('created items are told one by one, those that one request changes together', async () => {
  const socket = await connect()
  socket.send({ type: 'subscribe', collection: 'tags', query: { fields: ['name'] } })
  await socket.next()
  const created = (await ask('POST /items/tags', [{ name: 'one' }, { name: 'two' }])) as readonly { id: number }[]
  expect([await socket.next(), await socket.next()]).toEqual([told('create', 'one'), told('create', 'two')])
  await ask('PATCH /items/tags', { keys: created.map(({ id }) => id), data: { name: 'same' } })
  expect(await socket.next()).toEqual(told('update', 'same', 'same'))
  socket.close()
})

test('a token in the address says who speaks, and no message has to', async () => {
  const socket = await openSocket(`${world.url}/websocket?access_token=${world.tokens.admin}`)
  socket.send({ type: 'items', action: 'read', collection: 'tags', query: { fields: ['id'], limit: 1 }, uid: 1 })
  expect(await socket.next()).toMatchObject({ type: 'items', data: [{ id: expect.any(Number) as number }] })
  socket.close()
  await expect(openSocket(`${world.url}/websocket?access_token=wrong`)).rejects.toThrow('401')
})

describe('who speaks', () => {
  test('says so first, by a token, a refresh token or a password', async () => {
    for (const first of [{ type: 'ping' }, { type: 'auth', access_token: 'wrong' }, { type: 'auth' }]) {
      const socket = await openSocket(`${world.url}/websocket`)
      socket.send({ ...first, uid: 'u' })
      expect(await socket.next()).toEqual(failure('auth', 'AUTH_FAILED', { uid: 'u' }))
      expect((await socket.ended).code).toBe(1008)
    }
    const socket = await openSocket(`${world.url}/websocket`)
    socket.send({ type: 'auth', email: 'admin@example.com', password: 'correct-horse-42' })
    const { refresh_token: refresh } = await socket.next()
    expect(refresh).toEqual(expect.any(String))
    socket.send({ type: 'auth', refresh_token: refresh })
    expect(await socket.next()).toEqual({ type: 'auth', status: 'ok', refresh_token: expect.any(String) })
    socket.send({ type: 'items', action: 'read', collection: 'tags', query: { fields: ['id'], limit: 1 } })
    expect(await socket.next()).toEqual({ type: 'items', data: [{ id: 1 }] })
    socket.close()
  })

  test('is nobody any more when the session ends, and is told so with the next change', async () => {
    const login = { email: 'admin@example.com', password: 'correct-horse-42' }
    const { body } = await send(world.url, 'POST /auth/login', { body: login })
    const { data } = body as {
      readonly data: { readonly access_token: string; readonly refresh_token: string }
    }
    const socket = await openSocket(`${world.url}/websocket`)
    socket.send({ type: 'auth', access_token: data.access_token })
    await socket.next()
    socket.send({ type: 'subscribe', collection: 'tags' })
    await socket.next()
    await ask('POST /auth/logout', { refresh_token: data.refresh_token })
    await ask('POST /items/tags', { name: 'secret' })
    expect(await socket.next()).toEqual(failure('auth', 'AUTH_FAILED'))
    expect((await socket.ended).code).toBe(1008)
  })

  test('comes from a page of an allowed origin, or from a program', async () => {
    const { origin } = new URL(world.url)
    const own = await openSocket(`${world.url}/websocket`, { origin })
    own.close()
    await expect(openSocket(`${world.url}/websocket`, { origin: 'https://evil.example.com' })).rejects.toThrow('403')
    await expect(openSocket(`${world.url}/elsewhere`)).rejects.toThrow('404')
  })
})

test('a broken frame and a message that is too long end their connection only', async () => {
  const [socket, other] = [await connect(), await connect()]
  socket.send({ type: 'ping', uid: 'x'.repeat(1_100_000) })
  expect((await socket.ended).code).toBe(1009)
  other.send({ type: 'ping' })
  expect(await other.next()).toEqual({ type: 'pong' })
  other.close()
})

describe('Server-Sent Events', () => {
  type Event = { readonly id: string | undefined; readonly event: string; readonly data: unknown }

  /** The events of a collection, as a browser reads them. */
  async function follow(
    query: string,
    { as = 'admin', last }: { readonly as?: UserKind; readonly last?: string } = {},
  ) {
    const stopped = new AbortController()
    const answer = await fetch(`${world.url}/items/${query}`, {
      headers: {
        accept: 'text/event-stream',
        authorization: `Bearer ${world.tokens[as]}`,
        ...(last === undefined ? {} : { 'last-event-id': last }),
      },
      signal: stopped.signal,
    })
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    const next = async (): Promise<Event> => {
      for (let end = text.indexOf('\n\n'); end === -1; end = text.indexOf('\n\n'))
        text += (await reader?.read())?.value ?? '\n\n'
      const end = text.indexOf('\n\n')
      if (text.startsWith(':')) {
        text = text.slice(end + 2)
        return next()
      }
      const lines = new Map(
        text
          .slice(0, end)
          .split('\n')
          .map((line) => line.split(/: (.*)/s) as [string, string]),
      )
      text = text.slice(end + 2)
      return { id: lines.get('id'), event: lines.get('event') ?? '', data: JSON.parse(lines.get('data') ?? 'null') }
    }
    return { status: answer.status, type: answer.headers.get('content-type'), next, stop: () => stopped.abort() }
  }

  test('tell changes, and after a break what was missed', async () => {
    const first = await follow('tags/changes?fields=name')
    expect([first.status, first.type]).toEqual([200, 'text/event-stream'])
    const ready = await first.next()
    expect(ready).toEqual({ id: expect.any(String), event: 'ready', data: {} })
    await ask('POST /items/tags', { name: 'one' })
    const { id = '', ...created } = await first.next()
    expect(created).toEqual({ event: 'create', data: { name: 'one' } })
    first.stop()
    await ask('PATCH /items/tags/4', { name: 'two' })
    await ask('DELETE /items/tags/4')
    const again = await follow('tags/changes?fields=name', { last: id })
    expect(await again.next()).toEqual({ id, event: 'ready', data: {} })
    expect([await again.next(), await again.next()].map(({ event, data }) => [event, data])).toEqual([
      ['update', { name: 'two' }],
      ['delete', 4],
    ])
    again.stop()
    // Clients that do not wait for events get those that are there.
    const headers = { authorization: `Bearer ${world.tokens.admin}`, 'last-event-id': id }
    const missed = await (await fetch(`${world.url}/items/tags/changes?fields=name`, { headers })).text()
    expect(missed.split('\n').filter((line) => line.startsWith('event'))).toEqual([
      'event: ready',
      'event: update',
      'event: delete',
    ])
    for (const last of ['999999999', id.replace(/-.*/, '-mmq4g4lk')]) {
      const lost = await follow('tags/changes', { last })
      expect([(await lost.next()).event, await lost.next()]).toEqual([
        'ready',
        { id: undefined, event: 'reset', data: {} },
      ])
      lost.stop()
    }
  })

  test('are of one kind where asked, and refused as reads are', async () => {
    const deleted = await follow('tags/changes?event=delete&filter[name][_eq]=red')
    await deleted.next()
    await ask('PATCH /items/tags/1', { name: 'gone from the filter' })
    await ask('DELETE /items/tags/2')
    expect(await deleted.next()).toMatchObject({ event: 'delete', data: 1 })
    deleted.stop()
    const refused = async (query: string, as: UserKind = 'admin') => (await follow(query, { as })).status
    expect(await refused('tags/changes', 'nobody')).toBe(403)
    expect(await refused('nothing/changes')).toBe(403)
    expect(await refused('platform_users/changes')).toBe(403)
    expect(await refused('tags/changes?event=x')).toBe(400)
    expect(await refused('tags/changes?fields=nothing')).toBe(403)
    expect((await follow('tags/changes', { last: 'x' })).status).toBe(400)
  })
})

test('the server tells how live connections are served', async () => {
  const info = (await ask('GET /server/info')) as { readonly websocket: unknown }
  expect(info.websocket).toEqual({
    rest: { authentication: 'handshake', path: '/websocket' },
    graphql: { authentication: 'handshake', path: '/graphql' },
    heartbeat: 30,
  })
})
