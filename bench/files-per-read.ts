/**
 * `npm run files-per-read --workspace bench`: the files and functions of `src` that one warm GET of one item runs, by the
 * engine's own coverage. Requires a local Postgres server, given by TEST_DATABASE_URL. BENCH_PATH is another path to read.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { adminToken, prepare } from './prepare.ts'
import { freePort, mainOf, settingsOf } from './servers.ts'
import { createWorld } from './world.ts'

const path = process.env.BENCH_PATH ?? '/items/articles/1'
const warmUp = 200
/** What runs in each of several reads belongs to the read; the rest are timers. */
const reads = 5

type Coverage = { readonly result: readonly { readonly url: string; readonly functions: readonly Covered[] }[] }
type Covered = { readonly functionName: string; readonly ranges: readonly { startOffset: number; count: number }[] }

const url = await createWorld(process.env.TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/test', 1, '_files')
await prepare(url)
const port = await freePort()
const dataDir = mkdtempSync(join(tmpdir(), 'tandem-files-'))
const child = spawn(process.execPath, ['--inspect=127.0.0.1:0', mainOf(), 'start'], {
  env: { ...settingsOf({ url, admin: adminToken, dataDir, port }), SERVER_TIMING: 'false' },
  stdio: ['ignore', 'ignore', 'pipe'],
})
const inspector = await connect(
  await new Promise<string>((resolve) => {
    child.stderr.on('data', (text: Buffer) => {
      const [address] = /ws:\S+/.exec(String(text)) ?? []
      if (address !== undefined) resolve(address)
    })
  }),
)
await waitFor(`http://127.0.0.1:${port}/server/ping`)
for (let at = 0; at < warmUp; at += 1) await read()
await inspector('Profiler.enable')
await inspector('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
await read()
const runs: Set<string>[] = []
for (let at = 0; at < reads; at += 1) {
  await inspector('Profiler.takePreciseCoverage')
  await read()
  runs.push(functionsIn((await inspector('Profiler.takePreciseCoverage')) as Coverage))
}
child.kill('SIGTERM')
const functions = [...(runs[0] ?? [])].filter((each) => runs.every((run) => run.has(each)))
const byFile = Map.groupBy(functions, (each) => each.split('\0', 1)[0] as string)
for (const [file, own] of [...byFile].toSorted(([left], [right]) => (left < right ? -1 : 1)))
  console.log(`${file}: ${own.map((each) => each.split('\0')[1]).join(', ')}`)
console.log(`${byFile.size} files and ${functions.length} functions of src for GET ${path}`)
process.exit()

async function read(): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { authorization: `Bearer ${adminToken}` },
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`GET ${path} answered ${response.status}: ${text.slice(0, 200)}`)
}

/** Functions of `src` that ran, each as file, name and place. */
function functionsIn({ result }: Coverage): Set<string> {
  return new Set(
    result.flatMap(({ url: of, functions: own }) => {
      const [, file] = /\/(src\/[^?]+)$/.exec(of) ?? []
      if (file === undefined || of.includes('node_modules')) return []
      return own.flatMap(({ functionName, ranges: [range] }) =>
        range !== undefined && range.count > 0
          ? [[file, functionName || '(anonymous)', range.startOffset].join('\0')]
          : [],
      )
    }),
  )
}

/** Calls of the protocol of the engine's inspector. */
async function connect(address: string): Promise<(method: string, params?: object) => Promise<unknown>> {
  const socket = new WebSocket(address)
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }))
  const pending = new Map<number, (result: unknown) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { readonly id?: number; readonly result?: unknown }
    if (id !== undefined) pending.get(id)?.(result)
  })
  let last = 0
  return (method, params = {}) => {
    const id = (last += 1)
    socket.send(JSON.stringify({ id, method, params }))
    return new Promise((resolve) => pending.set(id, resolve))
  }
}

async function waitFor(address: string): Promise<void> {
  for (;;) {
    try {
      await fetch(address)
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}
