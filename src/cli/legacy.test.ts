/** The end of the version 8 API: announced, counted, turned off. */
import { afterAll, expect, test } from 'vitest'
import type { Usage } from './legacy.ts'
import { adminPassword, adminToken, createDatabase, openServer, run } from './test-program.ts'

const database = await createDatabase({ isMigrated: true })
const text = `create table notes (id integer primary key, body text); insert into notes values (1, 'one')`
await database.onDatabase((db) => db.run({ text, values: [] }))
const settings = {
  ...database.settings,
  ADMIN_EMAIL: 'admin@example.com',
  ADMIN_PASSWORD: adminPassword,
  ADMIN_TOKEN: adminToken,
  LOG_LEVEL: 'error',
  VALIDATE_RESPONSES: 'true',
}
afterAll(() => database.remove())

const ask = (url: string, path: string, agent = 'axios/1.7.2', token: string | null = adminToken) =>
  fetch(`${url}${path}`, {
    headers: { 'user-agent': agent, ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
  })

const headersOf = ({ status, headers }: Response) => [
  status,
  ...['deprecation', 'sunset', 'link'].map((name) => headers.get(name)),
]

test('without settings, answers announce nothing, and calls are counted', async () => {
  const server = await openServer({ ...settings, CACHE_ENABLED: 'true' })
  expect(headersOf(await ask(server.url, '/_/items/notes'))).toEqual([200, null, null, null])
  await ask(server.url, '/_/items/notes')
  await ask(server.url, '/_/items/notes/1', 'Mozilla/5.0 (X11) Gecko/20100101 Firefox/130.0')
  await ask(server.url, '/_/', 'curl/8.5.0', null)
  await ask(server.url, '/items/notes')
  await ask(server.url, '/_/scim/v2/Users')
  await server.close()
  const { code, out } = await run(settings, 'legacy', 'usage', '--json')
  expect(code).toBe(0)
  const usage = JSON.parse(out) as readonly Usage[]
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as unknown
  const user = expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown
  expect(usage.toSorted((a, b) => (a.operation < b.operation ? -1 : 1))).toMatchObject([
    { operation: 'readItem', calls: 1, clients: [{ agent: 'Firefox', user, email: 'admin@example.com' }] },
    {
      operation: 'readItems',
      called: 'GET /{project}/items/{collection}',
      calls: 2,
      first: time,
      last: time,
      clients: [{ agent: 'axios', user, email: 'admin@example.com', calls: 2, first: time, last: time }],
      current: [{ id: 'readItems', method: 'GET', path: '/items/{collection}' }],
    },
    { operation: 'readProjectInfo', calls: 1, clients: [{ agent: 'curl', user: null, email: null, calls: 1 }] },
  ])
  expect(usage).toHaveLength(3)
  const printed = await run(settings, 'legacy', 'usage')
  const [first, second, third] = printed.out.split('\n')
  expect(first).toMatch(/^GET \/\{project\}\/items\/\{collection\}: 2 calls, last \d{4}-/)
  expect(second).toMatch(/^ {2}axios, admin@example\.com \([0-9a-f-]{36}\): 2 calls, last \d{4}-/)
  expect(third).toMatch(/^ {2}now: GET \/items\/\{collection\}; \w/)
}, 180_000)

test('a deprecated API tells so in every answer, with the path to use instead', async () => {
  const server = await openServer({
    ...settings,
    LEGACY_DEPRECATION: '2026-06-30',
    LEGACY_SUNSET: '2027-01-31T12:00:00Z',
  })
  const docs = `<${server.url}/docs/>; rel="deprecation"; type="text/html"`
  const dates = ['@1782777600', 'Sun, 31 Jan 2027 12:00:00 GMT']
  const linkOf = (path: string) => `<${server.url}${path}>; rel="successor-version", ${docs}`
  expect(headersOf(await ask(server.url, '/_/items/notes/1'))).toEqual([200, ...dates, linkOf('/items/notes/1')])
  expect(headersOf(await ask(server.url, '/_/items/notes/7'))).toEqual([404, ...dates, linkOf('/items/notes/7')])
  expect(headersOf(await ask(server.url, '/_/users/1', 'x', null))).toEqual([401, ...dates, linkOf('/users')])
  expect(headersOf(await ask(server.url, '/types'))).toEqual([200, ...dates, docs])
  for (const path of ['/items/notes', '/_/scim/v2/Users', '/server/ping']) {
    expect(headersOf(await ask(server.url, path))).toEqual([200, null, null, null])
  }
  await server.close()
}, 120_000)

test('an API that is turned off names the operation to use instead', async () => {
  const server = await openServer({ ...settings, LEGACY_ENABLED: 'false', LEGACY_DEPRECATION: 'true' })
  const gone = await ask(server.url, '/_/items/notes/1', 'x', 'no token at all')
  expect(gone.status).toBe(410)
  expect(await gone.json()).toEqual({
    error: {
      code: 5,
      message: expect.stringMatching(
        new RegExp(
          `^The version 8 API is turned off\\. Use GET /items/\\{collection\\}/\\{id\\} .*${server.url}/docs/$`,
        ),
      ) as unknown,
    },
  })
  const write = await fetch(`${server.url}/_/items/notes`, { method: 'POST', body: '{"broken":' })
  expect(write.status).toBe(410)
  expect((await ask(server.url, '/')).status).toBe(410)
  for (const path of ['/items/notes', '/_/scim/v2/Users', '/server/ping', '/server/info']) {
    expect([path, (await ask(server.url, path)).status]).toEqual([path, 200])
  }
  expect(await (await fetch(`${server.url}/docs/start.js`)).text()).not.toContain('legacy.json')
  await server.close()
}, 120_000)

test('a sunset needs a deprecation before it', async () => {
  const alone = await run({ ...settings, LEGACY_SUNSET: '2027-01-31' }, 'start')
  expect([alone.code, alone.error]).toEqual([
    2,
    'tandem: LEGACY_SUNSET: expected LEGACY_DEPRECATION beside it, got none\n',
  ])
  const before = { ...settings, LEGACY_DEPRECATION: '2027-02-01', LEGACY_SUNSET: '2027-01-31' }
  expect((await run(before, 'start')).error).toContain('LEGACY_SUNSET: expected no date before LEGACY_DEPRECATION')
  expect((await run({ ...settings, LEGACY_DEPRECATION: 'soon' }, 'start')).error).toContain(
    'LEGACY_DEPRECATION: expected',
  )
}, 60_000)
