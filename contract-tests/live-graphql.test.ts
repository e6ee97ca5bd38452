/** GraphQL over sockets, as the client of `graphql-ws` and broken clients speak it. */
import { type Client, createClient } from 'graphql-ws'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { openSocket } from './live-socket.ts'
import { dataIn, send } from './send.ts'
import { openWorld, type UserKind } from './world.ts'

const world = await openWorld({ WEBSOCKETS_ENABLED: 'true', WEBSOCKETS_SUBSCRIPTIONS: '3' })
beforeEach(() => world.reset())
afterAll(() => world.close())

const clients: Client[] = []
afterEach(async () => {
  for (const client of clients.splice(0)) await client.dispose()
})

async function ask(request: string, body?: unknown, as: UserKind = 'admin'): Promise<unknown> {
  const answer = await send(world.url, request, { body, token: world.tokens[as] })
  expect(answer.status, answer.text).toBeLessThan(300)
  return dataIn(answer)
}

function connect(token: string | null, path = '/graphql'): Client {
  const client = createClient({
    url: `${world.url.replace('http', 'ws')}${path}`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams: token === null ? {} : { access_token: token },
  })
  clients.push(client)
  return client
}

/** Begins a subscription; resolves when it has begun. */
async function follow(client: Client, query: string, variables: { readonly [name: string]: unknown } = {}) {
  const changes = client.iterate({ query, variables })
  const first = changes.next()
  // It may be refused before somebody waits for it.
  first.catch(() => undefined)
  const begun = await client.iterate({ query: '{ __typename }' }).next()
  expect(begun.value).toEqual({ data: { __typename: 'Query' } })
  let pending: typeof first | null = first
  return {
    async next(): Promise<unknown> {
      const { value } = await (pending ?? changes.next())
      pending = null
      return value
    },
    stop: () => changes.return?.(),
  }
}

const told = (event: string, key: string, data: unknown) => ({ data: { tags_mutated: { event, key, data } } })
const ofTags = 'subscription { tags_mutated { key event data { id name } } }'

test('changes are told by the names of the platform', async () => {
  const tags = await follow(connect(world.tokens.admin), ofTags)
  await ask('POST /items/tags', { name: 'new' })
  expect(await tags.next()).toEqual(told('create', '4', { id: '4', name: 'new' }))
  await ask('PATCH /items/tags/4', { name: 'newer' })
  expect(await tags.next()).toEqual(told('update', '4', { id: '4', name: 'newer' }))
  await ask('DELETE /items/tags/4')
  expect(await tags.next()).toEqual(told('delete', '4', null))
})

test('aliases, variables, fragments, relations and one kind of change are selected as in queries', async () => {
  const articles = await follow(
    connect(world.tokens.admin),
    `subscription Changed($event: EventEnum) {
      changed: articles_mutated(event: $event) { __typename first: data { ...Title } key second: data { author { id } } }
    }
    fragment Title on articles { title }`,
    { event: 'update' },
  )
  await ask('POST /items/articles', { title: 'not told' })
  await ask('PATCH /items/articles/1', { title: 'New' })
  expect(await articles.next()).toEqual({
    data: {
      changed: {
        __typename: 'articles_mutated',
        first: { title: 'New' },
        second: { author: { id: '1' } },
        key: '1',
      },
    },
  })
})

test('items that begin and cease to match the filter are told as created and deleted', async () => {
  const red = await follow(
    connect(world.tokens.admin),
    'subscription { tags_mutated(filter: { name: { _eq: "red" } }) { event key data { id name } } }',
  )
  await ask('PATCH /items/tags/2', { name: 'red' })
  expect(await red.next()).toEqual(told('create', '2', { id: '2', name: 'red' }))
  await ask('PATCH /items/tags/3', { name: 'not told' })
  await ask('PATCH /items/tags/2', { name: 'green' })
  expect(await red.next()).toEqual(told('delete', '2', null))
  await ask('DELETE /items/tags/2')
  await ask('DELETE /items/tags/1')
  expect(await red.next()).toEqual(told('delete', '1', null))
})

const ofArticles = 'subscription { articles_mutated { key event data { id title status } } }'
const article = (event: string, data: object | null) => ({ data: { articles_mutated: { event, key: '1', data } } })

