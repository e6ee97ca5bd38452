/**
 * `npm run bench`: compares Tandem with two limit servers (minimal servers as a lower bound) on the same Postgres and
 * rows, interleaved in one run. Responses are compared before the measurement. Requires Linux (/proc) and a local
 * Postgres server, given by TEST_DATABASE_URL. BENCH_BEFORE names another checkout of Tandem with its dependencies
 * installed, which is measured beside this one. BENCH_MARIADB is the address of a MariaDB server of this machine, on
 * which Tandem is measured as well.
 */

import { deepStrictEqual } from 'node:assert'
import { ask, isMariaDb } from './ask.ts'
import { printFiles } from './file-report.ts'
import { measureFiles } from './files.ts'
import { measureGraphql } from './graphql.ts'
import { load, memoryOf, paired, type Request, type Sample, type Server, send } from './measure.ts'
import { adminToken as admin, analyze, editorToken, prepare } from './prepare.ts'
import { printBars, printBeside, printTable, type Start } from './report.ts'
import { type Started, startLimit, startTandem, stop, stopAll } from './servers.ts'
import type { Results, Workload } from './workload.ts'
import { workloads } from './workloads.ts'
import { createWorld } from './world.ts'

const adminUrl = process.env.TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/test'
const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
/** Number of parts of a round. The servers alternate per part, so that a temporary slowdown of the machine affects all. */
const parts = 3
const warmParts = 6
const concurrency = 8
/**
 * Warm-up requests. The engine optimises code only after thousands of requests, and until then the optimisation takes a
 * fifth of the CPU. Writes have fewer, because their rows remain.
 */
const warmUp = ({ requests, method }: Workload): number =>
  method === 'GET' ? Math.min(20_000, requests * 25) : Math.min(8000, requests * 10)
/** Selects workloads by comma-separated parts of their names. */
const only = process.env.BENCH_ONLY?.split(',')

const isSelected = (name: string): boolean => only === undefined || only.some((part) => name.includes(part))
const selected = workloads.filter(({ name }) => isSelected(name))

async function main(): Promise<void> {
  const compared = await versions()
  if (selected.length > 0) await measureItems(compared)
  const options = { rounds, isSelected, backendsOf }
  await measureGraphql({ url: compared[0].small, ...options })
  for (const { name, small, large, checkout } of compared) {
    if (large === null) continue
    printFiles(name, await measureFiles({ url: small, checkout, ...options }))
  }
}

/** A version of Tandem under measurement, with databases of its own, because migrations differ between versions. */
type Version = {
  readonly name: string
  readonly checkout?: string
  readonly small: string
  /** The same with 300 tables; null where the number of tables and files are not measured. */
  readonly large: string | null
}

async function versions(): Promise<readonly [Version, ...Version[]]> {
  const { BENCH_BEFORE: checkout, BENCH_MARIADB: mariadb } = process.env
  return [
    { name: 'tandem', ...(await worlds(adminUrl)) },
    ...(mariadb === undefined ? [] : [{ name: 'mariadb', small: await world(mariadb, 10), large: null }]),
    ...(checkout === undefined ? [] : [{ name: 'before', checkout, ...(await worlds(adminUrl, checkout)) }]),
  ]
}

async function worlds(address: string, checkout?: string): Promise<Pick<Version, 'small' | 'large'>> {
  return { small: await world(address, 10, checkout), large: await world(address, 300, checkout) }
}

async function world(address: string, collections: number, checkout?: string): Promise<string> {
  const url = await createWorld(address, collections, checkout === undefined ? '' : '_before')
  await prepare(url, checkout)
  return url
}

async function measureItems(compared: readonly [Version, ...Version[]]): Promise<void> {
  const [{ small }] = compared
  const tandems: Started[] = []
  for (const { small: url, ...version } of compared) tandems.push(await startTandem(url, { admin, ...version }))
  const servers = [...tandems, await startLimit('limit-rows', small), await startLimit('limit-json', small)]
  await new Promise((resolve) => setTimeout(resolve, 15_000))
  const idle = tandems.map(({ pid }) => memoryOf(pid))
  for (const workload of selected) await compareAnswers(workload, servers)
  const results = await measureAll(servers, compared)
  printTable(results)
  for (const server of servers) await stop(server)
  const starts = []
  for (const [at, version] of compared.entries()) {
    if (version.large === null) continue
    starts.push({ ...(await compareCollections(version, version.large)), name: version.name, idle: idle[at] ?? 0 })
  }
  printBars(results, starts)
  for (const { name } of compared.slice(1)) printBeside(results, name)
}

