/** Prints what was measured: one table, then each bar with what it asks and what was seen. */
import type { Results } from './bench.ts'
import { percentile, type Sample } from './measure.ts'
import type { Workload } from './workloads.ts'

type Figures = {
  readonly rate: number
  readonly p50: number
  readonly p99: number
  readonly server: number
  readonly database: number
}

/** Requests/s, latencies and CPU per request of each server and workload (medians over the rounds). */
export function printTable(results: Results): void {
  console.log('\n| workload | server | requests/s | p50 ms | p99 ms | server CPU µs | Postgres CPU µs | total |')
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

/** The bars that the project holds itself to. Nothing is asserted: machines are noisy. */
export function printBars(seen: {
  readonly results: Results
  readonly collections: readonly number[]
  readonly idle: number
  readonly firstAnswer: number
}): void {
  console.log('\n| bar | asked | seen |\n|---|---|---|')
  for (const [workload, servers] of seen.results) {
    const [tandem, rows, json] = ['tandem', 'limit-rows', 'limit-json'].map((name) => figures(servers.get(name) ?? []))
    if (tandem && rows && json) for (const line of barsOf(workload, tandem, rows, json)) console.log(line)
  }
  const [small = Number.NaN, large = Number.NaN] = seen.collections
  console.log(`| 300 collections beside 10, one item | ≤ 1.05 × | ${(large / small).toFixed(2)} × |`)
  console.log(`| idle memory | < 130 MB | ${seen.idle.toFixed(0)} MB |`)
  console.log(`| first answer on a migrated database | ≤ 1,200 ms | ${seen.firstAnswer.toFixed(0)} ms |`)
}

function barsOf(workload: Workload, tandem: Figures, rows: Figures, json: Figures): string[] {
  const total = (each: Figures): number => each.server + each.database
  const better = total(rows) < total(json) ? rows : json
  if (workload.method !== 'GET') {
    return [`| ${workload.name}: total CPU | ≤ 6 × | ${(total(tandem) / total(better)).toFixed(1)} × |`]
  }
  if (workload.name.startsWith('1,000')) {
    return [
      `| ${workload.name}: total CPU | below ${total(rows).toFixed(0)} and ${total(json).toFixed(0)} µs | ${total(tandem).toFixed(0)} µs |`,
    ]
  }
  return [
    `| ${workload.name}: server CPU over the better limit | ≤ 60 µs | ${(tandem.server - better.server).toFixed(0)} µs |`,
    `| ${workload.name}: Postgres CPU | ≤ 1.1 × | ${(tandem.database / better.database).toFixed(2)} × |`,
  ]
}

/** Medians over the rounds. */
export function figures(samples: readonly Sample[]): Figures {
  const median = (pick: (sample: Sample) => number): number => percentile(samples.map(pick), 0.5)
  const latencies = samples.flatMap(({ latencies }) => latencies)
  return {
    rate: median(({ requests, seconds }) => requests / seconds),
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    server: median(({ serverCpu }) => serverCpu),
    database: median(({ databaseCpu }) => databaseCpu),
  }
}
