import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  adminPassword,
  adminToken,
  ask,
  createDatabase,
  type ProgramDatabase,
  run,
  runProgram,
  type Server,
  startServer,
} from './test-program.ts'

// Most steps are a separate process that opens the embedded database.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

const admin = { ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: adminPassword, ADMIN_TOKEN: adminToken }

const database = await createDatabase({ isMigrated: true })
const text = 'create table notes (id serial primary key, body text not null)'
await database.onDatabase((db) => db.run({ text, values: [] }))

afterAll(() => database.remove())

const start = (settings: Record<string, string> = {}) => startServer({ ...database.settings, ...admin, ...settings })
const login = (url: string, password: string) => ask(url, '/auth/login', { email: 'admin@example.com', password })

/** The process does this once it has loaded. */
const doing = (code: string) => ({ NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(code)}` })

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20))
}

/** A write that the server has begun to read. */
async function beginWrite(url: string): Promise<ClientRequest> {
  const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json', expect: '100-continue' }
  const running = request(`${url}/items/notes`, { method: 'POST', agent: false, headers })
  running.write('{"body":')
  await once(running, 'continue')
  return running
}

test('an older Node is told which one is needed', async () => {
  const older = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })`
  const ended = await runProgram(doing(older), 'start')
  expect([ended.code, ended.error]).toEqual([
    1,
    expect.stringMatching(/^tandem: expected Node 24 or newer but this is Node 20\.20\.2 .*\nRun it by "npm start"/),
  ])
})

describe('a server and its next start', () => {
  const acknowledged: string[] = []
  let refresh_token: string
  let server: Server

  test('the start prints its address, the reference and examples', async () => {
    server = await start({ ADMIN_EMIAL: 'me@example.com' })
    expect(server.printed()).toContain('Unknown setting ADMIN_EMIAL: ADMIN_EMAIL may be meant')
    expect(server.printed()).toContain(`  Application     ${server.url}/admin\n`)
    expect(server.printed()).toContain(`  API reference   ${server.url}/docs\n`)
    expect(server.printed()).toContain(`  Guide           ${server.url}/docs/guide\n`)
    expect(server.printed()).toContain(
      `Try\n  TOKEN='<the value of ADMIN_TOKEN>'\n  curl -H "Authorization: Bearer $TOKEN" '${server.url}/items/notes?limit=3'\n`,
    )
    expect(server.printed()).toContain('Administrator   admin@example.com')
    expect(server.printed()).toMatch(/^ {2}curl .*\/items\/notes\?limit=3'$/m)
    expect(server.printed()).not.toContain(adminPassword)
    expect(await ask(server.url, '/server/ping')).toEqual({ status: 200, body: 'pong' })
    expect(await ask(server.url, '/server/health')).toMatchObject({ status: 200, body: { status: 'ok' } })
    const session = (await login(server.url, adminPassword)).body as { data: { refresh_token: string } }
    refresh_token = session.data.refresh_token
  })

  test('kill -9 in the middle of writes ends it', async () => {
    const write = async (writer: number): Promise<void> => {
      for (let number = 0; ; number++) {
        const body = `${writer}-${number}`
        if ((await ask(server.url, '/items/notes', { body })).status !== 200) throw new Error(`${body} was refused`)
        acknowledged.push(body)
      }
    }
    const writers = Promise.allSettled([0, 1, 2, 3].map(write))
    await until(() => acknowledged.length >= 80)
    await server.stop('SIGKILL')
    await writers
  })

  test('acknowledged writes, users and sessions are kept, and neither token nor password is in the log', async () => {
    server = await start({ LOG_LEVEL: 'debug', LOG_STYLE: 'raw' })
    expect(server.printed()).not.toContain('Administrator')
    const { body } = await ask(server.url, '/items/notes?limit=-1&fields=body')
    const stored = new Set((body as { data: { body: string }[] }).data.map((note) => note.body))
    expect(acknowledged.filter((each) => !stored.has(each))).toEqual([])
    expect(await ask(server.url, '/auth/refresh', { refresh_token, mode: 'json' })).toMatchObject({ status: 200 })
    await ask(server.url, `/users/me?access_token=${adminToken}`)
    await fetch(`${server.url}/items/notes?access_token=canary-token-in-a-query`)
    await login(server.url, 'canary-password')
    const cookie = 'platform_refresh_token=canary-cookie'
    await fetch(`${server.url}/auth/refresh`, { method: 'POST', headers: { cookie } })
    await fetch(`${server.url}/_/items/notes`, { headers: { authorization: 'Basic canary-basic' } })
  })

  test('SIGTERM lets a running request finish; idle connections do not delay it', async () => {
    const idle = connect(Number(new URL(server.url).port), '127.0.0.1')
    await once(idle, 'connect')
    const running = await beginWrite(server.url)
    // The rest of its body is sent after the shutdown begins.
    const stopped = server.stop()
    await until(() => server.printed().includes('Stopping'))
    running.end('"last"}')
    const [response] = (await once(running, 'response')) as [IncomingMessage]
    expect(response.statusCode).toBe(200)
    response.resume()
    expect(await stopped).toBe(0)
    expect(server.printed()).toContain('/items/notes')
    expect(server.printed()).not.toContain(adminToken)
    expect(server.printed()).not.toContain(refresh_token)
    expect(server.printed()).not.toContain('canary')
  })
})

test('the process ends at the shutdown deadline, even if threads are busy', async () => {
  const pipe = join(database.settings['DATA_DIR'] as string, 'a-pipe')
  execFileSync('mkfifo', [pipe])
  // Nobody writes to the pipe: a thread waits for ever, and a normal exit for the thread.
  const busy = doing(`import { readFile } from 'node:fs'; readFile(${JSON.stringify(pipe)}, () => {})`)
  const server = await start({ ...busy, SERVER_SHUTDOWN_TIMEOUT: '500ms' })
  const running = await beginWrite(server.url)
  const cut = once(running, 'error')
  const before = performance.now()
  expect(await server.stop('SIGINT')).toBeNull()
  expect(performance.now() - before).toBeLessThan(8000)
  expect(server.child.signalCode).toBe('SIGKILL')
  expect(server.printed()).toContain('Stopping before all work is finished')
  expect(await cut).toMatchObject([{ code: 'ECONNRESET' }])
})

test('a port in use ends the start with one line, before the database is opened', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const fresh = join(database.settings['DATA_DIR'] as string, 'untouched')
  const settings = { ...database.settings, ...admin, DATA_DIR: fresh, PORT: String(port) }
  expect(await run(settings, 'start')).toEqual({
    code: 2,
    out: '',
    error: `tandem: PORT: expected a port that nobody listens on, got ${port}\n`,
  })
  expect(existsSync(fresh)).toBe(false)
  other.close()
})

