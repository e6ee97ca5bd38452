/** Batches and events of the mock: in one transaction, told by rights, over Server-Sent Events and sockets of MSW. */
import { createClient } from 'graphql-ws'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createMock } from './src/mock.ts'
import { booksWith } from './testing/books.ts'

const column = { data_type: 'text', is_nullable: true }
const schema = booksWith({
  title: { type: 'text', schema: { ...column, is_unique: true } },
  shelf: { type: 'text', schema: column },
})
const url = 'http://mock.example'
const permissions = [
  { collection: 'books', action: 'read', fields: ['id', 'title'], permissions: { shelf: { _eq: 'open' } } },
] as const
const mock = createMock({
  schema,
  url,
  rows: { books: [{ id: 1, title: 'One', shelf: 'open' }] },
  users: [
    { email: 'ann@example.com', token: 'ann', admin: true },
    { email: 'bo@example.com', token: 'bo', permissions },
  ],
})
const server = setupServer(...mock.handlers)

beforeAll(() => server.listen())
afterEach(() => mock.reset())
afterAll(() => server.close())

async function ask(method: string, path: string, body?: unknown, token = 'ann') {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return [answer.status, text === '' ? null : (JSON.parse(text) as unknown)] as const
}
const titles = () => mock.state()['books']?.map(({ title }) => title)

const operations = [
  { method: 'POST', path: '/items/books', body: { title: 'Two' } },
  { operation: 'updateItem', parameters: { collection: 'books', id: { $ref: '0.data.id' } }, body: { shelf: 'open' } },
]

test('a batch is done as one, with references', async () => {
  expect(await ask('POST', '/batch', { operations })).toEqual([
    200,
    {
      data: [
        { status: 200, body: { data: { id: 2, title: 'Two', shelf: null } } },
        { status: 200, body: { data: { id: 2, title: 'Two', shelf: 'open' } } },
      ],
    },
  ])
  const legacy = [{ method: 'POST', path: '/_/items/books?fields=id', body: { title: 'Three' } }]
  expect(await ask('POST', '/_/batch', { operations: legacy })).toEqual([
    200,
    { data: [{ status: 200, body: { data: { id: 3 } } }] },
  ])
  expect(titles()).toEqual(['One', 'Two', 'Three'])
})

