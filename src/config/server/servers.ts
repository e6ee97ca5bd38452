/** Converts the settings of the database: the embedded one, servers with their read replicas, poolers. */
import type { EmbeddedDatabaseOptions, ServerOptions } from '../../sql/database.ts'
import type { ReplicaSettings } from '../../sql/replicas.ts'
import type { MySqlServerOptions } from '../../sql/wire/mysql/open.ts'
import { ConfigError, refuse } from '../error.ts'
import type { Values } from '../settings.ts'

/** Where reads of clients may go, and when. */
export type ReadReplicas = Omit<ReplicaSettings, 'log'> & { readonly servers: readonly ServerOptions[] }

/** The read replicas; null = none. `shared`: their settings in common with the primary. */
export function toReplicas(values: Values, shared: ServerOptions): ReadReplicas | null {
  const texts = (values.DB_READ_REPLICAS ?? '').split(/\s+/).filter((text) => text !== '')
  if (texts.length === 0) return null
  const { connectionString: _, host: _host, port: _port, user: _user, password: _password, ...more } = shared
  return {
    servers: texts.map((text) => ({ ...more, connectionString: assertServer('DB_READ_REPLICAS', text) })),
    wait: values.DB_READ_WAIT,
    maxLag: values.DB_READ_MAX_LAG,
    interval: values.DB_READ_INTERVAL,
  }
}

/** Settings for a server behind a connection pooler; empty = no pooler. */
function toPooler(values: Values): Pick<ServerOptions, 'pooler'> {
  if (values.DB_POOLER === null) return {}
  const direct = values.DB_DIRECT_CONNECTION_STRING
  if (direct === null)
    throw new ConfigError('DB_DIRECT_CONNECTION_STRING', 'a connection string with DB_POOLER=transaction', 'nothing')
  const isPrepared = values.DB_POOLER_PREPARED
  return { pooler: { direct: assertServer('DB_DIRECT_CONNECTION_STRING', direct), isPrepared } }
}

function assertServer(name: string, text: string): string {
  if (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text)) return text
  throw new ConfigError(name, 'postgres://user:password@host:5432/name', 'something else')
}

const mySqlUrl = /^(mysql|mariadb):\/\//

function usualClient({ DB_CONNECTION_STRING: url, DB_HOST: host }: Values): 'pglite' | 'pg' | 'mysql' {
  if (url !== null) return mySqlUrl.test(url) ? 'mysql' : 'pg'
  return host === null ? 'pglite' : 'pg'
}

/** What both kinds of servers have. */
const toConnections = (values: Values) => ({
  ssl: values.DB_SSL === 'no-verify' ? { rejectUnauthorized: false } : values.DB_SSL,
  pool: { min: values.DB_POOL__MIN, max: values.DB_POOL__MAX },
})

/** A server of MariaDB; only the name of the database is required. */
function toMySql(values: Values): MySqlServerOptions {
  const shared = { kind: 'mysql', ...toConnections(values) } as const
  const { DB_CONNECTION_STRING: url, DB_SOCKET: socket, DB_DATABASE: database, DB_USER: user } = values
  if (url !== null) {
    if (mySqlUrl.test(url) && URL.canParse(url)) return { ...shared, connectionString: url }
    throw new ConfigError('DB_CONNECTION_STRING', 'mysql://user:password@host:3306/name', 'something else')
  }
  if (database === null || user === null) {
    const name = database === null ? 'DB_DATABASE' : 'DB_USER'
    throw new ConfigError(name, 'a value (or DB_CONNECTION_STRING) with DB_CLIENT=mysql', 'nothing')
  }
  return {
    ...shared,
    database,
    user,
    host: values.DB_HOST ?? 'localhost',
    ...(values.DB_PORT === null ? {} : { port: values.DB_PORT }),
    ...(socket === null ? {} : { socket }),
    ...(values.DB_PASSWORD === null ? {} : { password: values.DB_PASSWORD }),
  }
}

export function toDatabase(
  values: Values,
  dataDir: string,
): EmbeddedDatabaseOptions | ServerOptions | MySqlServerOptions {
  const client = values.DB_CLIENT ?? usualClient(values)
  if (client === 'pglite') return { kind: 'pglite', dataDir }
  if (values.DB_POOL__MIN > values.DB_POOL__MAX) {
    throw new ConfigError('DB_POOL__MIN', `at most DB_POOL__MAX (${values.DB_POOL__MAX})`, String(values.DB_POOL__MIN))
  }
  return client === 'mysql' ? toMySql(values) : toPostgres(values)
}

function toPostgres(values: Values): ServerOptions {
  const shared = {
    kind: 'pg',
    ...toConnections(values),
    searchPath: values.DB_SEARCH_PATH,
    randomPageCost: values.DB_RANDOM_PAGE_COST,
    ...toPooler(values),
  } as const
  const { DB_CONNECTION_STRING: url } = values
  if (url !== null) return { ...shared, connectionString: assertServer('DB_CONNECTION_STRING', url) }
  const needed = (name: 'DB_HOST' | 'DB_DATABASE' | 'DB_USER'): string =>
    values[name] ?? refuse(name, 'a value (or DB_CONNECTION_STRING) with DB_CLIENT=pg', 'nothing')
  return {
    ...shared,
    host: needed('DB_HOST'),
    ...(values.DB_PORT === null ? {} : { port: values.DB_PORT }),
    database: needed('DB_DATABASE'),
    user: needed('DB_USER'),
    ...(values.DB_PASSWORD === null ? {} : { password: values.DB_PASSWORD }),
  }
}
