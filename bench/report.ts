/** Prints the results as a table, followed by the goals. */

import { median, paired, percentile, type Sample } from './measure.ts'
import type { Results, Workload } from './workload.ts'

type Figures = {
  readonly rate: number
  readonly p50: number
  readonly p99: number
  readonly server: number
  readonly database: number
}

/** Requests per second, latency and CPU time per request of each server and workload (medians over rounds). */
export function printTable(results: Results): void {
  console.log('\n| workload | server | requests/s | p50 ms | p99 ms | server CPU µs | database CPU µs | total |')
  console.log('|---|---|---|---|---|---|---|---|')
  for (const [workload, servers] of results) {
    for (const [name, samples] of servers) {
      const { rate, p50, p99, server, database } = figures(samples)
      const cells = [
        workload.name,
        name,
        rate.toFixed(0),
        p50.toFixed(2),
        p99.toFixed(2),
        server.toFixed(0),
        database.toFixed(0),
      ]
      console.log(`| ${cells.join(' | ')} | ${(server + database).toFixed(0)} |`)
    }
  }
}

/** Figures of the start of one version of Tandem. */
export type Start = {
  readonly name: string
  /** Cost of reading one item with 300 collections, relative to 10. */
  readonly collections: number
  /** Memory in MB before the first request. */
  readonly idle: number
  /** Milliseconds from the start to the first response, with 300 collections. */
  readonly firstAnswer: number
}

/** Goals of the project. They are not asserted, because machines are noisy. */
export function printBars(results: Results, starts: readonly Start[]): void {
  console.log('\n| bar | asked | seen |\n|---|---|---|')
  for (const [workload, servers] of results) {
    const [tandem = [], rows = [], json = []] = ['tandem', 'limit-rows', 'limit-json'].map((name) => servers.get(name))
    for (const line of barsOf(workload, tandem, rows, json)) console.log(line)
  }
  for (const { name, collections, idle, firstAnswer } of starts) {
    console.log(`| ${name}: 300 collections beside 10, one item | ≤ 1.05 × | ${collections.toFixed(2)} × |`)
    console.log(`| ${name}: idle memory | < 130 MB | ${idle.toFixed(0)} MB |`)
    console.log(`| ${name}: first answer on a migrated database | ≤ 1,200 ms | ${firstAnswer.toFixed(0)} ms |`)
  }
}

/** Compares Tandem of this checkout on Postgres with another one, by values of the same round. */
export function printBeside(results: Results, other: string): void {
  console.log(`\n| workload | server CPU µs beside ${other} | database CPU beside ${other} |\n|---|---|---|`)
  for (const [{ name }, servers] of results) {
    const [now = [], beside = []] = [servers.get('tandem'), servers.get(other)]
    const more = paired(now, beside, (a, b) => a.serverCpu - b.serverCpu)
    const times = paired(now, beside, (a, b) => a.databaseCpu / b.databaseCpu)
    console.log(`| ${name} | ${more < 0 ? '' : '+'}${more.toFixed(0)} | ${times.toFixed(2)} × |`)
  }
}

type Samples = readonly Sample[]

const total = ({ serverCpu, databaseCpu }: Sample): number => serverCpu + databaseCpu

/** Compares values of the same round. */
function barsOf({ name, method }: Workload, tandem: Samples, rows: Samples, json: Samples): string[] {
  const [ours, withRows, withJson] = [tandem, rows, json].map((samples) => median(samples.map(total)).toFixed(0))
  const better = Number(withRows) < Number(withJson) ? rows : json
  if (method !== 'GET') {
    const times = paired(tandem, better, (a, b) => total(a) / total(b))
    return [`| ${name}: total CPU | ≤ 6 × | ${times.toFixed(1)} × |`]
  }
  if (name.startsWith('1,000')) {
    return [`| ${name}: total CPU | below ${withRows} and ${withJson} µs | ${ours} µs |`]
  }
  const more = paired(tandem, better, (a, b) => a.serverCpu - b.serverCpu)
  const times = paired(tandem, better, (a, b) => a.databaseCpu / b.databaseCpu)
  return [
    `| ${name}: server CPU over the better limit | ≤ 60 µs | ${more.toFixed(0)} µs |`,
    `| ${name}: Postgres CPU | ≤ 1.1 × | ${times.toFixed(2)} × |`,
  ]
}

/** Medians over rounds. */
export function figures(samples: Samples): Figures {
  const medianOf = (pick: (sample: Sample) => number): number => median(samples.map(pick))
  const latencies = samples.flatMap(({ latencies }) => latencies)
  return {
    rate: medianOf(({ requests, seconds }) => requests / seconds),
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    server: medianOf(({ serverCpu }) => serverCpu),
    database: medianOf(({ databaseCpu }) => databaseCpu),
  }
}