describe('rights', () => {
  test('a restricted caller is told of what it may read, with the fields that it may read', async () => {
    const editor = connect(world.tokens.editor)
    const articles = await follow(editor, ofArticles)
    const before = (await ask('GET /items/articles/1?fields=id,title,status')) as { readonly status: string }
    await ask('PATCH /items/articles/1', { status: 'archived' })
    expect(await articles.next()).toEqual(article('delete', null))
    await ask('PATCH /items/articles/1', { title: 'not told' })
    await ask('PATCH /items/articles/1', { status: before.status })
    expect(await articles.next()).toEqual(article('create', { id: '1', title: 'not told', status: before.status }))
    await ask('DELETE /items/articles/1')
    expect(await articles.next()).toEqual(article('delete', null))
    await expect(
      editor.iterate({ query: 'subscription { articles_mutated { data { body } } }' }).next(),
    ).rejects.toMatchObject([{ extensions: { code: 'GRAPHQL_VALIDATION' } }])
    await expect(editor.iterate({ query: ofTags }).next()).rejects.toMatchObject([
      { extensions: { code: 'GRAPHQL_VALIDATION' } },
    ])
  })

  test('a changed rule counts for the next change, and one that is gone ends the subscription', async () => {
    const articles = await follow(connect(world.tokens.editor), ofArticles)
    const [rule] = (await ask(
      'GET /permissions?fields=id,permissions&filter[collection][_eq]=articles&filter[action][_eq]=read&filter[fields][_contains]=title',
    )) as readonly { readonly id: number; readonly permissions: object }[]
    await ask(`PATCH /permissions/${rule?.id}`, { permissions: { id: { _eq: 2 } } })
    await ask('PATCH /items/articles/1', { title: 'not told' })
    await ask('PATCH /items/articles/2', { title: 'told' })
    expect(await articles.next()).toMatchObject({ data: { articles_mutated: { key: '2', data: { title: 'told' } } } })
    await ask(`PATCH /permissions/${rule?.id}`, { fields: ['id'] })
    await ask('PATCH /items/articles/2', { title: 'secret' })
    await expect(articles.next()).rejects.toMatchObject([{ extensions: { code: 'FORBIDDEN' } }])
    await ask(`PATCH /permissions/${rule?.id}`, {
      fields: ['id', 'title', 'status', 'author'],
      permissions: rule?.permissions,
    })
  })

  test('a session that ends closes the connection with the next change', async () => {
    const login = { email: 'admin@example.com', password: 'correct-horse-42' }
    const { body } = await send(world.url, 'POST /auth/login', { body: login })
    const { data } = body as { readonly data: { readonly [token: string]: string } }
    const tags = await follow(connect(data['access_token'] ?? ''), ofTags)
    await ask('POST /auth/logout', { refresh_token: data['refresh_token'] })
    await ask('POST /items/tags', { name: 'secret' })
    await expect(tags.next()).rejects.toMatchObject({ code: 4403, reason: 'The session has ended' })
  })

  test.each<[string, string | null]>([
    ['without a token', null],
    ['with a wrong token', 'wrong'],
  ])('a caller %s is refused', async (_name, token) => {
    const refused = connect(token).iterate({ query: ofTags }).next()
    await expect(refused).rejects.toMatchObject({ code: 4403 })
  })
})

test('system collections have subscriptions of their own, as far as their changes are recorded', async () => {
  const admin = connect(world.tokens.admin, '/graphql/system')
  const folders = await follow(admin, 'subscription { platform_folders_mutated(event: create) { data { name } } }')
  await ask('POST /folders', { name: 'Pictures' })
  expect(await folders.next()).toEqual({ data: { platform_folders_mutated: { data: { name: 'Pictures' } } } })
  const history = admin.iterate({ query: 'subscription { platform_activity_mutated { key } }' }).next()
  await expect(history).rejects.toMatchObject([{ extensions: { code: 'GRAPHQL_VALIDATION' } }])
})

test('queries and mutations are answered as by HTTP, except those that set cookies', async () => {
  const client = connect(world.tokens.admin)
  const run = async (query: string) => (await client.iterate({ query }).next()).value as unknown
  expect(await run('mutation { create_tags_item(data: { name: "new" }) { id } }')).toEqual({
    data: { create_tags_item: { id: '4' } },
  })
  expect(await run('{ tags_by_id(id: 4) { name } }')).toEqual({ data: { tags_by_id: { name: 'new' } } })
  expect(await run('{ tags_by_id(id: 99) { name } }')).toEqual({
    data: { tags_by_id: null },
    errors: [expect.objectContaining({ path: ['tags_by_id'], extensions: { code: 'FORBIDDEN' } })],
  })
  const system = connect(world.tokens.admin, '/graphql/system')
  const login = 'mutation { auth_login(email: "admin@example.com", password: "correct-horse-42") { access_token } }'
  expect((await system.iterate({ query: login }).next()).value).toMatchObject({
    data: { auth_login: null },
    errors: [{ extensions: { code: 'INVALID_PAYLOAD' } }],
  })
})

test('a subscription by HTTP is refused with the reason', async () => {
  const answer = await send(world.url, 'POST /graphql', { body: { query: ofTags }, token: world.tokens.admin })
  expect(answer.text).toContain('subscriptions are served by WebSocket')
})

