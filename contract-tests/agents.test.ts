import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, expect, test } from 'vitest'
import { openOwnDatabase } from './own-database.ts'

const tables = `
  create table notes (id serial primary key, title text not null, price numeric(30,10), hidden text);
  insert into platform_collections (collection) values ('notes');
  create table vault (id serial primary key, secret text)`
const opened: Client[] = []

const own = await openOwnDatabase(tables)
const reader = await own.addUser([{ collection: 'notes', action: 'read', fields: 'id,title' }])
afterAll(async () => {
  for (const client of opened) await client.close()
  await own.close()
})

type Mode = 'legacy' | 'auto'

async function connect(token: string | null, mode: Mode = 'auto'): Promise<Client> {
  const client = new Client({ name: 'shopkeeper', version: '2.1' }, { versionNegotiation: { mode } })
  const headers = token === null ? {} : { authorization: `Bearer ${token}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${own.url}/mcp`), { requestInit: { headers } }))
  opened.push(client)
  return client
}

type Found = { readonly operation: string; readonly method: string; readonly path: string }

/** The text of a result; parsed, unless it is an error of the tool. */
async function call(client: Client, name: string, input: object): Promise<unknown> {
  const { content } = await client.callTool({ name, arguments: input as { [key: string]: unknown } })
  const [{ text }] = content as unknown as readonly [{ readonly text: string }]
  return /^[[{]/.test(text) ? JSON.parse(text) : text
}

const search = (client: Client, words: string, limit = 5) =>
  call(client, 'search_operations', { words, limit }) as Promise<readonly Found[]>

const idOf = async (client: Client, method: string, path: string): Promise<string> => {
  const found = (await search(client, path.replaceAll(/\W/g, ' '), 50)).find(
    (each) => each.method === method && each.path === path,
  )
  return found?.operation ?? `no ${method} ${path}`
}

const run = (client: Client, operation: string, more: object = {}) =>
  call(client, 'execute_operation', { operation, ...more })

test.for<Mode>(['legacy', 'auto'])('a client of the revisions by %s finds, reads and runs operations', async (mode) => {
  const client = await connect(own.adminToken, mode)
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['search_operations', 'describe_operation', 'execute_operation'])
  // About four characters are a token: the definitions stay under 2,000.
  expect(JSON.stringify(tools).length).toBeLessThan(8000)
  const create = await idOf(client, 'POST', '/items/notes')
  expect(await call(client, 'describe_operation', { operation: create })).toMatchObject({
    method: 'POST',
    path: '/items/notes',
    body: { schema: { oneOf: expect.anything() as unknown } },
  })
  expect(await run(client, create, { body: { title: mode, price: '12.5' } })).toMatchObject({
    status: 200,
    body: { data: { title: mode, price: '12.5000000000' } },
  })
  expect(
    await run(client, await idOf(client, 'GET', '/items/notes'), {
      parameters: { filter: { title: { _eq: mode } }, fields: 'title' },
    }),
  ).toEqual({ status: 200, body: { data: [{ title: mode }] } })
  expect(await own.rows('select user_agent from platform_activity order by id desc limit 1')).toEqual([
    { user_agent: 'mcp shopkeeper/2.1' },
  ])
})

test('a reader sees and does what it may', async () => {
  const client = await connect(reader)
  const words = (await search(client, 'vault notes', 50)).map(({ method, path }) => `${method} ${path}`)
  expect(words.filter((each) => each.includes('vault'))).toEqual([])
  expect(words.filter((each) => each.endsWith('/items/notes'))).toEqual(['GET /items/notes'])
  const read = await idOf(client, 'GET', '/items/notes')
  expect(JSON.stringify(await call(client, 'describe_operation', { operation: read }))).not.toContain('hidden')
  expect(await run(client, read, { parameters: { fields: 'hidden' } })).toMatchObject({
    status: 403,
    body: { error: { code: 'FORBIDDEN' } },
  })
  const admin = await connect(own.adminToken)
  const create = await idOf(admin, 'POST', '/items/notes')
  expect(await run(client, create, { body: { title: 'Mine' } })).toMatch(
    new RegExp(
      `^Expected an operation that search_operations answers but received "${create}"; similar ones: readItem`,
    ),
  )
})

test('a dry run writes nothing, and what was done is undone as one', async () => {
  const client = await connect(own.adminToken)
  await own.rows('truncate notes, platform_activity restart identity cascade')
  const create = await idOf(client, 'POST', '/items/notes')
  expect(await run(client, create, { body: { title: 'Dry' }, dry_run: true })).toMatchObject({
    status: 200,
    body: { data: { title: 'Dry' } },
    dry_run: true,
  })
  expect(await own.rows('select title from notes')).toEqual([])
  await run(client, create, { body: [{ title: 'A' }, { title: 'B' }] })
  await run(client, await idOf(client, 'PATCH', '/items/notes'), {
    body: { keys: ['1', '2', '3'], data: { price: 1 } },
  })
  const log = (await run(client, 'readActivities', {
    parameters: { filter: { user_agent: { _starts_with: 'mcp' } }, fields: 'id,action', limit: -1 },
  })) as { readonly body: { readonly data: readonly { readonly id: number }[] } }
  const ids = log.body.data.map(({ id }) => id)
  expect(await run(client, 'revertActivity', { body: { activity: ids } })).toEqual({ status: 204, body: null })
  expect(await own.rows('select title from notes')).toEqual([])
})

const write = (title: string | null) => ({ method: 'POST', path: '/items/notes', body: { title } })

test('several writes run in one transaction, which a dry run and a revert undo as a whole', async () => {
  const client = await connect(own.adminToken)
  await own.rows('truncate notes, platform_activity restart identity cascade')
  expect((await search(client, 'batch'))[0]).toMatchObject({ operation: 'runBatch', method: 'POST', path: '/batch' })
  const change = { method: 'PATCH', path: '/items/notes/{id}', parameters: { id: { $ref: '0.data.id' } } }
  const operations = [write('A'), { ...change, body: { price: 2 } }]
  const titles = () => own.rows('select title, price::int from notes')
  const batch = (body: unknown, more: object = {}) => run(client, 'runBatch', { body, ...more })
  expect(await batch({ operations }, { dry_run: true })).toMatchObject({
    status: 200,
    body: { data: [{ body: { data: { title: 'A' } } }, { status: 200 }], dry_run: true },
    dry_run: true,
  })
  expect(await batch({ operations: [write('A'), write(null)] })).toMatchObject({
    status: 400,
    body: { error: { operation: 1 } },
  })
  expect(await batch([write('A')], { dry_run: true })).toMatchObject({ status: 400 })
  expect(await titles()).toEqual([])
  expect(await batch({ operations })).toMatchObject({ status: 200 })
  expect(await titles()).toEqual([{ title: 'A', price: 2 }])
  const log = await own.rows('select id, user_agent from platform_activity order by id')
  expect(log.map(({ user_agent: agent }) => agent)).toEqual(['mcp shopkeeper/2.1', 'mcp shopkeeper/2.1'])
  await run(client, 'revertActivity', { body: { activity: log.map(({ id }) => id) } })
  expect(await titles()).toEqual([])
})

test('errors name what was expected', async () => {
  const client = await connect(own.adminToken)
  const create = await idOf(client, 'POST', '/items/notes')
  expect(await run(client, create, { parameters: { colour: 'red' }, body: { title: 'A' } })).toMatch(
    new RegExp(`^Expected a parameter of ${create} \\(.*fields.*\\) but received "colour"$`),
  )
  expect(await run(client, create, { body: { title: null } })).toMatchObject({ status: 400 })
  expect(await run(client, 'login', { body: { email: 'a@example.com', password: 'b' } })).toMatch(
    /^Expected an operation/,
  )
  expect(await run(client, 'createCollections', { body: { collection: 'x' }, dry_run: true })).toMatch(
    /^Expected no "dry_run" for createCollections/,
  )
  await own.rows(`insert into notes (title) select repeat('x', 3000) from generate_series(1, 99) n`)
  expect(await run(client, await idOf(client, 'GET', '/items/notes'))).toMatch(
    /^Expected an answer of at most 200000 characters/,
  )
  expect(await call(client, 'execute_operation', {})).toMatch(/operation/)
  expect(await run(client, create, { query: { limit: 1 } })).toMatch(
    /execute_operation: Expected one of operation, parameters, body, if_match, dry_run but received "query"$/,
  )
})

test.for([true, false])('names that are no fields are told to the agent, dry run: %s', async (isDry) => {
  const client = await connect(own.adminToken)
  const create = await idOf(client, 'POST', '/items/notes')
  expect(await run(client, create, { body: { title: 'A', colour: 'red' }, dry_run: isDry })).toMatchObject({
    status: 200,
    body: { data: { title: 'A' } },
    ignored_fields: ['colour'],
  })
})

test('an agent changes the data model, and its next call sees it', async () => {
  const client = await connect(own.adminToken)
  expect(
    await run(client, 'createCollections', {
      body: { collection: 'shelves', schema: {}, fields: [{ field: 'name', type: 'string' }] },
    }),
  ).toMatchObject({ status: 200 })
  const create = await idOf(client, 'POST', '/items/shelves')
  expect(await run(client, create, { body: { name: 'Top' } })).toMatchObject({ body: { data: { name: 'Top' } } })
})

test('messages that are none are refused, and other methods', async () => {
  const post = (body: unknown) => own.ask('POST /mcp', { body })
  expect((await post({ jsonrpc: '1.0' })).status).toBe(400)
  expect((await post([])).status).toBe(400)
  expect(await post({ jsonrpc: '2.0', id: 1, method: 'no/such' })).toMatchObject({ body: { error: { code: -32601 } } })
  expect((await post({ jsonrpc: '2.0', method: 'notifications/initialized' })).status).toBe(202)
  expect((await own.ask('GET /mcp')).status).toBe(405)
  expect((await own.ask('POST /mcp', { body: { jsonrpc: '2.0' }, token: 'no-such-token' })).status).toBe(401)
})
