/** Open connections of API keys: they end with the key, on every server, and looking the caller up counts no request. */
import { createClient } from 'graphql-ws'
import { afterAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { openSocket } from './live-socket.ts'
import { openOwnDatabase } from './own-database.ts'

const own = await openOwnDatabase('create table notes (id serial primary key, title text)', {
  WEBSOCKETS_ENABLED: 'true',
  WEBSOCKETS_GRAPHQL_ENABLED: 'true',
  KEY_LIMIT_DURATION: '3600',
})
const replica = (await own.openReplica()).url
const token = await own.addUser([{ collection: 'notes', action: 'read' }])
afterAll(() => own.close())

type Key = { readonly id: string; readonly key: string }

async function create(body: object): Promise<Key> {
  const { status, body: answer } = await own.ask('POST /keys', { body: { name: 'Live', ...body }, token })
  expect([status, answer]).toEqual([200, { data: expect.anything() }])
  return (answer as { readonly data: Key }).data
}

const write = (): Promise<unknown> => own.ask('POST /items/notes', { body: { title: 'New' } })

type Open = { readonly next: () => Promise<string>; readonly ended: Promise<string> }

/** Server-Sent Events of a key; `ended`: all that came after what was taken. */
async function openEvents(url: string, key: string): Promise<Open> {
  const headers = { accept: 'text/event-stream', authorization: `Bearer ${key}` }
  const answer = await fetch(`${url}/items/notes/changes`, { headers })
  expect(answer.status).toBe(200)
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  const next = async (): Promise<string> => (await reader?.read())?.value ?? ''
  await next()
  return {
    next,
    get ended() {
      const rest = async (): Promise<string> => {
        const text = await next()
        return text === '' ? '' : text + (await rest())
      }
      return rest()
    },
  }
}

async function openItems(url: string, key: string): Promise<Open> {
  const socket = await openSocket(`${url}/websocket`)
  socket.send({ type: 'auth', access_token: key })
  expect(await socket.next()).toMatchObject({ type: 'auth', status: 'ok' })
  socket.send({ type: 'subscribe', collection: 'notes', event: 'create' })
  expect(await socket.next()).toMatchObject({ type: 'subscription', event: 'init' })
  const next = async (): Promise<string> => JSON.stringify(await socket.next())
  return { next, ended: socket.ended.then(({ code }) => String(code)) }
}

async function openGraphql(url: string, key: string): Promise<Open> {
  const ended = Promise.withResolvers<string>()
  const client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    lazy: false,
    onNonLazyError: () => undefined,
    connectionParams: { access_token: key },
    on: { closed: (event) => ended.resolve(String((event as { readonly code: number }).code)) },
  })
  const changes = client.iterate({ query: 'subscription { notes_mutated { event } }' })
  const first = changes.next()
  first.catch(() => undefined)
  await client.iterate({ query: '{ __typename }' }).next()
  let pending: typeof first | null = first
  const next = async (): Promise<string> => {
    const { value } = await (pending ?? changes.next())
    pending = null
    return JSON.stringify(value)
  }
  return { next, ended: ended.promise }
}

/** What opens a connection, and what its end says when the key was deleted, and when it has expired. */
const doors = [
  ['events', openEvents, 'INVALID_CREDENTIALS', 'TOKEN_EXPIRED'],
  ['a socket of GraphQL', openGraphql, '4403', '4403'],
] as const

const within = <T>(milliseconds: number, promise: Promise<T>): Promise<T | string> =>
  Promise.race([promise, new Promise<string>((resolve) => setTimeout(resolve, milliseconds, 'still open'))])

describe.each(doors)('%s', (_name, open, lost, expired) => {
  test.each(['this server', 'another one'])('of %s end at once with a deleted key, without a change', async (where) => {
    const { id, key } = await create({})
    const { ended } = await open(where === 'this server' ? own.url : replica, key)
    await own.ask(`DELETE /keys/${id}`, { token })
    expect(await within(2_000, ended)).toContain(lost)
  })

  test('end when the key expires, without a change', async () => {
    const { key } = await create({ expires: new Date(Date.now() + 1_500).toISOString() })
    const { ended } = await open(own.url, key)
    expect(await within(4_000, ended)).toContain(expired)
  })

  test('end when the key is changed to expire earlier', async () => {
    const { id, key } = await create({})
    const { ended } = await open(own.url, key)
    const body = { expires: new Date(Date.now() + 1_000).toISOString() }
    expect((await own.ask(`PATCH /keys/${id}`, { body, token })).status).toBe(200)
    expect(await within(4_000, ended)).toContain(expired)
  })
})

describe('a socket of items', () => {
  test('asks for another token when the key expires, without a change', async () => {
    const { key } = await create({ expires: new Date(Date.now() + 1_500).toISOString() })
    const { next } = await openItems(own.url, key)
    expect(JSON.parse(await within(4_000, next()))).toMatchObject({ type: 'auth', error: { code: 'TOKEN_EXPIRED' } })
  })
})

describe('changes that are told count no requests', () => {
  test.each([
    ['events', openEvents, 1],
    ['a socket of items', openItems, 2],
    ['a socket of GraphQL', openGraphql, 3],
  ] as const)('of %s', async (_name, open, used) => {
    const { key } = await create({ max_requests: used + 2, max_cost: 10_000 })
    const { next } = await open(own.url, key)
    for (let change = 0; change < 4; change += 1) {
      await write()
      expect(await within(3_000, next())).toContain('create')
    }
    const answer = await own.ask('GET /items/notes?limit=1', { token: key })
    expect([answer.status, answer.headers.get('ratelimit')]).toEqual([200, expect.stringMatching(/^"requests";r=1;/)])
    expect((await own.ask('GET /items/notes?limit=1', { token: key })).status).toBe(200)
    expect((await own.ask('GET /items/notes?limit=1', { token: key })).status).toBe(429)
  })
})
