import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { adminPassword, adminToken, ask, createPlace, type Place, runProgram, startServer } from './test-program.ts'

// Each step is a separate process, and most open the embedded database.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

let place: Place

const admin = { ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: adminPassword, ADMIN_TOKEN: adminToken }

beforeAll(async () => {
  place = await createPlace()
  const text = 'create table notes (id serial primary key, body text not null)'
  await place.onDatabase((db) => db.run({ text, values: [] }))
})

afterAll(() => place.remove())

const start = (settings: Record<string, string> = {}) => startServer({ ...place.settings, ...admin, ...settings })
const login = (url: string, password: string) => ask(url, '/auth/login', { email: 'admin@example.com', password })

describe('a server and its next start', () => {
  let refresh_token: string

  test('it prints its address, the reference and examples, and stops with exit code 0', async () => {
    const server = await start({ ADMIN_EMIAL: 'me@example.com' })
    expect(server.printed()).toContain('Unknown setting ADMIN_EMIAL: ADMIN_EMAIL may be meant')
    expect(server.printed()).toContain(`API reference   ${server.url}/docs`)
    expect(server.printed()).toContain('Administrator   admin@example.com')
    expect(server.printed()).toMatch(/^ {2}curl .*\/items\/notes\?limit=3'$/m)
    expect(server.printed()).not.toContain(adminPassword)
    expect(await ask(server.url, '/server/ping')).toEqual({ status: 200, body: 'pong' })
    expect(await ask(server.url, '/server/health')).toMatchObject({ status: 200, body: { status: 'ok' } })
    const written = await ask(server.url, '/items/notes', { body: 'kept' })
    expect(written).toMatchObject({ status: 200, body: { data: { body: 'kept' } } })
    const session = (await login(server.url, adminPassword)).body as { data: { refresh_token: string } }
    refresh_token = session.data.refresh_token
    expect(await server.stop('SIGINT')).toBe(0)
  })

  test('rows, users and sessions are kept, and neither token nor password is in the log', async () => {
    const server = await start({ LOG_LEVEL: 'debug', LOG_STYLE: 'raw' })
    expect(server.printed()).not.toContain('Administrator')
    expect(await ask(server.url, '/items/notes?filter[body][_eq]=kept')).toMatchObject({
      status: 200,
      body: { data: [{ body: 'kept' }] },
    })
    expect(await ask(server.url, '/auth/refresh', { refresh_token, mode: 'json' })).toMatchObject({ status: 200 })
    await ask(server.url, `/users/me?access_token=${adminToken}`)
    await fetch(`${server.url}/items/notes?access_token=canary-token-in-a-query`)
    await login(server.url, 'canary-password')
    const cookie = 'platform_refresh_token=canary-cookie'
    await fetch(`${server.url}/auth/refresh`, { method: 'POST', headers: { cookie } })
    await fetch(`${server.url}/_/items/notes`, { headers: { authorization: 'Basic canary-basic' } })
    await server.stop()
    expect(server.printed()).toContain('/items/notes')
    expect(server.printed()).not.toContain(adminToken)
    expect(server.printed()).not.toContain(refresh_token)
    expect(server.printed()).not.toContain('canary')
  })
})

test('SIGTERM lets a running request finish; idle connections do not delay it', async () => {
  const server = await start()
  const idle = connect(Number(new URL(server.url).port), '127.0.0.1')
  await once(idle, 'connect')
  const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json', expect: '100-continue' }
  const running = request(`${server.url}/items/notes`, { method: 'POST', agent: false, headers })
  running.write('{"body":')
  // The server has started the request; the rest of its body is sent after the shutdown begins.
  await once(running, 'continue')
  const stopped = server.stop()
  await until(async () => server.printed().includes('Stopping'))
  running.end('"last"}')
  const [response] = (await once(running, 'response')) as [IncomingMessage]
  expect(response.statusCode).toBe(200)
  response.resume()
  expect(await stopped).toBe(0)
})

test('the process ends at the shutdown deadline, even if threads are busy', async () => {
  const slow = { ...place.settings, HASH_MEMORY_COST: '262144', HASH_TIME_COST: '100', HASH_PARALLELISM: '1' }
  const server = await startServer({ ...slow, ADMIN_SETUP: 'true', SERVER_SHUTDOWN_TIMEOUT: '500ms' })
  // The dummy hash for an unknown user takes a quarter of a minute.
  const cut = ask(server.url, '/auth/login', { email: 'nobody@example.com', password: 'a wrong password' }).then(
    () => 'answered',
    () => 'cut',
  )
  await new Promise((resolve) => setTimeout(resolve, 500))
  const before = performance.now()
  expect(await server.stop()).toBeNull()
  expect(performance.now() - before).toBeLessThan(8000)
  expect(server.child.signalCode).toBe('SIGKILL')
  expect(server.printed()).toContain('Stopping before all work is finished')
  expect(await cut).toBe('cut')
})

test('an uncaught error ends the server in order with exit code 1 and a log line', async () => {
  const bug = "process.on('SIGUSR2', () => { throw new Error('a bug') })"
  const server = await start({ NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(bug)}` })
  expect(await server.stop('SIGUSR2')).toBe(1)
  expect(server.printed()).toMatch(/"message":"a bug".*Uncaught error/)
})

test('a port in use ends the start with one line, before the database is opened', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const fresh = join(place.settings['DATA_DIR'] as string, 'untouched')
  const settings = { ...place.settings, ...admin, DATA_DIR: fresh, PORT: String(port) }
  expect(await runProgram(settings, 'start')).toEqual({
    code: 2,
    out: '',
    error: `tandem: PORT: expected a port that nobody listens on, got ${port}\n`,
  })
  expect(existsSync(fresh)).toBe(false)
  other.close()
})

test.each([
  ['HOST', 'no-such-host.invalid', 'an address of this machine, got "no-such-host.invalid"'],
  ['DATA_DIR', '/dev/null/data', 'a folder that can be written, got ENOTDIR for "/dev/null/data"'],
])('%s that cannot be used ends the start with one line that names it', async (name, value, rest) => {
  const { code, error } = await runProgram({ ...place.settings, ...admin, [name]: value }, 'start')
  expect([code, error.split('\n').findLast((line) => line !== '')]).toEqual([2, `tandem: ${name}: expected ${rest}`])
})

test('a schema that is not there ends a start on a server, whatever stands behind it; the embedded database has one', async () => {
  const isServer = place.settings['DB_CLIENT'] === 'pg'
  for (const command of isServer ? ['start', 'migrate', 'introspect'] : ['migrate', 'introspect']) {
    const { code, error } = await runProgram({ ...place.settings, DB_SEARCH_PATH: 'no_such,public' }, command)
    const refusal =
      'tandem: DB_SEARCH_PATH: expected an existing schema that the database user may use, got "no_such"\n'
    expect([code, error.includes(refusal)]).toEqual(isServer ? [2, true] : [0, false])
  }
})

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20))
}

test('kill -9 in the middle of writes loses no acknowledged write', async () => {
  const acknowledged: string[] = []
  for (let round = 0; round < 2; round++) {
    const server = await start()
    const write = async (writer: number): Promise<void> => {
      for (let number = 0; ; number++) {
        const body = `${round}-${writer}-${number}`
        if ((await ask(server.url, '/items/notes', { body })).status !== 200) throw new Error(`${body} was refused`)
        acknowledged.push(body)
      }
    }
    const goal = acknowledged.length + 40
    const writers = Promise.allSettled([0, 1, 2, 3].map(write))
    await until(async () => acknowledged.length >= goal)
    await server.stop('SIGKILL')
    await writers
  }
  const server = await start()
  const { body } = await ask(server.url, '/items/notes?limit=-1&fields=body')
  const stored = new Set((body as { data: { body: string }[] }).data.map((note) => note.body))
  expect(acknowledged.length).toBeGreaterThanOrEqual(80)
  expect(acknowledged.filter((each) => !stored.has(each))).toEqual([])
  await server.stop()
})

test('of two servers that start at once on a new database, one makes the administrator', async () => {
  const fresh = await createPlace()
  const settings = { ...fresh.settings, ADMIN_EMAIL: 'first@example.com' }
  const [one, two] = await Promise.allSettled([startServer(settings), startServer(settings)])
  const started = [one, two].filter((each) => each.status === 'fulfilled').map((each) => each.value)
  expect(started.filter((server) => server.printed().includes('generated; it is not shown again'))).toHaveLength(1)
  for (const server of started) expect(await server.stop()).toBe(0)
  await fresh.remove()
})

test('a second server on the embedded database is refused with one line that names the first', async () => {
  const folder = await createPlace({ isEmbedded: true, isMigrated: true })
  const server = await startServer(folder.settings)
  const { code, error } = await runProgram(folder.settings, 'start')
  expect(code).toBe(1)
  // On a busy machine the lines of an opening that takes long come first.
  const told = error.replace(/^(Opening the embedded database.*\n)*/, '')
  expect(told).toMatch(new RegExp(`^tandem: The data directory is in use by process ${server.child.pid} .*\n$`))
  expect(await server.stop()).toBe(0)
  await folder.remove()
})
