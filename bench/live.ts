/**
 * Live connections and the feed: memory of idle subscribers, and time from a write to the message about it.
 * `npm run live --workspace bench` with BENCH_DATABASE_URL, the address of a Postgres server; LIVE_SUBSCRIBERS (5000),
 * LIVE_RATE (1000 changes a second) and LIVE_SECONDS (10) change the load. `feed-cost.ts` measures what writers pay.
 */
import { WebSocket } from 'ws'
import { address, onServer } from './databases.ts'
import { memoryOf, percentile } from './measure.ts'
import { startTandem, stopAll } from './servers.ts'

const admin = 'a-token-for-the-benchmark'
const subscribers = Number(process.env['LIVE_SUBSCRIBERS'] ?? 5000)
const rate = Number(process.env['LIVE_RATE'] ?? 1000)
const seconds = Number(process.env['LIVE_SECONDS'] ?? 10)
const changesPerRequest = 50

const name = `tandem_bench_live_${process.pid}`

/** Opens a connection and subscribes; resolves when the answer has come. */
async function subscribe(port: number, onMessage: (text: string) => void = () => undefined): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/websocket`)
  await new Promise<void>((resolve, reject) => {
    socket.on('open', () => socket.send(JSON.stringify({ type: 'auth', access_token: admin })))
    socket.on('message', (data) => {
      const text = (data as Buffer).toString()
      if (text.includes('"type":"auth"')) {
        const query = { fields: ['id', 'sent'] }
        socket.send(JSON.stringify({ type: 'subscribe', collection: 'ticks', event: 'create', query }))
      } else if (text.includes('"event":"init"')) resolve()
      else if (text.includes('"type":"ping"')) socket.send('{"type":"pong"}')
      else onMessage(text)
    })
    socket.on('error', reject)
    socket.on('close', (code) => reject(new Error(`The connection ended with ${code}`)))
  })
  return socket
}

/** Opens many connections, some at a time. */
async function subscribeAll(port: number, count: number): Promise<readonly WebSocket[]> {
  const sockets: WebSocket[] = []
  const next = async (): Promise<void> => {
    while (sockets.length < count) sockets.push(await subscribe(port))
  }
  await Promise.all(Array.from({ length: 16 }, next))
  return sockets
}

const headers = { authorization: `Bearer ${admin}`, 'content-type': 'application/json' }

/** Milliseconds from before each write to its message. */
async function latencies(port: number): Promise<readonly number[]> {
  const found: number[] = []
  const socket = await subscribe(port, (text) => {
    const now = performance.now()
    const { data } = JSON.parse(text) as { readonly data: readonly { readonly sent: number }[] }
    for (const { sent } of data) found.push(now - sent)
  })
  const pause = (1000 * changesPerRequest) / rate
  const all: Promise<unknown>[] = []
  const begin = performance.now()
  for (let count = 0; count * changesPerRequest < rate * seconds; count += 1) {
    const due = begin + count * pause
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())))
    const body = JSON.stringify(Array.from({ length: changesPerRequest }, () => ({ sent: performance.now() })))
    all.push(fetch(`http://127.0.0.1:${port}/items/ticks?fields=id`, { method: 'POST', headers, body }))
  }
  for (const answer of await Promise.all(all)) if (!(answer as Response).ok) throw new Error('A write was refused')
  while (found.length < rate * seconds) await new Promise((resolve) => setTimeout(resolve, 50))
  socket.close()
  return found
}

await onServer('postgres', (client) => client.query(`create database ${name}`))
try {
  Object.assign(process.env, {
    WEBSOCKETS_ENABLED: 'true',
    WEBSOCKETS_CALLER_CONN_LIMIT: '100000',
    WEBSOCKETS_REST_CONN_LIMIT: '100000',
    WEBSOCKETS_REST_AUTH_TIMEOUT: '600',
    WEBSOCKETS_MAX_BACKLOG: '50mb',
    EVENTS_CALLER_LIMIT: '100000',
    PRESSURE_LIMITER_ENABLED: 'false',
    // The time of a session that ends meanwhile would be missing.
    DB_POOL__MIN: '8',
  })
  const url = new URL(address)
  url.pathname = name
  await onServer(name, (client) => client.query('create table ticks (id serial primary key, sent double precision)'))
  const server = await startTandem(url.href, { admin })
  // The first ones let the server load what it needs and the young generation grow.
  const first = await subscribeAll(server.port, 1000)
  const before = memoryOf(server.pid)
  const sockets = [...first, ...(await subscribeAll(server.port, subscribers))]
  const memory = (memoryOf(server.pid) - before) * 1024
  console.info(`${subscribers} idle subscribers: ${(memory / subscribers).toFixed(1)} kB each`)
  for (const socket of sockets) socket.terminate()
  const times = await latencies(server.port)
  const [half, most] = [0.5, 0.95].map((share) => percentile(times, share).toFixed(1))
  console.info(`${rate} changes a second for ${seconds} s: p50 ${half} ms, p95 ${most} ms, ${times.length} told`)
} finally {
  stopAll()
  await onServer('postgres', (client) => client.query(`drop database if exists ${name} with (force)`))
}
process.exit()
