/**
 * The `Database` port over the `pg` driver: a pool of server connections, or the embedded database behind the same
 * driver.
 */
import { Client, type ClientConfig, type ConnectionConfig, Pool, type PoolConfig } from 'pg'
import type { Asker, Database, Log } from '../domain/ports/context.ts'
import { quoteName } from './dialects/quoting.ts'
import { startEmbedded } from './embedded/pglite.ts'
import { isBrokenConnection, toTandemError } from './errors/errors.ts'
import { type ConnectionPool, createConnectionPool, databaseOf } from './wire/connection.ts'
import { cancelOn, createServerSocket, watchConnections } from './wire/driver-internals.ts'
import { type Listener, listenOn } from './wire/listen.ts'
import type { MySqlServerOptions } from './wire/mysql/open.ts'
import { sendWithoutNames } from './wire/send.ts'

export type DatabaseOptions = (EmbeddedDatabaseOptions | ServerOptions | MySqlServerOptions) & {
  /** Time that a statement waits for a free connection before it fails as `unavailable`. */
  readonly acquireTimeout?: number
  readonly log?: Log
}

export type EmbeddedDatabaseOptions = {
  readonly kind: 'pglite'
  /** Contains the folder `database` and a lock file; null = in memory. */
  readonly dataDir: string | null
  /** An archive made by `dump` to start with. */
  readonly dump?: string
}

export type ServerOptions = {
  readonly kind: 'pg'
  readonly connectionString?: string
  /** A host name, an address, or the folder of a socket. */
  readonly host?: string
  readonly port?: number
  readonly user?: string
  readonly password?: string
  readonly database?: string
  readonly ssl?: Exclude<ConnectionConfig['ssl'], undefined>
  readonly pool?: { readonly min?: number; readonly max?: number }
  /** Statement timeout of the server in milliseconds; 0 = none. */
  readonly statementTimeout?: number
  readonly applicationName?: string
  /** Names of schemas, unquoted. */
  readonly searchPath?: readonly string[]
  /** Planner cost of a random page read, relative to a sequential one; 0 = the server's setting. */
  readonly randomPageCost?: number
  /** Set if the connection leads to a pooler in transaction mode. */
  readonly pooler?: PoolerOptions
}

/** `direct`: connection string past the pooler. `isPrepared`: whether the pooler carries prepared statements. */
export type PoolerOptions = { readonly direct: string; readonly isPrepared: boolean }

export type OpenDatabase = Database & {
  readonly connections: number
  /** `onMessage` gets each payload, and null when some may have been missed. */
  listen(channel: string, onMessage: Listener): Promise<void>
  /**
   * On a server with a listener it uses no connection of the pool: an exhausted pool does not mean that the database is
   * down.
   */
  ping(): Promise<void>
  /** Cancels the reads of a client that has disconnected; on the embedded database, those that have not started. */
  cancelReads(asker: Asker): void
  /** How far the writes of the server have come. Absent = there are no replicas. */
  position?: (() => Promise<string>) | undefined
  /** How long the first caller in the line for a connection has waited, in milliseconds. */
  readonly waitingTime: () => number
  /** The connections of the pool, those without work among them, and the callers that wait for one. */
  pool(): PoolState
  /**
   * Waits for running statements, then closes every connection; on a server after so many milliseconds at the latest.
   */
  close(timeoutMs?: number): Promise<void>
}

export type PoolState = { readonly total: number; readonly idle: number; readonly waiting: number }

/** An embedded database can also be written to an archive. */
export type OpenEmbeddedDatabase = OpenDatabase & { dump(path: string): Promise<void> }

/** Opens the pool (no connection yet) or starts the embedded engine. */
export async function openDatabase(options: DatabaseOptions): Promise<OpenDatabase> {
  if (options.kind === 'mysql') return (await import('./wire/mysql/open.ts')).openMySqlServer(options)
  return options.kind === 'pglite' ? openEmbedded(options) : openServer(options)
}

/** The embedded engine has one session, so its pool holds one connection. */
export async function openEmbedded(
  options: EmbeddedDatabaseOptions & Pick<DatabaseOptions, 'acquireTimeout' | 'log'>,
): Promise<OpenEmbeddedDatabase> {
  const embedded = await startEmbedded(options)
  const pool = createPool(options, { max: 1, idleTimeoutMillis: 0, ...session, stream: () => embedded.connect() })
  const connections = createConnectionPool(pool)
  const database = databaseOf(connections, 'pglite', null)
  return {
    ...database,
    connections: 1,
    ping: async () => void (await database.run({ text: 'select 1', values: [] })),
    waitingTime: connections.waitingTime,
    pool: () => stateOf(pool),
    // Runs on its own, so that the LISTEN is not part of another transaction.
    listen: (channel, onMessage) => alone(connections, () => embedded.listen(channel, onMessage)),
    dump: (path) => alone(connections, () => embedded.dump(path)),
    close: async () => {
      await pool.end()
      await embedded.close()
    },
  }
}