test.each([
  ['HOST', 'no-such-host.invalid', 'an address of this machine, got "no-such-host.invalid"', run],
  ['DATA_DIR', '/dev/null/data', 'a folder that can be written, got ENOTDIR for "/dev/null/data"', runProgram],
])('%s that cannot be used ends the start with one line that names it', async (name, value, rest, by) => {
  const { code, error } = await by({ ...database.settings, ...admin, [name]: value }, 'start')
  expect([code, error.split('\n').findLast((line) => line !== '')]).toEqual([2, `tandem: ${name}: expected ${rest}`])
})

test('a schema that is not there ends a start on a server, whatever stands behind it; the embedded database has one', async () => {
  const isServer = database.settings['DB_CLIENT'] === 'pg'
  for (const command of isServer ? ['start', 'migrate', 'introspect'] : ['migrate']) {
    const { code, error } = await run({ ...database.settings, DB_SEARCH_PATH: 'no_such,public' }, command)
    const refusal =
      'tandem: DB_SEARCH_PATH: expected an existing schema that the database user may use, got "no_such"\n'
    expect([code, error.includes(refusal)]).toEqual(isServer ? [2, true] : [0, false])
  }
})

describe('two servers that start at once on a new database', () => {
  let fresh: ProgramDatabase
  let started: readonly Server[]
  let refusals: readonly string[]

  beforeAll(async () => {
    fresh = await createDatabase()
    const bug = doing("process.on('SIGUSR2', () => { throw new Error('a bug') })")
    const settings = { ...fresh.settings, ...bug, ADMIN_EMAIL: 'first@example.com' }
    const both = await Promise.allSettled([startServer(settings), startServer(settings)])
    started = both.filter((each) => each.status === 'fulfilled').map((each) => each.value)
    refusals = both.filter((each) => each.status === 'rejected').map((each) => String(each.reason))
  })
  afterAll(() => fresh.remove())

  test('one makes the administrator', () => {
    expect(started.filter((server) => server.printed().includes('generated; it is not shown again'))).toHaveLength(1)
  })

  test('the embedded database is that of one; the other is refused with one line that names it', () => {
    if (fresh.settings['DB_CLIENT'] === 'pg') return expect(refusals).toEqual([])
    expect(started).toHaveLength(1)
    // On a busy machine the lines of an opening that takes long come first.
    const messages = refusals.map((each) => each.replaceAll(/Opening the embedded database.*\n/g, ''))
    const refusal = `^Error: The server ended with 1: tandem: The data directory is in use by process ${started[0]?.child.pid} .*$`
    expect(messages).toEqual([expect.stringMatching(new RegExp(refusal))])
  })

  test('an uncaught error ends a server in order with exit code 1 and a log line', async () => {
    for (const server of started) {
      expect(await server.stop('SIGUSR2')).toBe(1)
      expect(server.printed()).toMatch(/"message":"a bug".*Uncaught error/)
    }
  })
})
