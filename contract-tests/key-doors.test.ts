/** API keys of some policies: whatever the door, they see the rows and fields of their policies, and their user sees more. */
import { createClient } from 'graphql-ws'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { openAgent } from './agent.ts'
import { openSocket } from './live-socket.ts'
import { type OwnDatabase, openOwnDatabase } from './own-database.ts'

const tables = `
  create table topics (id serial primary key, name text, hush text);
  create table notes (id serial primary key, title text, hush text, is_open boolean, topic int references topics);
  insert into topics (name, hush) values ('Open topic', 'hush'), ('hush topic', 'hush');
  insert into notes (title, hush, is_open, topic) values
    ('Open note', 'hush', true, 1), ('hush note', 'hush', false, 1), ('hush other', 'hush', true, 2)`

let own: OwnDatabase
/** A user who holds both policies; keys of the first one alone and of both. */
let who: { readonly user: string; readonly key: string }
let files: { readonly open: string; readonly hushed: string }

const isOpen = { is_open: { _eq: true }, topic: { _eq: 1 } }
const part = [
  { collection: 'notes', action: 'read', fields: ['id', 'title', 'topic'], permissions: isOpen },
  { collection: 'topics', action: 'read', fields: ['id', 'name'], permissions: { id: { _eq: 1 } } },
  { collection: 'platform_files', action: 'read', fields: ['*'], permissions: { title: { _eq: 'Open file' } } },
  { collection: 'platform_files', action: 'create', fields: ['*'] },
]
const all = (collection: string, action: string) => ({ collection, action, fields: ['*'] })
const whole = [
  ...['notes', 'topics', 'platform_files'].flatMap((name) => ['read', 'create', 'update'].map((to) => all(name, to))),
  all('notes', 'share'),
  ...['create', 'read'].map((action) => all('platform_shares', action)),
  ...['create', 'read'].map((action) => all('platform_comments', action)),
  ...['revisions', 'activity'].map((name) => all(`platform_${name}`, 'read')),
]

type Answer<Data> = { readonly data: Data }

async function dataOf<Data>(request: string, body?: unknown, token?: string): Promise<Data> {
  const asked = { ...(body === undefined ? {} : { body }), ...(token === undefined ? {} : { token }) }
  const answer = await own.ask(request, asked)
  expect([answer.status, answer.body]).toEqual([200, { data: expect.anything() }])
  return (answer.body as Answer<Data>).data
}

beforeAll(async () => {
  own = await openOwnDatabase(tables, {
    WEBSOCKETS_ENABLED: 'true',
    WEBSOCKETS_GRAPHQL_ENABLED: 'true',
    TUS_ENABLED: 'true',
    CACHE_ENABLED: 'true',
    CACHE_AUTO_PURGE: 'true',
  })
  const token = await own.addUser([])
  const { id: user } = await dataOf<{ readonly id: string }>('GET /users/me?fields=id', undefined, token)
  const policies: string[] = []
  for (const permissions of [part, whole]) {
    const { id } = await dataOf<{ readonly id: string }>('POST /policies', {
      name: 'Some',
      app_access: permissions === whole,
      permissions,
    })
    await dataOf('POST /access', { user, policy: id })
    policies.push(id)
  }
  const [first] = policies
  const { key } = await dataOf<{ readonly key: string }>('POST /keys', { name: 'Part', policies: [first] }, token)
  who = { user: token, key }
  files = { open: await upload('Open file'), hushed: await upload('hush file') }
  await dataOf('PATCH /items/notes/1', { hush: 'hush again' })
  await dataOf('PATCH /items/notes/2', { title: 'hush note!' })
  await dataOf('POST /comments', { collection: 'notes', item: '2', comment: 'hush comment' })
})
afterAll(() => own.close())

/** A file of text that says its title. */
async function upload(title: string): Promise<string> {
  const form = new FormData()
  form.append('title', title)
  form.append('file', new Blob([`text of the ${title}`], { type: 'text/plain' }), `${title}.txt`)
  const headers = { authorization: `Bearer ${own.adminToken}` }
  const response = await fetch(`${own.url}/files`, { method: 'POST', headers, body: form })
  return ((await response.json()) as Answer<{ readonly id: string }>).data.id
}

