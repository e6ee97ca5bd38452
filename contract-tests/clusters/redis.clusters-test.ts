/** Three processes of Tandem with a Redis that is killed, restored from an old snapshot, and held up, under load. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@redis/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFreePort, type PostgresCluster, startCluster, until } from './postgres-cluster.ts'
import { ask, password, type Replica, replicaOf, usualSettings } from './processes.ts'
import { adminToken } from './tandem.ts'

const folder = mkdtempSync(join(tmpdir(), 'tandem-redis-'))
let cluster: PostgresCluster
let replicas: readonly Replica[] = []
let redis: RedisServer

type RedisServer = {
  readonly url: string
  readonly start: () => Promise<void>
  readonly save: () => Promise<void>
  readonly signal: (signal: NodeJS.Signals) => void
  readonly kill: () => Promise<void>
}

async function redisServer(): Promise<RedisServer> {
  const port = await findFreePort()
  const url = `redis://127.0.0.1:${port}`
  let program: ChildProcess | null = null
  const command = async (...words: readonly string[]): Promise<void> => {
    const client = createClient({ url, socket: { reconnectStrategy: false } })
    client.on('error', () => undefined)
    await client.connect()
    await client.sendCommand([...words]).finally(() => client.destroy())
  }
  return {
    url,
    async start() {
      program = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder], {
        stdio: 'ignore',
      })
      await until(async () => command('PING').then(() => true))
    },
    save: () => command('SAVE'),
    signal: (signal) => void program?.kill(signal),
    async kill() {
      if (program === null || program.exitCode !== null || program.signalCode !== null) return
      program.kill('SIGKILL')
      await once(program, 'exit')
    },
  }
}

beforeAll(async () => {
  cluster = await startCluster()
  await cluster.primary.query(`create table notes (id serial primary key, title text)`)
  await cluster.primary.query(`insert into notes (title) values ('0'), ('kept')`)
  redis = await redisServer()
  await redis.start()
  const settings = {
    ...usualSettings,
    CACHE_STATUS_HEADER: 'x-cache',
    REDIS: redis.url,
    RATE_LIMITER_STORE: 'redis',
    CACHE_STORE: 'redis',
    DB_CONNECTION_STRING: cluster.primary.url,
    DATA_DIR: folder,
  }
  const ports = [await findFreePort(), await findFreePort(), await findFreePort()]
  replicas = ports.map((port) => replicaOf({ ...settings, PORT: String(port) }))
  for (const replica of replicas) await replica.start()
})
afterAll(async () => {
  for (const replica of replicas) await replica.kill()
  await redis?.kill()
  await cluster?.close()
  rmSync(folder, { recursive: true, force: true })
})

const urls = (): readonly [string, string, string] => replicas.map(({ url }) => url) as [string, string, string]
const titleAt = async (url: string, id: number): Promise<unknown> =>
  ((await ask(url, `GET /items/notes/${id}`)).data as { readonly title: string }).title
const write = (url: string, id: number, title: string) => ask(url, `PATCH /items/notes/${id}`, { body: { title } })
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Whether the second of two reads came from the cache. */
async function isCached(url: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${adminToken}` }
  await fetch(`${url}/items/notes/2`, { headers })
  return (await fetch(`${url}/items/notes/2`, { headers })).headers.get('x-cache') === 'HIT'
}

test('a Redis that comes back with an old snapshot gives no old answers', async () => {
  const [one, two] = urls()
  await until(() => isCached(two))
  expect(await titleAt(two, 2)).toBe('kept')
  await redis.save()
  expect((await write(one, 2, 'changed')).status).toBe(200)
  expect(await titleAt(two, 2)).toBe('changed')
  await redis.kill()
  await redis.start()
  for (const url of urls()) {
    for (let at = 0; at < 40; at += 1) {
      expect(await titleAt(url, 2)).toBe('changed')
      await pause(50)
    }
    expect(await isCached(url)).toBe(true)
  }
})

test('a process that starts does not trust what another could not purge', async () => {
  const [one, two, three] = urls()
  await until(() => isCached(two))
  const before = await titleAt(two, 2)
  await redis.save()
  await redis.kill()
  expect((await write(one, 2, `after ${String(before)}`)).status).toBe(200)
  for (const replica of replicas) await replica.kill()
  await redis.start()
  for (const replica of replicas) await replica.start()
  for (const url of [three, two, one]) expect(await titleAt(url, 2)).toBe(`after ${String(before)}`)
})

const outages: readonly (readonly [string, (server: RedisServer) => Promise<void>])[] = [
  [
    'killed',
    async (server) => {
      await server.kill()
      await pause(2_000)
      await server.start()
    },
  ],
  [
    'held up',
    async (server) => {
      server.signal('SIGSTOP')
      await pause(2_000)
      server.signal('SIGCONT')
    },
  ],
]

test.for(outages)('while Redis is %s, requests are answered in time, and none is old', async ([, outage]) => {
  const places = urls()
  const state = { isOver: false, written: await titleAt(places[0], 1), slowest: 0, stale: 0, reads: 0 }
  const statuses: number[] = []
  const timed = async <T extends { readonly status: number }>(work: Promise<T>): Promise<T> => {
    const start = performance.now()
    const answer = await work
    state.slowest = Math.max(state.slowest, performance.now() - start)
    statuses.push(answer.status)
    return answer
  }
  const writing = async (): Promise<void> => {
    for (let at = Number(state.written) + 1; !state.isOver; at += 1) {
      const { status } = await timed(write(places[at % 3] as string, 1, String(at)))
      if (status === 200) state.written = String(at)
      await pause(300)
    }
  }
  const reading = async (url: string): Promise<void> => {
    while (!state.isOver) {
      const last = Number(state.written)
      // Messages between processes take some time.
      await pause(200)
      const { data } = await timed(ask(url, 'GET /items/notes/1'))
      state.reads += 1
      if (Number((data as { readonly title: string }).title) < last) state.stale += 1
    }
  }
  const all = [writing(), ...places.map(reading)]
  await pause(500)
  const login = { email: 'admin@example.com', password }
  const sessions = (async () => {
    await pause(800)
    const made = await timed(ask(places[0], 'POST /auth/login', { body: login, token: null }))
    const { refresh_token: refresh } = made.data as { readonly refresh_token: string }
    return Promise.all(
      places.map((url) => ask(url, 'POST /auth/refresh', { body: { refresh_token: refresh }, token: null })),
    )
  })()
  await outage(redis)
  const refreshes = await sessions
  await pause(1_500)
  state.isOver = true
  await Promise.all(all)
  expect(refreshes.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1)
  expect(statuses.filter((status) => status !== 200)).toEqual([])
  expect(state.slowest).toBeLessThan(5_000)
  expect(state.reads).toBeGreaterThan(10)
  expect(state.stale).toBe(0)
  for (const url of places) await until(() => isCached(url))
})

test('without Redis limits of a key hold in each process, and with it in all together again', async () => {
  const made = await ask(urls()[0], 'POST /keys', { body: { name: 'Limited', max_requests: 4 } })
  const { key: token } = made.data as { readonly key: string }
  const statuses = async (url: string) => {
    const found: number[] = []
    for (let at = 0; at < 6; at += 1) found.push((await ask(url, 'GET /items/notes', { token })).status)
    return found
  }
  await redis.kill()
  for (const url of urls()) expect(await statuses(url)).toEqual([200, 200, 200, 200, 429, 429])
  await redis.start()
  const again = await ask(urls()[0], 'POST /keys', { body: { name: 'Limited again', max_requests: 4 } })
  const { key: other } = again.data as { readonly key: string }
  for (const url of urls()) await until(() => isCached(url))
  const counted: number[] = []
  for (let at = 0; at < 6; at += 1)
    counted.push((await ask(urls()[at % 3] as string, 'GET /items/notes', { token: other })).status)
  expect(counted).toEqual([200, 200, 200, 200, 429, 429])
})
