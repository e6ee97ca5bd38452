/** Opens a MariaDB or MySQL server as a database. */
import type { Log } from '../../../domain/ports/context.ts'
import { type Polling, pollAnnouncements, type Signals } from './announcements.ts'
import { connectTo, type MySqlConnections } from './connections.ts'
import { databaseOn, type MySqlDatabase } from './database.ts'

export type MySqlServerOptions = {
  readonly kind: 'mysql'
  readonly connectionString?: string
  readonly host?: string
  readonly port?: number
  /** The path of a socket, in place of host and port. */
  readonly socket?: string
  readonly user?: string
  readonly password?: string
  readonly database?: string
  readonly ssl?: boolean | { readonly rejectUnauthorized?: boolean }
  readonly pool?: { readonly min?: number; readonly max?: number }
  /** Statement timeout of the server in milliseconds; 0 = none. */
  readonly statementTimeout?: number
  /** Wakes replicas that poll the announcements; absent = they find them at their next look. */
  readonly signals?: Signals
}

export type OpenMySql = MySqlDatabase & {
  readonly connections: number
  readonly listen: Polling['listen']
  ping(): Promise<void>
  readonly waitingTime: () => number
  readonly pool: MySqlConnections['state']
  close(timeoutMs?: number): Promise<void>
}

/** Asks the server for its version, which decides on the dialect; one that does not answer is asked again later. */
export async function openMySqlServer(
  options: MySqlServerOptions & { readonly acquireTimeout?: number; readonly log?: Log },
): Promise<OpenMySql> {
  const max = options.pool?.max ?? 10
  const connections = connectTo({
    ...serverKey(options),
    max,
    acquireTimeout: options.acquireTimeout ?? 5_000,
    statementTimeout: options.statementTimeout ?? 30_000,
    log: options.log,
  })
  const database = databaseOn(connections, () => polling.committed())
  await connections.met().catch(() => undefined)
  const polling = pollAnnouncements(() => database, options.log, options.signals)
  return {
    ...database,
    get dialect() {
      return database.dialect
    },
    connections: max,
    listen: polling.listen,
    ping: async () => void (await database.run({ text: 'select 1', values: [] })),
    waitingTime: connections.waitingTime,
    pool: connections.state,
    close: async () => {
      polling.close()
      await connections.close()
    },
  }
}

/** The name of the database. */
export const databaseOf = (options: MySqlServerOptions): string =>
  (serverKey(options)['database'] as string | undefined) ?? ''

/** Values in a connection string take precedence. */
function serverKey({ connectionString, host, port, socket, user, password, database, ssl }: MySqlServerOptions) {
  const url = connectionString === undefined ? null : new URL(connectionString)
  const input = {
    host: url?.hostname ?? host ?? 'localhost',
    port: Number(url?.port ?? '') || (port ?? 3306),
    user: url === null ? user : decodeURIComponent(url.username),
    password: url === null ? password : decodeURIComponent(url.password),
    database: url === null ? database : decodeURIComponent(url.pathname.slice(1)),
    socketPath: url?.searchParams.get('socket') ?? socket,
    ssl: ssl === undefined || ssl === false ? undefined : ssl === true ? {} : ssl,
  }
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined && value !== ''))
}