test.for(['/items/books', '/_/items/books', '/batch'])(
  'a repetition of a write with a key is answered by %s, and writes nothing',
  async (path) => {
    const send = async (title: string, token = 'ann') => {
      const item = { title }
      const body = path === '/batch' ? { operations: [{ method: 'POST', path: '/items/books', body: item }] } : item
      const answer = await fetch(`${url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': 'one' },
        body: JSON.stringify(body),
      })
      return [answer.status, await answer.text(), answer.headers.get('idempotency-replayed')] as const
    }
    const first = await send('Two')
    expect([first[0], first[2]]).toEqual([200, null])
    expect(await send('Two')).toEqual([200, first[1], 'true'])
    expect((await send('Three'))[0]).toBe(422)
    expect(titles()).toEqual(['One', 'Two'])
  },
)

async function sendFile(contents: string, path = '/files') {
  const body = new FormData()
  body.append('file', new Blob([contents], { type: 'text/plain' }), 'a.txt')
  const headers = { authorization: 'Bearer ann', 'idempotency-key': 'file' }
  const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body })
  return [answer.status, await answer.text()] as const
}

test('a key goes with uploads, and is refused where no answer is kept', async () => {
  const first = await sendFile('hello')
  expect(first[0]).toBe(200)
  expect(await sendFile('hello')).toEqual(first)
  expect((await sendFile('hallo'))[0]).toBe(422)
  expect((await sendFile('hello', '/auth/logout'))[0]).toBe(400)
})

test('nothing remains of a batch that fails, of a dry run, and of what may not be a part', async () => {
  const failing = [...operations, { method: 'POST', path: '/items/books', body: { title: 'One' } }]
  const [status, body] = await ask('POST', '/batch', { operations: failing })
  expect([status, body]).toEqual([400, expect.objectContaining({ error: expect.objectContaining({ operation: 2 }) })])
  const [, dry] = await ask('POST', '/batch', { operations, dry_run: true })
  expect(dry).toMatchObject({ dry_run: true, data: [{ body: { data: { title: 'Two' } } }, { status: 200 }] })
  expect((await ask('POST', '/batch', { operations: [{ method: 'GET', path: '/items/books' }] }))[0]).toBe(400)
  expect((await ask('POST', '/batch', { operations }, 'bo'))[0]).toBe(403)
  expect(titles()).toEqual(['One'])
})

/** Texts of an answer that goes on. */
function readerOf(answer: Response) {
  const reader = (answer.body as ReadableStream<Uint8Array<ArrayBuffer>>)
    .pipeThrough(new TextDecoderStream())
    .getReader()
  return {
    async until(part: string): Promise<string> {
      let text = ''
      while (!text.includes(part)) text += (await reader.read()).value ?? ''
      return text
    },
    end: () => reader.cancel(),
  }
}

const eventsOf = (text: string): readonly string[] =>
  [...text.matchAll(/event: (\w+)\ndata: (.*)/g)].map(([, event, data]) => `${event} ${data}`)

test('Server-Sent Events tell what the subscriber may read, and what it missed', async () => {
  const headers = { authorization: 'Bearer bo', accept: 'text/event-stream' }
  const events = readerOf(await fetch(`${url}/items/books/changes`, { headers }))
  await events.until('event: ready')
  await ask('POST', '/items/books', { title: 'Hidden', shelf: 'closed' })
  await ask('POST', '/items/books', { title: 'Two', shelf: 'open' })
  await ask('PATCH', '/items/books/3', { title: 'Zwei' })
  await ask('POST', '/_/items/books', { title: 'Three', shelf: 'open' })
  await ask('PATCH', '/items/books/1', { shelf: 'closed' })
  await ask('PATCH', '/items/books/2', { shelf: 'open' })
  await ask('DELETE', '/items/books/2')
  const text = await events.until('event: delete\ndata: 2')
  expect(eventsOf(text)).toEqual([
    'create {"id":3,"title":"Two"}',
    'update {"id":3,"title":"Zwei"}',
    'create {"id":4,"title":"Three"}',
    'delete 1',
    'create {"id":2,"title":"Hidden"}',
    'delete 2',
  ])
  await events.end()
  const [, second = ''] = [...text.matchAll(/id: (\S+)/g)].map(([, id]) => id)
  const missed = await fetch(`${url}/items/books/changes?event=delete`, {
    headers: { authorization: 'Bearer bo', 'last-event-id': second },
  })
  expect(eventsOf(await missed.text())).toEqual(['ready {}', 'delete 1', 'delete 2'])
})

test('a change that is undone is not told', async () => {
  const headers = { authorization: 'Bearer ann', accept: 'text/event-stream' }
  const events = readerOf(await fetch(`${url}/items/books/changes?fields=title`, { headers }))
  await events.until('event: ready')
  await ask('POST', '/batch', { operations, dry_run: true })
  await ask('POST', '/items/books', [{ title: 'Two' }, { title: 'Two' }])
  await ask('POST', '/items/books', { title: 'Last' })
  expect(eventsOf(await events.until('event: create'))).toEqual(['create {"title":"Last"}'])
  await events.end()
})

test('a socket authenticates, reads, writes and is told', async () => {
  const socket = new WebSocket('ws://mock.example/websocket')
  const received: { readonly [name: string]: unknown }[] = []
  socket.addEventListener('message', ({ data }) => received.push(JSON.parse(String(data)) as (typeof received)[0]))
  const until = async (isMeant: (each: (typeof received)[0]) => boolean) => {
    while (!received.some(isMeant)) await new Promise((resolve) => setTimeout(resolve, 5))
    return received.find(isMeant)
  }
  await new Promise((resolve) => socket.addEventListener('open', resolve))
  const send = (message: object) => socket.send(JSON.stringify(message))
  send({ type: 'auth', access_token: 'bo' })
  expect(await until(({ type }) => type === 'auth')).toEqual({ type: 'auth', status: 'ok' })
  send({ type: 'subscribe', collection: 'books', query: { fields: ['title'] }, uid: 'a' })
  expect(await until(({ event }) => event === 'init')).toEqual({
    type: 'subscription',
    event: 'init',
    data: [{ title: 'One' }],
    uid: 'a',
  })
  await ask('POST', '/items/books', [{ title: 'Hidden' }, { title: 'Two', shelf: 'open' }])
  expect(await until(({ event }) => event === 'create')).toMatchObject({ data: [{ title: 'Two' }], uid: 'a' })
  send({ type: 'items', action: 'create', collection: 'books', data: { title: 'Mine' }, uid: 'b' })
  expect(await until(({ uid }) => uid === 'b')).toMatchObject({ status: 'error', error: { code: 'FORBIDDEN' } })
  send({ type: 'items', action: 'read', collection: 'books', query: { fields: ['title'], sort: ['-id'] }, uid: 'c' })
  expect(await until(({ uid }) => uid === 'c')).toMatchObject({ data: [{ title: 'Two' }, { title: 'One' }] })
  socket.close()
})

const connect = (token: string | null, path = '/graphql') =>
  createClient({
    url: `ws://mock.example${path}`,
    retryAttempts: 0,
    connectionParams: token === null ? {} : { access_token: token },
  })

test('the client of graphql-ws reads, writes and is told by subscriptions', async () => {
  const [ann, bo] = [connect('ann'), connect('bo')]
  const changes = bo.iterate({ query: 'subscription { books_mutated { event key data { title } } }' })
  const first = changes.next()
  expect((await bo.iterate({ query: '{ books { title } }' }).next()).value).toEqual({
    data: { books: [{ title: 'One' }] },
  })
  const add =
    'mutation ($title: String, $shelf: String) { create_books_item(data: { title: $title, shelf: $shelf }) { id } }'
  const create = async (title: string, shelf: string) =>
    (await ann.iterate({ query: add, variables: { title, shelf } }).next()).value
  expect(await create('Hidden', 'closed')).toEqual({ data: { create_books_item: { id: '2' } } })
  await create('Two', 'open')
  expect((await first).value).toEqual({
    data: { books_mutated: { event: 'create', key: '3', data: { title: 'Two' } } },
  })
  await ask('PATCH', '/items/books/3', { shelf: 'closed' })
  expect((await changes.next()).value).toEqual({ data: { books_mutated: { event: 'delete', key: '3', data: null } } })
  const hidden = bo.iterate({ query: 'subscription { books_mutated { data { shelf } } }' }).next()
  expect(JSON.stringify(await hidden.catch((error: unknown) => error))).toContain('Cannot query field \\"shelf\\"')
  const system = connect('ann', '/graphql/system')
  expect((await system.iterate({ query: '{ users_me { email } }' }).next()).value).toEqual({
    data: { users_me: { email: 'ann@example.com' } },
  })
  await expect(connect('nobody').iterate({ query: '{ __typename }' }).next()).rejects.toMatchObject({ code: 4403 })
  for (const client of [ann, bo, system]) await client.dispose()
})