/** The text of an answer, whatever it is. */
async function textOf(token: string, request: string, body?: unknown, more: object = {}): Promise<string> {
  const [method = 'GET', path = '/'] = request.split(' ', 2)
  const response = await fetch(`${own.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...more },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return Buffer.from(await response.arrayBuffer()).toString('latin1')
}

const asking =
  (request: string, body?: unknown, headers?: object) =>
  (token: string): Promise<string> =>
    textOf(token, request, body, headers)

/** Writes two changes, one that the key may see, and collects what is told until that one comes. */
async function told(next: () => Promise<string>, first: Promise<string> = next()): Promise<string> {
  const mark = `Open ${crypto.randomUUID()}`
  await dataOf('PATCH /items/notes/2', { title: `hush ${mark}` })
  await dataOf('PATCH /items/notes/1', { title: mark })
  let text = await first
  while (!text.includes(`"${mark}"`)) text += await next()
  return text
}

const query = (text: string) => ({ query: text })
const nested = 'fields=*,topic.*&limit=-1'

/** Doors that show the key some of what they show its user. */
const doors: { readonly [name: string]: (token: string) => Promise<string> } = {
  'a list': asking(`GET /items/notes?${nested}`),
  'a list, from the cache': async (token) => {
    await textOf(who.user, `GET /items/notes?${nested}&sort=id`)
    return textOf(token, `GET /items/notes?${nested}&sort=id`)
  },
  SEARCH: asking('SEARCH /items/notes', { query: { fields: ['*', 'topic.*'] } }),
  'a group': asking('GET /items/notes?groupBy=title&aggregate[count]=*'),
  'a list of version 8': asking('GET /_/items/notes?fields=*.*'),
  GraphQL: (token) =>
    textOf(token, 'POST /graphql', query(`{ notes { title ${token === who.user ? 'hush' : ''} topic { name } } }`)),
  ...Object.fromEntries(
    ['csv', 'json', 'xml', 'yaml'].map((format) => [
      `an export as ${format}`,
      asking(`GET /items/notes?${nested}&export=${format}`),
    ]),
  ),
  files: asking('GET /files?fields=*'),
  'files of version 8': asking('GET /_/files'),
  'an archive of a list of files': async (token) =>
    (await textOf(token, 'POST /assets/files', { ids: [files.open, files.hushed] })) +
    (await textOf(token, `GET /assets/${files.open}`)).replace('text of the ', ''),
  assets: async (token) =>
    (await textOf(token, `GET /assets/${files.open}`)) + (await textOf(token, `GET /assets/${files.hushed}`)),
  'an agent': async (token) => {
    const { call, nameOf, close } = await openAgent(own.url, token)
    const operation = await nameOf('GET', '/items/notes')
    const described = await call('describe_operation', { operation })
    const answer = await call('execute_operation', { operation, parameters: { fields: ['*', 'topic.*'] } })
    await close()
    return described + answer
  },
  'the specification': async (token) => `Open ${await textOf(token, 'GET /server/specs/oas')}`,
  'the specification of GraphQL': async (token) => `Open ${await textOf(token, 'GET /server/specs/graphql/items')}`,
  'the specification of events': async (token) => `Open ${await textOf(token, 'GET /server/specs/asyncapi')}`,
  'events of the server': async (token) => {
    const stopped = new AbortController()
    const headers = { accept: 'text/event-stream', authorization: `Bearer ${token}` }
    const answer = await fetch(`${own.url}/items/notes/changes`, { headers, signal: stopped.signal })
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
    const next = async (): Promise<string> => (await reader?.read())?.value ?? ''
    const text = await told(next)
    stopped.abort()
    return text
  },
  'a subscription': async (token) => {
    const socket = await openSocket(`${own.url}/websocket`)
    const next = async (): Promise<string> => JSON.stringify(await socket.next())
    socket.send({ type: 'auth', access_token: token })
    await next()
    socket.send({ type: 'subscribe', collection: 'notes' })
    const text = (await next()) + (await told(next))
    socket.close()
    return text
  },
  'items over a socket': async (token) => {
    const socket = await openSocket(`${own.url}/websocket`)
    socket.send({ type: 'auth', access_token: token })
    await socket.next()
    socket.send({ type: 'items', collection: 'notes', action: 'read', query: { fields: ['*'] } })
    const text = JSON.stringify(await socket.next())
    socket.close()
    return text
  },
  'a subscription of GraphQL': async (token) => {
    const client = createClient({
      url: `${own.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { access_token: token },
    })
    const changes = client.iterate({ query: 'subscription { notes_mutated { key event data { title } } }' })
    const next = async (): Promise<string> => JSON.stringify((await changes.next()).value)
    const first = next()
    await client.iterate({ query: '{ __typename }' }).next()
    const text = await told(next, first)
    await client.dispose()
    return text
  },
}

