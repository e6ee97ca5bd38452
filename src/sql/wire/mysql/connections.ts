/** The connections of a pool to MariaDB or MySQL, in the mode that all statements expect. */
import { createConnection, createPool, type Pool, type PoolConnection, type PoolOptions } from 'mysql2'
import type { Log } from '../../../domain/ports/context.ts'
import { dialectOfVersion, type MySqlDialectName } from '../../dialects/mysql/server.ts'
import { databaseUnavailable } from '../../errors/unavailable.ts'
import { createLine } from '../connection.ts'

export type MySqlConnections = {
  /** The dialect of the server; until its version is known, that of MariaDB. */
  readonly dialect: () => MySqlDialectName
  /** The same, which waits until it is known. */
  readonly met: () => Promise<MySqlDialectName>
  readonly acquire: () => Promise<PoolConnection>
  readonly release: (connection: PoolConnection, isUseless: boolean) => void
  /** How long a statement may take in milliseconds, if its transaction sets no other limit; 0 = without a limit. */
  readonly statementTimeout: number
  /** Statements that restore the limits of a session and release its locks. */
  readonly restore: readonly string[]
  /** How long the first caller in the line has waited, in milliseconds. */
  readonly waitingTime: () => number
  readonly state: () => { readonly total: number; readonly idle: number; readonly waiting: number }
  /** Ends the statement that runs on the connection, by a connection beside the pool: that may be used up. */
  readonly cancel: (connection: PoolConnection) => Promise<void>
  readonly close: () => Promise<void>
}

/** Standard SQL: names in double quotes, `||` joins texts, a backslash is a letter, and wrong values are errors. */
const modes =
  'ANSI_QUOTES,PIPES_AS_CONCAT,NO_BACKSLASH_ESCAPES,STRICT_ALL_TABLES,' +
  'ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION,NO_AUTO_VALUE_ON_ZERO'

/** A part of a text that MariaDB alone reads, and one that MySQL alone reads. */
const onMariaDb = (text: string): string => `/*M! ${text} */`
const onMySql = (text: string): string => `/*!80000 ${text} */`

/** Limits that a transaction may change for its own statements. MySQL limits the time of reads only: `limit-writes.ts`. */
const limits = (timeout: number): string =>
  `innodb_lock_wait_timeout = 10, lock_wait_timeout = 10 ` +
  onMariaDb(`, max_statement_time = ${timeout / 1000}`) +
  onMySql(`, max_execution_time = ${timeout}`)

/** Texts are joined up to the size of a packet, beyond which the server has no texts at all. */
const session = (timeout: number): readonly string[] => [
  `set names utf8mb4 collate utf8mb4_bin`,
  // An update computes each column from those before it, as on MySQL, which has no SIMULTANEOUS_ASSIGNMENT.
  `set session sql_mode = '${modes}', time_zone = '+00:00',` +
    ` group_concat_max_len = 1073741824, div_precision_increment = 16, ${limits(timeout)}` +
    onMySql(`, transaction_isolation = 'READ-COMMITTED', information_schema_stats_expiry = 0`) +
    // Joined by a hash, which levels above allow, a table is read whole for a list of one key.
    onMariaDb(`, tx_isolation = 'READ-COMMITTED', join_cache_level = 2`),
  // Keys of a million rows, such as those of a list that a condition excludes, take half a minute on disk.
  `set session ${['tmp_table_size', 'max_heap_table_size'].map((name) => `${name} = cast(greatest(@@${name}, ${tableInMemory}) as unsigned)`).join(', ')}`,
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

export function connectTo({ max, acquireTimeout, statementTimeout, log, ...server }: PoolSettings): MySqlConnections {
  const pool = createPool({ ...server, ...poolOptions, connectionLimit: max, connectTimeout: acquireTimeout })
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
  let known: MySqlDialectName | null = null
  const line = createLine()
  const acquireOne = async (): Promise<PoolConnection> => {
    const connection = await line.wait(acquire(pool, acquireTimeout))
    known ??= dialectOfVersion(await readVersion(connection))
    used += 1
    return connection
  }
  const release: MySqlConnections['release'] = (connection, isUseless) => {
    used -= 1
    if (isUseless) connection.destroy()
    else connection.release()
  }
  return {
    dialect: () => known ?? 'mysql',
    met: async () => {
      if (known === null) release(await acquireOne(), false)
      return known ?? 'mysql'
    },
    acquire: acquireOne,
    release,
    statementTimeout,
    restore: [`set session ${limits(statementTimeout)}`, 'do release_all_locks()'],
    waitingTime: line.waitingTime,
    state: () => ({ total: Math.max(total, used), idle: Math.max(0, total - used), waiting: line.length() }),
    cancel: (connection) =>
      new Promise((resolve) => {
        const own = createConnection({ ...server, connectTimeout: acquireTimeout })
        own.on('error', () => resolve())
        own.query(`kill query ${connection.threadId}`, () => {
          own.destroy()
          resolve()
        })
      }),
    close: () =>
      new Promise((resolve) => {
        pool.end(() => resolve())
      }),
  }
}

/** Values arrive as texts, so that none loses digits. */
const poolOptions: PoolOptions = {
  waitForConnections: true,
  enableKeepAlive: true,
  charset: 'utf8mb4_bin',
  dateStrings: true,
  supportBigNumbers: true,
  bigNumberStrings: true,
  jsonStrings: true,
  flags: ['-LOCAL_FILES'],
  maxPreparedStatements: 300,
}

/** The version that the server reports; a lost connection fails again at its next statement. */
const readVersion = (connection: PoolConnection): Promise<string> =>
  new Promise((resolve, reject) => {
    connection.query({ sql: 'select version()', rowsAsArray: true }, (error, rows) => {
      if (error === null) return resolve(String((rows as unknown as readonly (readonly unknown[])[])[0]?.[0]))
      connection.destroy()
      reject(databaseUnavailable('The database cannot be reached', error))
    })
  })

function acquire(pool: Pool, acquireTimeout: number): Promise<PoolConnection> {
  return new Promise((resolve, reject) => {
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      reject(databaseUnavailable('No connection to the database is free'))
    }, acquireTimeout)
    pool.getConnection((error, connection) => {
      clearTimeout(timer)
      if (error) reject(databaseUnavailable('The database cannot be reached', error))
      else if (isLate) connection.release()
      else resolve(connection)
    })
  })
}
