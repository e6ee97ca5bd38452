/** Servers of Postgres that a test starts, replicates, kills and promotes, from the binaries of the machine. */
import { execFile, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client, type QueryResult } from 'pg'

const run = promisify(execFile)

/** Folder of the newest binaries. */
function findBinaries(): string {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root).toSorted((one, other) => Number(other) - Number(one)) : []
  const found = versions.map((version) => join(root, version, 'bin')).find((path) => existsSync(join(path, 'initdb')))
  if (found === undefined) throw new Error(`Expected the binaries of Postgres below ${root}: install postgresql`)
  return found
}

/** Postgres and PgBouncer refuse to run as root, and Galera sends nothing then: the program runs as another user. */
export const asOrdinaryUser = (words: readonly string[], user = 'postgres'): readonly [string, readonly string[]] =>
  process.getuid?.() === 0
    ? ['setpriv', [`--reuid=${user}`, `--regid=${user}`, '--clear-groups', ...words]]
    : [words[0] as string, words.slice(1)]

/** A folder that the program may write. */
export function createFolder(user = 'postgres'): string {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-cluster-'))
  if (process.getuid?.() === 0) {
    const line = readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .find((each) => each.startsWith(`${user}:`))
    const [, , uid, gid] = line?.split(':') ?? []
    chownSync(folder, Number(uid), Number(gid))
  }
  return folder
}

/** Below the ports that systems give to clients: a client that reconnects to a dead server could get its port, and then talks to itself. */
const ports = { first: 12_000, count: 16_000 } as const

/** A port that nobody uses now, and no client gets while its server is down. */
export async function findFreePort(): Promise<number> {
  const port = ports.first + randomInt(ports.count)
  const server = createServer()
  const isFree = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
  return isFree ? port : findFreePort()
}

export type PostgresNode = {
  readonly url: string
  readonly port: number
  readonly query: (text: string) => Promise<readonly Record<string, unknown>[]>
  /** Ends it without a chance to write anything. */
  readonly kill: () => Promise<void>
  readonly start: () => Promise<void>
  readonly promote: () => Promise<void>
}

export type PostgresCluster = {
  readonly primary: PostgresNode
  /** Starts a standby. With `isSynchronous`, no write is acknowledged from now on that it does not have. */
  readonly addStandby: (options?: { readonly isSynchronous?: boolean }) => Promise<PostgresNode>
  readonly close: () => Promise<void>
}

export async function startCluster(): Promise<PostgresCluster> {
  const bin = findBinaries()
  const folder = createFolder()
  const nodes: PostgresNode[] = []
  const call = async (program: string, ...words: readonly string[]): Promise<void> => {
    const [command, all] = asOrdinaryUser([join(bin, program), ...words])
    await run(command, all, { cwd: folder })
  }
  const data = (name: string): string => join(folder, name)
  const open = async (name: string): Promise<PostgresNode> => {
    const node = nodeOf({ data: data(name), socket: folder, port: await findFreePort(), call })
    await node.start()
    nodes.push(node)
    return node
  }
  await call('initdb', '-D', data('primary'), '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync')
  const primary = await open('primary')
  return {
    primary,
    async addStandby({ isSynchronous = false } = {}) {
      const name = `standby${nodes.length}`
      await call('pg_basebackup', '-d', primary.url, '-D', data(name), '-R', '-X', 'stream', '-c', 'fast')
      const standby = await open(name)
      await until(
        async () => (await primary.query(`select 1 from pg_stat_replication where state = 'streaming'`)).length > 0,
      )
      if (isSynchronous) {
        await primary.query(`alter system set synchronous_standby_names = '*'`)
        await primary.query('select pg_reload_conf()')
        await until(
          async () => (await primary.query(`select 1 from pg_stat_replication where sync_state = 'sync'`)).length > 0,
        )
      }
      return standby
    },
    async close() {
      for (const node of nodes) await node.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type NodeOptions = {
  readonly data: string
  readonly socket: string
  readonly port: number
  readonly call: (program: string, ...words: readonly string[]) => Promise<void>
}

function nodeOf({ data, socket, port, call }: NodeOptions): PostgresNode {
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${socket} -c max_connections=60 -c wal_level=replica`
  const query: PostgresNode['query'] = async (text) => {
    const client = new Client({ connectionString: url })
    await client.connect()
    try {
      const answer = (await client.query(text)) as unknown as QueryResult | QueryResult[]
      return (Array.isArray(answer) ? answer.at(-1) : answer)?.rows ?? []
    } finally {
      await client.end()
    }
  }
  return {
    url,
    port,
    query,
    start: () => call('pg_ctl', '-D', data, '-o', options, '-l', `${data}.log`, '-w', 'start'),
    promote: () => call('pg_ctl', '-D', data, '-w', 'promote'),
    async kill() {
      const file = join(data, 'postmaster.pid')
      if (!existsSync(file)) return
      const id = Number(readFileSync(file, 'utf8').split('\n')[0])
      await call('pg_ctl', '-D', data, '-m', 'immediate', '-W', 'stop').catch(() => undefined)
      await until(async () => !isRunning(id))
    },
  }
}

function isRunning(id: number): boolean {
  try {
    process.kill(id, 0)
    return true
  } catch {
    return false
  }
}

/** Waits until it holds; throws after a minute. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 60_000
  while (!(await holds().catch(() => false))) {
    if (Date.now() > end) throw new Error('It did not come in a minute')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** PgBouncer in transaction mode before a server; it has fewer sessions than clients. */
export async function startBouncer(
  server: PostgresNode,
  user = 'postgres',
): Promise<{ readonly url: string; readonly close: () => void }> {
  const folder = createFolder()
  const port = await findFreePort()
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(join(folder, 'users.txt'), '"postgres" ""\n')
  writeFileSync(
    file,
    `[databases]
postgres = user=${user} host=127.0.0.1 port=${server.port} dbname=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
auth_file = ${join(folder, 'users.txt')}
pool_mode = transaction
default_pool_size = 4
max_client_conn = 100
`,
  )
  const [command, words] = asOrdinaryUser(['pgbouncer', file])
  const program = spawn(command, words, { stdio: 'ignore' })
  const failed = new Promise<never>((_resolve, reject) => {
    program.on('error', reject)
    program.on('exit', (code) =>
      reject(new Error(code === 127 ? 'PgBouncer is not installed' : `pgbouncer ended with exit code ${code}`)),
    )
  })
  failed.catch(() => undefined)
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const answers = async (): Promise<boolean> => {
    const client = new Client({ connectionString: url })
    await client.connect()
    await client.end()
    return true
  }
  await Promise.race([until(answers), failed])
  return {
    url,
    close() {
      program.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
