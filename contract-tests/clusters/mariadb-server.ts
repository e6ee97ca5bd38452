/** A server of MariaDB that a test starts, kills and starts again, from the binaries of the machine. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { openSync, readFileSync, rmSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createConnection } from 'mysql2/promise'
import { asOrdinaryUser, createFolder, findFreePort, until } from './postgres-cluster.ts'

const user = process.getuid?.() === 0 ? 'mysql' : userInfo().username

export type MariaDbServer = {
  readonly url: string
  readonly query: (text: string) => Promise<readonly Record<string, unknown>[]>
  /** Ends it without a chance to write anything. */
  readonly kill: () => Promise<void>
  /** Starts it again with its files. */
  readonly start: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Starts a new server with an empty database `test`. Each commit is on its disk before it is acknowledged. */
export async function startMariaDb(): Promise<MariaDbServer> {
  const folder = createFolder(user)
  const data = join(folder, 'data')
  const [installer, words] = asOrdinaryUser(
    ['mariadb-install-db', '--no-defaults', '--auth-root-authentication-method=normal', '--skip-test-db'].concat(
      `--datadir=${data}`,
    ),
    user,
  )
  await promisify(execFile)(installer, [...words])
  const port = await findFreePort()
  const server = serverOf({ folder, data, port })
  await server.start()
  await server.query('create database test character set utf8mb4 collate utf8mb4_bin')
  return {
    ...server,
    url: `mysql://root@127.0.0.1:${port}/test`,
    async close() {
      await server.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type Place = { readonly folder: string; readonly data: string; readonly port: number }

function serverOf({ folder, data, port }: Place): Pick<MariaDbServer, 'query' | 'start' | 'kill'> {
  const [program, words] = asOrdinaryUser(
    [
      'mariadbd',
      '--no-defaults',
      `--datadir=${data}`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      `--socket=${join(folder, 'server.sock')}`,
      `--pid-file=${join(folder, 'server.pid')}`,
      '--innodb-buffer-pool-size=32M',
      '--innodb-log-file-size=16M',
      '--innodb-flush-log-at-trx-commit=1',
    ],
    user,
  )
  let running: ChildProcess | undefined
  const query: MariaDbServer['query'] = async (text) => {
    const connection = await createConnection({
      host: '127.0.0.1',
      port,
      user: 'root',
      database: text.startsWith('create database') ? '' : 'test',
      multipleStatements: true,
    })
    try {
      const [rows] = await connection.query(text)
      return rows as readonly Record<string, unknown>[]
    } finally {
      await connection.end()
    }
  }
  const answers = async (): Promise<boolean> => {
    const connection = await createConnection({ host: '127.0.0.1', port, user: 'root' })
    await connection.end()
    return true
  }
  return {
    query,
    async start() {
      const log = openSync(join(folder, 'server.log'), 'a')
      running = spawn(program, [...words], { stdio: ['ignore', log, log] })
      await until(answers).catch((cause: unknown) => {
        const text = readFileSync(join(folder, 'server.log'), 'utf8').slice(-4000)
        throw new Error(`The server did not start: ${text}`, { cause })
      })
    },
    async kill() {
      const ending = running
      running = undefined
      if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return
      const ended = new Promise((resolve) => void ending.once('exit', resolve))
      ending.kill('SIGKILL')
      await ended
    },
  }
}
