/**
 * What writers pay for the feed of changes: CPU time of a write, of the server and its database sessions, where nobody
 * listens and where another process listens. Both servers take turns in one run, so that what else the machine does
 * meets both; the medians of the rounds are compared. `npm run feed-cost --workspace bench` with BENCH_DATABASE_URL;
 * FEED_ROUNDS (20) sets the number of rounds, FEED_BEFORE a checkout whose server is measured in place of this one.
 */
import { WebSocket } from 'ws'
import { address, onServer } from './databases.ts'
import { cpuOf, load, median, percentile, type Request, type Sample, type Server } from './measure.ts'
import { startTandem, stopAll } from './servers.ts'

const admin = 'a-token-for-the-benchmark'
const rounds = Number(process.env['FEED_ROUNDS'] ?? 20)
const checkout = process.env['FEED_BEFORE']
const listening = 'bench-listener'
const headers = { authorization: `Bearer ${admin}`, 'content-type': 'application/json' }

const article = { title: 'A new article', body: 'A body of ordinary length. '.repeat(20), status: 'draft', views: 1 }
const one = JSON.stringify(article)
const list = JSON.stringify(Array.from({ length: 100 }, () => article))
const create = (body: string) => (): Request => ({ method: 'POST', path: '/items/articles?fields=id', headers, body })

const workloads = [
  { name: 'one create', make: create(one), count: 150 },
  { name: 'a list of 100', make: create(list), count: 12 },
  {
    name: 'one update',
    make: (n: number): Request => ({
      method: 'PATCH',
      path: `/items/articles/${1 + (n % 500)}?fields=id`,
      headers,
      body: JSON.stringify({ views: Math.trunc(performance.now()) }),
    }),
    count: 150,
  },
] as const

/** A server with a database of its own. */
async function open(label: string): Promise<{ readonly server: Server; readonly url: URL }> {
  const name = `tandem_bench_cost_${label}_${process.pid}`
  await onServer('postgres', (client) => client.query(`create database ${name}`))
  databases.push(name)
  const table =
    'create table articles (id serial primary key, title text, body text, status varchar(20), views integer, "at" timestamptz default now())'
  await onServer(name, (client) => client.query(table))
  const url = new URL(address)
  url.pathname = name
  return { server: await startTandem(url.href, { admin, checkout }), url }
}

const databases: string[] = []

const sessionsOf =
  ({ url }: Server, isListener: boolean) =>
  (): Promise<readonly number[]> =>
    onServer('postgres', async (client) => {
      const text = `select pid from pg_stat_activity where datname = $1 and (application_name = $2) = $3`
      const { rows } = await client.query(text, [new URL(url).pathname.slice(1), listening, isListener])
      return rows.map(({ pid }: { readonly pid: number }) => pid)
    })

/** Subscribes, and collects milliseconds from a write to its message for writes that carry their time. */
async function subscribe(port: number, found: number[]): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/websocket`)
  await new Promise<void>((resolve, reject) => {
    socket.on('open', () => socket.send(JSON.stringify({ type: 'auth', access_token: admin })))
    socket.on('message', (data) => {
      const text = (data as Buffer).toString()
      if (text.includes('"type":"auth"'))
        socket.send('{"type":"subscribe","collection":"articles","event":"create","query":{"fields":["title"]}}')
      else if (text.includes('"event":"init"')) resolve()
      else if (text.includes('"type":"ping"')) socket.send('{"type":"pong"}')
      else for (const [, sent] of text.matchAll(/"sent (\d+\.?\d*)"/g)) found.push(performance.now() - Number(sent))
    })
    socket.on('error', reject)
  })
  return socket
}

const costOf = ({ serverCpu, databaseCpu }: Sample): number => serverCpu + databaseCpu

/** CPU time per second of a listener while nothing is written. */
async function idleCost(reader: Server, sessions: () => Promise<readonly number[]>): Promise<number> {
  const pids = [reader.pid, ...(await sessions())]
  const before = { cpu: cpuOf(pids), at: performance.now() }
  await new Promise((resolve) => setTimeout(resolve, 5000))
  return (cpuOf(pids) - before.cpu) / (performance.now() - before.at) / 10
}

try {
  // The time of a session that ends meanwhile would be missing.
  Object.assign(process.env, { WEBSOCKETS_ENABLED: 'true', PRESSURE_LIMITER_ENABLED: 'false', DB_POOL__MIN: '8' })
  const silent = await open('silent')
  const heard = await open('heard')
  const apart = new URL(heard.url)
  apart.searchParams.set('application_name', listening)
  const reader = await startTandem(apart.href, { admin, name: 'listener', checkout })
  const times: number[] = []
  const withListener = process.env['FEED_NOBODY'] === undefined
  if (withListener) await subscribe(reader.port, times)
  const measure = (server: Server, { make, count }: (typeof workloads)[number]): Promise<Sample> =>
    load(server, sessionsOf(server, false), { count, concurrency: 4, make })
  for (const workload of workloads) {
    const samples: { readonly silent: Sample; readonly heard: Sample }[] = []
    for (let round = 0; round < rounds + 1; round += 1) {
      const isFirst = round % 2 === 0
      const first = await measure(isFirst ? silent.server : heard.server, workload)
      const second = await measure(isFirst ? heard.server : silent.server, workload)
      // The first round warms up.
      if (round > 0) samples.push(isFirst ? { silent: first, heard: second } : { silent: second, heard: first })
    }
    const ratio = median(samples.map((each) => costOf(each.heard) / costOf(each.silent)))
    const figures = (side: 'silent' | 'heard') =>
      `${median(samples.map((each) => costOf(each[side]))).toFixed(0)} µs (server ${median(samples.map((each) => each[side].serverCpu)).toFixed(0)}, database ${median(samples.map((each) => each[side].databaseCpu)).toFixed(0)})`
    const best = (side: 'silent' | 'heard') =>
      percentile(
        samples.map((each) => costOf(each[side])),
        0.1,
      )
    console.info(
      `${workload.name}: nobody listens ${figures('silent')}, another process listens ${figures('heard')}: ` +
        `${((ratio - 1) * 100).toFixed(1)} % (cheapest tenth ${((best('heard') / best('silent') - 1) * 100).toFixed(1)} %)`,
    )
  }
  if (withListener) {
    console.info(`an idle listener: ${(await idleCost(reader, sessionsOf(reader, true))).toFixed(2)} % of a core`)
    times.length = 0
    for (let sent = 0; sent < 100; sent += 1) {
      const body = JSON.stringify({ ...article, title: `sent ${performance.now()}` })
      await fetch(`http://127.0.0.1:${heard.server.port}/items/articles`, { method: 'POST', headers, body })
      await new Promise((resolve) => setTimeout(resolve, 30 + ((sent * 37) % 90)))
    }
    await new Promise((resolve) => setTimeout(resolve, 1000))
    const [half, most] = [0.5, 0.95].map((share) => percentile(times, share).toFixed(0))
    console.info(`write to message: p50 ${half} ms, p95 ${most} ms, ${times.length} of 100`)
  }
} finally {
  stopAll()
  await new Promise((resolve) => setTimeout(resolve, 500))
  for (const name of databases)
    await onServer('postgres', (client) => client.query(`drop database if exists ${name} with (force)`))
}
process.exit()