/** Checks that all servers return the same data. */
async function compareAnswers(workload: Workload, servers: readonly Server[]): Promise<void> {
  for (const n of [0, 1, 2, 3]) {
    const answers = []
    for (const server of servers) {
      answers.push(JSON.parse(await send(server.port, requestFor(server, workload)(n))) as unknown)
    }
    for (const answer of answers) deepStrictEqual(answer, answers[0], `${workload.name}: answers differ`)
  }
}

async function measureAll(servers: readonly Server[], compared: readonly Version[]): Promise<Results> {
  const results = new Map<Workload, Map<string, Sample[]>>()
  for (const workload of selected) {
    const samples = new Map<string, Sample[]>(servers.map(({ name }) => [name, []]))
    results.set(workload, samples)
    const measure = (server: Server, count: number, from: number): Promise<Sample> =>
      load(server, () => backendsOf(server), {
        count,
        concurrency,
        make: (n) => requestFor(server, workload)(n + from),
      })
    // The warm-up alternates too; otherwise the first server would be idle while the others warm up.
    const opening = Math.ceil(warmUp(workload) / warmParts)
    for (let part = 0; part < warmParts; part++) {
      for (const server of inOrder(servers, part)) await measure(server, opening, part * opening)
    }
    if (workload.method !== 'GET') for (const { small } of compared) await analyze(small)
    const requests = Math.ceil(workload.requests / parts)
    for (let part = 0; part < rounds * parts; part++) {
      const from = opening * warmParts + part * requests
      for (const server of inOrder(servers, part)) {
        samples.get(server.name)?.push(await measure(server, requests, from))
      }
    }
    process.stderr.write(`${workload.name}: measured\n`)
  }
  return results
}

/** The order of servers in each part. Each server follows each other one equally often, because that affects caches. */
function inOrder(servers: readonly Server[], turn: number): readonly Server[] {
  const from = turn % servers.length
  const turned = [...servers.slice(from), ...servers.slice(0, from)]
  return Math.floor(turn / servers.length) % 2 === 0 ? turned : turned.toReversed()
}

/** Compares the read of one item with 300 and with 10 collections in the schema. */
async function compareCollections(version: Version, large: string): Promise<Omit<Start, 'name' | 'idle'>> {
  // Both servers are new, because a server that has run for minutes is faster.
  const few = await startTandem(version.small, { admin, ...version })
  const many = await startTandem(large, { admin, ...version })
  await new Promise((resolve) => setTimeout(resolve, 5000))
  const workload = workloads[0] as Workload
  const samples = new Map<Server, Sample[]>([
    [few, []],
    [many, []],
  ])
  const measure = (server: Server, count: number): Promise<Sample> =>
    load(server, () => backendsOf(server), { count, concurrency, make: requestFor(server, workload) })
  for (const server of samples.keys()) await measure(server, warmUp(workload))
  for (let part = 0; part < rounds * parts; part++) {
    for (const server of inOrder([few, many], part)) {
      samples.get(server)?.push(await measure(server, Math.ceil(workload.requests / 2)))
    }
  }
  for (const server of [few, many]) await stop(server)
  const collections = paired(samples.get(many) ?? [], samples.get(few) ?? [], (a, b) => a.serverCpu / b.serverCpu)
  return { collections, firstAnswer: many.firstAnswer }
}

function requestFor(server: Server, workload: Workload): (n: number) => Request {
  return (n) => {
    const parameters = workload.parameters(n)
    const isTandem = server.application === 'tandem'
    const path = isTandem
      ? workload.path(parameters)
      : `/${encodeURIComponent(workload.name)}?${encodeURIComponent(JSON.stringify(parameters))}`
    const token = workload.as === 'admin' ? admin : editorToken
    const headers: Record<string, string> = isTandem ? { authorization: `Bearer ${token}` } : {}
    if (workload.method === 'GET') return { method: 'GET', path, headers }
    const body = JSON.stringify(isTandem ? workload.body?.(parameters) : parameters)
    return { method: workload.method, path, body, headers: { ...headers, 'content-type': 'application/json' } }
  }
}

/** The processes of the database that serve the connections of a server: on MariaDB threads. */
async function backendsOf({ application, url }: Server): Promise<readonly number[]> {
  const database = new URL(url).pathname.slice(1)
  const text = isMariaDb(url)
    ? `select tid as pid from information_schema.processlist where db = '${database}' and id <> connection_id()`
    : `select pid from pg_stat_activity where application_name = '${application}' and datname = '${database}'
       and backend_type = 'client backend'`
  return (await ask(url, text)).map(({ pid }) => Number(pid))
}

try {
  await main()
} finally {
  stopAll()
}
