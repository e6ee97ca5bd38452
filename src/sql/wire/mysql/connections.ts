/** The connections of a pool to MariaDB or MySQL, in the mode that all statements expect. */
import { createPool, type Pool, type PoolConnection, type PoolOptions } from 'mysql2'
import type { Log } from '../../../domain/ports/context.ts'
import { TandemError } from '../../../domain/rights/errors.ts'
import { createLine } from '../connection.ts'

export type MySqlConnections = {
  readonly acquire: () => Promise<PoolConnection>
  readonly release: (connection: PoolConnection, isUseless: boolean) => void
  /** Statements that restore the limits of a session and release its locks. */
  readonly restore: readonly string[]
  /** How long the first caller in the line has waited, in milliseconds. */
  readonly waitingTime: () => number
  readonly state: () => { readonly total: number; readonly idle: number; readonly waiting: number }
  /** Ends the statement that runs on the connection. */
  readonly cancel: (connection: PoolConnection) => Promise<void>
  readonly close: () => Promise<void>
}

/** Standard SQL: names in double quotes, `||` joins texts, a backslash is a letter, and wrong values are errors. */
const modes = [
  'ANSI_QUOTES',
  'PIPES_AS_CONCAT',
  'NO_BACKSLASH_ESCAPES',
  'STRICT_ALL_TABLES',
  'ERROR_FOR_DIVISION_BY_ZERO',
  'NO_ENGINE_SUBSTITUTION',
  'NO_AUTO_VALUE_ON_ZERO',
  // All columns of an update are computed from the row as it was.
  'SIMULTANEOUS_ASSIGNMENT',
]

/** Limits that a transaction may change for its own statements, in seconds. */
const limits = (timeout: number): string =>
  `innodb_lock_wait_timeout = 10, lock_wait_timeout = 10, max_statement_time = ${timeout / 1000}`

/** Texts are joined up to the size of a packet, beyond which the server has no texts at all. */
const session = (timeout: number): readonly string[] => [
  `set names utf8mb4 collate utf8mb4_bin`,
  `set session sql_mode = '${modes.join(',')}', time_zone = '+00:00', tx_isolation = 'READ-COMMITTED',` +
    ` group_concat_max_len = 1073741824, div_precision_increment = 16,` +
    // Joined by a hash, which levels above allow, a table is read whole for a list of one key.
    ` join_cache_level = 2, ${limits(timeout)}`,
  // Keys of a million rows, such as those of a list that a condition excludes, take half a minute on disk.
  `set session ${['tmp_table_size', 'max_heap_table_size'].map((name) => `${name} = greatest(@@${name}, ${tableInMemory})`).join(', ')}`,
]

/** Bytes of a temporary table that is kept in memory. */
const tableInMemory = 67_108_864

export type PoolSettings = Pick<
  PoolOptions,
  'host' | 'port' | 'user' | 'password' | 'database' | 'socketPath' | 'ssl'
> & {
  readonly max: number
  readonly acquireTimeout: number
  readonly statementTimeout: number
  readonly log: Log | undefined
}

export function connectTo({ max, acquireTimeout, statementTimeout, log, ...place }: PoolSettings): MySqlConnections {
  const pool = openPool(place, { max, acquireTimeout })
  pool.on('connection', (connection) => {
    // A statement on a lost connection fails anyway; an unhandled error event would end the process.
    total += 1
    connection.on('end', () => {
      total -= 1
    })
    connection.on('error', (error) => log?.warn({ err: error }, 'A database connection was lost'))
    for (const text of session(statementTimeout)) connection.query(text)
  })
  let [total, used] = [0, 0]
  const line = createLine()
  return {
    acquire: async () => {
      const connection = await line.wait(acquire(pool, acquireTimeout))
      used += 1
      return connection
    },
    release: (connection, isUseless) => {
      used -= 1
      if (isUseless) connection.destroy()
      else connection.release()
    },
    restore: [`set session ${limits(statementTimeout)}`, 'do release_all_locks()'],
    waitingTime: line.waitingTime,
    state: () => ({ total: Math.max(total, used), idle: Math.max(0, total - used), waiting: line.length() }),
    cancel: (connection) =>
      new Promise((resolve) => {
        pool.query(`kill query ${connection.threadId}`, () => resolve())
      }),
    close: () =>
      new Promise((resolve) => {
        pool.end(() => resolve())
      }),
  }
}

/** Values arrive as texts, so that none loses digits. */
const openPool = (
  place: Omit<PoolSettings, 'max' | 'acquireTimeout' | 'statementTimeout' | 'log'>,
  { max, acquireTimeout }: Pick<PoolSettings, 'max' | 'acquireTimeout'>,
): Pool =>
  createPool({
    ...place,
    connectionLimit: max,
    waitForConnections: true,
    enableKeepAlive: true,
    connectTimeout: acquireTimeout,
    charset: 'utf8mb4_bin',
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    jsonStrings: true,
    flags: ['-LOCAL_FILES'],
    maxPreparedStatements: 300,
  })

function acquire(pool: Pool, acquireTimeout: number): Promise<PoolConnection> {
  return new Promise((resolve, reject) => {
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      reject(unavailable('No connection to the database is free'))
    }, acquireTimeout)
    pool.getConnection((error, connection) => {
      clearTimeout(timer)
      if (error) reject(unavailable('The database cannot be reached', error))
      else if (isLate) connection.release()
      else resolve(connection)
    })
  })
}

/** The cause, for example a wrong password, is for the operator and only logged. */
const unavailable = (reason: string, cause?: unknown): TandemError =>
  new TandemError({ kind: 'unavailable', service: 'database', reason, retryAfter: 1 }, { cause })