const rootOf = async (as: UserKind) => {
  const answer = await send(world.url, 'GET /server/specs/graphql', { token: world.tokens[as] })
  return /^type Subscription \{\n(.*?)^\}/ms.exec(answer.text)?.[1]?.match(/^ {2}\w+(?=[(:])/gm) ?? []
}

test('the schema of a caller has subscriptions of what it may read', async () => {
  expect(await rootOf('admin')).toContain('  tags_mutated')
  expect((await rootOf('editor')).toSorted()).toEqual(['  articles_mutated', '  authors_mutated'])
  expect(await rootOf('nobody')).toEqual([])
})

const init = async (protocols = 'graphql-transport-ws') => {
  const socket = await openSocket(`${world.url}/graphql`, {}, protocols)
  socket.send({ type: 'connection_init', payload: { access_token: world.tokens.admin } })
  expect(await socket.next()).toEqual({ type: 'connection_ack' })
  return socket
}

describe('bounds', () => {
  test.each<[string, object | string, number]>([
    ['no JSON', '{', 4400],
    ['a list', '[]', 4400],
    ['an unknown type', { type: 'constructor' }, 4400],
    ['an operation without an id', { type: 'subscribe', payload: { query: '{ __typename }' } }, 4400],
    ['an operation without a document', { id: '1', type: 'subscribe', payload: {} }, 4400],
    ['a second beginning', { type: 'connection_init' }, 4429],
    ['a message that is too long', { type: 'ping', payload: { text: 'x'.repeat(1_100_000) } }, 1009],
  ])('%s ends its connection only', async (_name, message, code) => {
    const [socket, other] = [await init(), await init()]
    socket.send(message)
    expect((await socket.ended).code).toBe(code)
    other.send({ id: '1', type: 'subscribe', payload: { query: '{ __typename }' } })
    expect(await other.next()).toEqual({ id: '1', type: 'next', payload: { data: { __typename: 'Query' } } })
    expect(await other.next()).toEqual({ id: '1', type: 'complete' })
    other.close()
  })

  test('operations before the beginning, bytes and other protocols end the connection', async () => {
    const early = await openSocket(`${world.url}/graphql`, {}, 'graphql-transport-ws')
    early.send({ id: '1', type: 'subscribe', payload: { query: ofTags } })
    expect((await early.ended).code).toBe(4401)
    const other = await openSocket(`${world.url}/graphql`)
    expect((await other.ended).code).toBe(4406)
    await expect(openSocket(`${world.url}/graphql`, { origin: 'https://evil.example.com' })).rejects.toThrow('403')
  })

  test('operations of one connection have a number, and names of which each is used once at a time', async () => {
    const socket = await init()
    for (const id of ['a', 'b', 'c', 'd']) socket.send({ id, type: 'subscribe', payload: { query: ofTags } })
    expect(await socket.next()).toMatchObject({
      id: 'd',
      type: 'error',
      payload: [{ extensions: { code: 'INVALID_PAYLOAD' } }],
    })
    socket.send({ id: 'a', type: 'complete' })
    socket.send({ id: 'e', type: 'subscribe', payload: { query: '{ __typename }' } })
    expect(await socket.next()).toMatchObject({ id: 'e', type: 'next' })
    expect(await socket.next()).toMatchObject({ id: 'e', type: 'complete' })
    await ask('POST /items/tags', { name: 'new' })
    const ids = new Set([(await socket.next())['id'], (await socket.next())['id']])
    expect(ids).toEqual(new Set(['b', 'c']))
    socket.send({ id: 'b', type: 'subscribe', payload: { query: ofTags } })
    expect((await socket.ended).code).toBe(4409)
  })

  test.each<[string, string]>([
    ['two fields', 'subscription { a: tags_mutated { key } b: tags_mutated { key } }'],
    ['no field', 'subscription { tags_mutated @skip(if: true) { key } }'],
    ['a syntax that is none', 'subscription {'],
    ['an unknown field', 'subscription { tags_mutated { nothing } }'],
    ['an unknown event', 'subscription { tags_mutated(event: change) { key } }'],
    [
      'too many fields in each other',
      `subscription { articles_mutated { data ${'{ author { articles '.repeat(12)} { id } ${'} }'.repeat(12)} } }`,
    ],
  ])('a subscription with %s is refused, and the connection goes on', async (_name, query) => {
    const socket = await init()
    socket.send({ id: '1', type: 'subscribe', payload: { query } })
    expect(await socket.next()).toMatchObject({ id: '1', type: 'error', payload: [{ message: expect.any(String) }] })
    socket.send({ type: 'ping' })
    expect(await socket.next()).toEqual({ type: 'pong' })
    socket.close()
  })
})
