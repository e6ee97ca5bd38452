/** Prints the results of the file benchmarks as a table, followed by the goals. */
import type { FileResults } from './files.ts'
import { paired } from './measure.ts'
import { figures } from './report.ts'

/** Goal in MB for the server and its image workers during 16 transforms of 12 MP. */
const mostMemory = 400

/** Prints nothing if no file workload was measured. `tandem`: the name of the version. */
export function printFiles(tandem: string, { samples, memory }: FileResults): void {
  if (samples.size === 0 && memory === null) return
  if (samples.size > 0)
    console.log(
      '\n| files | server | requests/s | p50 ms | server CPU µs | Postgres CPU µs |\n|---|---|---|---|---|---|',
    )
  for (const [workload, seen] of samples) {
    for (const [name, each] of [
      [tandem, seen.tandem],
      [workload.limit, seen.limit],
    ] as const) {
      const { rate, p50, server, database } = figures(each)
      console.log(
        `| ${[workload.name, name, rate.toFixed(0), p50.toFixed(2), server.toFixed(0), database.toFixed(0)].join(' | ')} |`,
      )
    }
  }
  console.log('\n| bar | asked | seen |\n|---|---|---|')
  for (const [{ name, most }, seen] of samples) {
    const ratio = paired(seen.tandem, seen.limit, (a, b) => a.serverCpu / b.serverCpu)
    console.log(
      `| ${name}: server CPU beside the limit | ${most === null ? 'shown' : `≤ ${most.toFixed(2)} ×`} | ${ratio.toFixed(2)} × |`,
    )
  }
  if (memory === null) return
  const { before, peak } = memory
  console.log(
    `| memory under 16 transforms of 12 MP at once, all programs | ≤ ${mostMemory} MB | ${peak.toFixed(0)} MB (before: ${before.toFixed(0)}) |`,
  )
}