/** Explicit values, so that `PG…` variables of the environment have no effect. */
const session = { host: 'localhost', port: 5432, user: 'postgres', database: 'postgres', password: '', ssl: false }

function openServer(options: ServerOptions & Pick<DatabaseOptions, 'acquireTimeout' | 'log'>): OpenDatabase {
  const connection = serverConnection(options)
  const { statementTimeout = usualTimeout } = options
  // One message may contain several statements, each with its own timeout.
  const watched = watchConnections(statementTimeout * 2)
  const pool = createPool(options, {
    ...connection,
    stream: createServerSocket,
    min: options.pool?.min ?? 0,
    max: options.pool?.max ?? 10,
    // A session of a pooler belongs to many clients.
    ...(options.pooler === undefined ? { statement_timeout: statementTimeout } : {}),
  })
  pool.on('connect', watched.watch)
  if (options.pooler?.isPrepared === false) pool.on('connect', sendWithoutNames)
  const acquireTimeout = options.acquireTimeout ?? defaultAcquireTimeout
  const connections = createConnectionPool(pool)
  const database = databaseOf(connections, 'postgres', cancelOn(acquireTimeout))
  const listening = listenOn(() => {
    const direct = options.pooler?.direct
    const own = direct === undefined ? connection : serverConnection({ kind: 'pg', connectionString: direct })
    const client = new Client({ ...own, connectionTimeoutMillis: acquireTimeout })
    client.once('connect', () => watched.watch(client))
    return client
  }, options.log)
  return {
    ...database,
    connections: pool.options.max,
    ping: async () => {
      if (!(await listening.ping())) await database.run({ text: 'select 1', values: [] })
    },
    waitingTime: connections.waitingTime,
    pool: () => stateOf(pool),
    listen: (channel, onMessage) => listening.listen(channel, onMessage),
    close: (within = usualTimeout) =>
      watched.closeWithin(within, async () => {
        await Promise.all([listening.close(), pool.end()])
      }),
  }
}

/**
 * All sessions use UTC and ISO dates, whatever the server's settings are. JIT compilation is off: it costs more than
 * our statements take, which are limited in size.
 */
function serverConnection(options: ServerOptions): ClientConfig {
  const { connectionString, host, port, user, password, database, ssl, searchPath, randomPageCost = 0 } = options
  const input = { connectionString, host, port, user, password, database, ssl }
  const settings = ['-c TimeZone=UTC', '-c DateStyle=ISO', '-c jit=off']
  if (randomPageCost > 0) settings.push(`-c random_page_cost=${randomPageCost}`)
  if (searchPath !== undefined && searchPath.length > 0) {
    const names = searchPath.map((name) => quoteName(name)).join(',')
    settings.push(`-c search_path=${names.replaceAll(/([\\\s])/g, '\\$1')}`)
  }
  return {
    ...(Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as ClientConfig),
    application_name: options.applicationName ?? 'tandem',
    // A pooler takes no options: the role or the database must have these settings (`assertPooledSession`).
    ...(options.pooler === undefined ? { options: settings.join(' ') } : {}),
    keepAlive: true,
  }
}

const defaultAcquireTimeout = 5_000

const usualTimeout = 30_000

function createPool(options: Pick<DatabaseOptions, 'acquireTimeout' | 'log'>, config: PoolConfig): Pool {
  const pool = new Pool({ connectionTimeoutMillis: options.acquireTimeout ?? defaultAcquireTimeout, ...config })
  const report = (error: Error): void => options.log?.warn({ err: error }, 'A database connection was lost')
  pool.on('error', report)
  return pool
}

const stateOf = ({ totalCount, idleCount, waitingCount }: Pool): PoolState => ({
  total: totalCount,
  idle: idleCount,
  waiting: waitingCount,
})

async function alone<T>(connections: ConnectionPool, work: () => Promise<T>): Promise<T> {
  const client = await connections.acquire()
  try {
    return await work()
  } catch (error) {
    throw isBrokenConnection(error) ? toTandemError(error) : error
  } finally {
    client.release()
  }
}
