/** Three processes of Tandem over one database, of which one is killed and started again and again under load. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findFreePort, type PostgresCluster, startCluster, until } from './postgres-cluster.ts'
import { adminToken } from './tandem.ts'

/** How often a process is killed. */
const kills = Number(process.env['CLUSTER_KILLS'] ?? 2)
const redis = process.env['TEST_REDIS_URL']

const main = fileURLToPath(new URL('../../src/main.js', import.meta.url))
const password = 'correct-horse-42'
const usual = {
  HOST: '127.0.0.1',
  SECRET: 'a-secret-that-only-these-tests-know',
  ADMIN_EMAIL: 'admin@example.com',
  ADMIN_PASSWORD: password,
  ADMIN_TOKEN: adminToken,
  HASH_MEMORY_COST: '1024',
  LOGIN_STALL_TIME: '0',
  PRESSURE_LIMITER_ENABLED: 'false',
  CACHE_ENABLED: 'true',
  CACHE_AUTO_PURGE: 'true',
  LOG_LEVEL: 'silent',
}

type Replica = { readonly url: string; readonly start: () => Promise<void>; readonly kill: () => Promise<void> }

function replicaOf(settings: { readonly [name: string]: string }): Replica {
  const url = `http://127.0.0.1:${settings['PORT']}`
  let program: ChildProcess | null = null
  return {
    url,
    async start() {
      program = spawn(process.execPath, [main, 'start'], {
        env: { PATH: process.env['PATH'], ...settings },
        stdio: 'ignore',
      })
      await until(async () => (await fetch(`${url}/server/ready`)).ok)
    },
    async kill() {
      if (program === null || program.exitCode !== null || program.signalCode !== null) return
      program.kill('SIGKILL')
      await once(program, 'exit')
    },
  }
}

type Ask = { readonly body?: unknown; readonly token?: string | null }

async function ask(url: string, request: string, { body, token = adminToken }: Ask = {}) {
  const [method = 'GET', path = '/'] = request.split(' ', 2)
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, data: text === '' ? null : (JSON.parse(text) as { readonly data: unknown }).data }
}

const stores: readonly (readonly [string, { readonly [name: string]: string }])[] = [
  ['without Redis', {}],
  ...(redis === undefined
    ? []
    : ([['with Redis', { REDIS: redis, RATE_LIMITER_STORE: 'redis', CACHE_STORE: 'redis' }]] as const)),
]

describe.each(stores)('%s', (name, more) => {
  let cluster: PostgresCluster
  let replicas: readonly Replica[] = []
  const folder = mkdtempSync(join(tmpdir(), 'tandem-processes-'))

  beforeAll(async () => {
    cluster = await startCluster()
    await cluster.primary.query('create table notes (id serial primary key, title text unique)')
    const settings = { ...usual, ...more, DB_CONNECTION_STRING: cluster.primary.url, DATA_DIR: folder }
    const named = { CACHE_NAMESPACE: `clusters-${crypto.randomUUID()}` }
    const ports = [await findFreePort(), await findFreePort(), await findFreePort()]
    replicas = ports.map((port) => replicaOf({ ...settings, ...named, PORT: String(port) }))
    for (const replica of replicas) await replica.start()
  })
  afterAll(async () => {
    for (const replica of replicas) await replica.kill()
    await cluster?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const urls = (): readonly [string, string, string] => replicas.map(({ url }) => url) as [string, string, string]

  test('a session counts on all of them, and ends on all of them', async () => {
    const [one, two, three] = urls()
    const login = await ask(one, 'POST /auth/login', { body: { email: 'admin@example.com', password }, token: null })
    const { access_token: token, refresh_token: refresh } = login.data as {
      access_token: string
      refresh_token: string
    }
    for (const url of [one, two, three]) expect((await ask(url, 'GET /users/me', { token })).status).toBe(200)
    const refreshes = await Promise.all(
      [one, two, three].map((url) => ask(url, 'POST /auth/refresh', { body: { refresh_token: refresh }, token: null })),
    )
    expect(refreshes.filter(({ status }) => status === 200)).toHaveLength(1)
    await until(async () => (await ask(two, 'GET /users/me', { token })).status === 401)
  })

  test('a deleted key counts nowhere at the next request', async () => {
    const [one, two, three] = urls()
    const made = await ask(one, 'POST /keys', { body: { name: 'Everywhere' } })
    const { id, key: token } = made.data as { id: string; key: string }
    for (const url of [one, two, three]) expect((await ask(url, 'GET /items/notes', { token })).status).toBe(200)
    expect((await ask(two, `DELETE /keys/${id}`)).status).toBe(204)
    for (const url of [three, one, two]) expect((await ask(url, 'GET /items/notes', { token })).status).toBe(401)
  })

  test('a change of the model reaches all of them', async () => {
    const [one, ...others] = urls()
    expect((await ask(one, 'POST /fields/notes', { body: { field: 'color', type: 'string' } })).status).toBe(200)
    for (const url of others) await until(async () => (await ask(url, 'GET /items/notes?fields=color')).status === 200)
  })

  if (name === 'with Redis')
    test('the requests of a key are counted together', async () => {
      const [one, two, three] = urls()
      const made = await ask(one, 'POST /keys', { body: { name: 'Limited', max_requests: 5 } })
      const { key: token } = made.data as { key: string }
      const statuses: number[] = []
      for (const url of [one, two, three, one, two, three])
        statuses.push((await ask(url, 'GET /items/notes', { token })).status)
      expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
    })

  test('while one is killed and started, nothing acknowledged is lost, and no answer is old', async () => {
    const [steady, other] = urls()
    const third = replicas[2] as Replica
    const state = { isOver: false, stale: 0, reads: 0 }
    const acknowledged: string[] = []
    const write = async (number: number): Promise<void> => {
      for (let at = 0; !state.isOver; at += 1) {
        const title = `${number}-${at}`
        const url = [steady, other, third.url][at % 3] as string
        const answer = await ask(url, 'POST /items/notes', { body: { title } }).catch(() => null)
        if (answer?.status === 200) acknowledged.push(title)
      }
    }
    const read = async (): Promise<void> => {
      while (!state.isOver) {
        const last = acknowledged.at(-1)
        if (last === undefined) {
          await new Promise((resolve) => setTimeout(resolve, 5))
          continue
        }
        await new Promise((resolve) => setTimeout(resolve, 250))
        const found = await ask(other, 'GET /items/notes?fields=title&limit=-1&sort=id').catch(() => null)
        if (found?.status !== 200) continue
        state.reads += 1
        const titles = (found.data as readonly { readonly title: string }[]).map(({ title }) => title)
        if (!titles.includes(last)) state.stale += 1
      }
    }
    const working = Promise.all([write(0), write(1), read()])
    for (let count = 0; count < kills; count += 1) {
      await new Promise((resolve) => setTimeout(resolve, 500))
      await third.kill()
      await third.start()
    }
    state.isOver = true
    await working
    const kept = new Set((await cluster.primary.query('select title from notes')).map(({ title }) => title))
    expect(acknowledged.filter((title) => !kept.has(title))).toEqual([])
    expect([state.stale, state.reads > 0, acknowledged.length > 0]).toEqual([0, true, true])
    console.log(
      `${name}: ${kills} kills, ${acknowledged.length} writes acknowledged, 0 lost; ${state.reads} reads, 0 stale`,
    )
  })
})
