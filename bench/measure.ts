/** Generates load over keep-alive connections, and reads the CPU time of processes from /proc. */
import { readdirSync, readFileSync } from 'node:fs'
import { Agent, request as httpRequest } from 'node:http'

export type Request = {
  readonly method: string
  readonly path: string
  readonly body?: string | Uint8Array
  readonly headers: Record<string, string>
}

/** A server under measurement. */
export type Server = {
  readonly name: string
  readonly port: number
  readonly pid: number
  /** `application_name` of the server's database connections. */
  readonly application: string
  /** Address of the server's database; empty for a server without one. */
  readonly url: string
}

export type Sample = {
  readonly requests: number
  readonly seconds: number
  /** CPU time in µs per request. */
  readonly serverCpu: number
  readonly databaseCpu: number
  readonly latencies: readonly number[]
}

const agents = new Map<number, Agent>()
/** Only an agent with a timeout of its own heeds that of the server, and drops idle connections before the server does. */
const idleTimeout = 60_000
const agentFor = (port: number): Agent => {
  const agent = agents.get(port) ?? new Agent({ keepAlive: true, maxSockets: 8, timeout: idleTimeout })
  agents.set(port, agent)
  return agent
}

/** Sends a request. Resolves to the body as text; rejects for statuses other than 2xx. */
export const send = async (port: number, request: Request): Promise<string> => (await receive(port, request)).toString()

/** Like `receive`, but resolves to the bytes of the body. */
export function receive(port: number, { method, path, body, headers }: Request): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      { host: '127.0.0.1', port, method, path, agent: agentFor(port), headers },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const status = response.statusCode ?? 0
          if (status >= 200 && status < 300) resolve(Buffer.concat(chunks))
          else reject(new Error(`${method} ${path} → ${status} ${Buffer.concat(chunks).toString().slice(0, 400)}`))
        })
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

/**
 * Sends `count` requests with limited concurrency, and measures the CPU time of server and database. Some requests before
 * the measurement open all connections.
 */
export async function load(
  server: Server,
  backends: () => Promise<readonly number[]>,
  {
    count,
    concurrency,
    make,
    opening = make,
  }: {
    readonly count: number
    readonly concurrency: number
    readonly make: (n: number) => Request
    /** Requests before the measurement, if those of `make` would change the result. */
    readonly opening?: (n: number) => Request
  },
): Promise<Sample> {
  const latencies: number[] = []
  await Promise.all(Array.from({ length: concurrency * 4 }, (_, n) => receive(server.port, opening(n))))
  const pids = await backends()
  const before = { server: cpuOf([server.pid]), database: cpuOf(pids), at: performance.now() }
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < count) {
      const request = make(next++)
      const start = performance.now()
      await receive(server.port, request)
      latencies.push(performance.now() - start)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  const seconds = (performance.now() - before.at) / 1000
  return {
    requests: count,
    seconds,
    serverCpu: (cpuOf([server.pid]) - before.server) / count,
    databaseCpu: (cpuOf(pids) - before.database) / count,
    latencies,
  }
}

/**
 * User and system CPU time in µs of processes with their threads and child processes. It comes from the Linux scheduler;
 * for ended children from the kernel, in steps of 10 ms.
 */
export function cpuOf(pids: readonly number[]): number {
  let nanoseconds = 0
  for (const pid of pids.flatMap(withChildren)) {
    for (const thread of threadsOf(pid)) nanoseconds += Number(read(`${thread}/schedstat`).split(' ', 1)[0])
    const [user = 0, system = 0] = read(`/proc/${pid}/stat`)
      .replace(/^.*\) /, '')
      .split(' ')
      .slice(13, 15)
      .map(Number)
    nanoseconds += (user + system) * 10_000_000
  }
  return nanoseconds / 1000
}

/** Resident memory of a process in MB. */
export function memoryOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1]) / 1024
}

/** Memory in MB of a process and its children; shared pages are counted once. */
export function memoryOfAll(pid: number): number {
  const own = withChildren(pid).map((each) =>
    Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${each}/smaps_rollup`))?.[1] ?? 0),
  )
  return own.reduce((sum, each) => sum + each, 0) / 1024
}

function withChildren(pid: number): readonly number[] {
  const children = threadsOf(pid).flatMap((thread) => read(`${thread}/children`).trim().split(' '))
  return [pid, ...children.filter((each) => each !== '').flatMap((each) => withChildren(Number(each)))]
}

/** A thread of another process has only itself. */
function threadsOf(pid: number): readonly string[] {
  if (/^Tgid:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] !== String(pid)) return [`/proc/${pid}`]
  try {
    return readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`)
  } catch {
    return []
  }
}

/** Reads a file of /proc; empty if the process or thread has ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** The quantile `share` of sorted numbers. */
export function percentile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const [lower = Number.NaN, upper = Number.NaN] = [0.5, 0].map((back) => sorted[Math.floor(sorted.length / 2 - back)])
  return (lower + upper) / 2
}

/** The median of the ratios of two servers per round. */
export const paired = (
  ours: readonly Sample[],
  theirs: readonly Sample[],
  compare: (ours: Sample, theirs: Sample) => number,
): number => median(ours.flatMap((sample, round) => (theirs[round] ? [compare(sample, theirs[round])] : [])))
