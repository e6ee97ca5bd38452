/** Limits of API keys: one unit of cost by every door, the headers, and two servers that count together. */
import { afterAll, describe, expect, test } from 'vitest'
import { openAgent } from './agent.ts'
import { openSocket } from './live-socket.ts'
import { openOwnDatabase } from './own-database.ts'
import type { RequestOptions } from './send.ts'

const tables = `
  create table topics (id serial primary key, name text);
  create table notes (id serial primary key, title text, topic int references topics);
  insert into topics (name) values ('One'), ('Two');
  insert into notes (title, topic) select 'Note ' || n, 1 + n % 2 from generate_series(1, 200) n;
  analyze`

const redis = process.env['TEST_REDIS_URL']
const shared: { readonly [name: string]: string } =
  redis === undefined ? {} : { REDIS: redis, RATE_LIMITER_STORE: 'redis' }
const own = await openOwnDatabase(tables, {
  ...shared,
  WEBSOCKETS_ENABLED: 'true',
  KEY_LIMIT_DURATION: '2',
  CORS_ENABLED: 'true',
  CORS_ORIGIN: 'https://app.example.com',
})
const urls: readonly string[] = [own.url, (await own.openReplica()).url]
afterAll(() => own.close())

const most = 1_000_000

async function create(body: object): Promise<string> {
  const made = await own.ask('POST /keys', { body: { name: 'Limited', ...body } })
  expect(made.status).toBe(200)
  return (made.body as { readonly data: { readonly key: string } }).data.key
}

const left = (headers: Headers, name: string): number =>
  Number(new RegExp(`"${name}";r=(\\d+)`).exec(headers.get('ratelimit') ?? '')?.[1])

/** The cost of what `work` does with a new key. */
async function costOf(work: (key: string) => Promise<unknown>): Promise<number> {
  const key = await create({ max_cost: most })
  await work(key)
  const { headers } = await own.ask('GET /server/ping?x=1', { token: key })
  const after = await own.ask('GET /server/info', { token: key })
  expect([after.status, headers.get('ratelimit')]).toEqual([200, null])
  return most - left(after.headers, 'cost') - 1
}

const asking = (request: string, options: RequestOptions = {}) =>
  costOf(async (token) => expect((await own.ask(request, { ...options, token })).status).toBeLessThan(300))
const graphql = (query: string) =>
  costOf(async (token) =>
    expect((await own.ask('POST /graphql', { body: { query }, token })).body).not.toHaveProperty('errors'),
  )

describe('one unit of cost', () => {
  test('of related rows in REST, SEARCH, GraphQL, version 8 and exports', async () => {
    const rest = await asking('GET /items/notes?fields=id,title,topic.name&limit=50')
    // The relation itself is a cell.
    expect(rest).toBe(1 + 50 * 4)
    const query = { fields: ['id', 'title', 'topic.name'], limit: 50 }
    expect(await asking('SEARCH /items/notes', { body: { query } })).toBe(rest)
    expect(await graphql('{ notes(limit: 50) { id title topic { name } } }')).toBe(rest)
    expect(await asking('GET /_/items/notes?fields=id,title,topic.name&limit=50')).toBe(rest)
    const legacy = '{ notes(limit: 50) { data { id title topic { name } } } }'
    expect(await asking('POST /_/gql', { body: { query: legacy } })).toBe(rest)
    expect(await asking('GET /items/notes?fields=id,title,topic.name&limit=50&export=csv')).toBe(rest)
  })

  test('of rows over a socket', async () => {
    const socket = await costOf(async (key) => {
      const live = await openSocket(`${own.url}/websocket`)
      live.send({ type: 'auth', access_token: key })
      await live.next()
      live.send({ type: 'items', collection: 'notes', action: 'read', query: { fields: ['id', 'title'], limit: 50 } })
      expect((await live.next())['data']).toHaveLength(50)
      live.close()
    })
    // The authentication is a request, too.
    expect(socket).toBe(1 + 1 + 50 * 2)
  })

  test('of created rows in REST, GraphQL, version 8 and batches', async () => {
    const body = { title: 'New' }
    const rest = await asking('POST /items/notes?fields=id', { body })
    expect(await graphql('mutation { create_notes_item(data: { title: "New" }) { id } }')).toBe(rest)
    expect(await asking('POST /_/items/notes?fields=id', { body })).toBe(rest)
    const operation = { method: 'POST', path: '/items/notes', query: { fields: 'id' }, body }
    expect(await asking('POST /batch', { body: { operations: [operation] } })).toBe(rest)
  })

  test('of an operation that an agent runs is that of the operation, beside the messages of the agent', async () => {
    const operation = await costOf(async (key) => {
      const agent = await openAgent(own.url, key)
      const name = await agent.nameOf('GET', '/items/notes')
      const before = await agent.call('describe_operation', { operation: name })
      expect(before).toContain('/items/notes')
      const parameters = { fields: ['id', 'title'], limit: 50 }
      expect(await agent.call('execute_operation', { operation: name, parameters })).toContain('Note 50')
      await agent.close()
    })
    const messages = await costOf(async (key) => {
      const agent = await openAgent(own.url, key)
      const name = await agent.nameOf('GET', '/items/notes')
      for (let message = 0; message < 2; message += 1) await agent.call('describe_operation', { operation: name })
      await agent.close()
    })
    expect(operation - messages).toBe(50 * 2)
  })
})

test('the headers tell quota, window, what is left and when it ends, also to pages of other origins', async () => {
  const token = await create({ max_requests: 3, max_cost: 500 })
  const headers = { origin: 'https://app.example.com' }
  const answer = await own.ask('GET /items/notes?fields=id&limit=10', { token, headers })
  expect(answer.headers.get('ratelimit-policy')).toBe('"requests";q=3;w=2, "cost";q=500;w=2')
  expect(answer.headers.get('ratelimit')).toMatch(/^"requests";r=2;t=[12], "cost";r=489;t=[12]$/)
  const exposed = (answer.headers.get('access-control-expose-headers') ?? '').toLowerCase().split(/, ?/)
  expect(exposed).toEqual(expect.arrayContaining(['ratelimit', 'ratelimit-policy', 'retry-after']))
  const wrong = await own.ask('GET /items/notes?limit=x', { token, headers })
  expect([wrong.status, left(wrong.headers, 'requests')]).toEqual([400, expect.any(Number)])
})

test('a window ends', async () => {
  const token = await create({ max_requests: 1 })
  const status = async () => (await own.ask('GET /items/notes?limit=1', { token })).status
  expect([await status(), await status()]).toEqual([200, 429])
  const refused = await own.ask('GET /items/notes?limit=1', { token })
  expect(['1', '2']).toContain(refused.headers.get('retry-after'))
  await new Promise((resolve) => setTimeout(resolve, 2_100))
  expect(await status()).toBe(200)
})

if (redis !== undefined)
  test('two servers count requests and cost together, whatever comes at once', async () => {
    const token = await create({ max_requests: 20, max_cost: most })
    const asked = Array.from({ length: 40 }, (_each, index) =>
      fetch(`${urls[index % 2]}/items/notes?fields=id&limit=10`, { headers: { authorization: `Bearer ${token}` } }),
    )
    const answers = await Promise.all(asked)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20)
    const least = Math.min(...answers.map(({ headers }) => left(headers, 'cost')))
    expect(most - least).toBe(20 * 11)
  })
