/** The folder of `tandem seed`, given to the mock and to its program. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createClient } from 'graphql-ws'
import { afterAll, expect, test, vi } from 'vitest'
import { exampleProject } from '../src/cli/project/example-project.ts'
import { readProject } from '../src/cli/project/project-folder.ts'
import { loadModel } from '../src/cli/project/with-connection.ts'
import { toSnapshot } from '../src/current/configuration/collection-files.ts'
import type { Schema } from '../src/domain/schema/schema.ts'
import { readSeedFolder } from './src/folder.ts'
import { createMock, type Snapshot } from './src/mock.ts'
import { runProgram } from './src/program.ts'

const root = mkdtempSync(join(tmpdir(), 'tandem-mock-'))
for (const [path, text] of Object.entries(exampleProject)) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
const { document } = await readProject(root, await loadModel(), {})
const empty = { collections: new Map() } as unknown as Schema
const schema = toSnapshot(document.collections, '0', empty) as Snapshot
writeFileSync(join(root, 'model.json'), JSON.stringify(schema))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const seed = join(root, 'seed')
const articles = '/items/articles?fields=title,status,author.name&sort=slug'
const expected = [
  { title: 'One saddle', status: 'draft', author: { name: 'Bo' } },
  { title: 'Riding in two', status: 'published', author: { name: 'Ann' } },
]

test('rows are written with their references, updated by their keys, and there after a reset', async () => {
  const mock = createMock({ schema })
  const ask = async (path: string, init?: RequestInit) => {
    const answer = await mock.fetch(new Request(`http://localhost:8055${path}`, init))
    return answer.status === 204 ? null : ((await answer.json()) as { readonly data: unknown }).data
  }
  expect(await mock.seed(await readSeedFolder(seed))).toEqual([
    { collection: 'authors', created: 2, updated: 0, same: 0 },
    { collection: 'articles', created: 2, updated: 0, same: 0 },
  ])
  expect(await ask(articles)).toEqual(expected)
  const body = await mock.seed({ 'articles.csv': 'slug,title,author.name\none-saddle,No saddle,Ann\n' })
  expect(body).toEqual([{ collection: 'articles', created: 0, updated: 1, same: 0 }])
  await ask('/items/articles/1', { method: 'DELETE' })
  mock.reset()
  expect(await ask(articles)).toEqual([{ title: 'No saddle', status: 'draft', author: { name: 'Ann' } }, expected[1]])
})

test.each([
  [{ 'articles.csv': 'slug,titel\nx,X\n' }, 'articles.csv: row 1: Expected a field of "articles" but received "titel"'],
  [
    { 'articles.csv': 'title\nX\n' },
    'articles.csv: Expected a value of id or slug in every row, to find the rows that exist already',
  ],
  [
    { 'nowhere.json': '[{"a":1}]' },
    'nowhere.json: Expected a file named after a collection of the project but received "nowhere"',
  ],
  [{ 'platform_users.json': '[{"email":"a@example.com"}]' }, 'but received "platform_users"'],
  [{ 'articles.yaml': 'a: 1' }, 'articles.yaml: expected names such as authors.json or articles.csv'],
  [
    { 'authors.json': '[{"name":"Left out"}]', 'articles.csv': 'slug,title,author.name\nx,X,Nobody\n' },
    'articles.csv: row 1: Expected one row of "authors" for "author" but found none with {"name":"Nobody"}',
  ],
])('a fault is told with its file and row, and nothing is written: %j', async (files, message) => {
  const mock = createMock({ schema })
  await expect(mock.seed(files)).rejects.toThrow(message)
  expect(mock.state()).toEqual({ authors: [], articles: [] })
})

async function start(...args: readonly string[]) {
  const written = { out: '', error: '' }
  const to = (name: 'out' | 'error') => ({ write: (text: string) => (written[name] += text) })
  const server = await runProgram(args, { out: to('out'), error: to('error') })
  return { server, ...written }
}

test('the program answers both generations over HTTP with the rows of the folder', async () => {
  const { server, out } = await start('--schema', join(root, 'model.json'), '--seed', seed, '--port', '0')
  try {
    const { port } = (server as Server).address() as AddressInfo
    expect(out).toBe(`authors: 2 rows\narticles: 2 rows\nThe mock answers at http://localhost:${port}\n`)
    const url = `http://localhost:${port}`
    expect(await (await fetch(`${url}${articles}`)).json()).toEqual({ data: expected })
    expect(await (await fetch(`${url}/_/items/authors?fields=name`)).json()).toEqual({
      data: [{ name: 'Ann' }, { name: 'Bo' }],
    })
    const headers = { 'content-type': 'application/json' }
    const made = await fetch(`${url}/items/authors`, { method: 'POST', headers, body: '{"name":"Cy"}' })
    expect([made.status, await made.json()]).toEqual([200, { data: { id: 3, name: 'Cy', articles: [] } }])
    expect((await fetch(`${url}/items/authors/3`, { method: 'DELETE' })).status).toBe(204)
  } finally {
    ;(server as Server).close()
  }
})

test('sockets of the program tell of what others write', async () => {
  const { server } = await start('--schema', join(root, 'model.json'), '--seed', seed, '--port', '0')
  const { port } = (server as Server).address() as AddressInfo
  const socket = new WebSocket(`ws://localhost:${port}/websocket`)
  const client = createClient({ url: `ws://localhost:${port}/graphql`, webSocketImpl: WebSocket, lazy: false })
  try {
    const messages: unknown[] = []
    const came = Promise.withResolvers<void>()
    socket.addEventListener('message', ({ data }) => {
      messages.push(JSON.parse(String(data)))
      if (messages.length === 2) came.resolve()
    })
    await new Promise((resolve) => socket.addEventListener('open', resolve))
    socket.send('{"type":"subscribe","collection":"authors","query":{"fields":["name"]},"event":"create","uid":"own"}')
    await vi.waitFor(() => expect(messages).toMatchObject([{ event: 'init' }]))
    const changes = client.iterate({ query: 'subscription { authors_mutated(event: create) { event data { name } } }' })
    const first = changes.next()
    const headers = { 'content-type': 'application/json' }
    const write = () =>
      fetch(`http://localhost:${port}/items/authors`, { method: 'POST', headers, body: '{"name":"Cy"}' })
    const writing = setInterval(() => void write(), 200)
    const { value } = await first
    clearInterval(writing)
    expect(value).toEqual({ data: { authors_mutated: { event: 'create', data: { name: 'Cy' } } } })
    await came.promise
    expect(messages[1]).toEqual({ type: 'subscription', event: 'create', data: [{ name: 'Cy' }], uid: 'own' })
    const elsewhere = new WebSocket(`ws://localhost:${port}/items`)
    expect(await new Promise((resolve) => elsewhere.addEventListener('close', ({ code }) => resolve(code)))).toBe(1008)
  } finally {
    socket.close()
    await client.dispose()
    ;(server as Server).close()
  }
})

test('a subscriber of the program gets what others write later, over HTTP', async () => {
  const { server } = await start('--schema', join(root, 'model.json'), '--seed', seed, '--port', '0')
  try {
    const url = `http://localhost:${((server as Server).address() as AddressInfo).port}`
    const address = `${url}/items/authors/changes?fields=name`
    const live = await fetch(address, { headers: { accept: 'text/event-stream' } })
    const reader = (live.body as ReadableStream<Uint8Array<ArrayBuffer>>)
      .pipeThrough(new TextDecoderStream())
      .getReader()
    let text = ''
    const until = async (part: string) => {
      while (!text.includes(part)) text += (await reader.read()).value ?? ''
    }
    await until('event: ready')
    const headers = { 'content-type': 'application/json' }
    for (const [path, body] of [
      ['/items/authors', '{"name":"Cy"}'],
      ['/_/items/authors', '{"name":"Di"}'],
      ['/graphql', '{"query":"mutation { create_authors_item(data: { name: \\"Ed\\" }) { id } }"}'],
    ] as const)
      expect((await fetch(`${url}${path}`, { method: 'POST', headers, body })).status).toBe(200)
    await until('"Ed"')
    expect([...text.matchAll(/event: (\w+)\ndata: (.*)/g)].map(([, event, data]) => `${event} ${data}`)).toEqual([
      'ready {}',
      'create {"name":"Cy"}',
      'create {"name":"Di"}',
      'create {"name":"Ed"}',
    ])
    await reader.cancel()
    // Whoever does not wait for events gets those since its last one, and an end.
    const [, first = ''] = [...text.matchAll(/id: (\S+)/g)].map(([, id]) => id)
    const missed = await fetch(address, { headers: { 'last-event-id': first } })
    expect((await missed.text()).match(/event: \w+/g)).toEqual(['event: ready', 'event: create', 'event: create'])
  } finally {
    ;(server as Server).close()
  }
})

test.each([
  [['--seed', seed], 'expected --schema, or --url and --token'],
  [['--schema', join(root, 'settings.yaml')], 'expected a snapshot as JSON'],
  [['--schema', join(root, 'model.json'), '--port', 'x'], '--port: expected a whole number up to 65535, got "x"'],
  [['--schema', join(root, 'model.json'), '--seed', join(root, 'nowhere')], 'expected a folder, got nothing there'],
])('the program refuses %j', async (args, message) => {
  const { server, error } = await start(...args)
  expect([server, error]).toEqual([2, expect.stringContaining(message)])
})
