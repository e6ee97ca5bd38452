/** What clients use is counted by operation and field, in both generations and GraphQL, and a plan names whom it breaks. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, expect, test, vi } from 'vitest'
import { send } from '../../contract-tests/send.ts'
import { createApp } from '../app.ts'
import { loadConfig } from '../config/config.ts'
import { createTestDatabase, silentLog } from '../sql/testing/test-database.ts'
import { worldSql } from '../sql/testing/test-world.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const folder = mkdtempSync(`${tmpdir()}/tandem-usage-`)
const adminToken = 'a-static-token-for-tests'
const settings = {
  ADMIN_EMAIL: 'admin@example.com',
  ADMIN_PASSWORD: 'correct-horse-42',
  ADMIN_TOKEN: adminToken,
  DATA_DIR: folder,
  HASH_MEMORY_COST: '1024',
  LOG_LEVEL: 'silent',
  HOST: '127.0.0.1',
  PORT: '0',
  CACHE_ENABLED: 'true',
  VALIDATE_RESPONSES: 'true',
}

const database = await createTestDatabase({ sql: worldSql })
const db = { ...database.db, close: () => Promise.resolve() }
const app = await createApp(loadConfig(settings, folder), { log: silentLog, db })
const url = await app.listen()
afterAll(async () => {
  await app.close()
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

type Sent = { readonly client?: string; readonly token?: string; readonly body?: unknown; readonly method?: string }

async function ask(
  path: string,
  { client, body, method = body === undefined ? 'GET' : 'POST', token = adminToken }: Sent = {},
) {
  const headers = {
    'user-agent': 'shop-jobs/1.2.3 (ann@example.com)',
    ...(client === undefined ? {} : { 'x-client': client }),
  }
  const answer = await send(url, `${method} ${path}`, { body, token, headers })
  return { status: answer.status, body: answer.body as Answer }
}

type Use = { readonly [key: string]: unknown }
type Change = { readonly words: string; readonly severity: string; readonly clients: readonly Use[] }
type Answer = { readonly data: readonly Use[] & { readonly changes: readonly Change[] } }

const usesOf = async (client: string) => {
  const { body } = await ask(`/usage?client=${encodeURIComponent(client)}`)
  return body.data
    .map(({ generation, operation, access, path, calls }) => [generation, operation, access, path, calls].join(' '))
    .toSorted()
}

test('fields are counted by client and operation, without values', async () => {
  const query = 'fields=title,author.name&filter[author][email][_eq]=ann@example.com&sort=-author.age'
  for (let at = 0; at < 3; at += 1)
    expect((await ask(`/items/articles?${query}`, { client: 'shop-frontend/2.3.1' })).status).toBe(200)
  expect(await usesOf('shop-frontend 2.3')).toEqual([
    'current readItems call  3',
    'current readItems read articles 3',
    'current readItems read articles.author 3',
    'current readItems read articles.author.age 3',
    'current readItems read articles.author.email 3',
    'current readItems read articles.author.name 3',
    'current readItems read articles.title 3',
  ])
  const stored = await database.db.run({ text: 'select * from platform_usage', values: [] })
  expect(JSON.stringify(stored.rows)).not.toContain('ann@example.com')
})

test('a client that gets a cached answer counts as using its fields', async () => {
  const path = '/items/authors?fields=name,region.name'
  for (const client of ['first', 'second']) await ask(path, { client })
  expect(await usesOf('second')).toEqual([
    'current readItems call  1',
    'current readItems read authors 1',
    'current readItems read authors.name 1',
    'current readItems read authors.region 1',
    'current readItems read authors.region.name 1',
  ])
})

test('writes, GraphQL and the legacy generation are counted, and refused requests only as calls', async () => {
  const client = 'editor'
  const body = { name: 'Bea', articles: [{ title: 'New' }] }
  expect((await ask('/items/authors?fields=id', { client, body })).status).toBe(200)
  await ask('/graphql', { client, body: { query: '{ articles(limit: 1) { title category { name } } }' } })
  await ask('/_/items/articles?fields=title&limit=1', { client })
  expect((await ask('/items/articles?fields=nowhere', { client })).status).toBe(403)
  expect(await usesOf(client)).toEqual([
    'current createItems call  1',
    'current createItems create authors 1',
    'current createItems create authors.articles 1',
    'current createItems create authors.articles.title 1',
    'current createItems create authors.name 1',
    'current createItems read authors 1',
    'current createItems read authors.id 1',
    'current readItems call  1',
    'current runGraphql call  1',
    'current runGraphql read articles 1',
    'current runGraphql read articles.category 1',
    'current runGraphql read articles.category.name 1',
    'current runGraphql read articles.title 1',
    'legacy readItems call  1',
    'legacy readItems read articles 1',
    'legacy readItems read articles.title 1',
  ])
  const { body: legacy } = await ask('/usage?generation=legacy&operation=readItems')
  expect(legacy.data[0]).toMatchObject({
    client,
    called: 'GET /{project}/items/{collection}',
    successors: [{ id: 'readItems', method: 'GET', path: '/items/{collection}' }],
    changes: expect.stringContaining('Operators') as unknown,
  })
})

test('an API key is a client, in both generations and GraphQL', async () => {
  const made = await ask('/keys', { body: { name: 'Nightly report' } })
  const { key: token } = made.body.data as unknown as { readonly key: string }
  await ask('/items/articles?fields=title', { token })
  await ask('/graphql', { token, body: { query: '{ articles(limit: 1) { title } }' } })
  await ask('/_/items/articles?fields=title', { token })
  await ask('/_/gql', { token, body: { query: '{ articles(limit: 1) { data { title } } }' } })
  const counted = await usesOf('key Nightly report')
  expect(counted.filter((each) => each.includes('articles.title'))).toEqual([
    'current readItems read articles.title 1',
    'current runGraphql read articles.title 1',
    'legacy readItems read articles.title 1',
    'legacy runGraphql read articles.title 1',
  ])
  expect(counted).toHaveLength(12)
})

test('a plan names the clients that each change breaks', async () => {
  const { body: read } = await ask('/configuration')
  const { collections } = read.data as unknown as {
    readonly collections: { readonly [name: string]: { readonly fields: { readonly [name: string]: object } } }
  }
  const { name: _name, ...fields } = collections['authors']?.fields ?? {}
  const configuration = { collections: { authors: { ...collections['authors'], fields } } }
  const { status, body } = await ask('/configuration/plan', { body: { configuration, prune: false } })
  expect(status).toBe(200)
  expect(body.data.changes).toEqual([])
  const name = collections['authors']?.fields['name'] as { readonly column: object }
  const narrower = { ...fields, name: { ...name, column: { ...name.column, max_length: 10 } } }
  const changed = { collections: { authors: { ...collections['authors'], fields: narrower } } }
  const { body: plan } = await ask('/configuration/plan', { body: { configuration: changed } })
  expect(plan.data.changes).toMatchObject([
    {
      words: 'Change field "authors.name": max_length: 100 → 10',
      severity: 'breaking',
      clients: [{ client: 'editor', operation: 'createItems', path: 'authors.name', severity: 'breaking' }],
    },
  ])
  const whole = { ...(read.data as object), collections: { ...collections, ...configuration.collections } }
  const { body: pruned } = await ask('/configuration/plan', { body: { configuration: whole, prune: true } })
  const gone = pruned.data.changes.find(({ words }) => words.startsWith('Delete field "authors.name"'))
  expect(gone?.clients.map(({ client, path }) => `${String(client)} ${String(path)}`).toSorted()).toEqual([
    'editor authors.name',
    'first authors.name',
    'second authors.name',
    'shop-frontend 2.3 articles.author.name',
  ])
})

test('counting can be turned off', async () => {
  const db = { ...database.db, close: () => Promise.resolve() }
  const off = await createApp(loadConfig({ ...settings, USAGE_ENABLED: 'false' }, folder), { log: silentLog, db })
  const address = await off.listen()
  const headers = { authorization: `Bearer ${adminToken}`, 'x-client': 'silent' }
  expect((await fetch(`${address}/items/articles?fields=title`, { headers })).status).toBe(200)
  await off.close()
  expect(await usesOf('silent')).toEqual([])
})
