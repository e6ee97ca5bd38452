/** A server of MariaDB that a test starts, kills and starts again, from the binaries of the machine. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync, rmSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createConnection } from 'mysql2/promise'
import { asOrdinaryUser, createFolder, findFreePort, until } from './postgres-cluster.ts'

/** The user as whom servers run. */
export const serverUser = process.getuid?.() === 0 ? 'mysql' : userInfo().username

const commandOf = (...words: readonly string[]) => asOrdinaryUser(words, serverUser)

/** Runs a program to its end. */
export const call = (...words: readonly string[]) => promisify(execFile)(...commandOf(...words), { maxBuffer: 1e8 })

/** Makes the files of a new server. */
export const installMariaDb = (data: string) =>
  call(
    'mariadb-install-db',
    '--no-defaults',
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
    `--datadir=${data}`,
  )

/** The command that runs a server with these files. */
export const serverCommand = (data: string, port: number): readonly string[] => [
  'mariadbd',
  '--no-defaults',
  `--datadir=${data}`,
  `--port=${port}`,
  '--bind-address=127.0.0.1',
  `--socket=${join(data, 'server.sock')}`,
  `--pid-file=${join(data, 'server.pid')}`,
  '--innodb-buffer-pool-size=32M',
  '--innodb-log-file-size=16M',
]

type Rows = readonly Record<string, unknown>[]

/** Asks a server as its administrator. */
export async function askServer(port: number, text: string, database = ''): Promise<Rows> {
  const connection = await createConnection({
    host: '127.0.0.1',
    port,
    user: 'root',
    database,
    multipleStatements: true,
  })
  try {
    const [rows] = await connection.query(text)
    return rows as Rows
  } finally {
    await connection.end()
  }
}

export type ServerProcess = {
  /** Starts it with further options, and waits until it is ready. */
  readonly start: (...more: readonly string[]) => Promise<void>
  readonly end: (signal: NodeJS.Signals) => Promise<void>
}

/** A process that a test starts, ends and starts again; its output is in the file `log`. */
export function createProcess(command: readonly string[], log: string, isReady: () => Promise<boolean>): ServerProcess {
  let running: ChildProcess | undefined
  return {
    async start(...more) {
      const output = openSync(log, 'a')
      running = spawn(...commandOf(...command, ...more), { stdio: ['ignore', output, output] })
      await until(isReady).catch((cause: unknown) => {
        throw new Error(`The server did not start: ${readFileSync(log, 'utf8').slice(-4000)}`, { cause })
      })
    },
    async end(signal) {
      const ending = running
      running = undefined
      if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return
      const ended = once(ending, 'exit')
      ending.kill(signal)
      await ended
    },
  }
}

export type MariaDbServer = {
  readonly url: string
  readonly query: (text: string) => Promise<Rows>
  /** Ends it without a chance to write anything. */
  readonly kill: () => Promise<void>
  /** Starts it again with its files. */
  readonly start: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Starts a new server with an empty database `test`. Each commit is on its disk before it is acknowledged. */
export async function startMariaDb(): Promise<MariaDbServer> {
  const folder = createFolder(serverUser)
  const data = join(folder, 'data')
  await installMariaDb(data)
  const port = await findFreePort()
  const command = [...serverCommand(data, port), '--innodb-flush-log-at-trx-commit=1']
  const { start, end } = createProcess(
    command,
    `${data}.log`,
    async () => (await askServer(port, 'select 1')).length === 1,
  )
  const kill = () => end('SIGKILL')
  await start()
  await askServer(port, 'create database test character set utf8mb4 collate utf8mb4_bin')
  return {
    url: `mysql://root@127.0.0.1:${port}/test`,
    query: (text) => askServer(port, text, 'test'),
    start,
    kill,
    async close() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