test.each(Object.keys(doors))('%s: the key reads its part, and its user more', async (name) => {
  const door = doors[name] as (token: string) => Promise<string>
  const [users, keys] = [await door(who.user), await door(who.key)]
  expect([users.includes('Open'), users.includes('hush')], users).toEqual([true, true])
  expect([keys.includes('Open'), keys.includes('hush')], keys).toEqual([true, false])
})

/** Doors that are open to the user and closed to the key. */
const closed: { readonly [name: string]: (token: string) => Promise<number> } = {
  'a named field': statusOf('GET /items/notes?fields=hush'),
  'a named field, by a filter': statusOf('GET /items/notes?filter[hush][_eq]=hush'),
  'a named field of a related row': statusOf('GET /items/notes?fields=topic.hush'),
  'a named field, of version 8': statusOf('GET /_/items/notes?fields=hush'),
  'an order by a field': statusOf('GET /items/notes?sort=hush'),
  'a row by its key': statusOf('GET /items/notes/2'),
  'an export into a file': statusOf('POST /utils/export/notes', {
    format: 'csv',
    query: { fields: ['hush'] },
    file: { title: 'Exported' },
  }),
  'a file': async (token) => (await own.ask(`GET /files/${files.hushed}`, { token })).status,
  'a part of an asset': async (token) =>
    (await own.ask(`GET /assets/${files.hushed}`, { token, headers: { range: 'bytes=0-3' } })).status,
  revisions: statusOf('GET /revisions'),
  'revisions of version 8': statusOf('GET /_/items/notes/1/revisions'),
  activity: statusOf('GET /activity?fields=comment'),
  comments: statusOf('GET /comments?fields=comment'),
  'the data model': statusOf('GET /fields/notes'),
  'the data model of version 8': statusOf('GET /_/fields/notes'),
  'a share': statusOf('POST /shares', { collection: 'notes', item: '2' }),
  'a write': statusOf('POST /items/notes', { title: 'x' }),
  'a write in a batch': statusOf('POST /batch', {
    operations: [{ method: 'POST', path: '/items/notes', body: { title: 'x' } }],
  }),
  'a write in a batch of version 8': statusOf('POST /_/batch', {
    operations: [{ method: 'POST', path: '/_/items/notes', body: { title: 'x' } }],
  }),
  'a comment': statusOf('POST /comments', { collection: 'notes', item: '1', comment: 'x' }),
  'an import of rows': statusOf('POST /utils/import', [{ collection: 'notes', items: [{ title: 'x' }] }]),
  'an import of a file': async (token) => {
    const form = new FormData()
    form.append('file', new Blob(['[{"title":"x"}]'], { type: 'application/json' }), 'notes.json')
    const asked = { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: form }
    return (await fetch(`${own.url}/utils/import/notes`, asked)).status
  },
}

function statusOf(request: string, body?: unknown): (token: string) => Promise<number> {
  return async (token) => (await own.ask(request, { token, ...(body === undefined ? {} : { body }) })).status
}

test.each(Object.keys(closed))('%s: refused to the key, and not to its user', async (name) => {
  const door = closed[name] as (token: string) => Promise<number>
  expect([await door(who.user), await door(who.key)]).toEqual([expect.toSatisfy((status) => status < 300), 403])
})
