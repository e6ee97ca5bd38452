/** A database that does not answer any more: what must be told all the same, and told in time. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createApp } from '../src/app.ts'
import { loadConfig } from '../src/config/config.ts'
import type { Database } from '../src/domain/ports/context.ts'
import { createTestDatabase, silentLog } from '../src/sql/testing/test-database.ts'
import { secret } from './own-database.ts'

const folder = mkdtempSync(join(tmpdir(), 'tandem-dead-'))
const metricsToken = 'a-token-for-the-metrics-of-this-test'
const adminToken = 'a-token-for-the-administrator'
const settings = {
  HOST: '127.0.0.1',
  PORT: '0',
  SECRET: secret,
  METRICS_TOKEN: metricsToken,
  ADMIN_EMAIL: 'admin@example.com',
  ADMIN_PASSWORD: 'a password of this test',
  ADMIN_TOKEN: adminToken,
}
let isDead = false
const revived = Promise.withResolvers<void>()

const database = await createTestDatabase({})
const { db } = database
/** Once it is dead, nothing is answered and nothing fails. */
const orLater = <Output>(work: () => Promise<Output>): Promise<Output> => (isDead ? revived.promise.then(work) : work())
const mortal = {
  ...db,
  run: (statement: Parameters<Database['run']>[0]) => orLater(() => db.run(statement)),
  transaction: <T>(work: (inner: Database) => Promise<T>) => orLater(() => db.transaction(work)),
  ping: () => orLater(() => db.ping()),
}
const app = await createApp(loadConfig({ ...settings, DATA_DIR: folder }, folder), {
  log: silentLog,
  db: { ...mortal, close: async () => {}, waitingTime: () => (isDead ? 60_000 : 0) },
})
const url = (await app.listen()).replace(/\/$/, '')
expect((await ask('/users/me', adminToken)).status).toBe(200)
isDead = true
afterAll(async () => {
  isDead = false
  revived.resolve()
  await app.close()
  await database.close()
  rmSync(folder, { recursive: true })
})

async function ask(path: string, token?: string, more: { readonly [name: string]: string } = {}) {
  const begun = performance.now()
  const headers = { ...more, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) }
  const answer = await fetch(`${url}${path}`, { headers, signal: AbortSignal.timeout(15_000) })
  const text = await answer.text()
  return { status: answer.status, text, seconds: (performance.now() - begun) / 1000 }
}

test.each([undefined, 'a-token-that-nobody-has-looked-up'])('the process is alive, whoever asks: %s', async (token) => {
  const { status, text, seconds } = await ask('/server/ping', token)
  expect([status, text]).toEqual([200, 'pong'])
  expect(seconds).toBeLessThan(10)
})

test('it is not ready, and says so within seconds', async () => {
  const { status, text, seconds } = await ask('/server/ready', 'a-token-that-nobody-has-looked-up')
  expect([status, JSON.parse(text)]).toEqual([503, { status: 'error' }])
  expect(seconds).toBeLessThan(10)
})

test('metrics tell of it, and are there', async () => {
  const { status, text, seconds } = await ask('/metrics', metricsToken)
  expect([status, /^tandem_database_up\{.*$/m.exec(text)?.[0]]).toEqual([200, 'tandem_database_up{project="_"} 0'])
  expect(text).toContain('tandem_build_info')
  expect(seconds).toBeLessThan(10)
})

test.each([undefined, 'a-token-that-nobody-has-looked-up'])(
  'health tells the status within seconds: %s',
  async (token) => {
    const { status, text, seconds } = await ask('/server/health', token)
    expect([status, JSON.parse(text)]).toEqual([503, { status: 'error' }])
    expect(seconds).toBeLessThan(10)
  },
)

test('health tells an administrator who is known the components', async () => {
  const { status, text, seconds } = await ask('/server/health', adminToken)
  const { status: told, checks } = JSON.parse(text) as { status: string; checks: { [name: string]: unknown } }
  expect([status, told, Object.keys(checks)]).toEqual([
    503,
    'error',
    ['database:responseTime', 'server:responseTime', 'storage:responseTime', 'storage-local:responseTime'],
  ])
  expect(checks).toMatchObject({
    'database:responseTime': [{ status: 'error', output: 'no answer within 4000 ms' }],
    'storage:responseTime': [{ status: 'ok' }],
  })
  expect(seconds).toBeLessThan(10)
})

test('health refuses a token that somebody else signed', async () => {
  const claims = Buffer.from(JSON.stringify({ iss: 'platform', session: 'mine' })).toString('base64url')
  const { status, text } = await ask('/server/health', `eyJhbGciOiJIUzI1NiJ9.${claims}.c2lnbmF0dXJl`)
  expect([status, text]).toEqual([403, expect.stringContaining('INVALID_TOKEN')])
})

test.each(['/docs/', '/docs/swagger-ui.css', '/docs/guide/', '/admin/', '/favicon.ico', '/robots.txt', '/llms.txt'])(
  'the files of %s need no database',
  async (path) => {
    const { status, seconds } = await ask(path)
    expect(status).toBe(200)
    expect(seconds).toBeLessThan(10)
  },
)

test.each(['/', '/graphql', '/graphql/system'])('the page of %s needs no database', async (path) => {
  const { status, text, seconds } = await ask(path, undefined, { accept: 'text/html' })
  expect([status, text]).toEqual([200, expect.stringContaining('<!doctype html>')])
  expect(seconds).toBeLessThan(10)
})

test.each(['/', '/_/', '/server/info', '/_/items/articles', '/items/articles'])(
  '%s is refused at once',
  async (path) => {
    const { status, text } = await ask(path)
    expect([status, text]).toEqual([503, expect.stringContaining('The database is too busy to answer')])
  },
)
