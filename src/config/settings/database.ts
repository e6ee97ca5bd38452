/** The settings of the database, its read replicas and a pooler. */
import {
  choice,
  decimal,
  flag,
  fraction,
  integer,
  list,
  names,
  optional,
  secret,
  setting,
  sslModes,
  text,
  timeout,
} from '../kinds.ts'

export const databaseSettings = {
  DATA_DIR: setting('Folder of the embedded database and of the generated secret.', text, './data'),
  DB_CLIENT: optional(
    'pglite is embedded and needs nothing; pg is a Postgres server, mysql one of MariaDB or MySQL. When unset: what DB_CONNECTION_STRING names, pg if DB_HOST is set, else pglite.',
    choice('pglite', 'pg', 'mysql'),
  ),
  DB_CONNECTION_STRING: secret(
    'URL of the server: postgres://user:password@host:5432/name, or mysql://user:password@host:3306/name.',
  ),
  DB_HOST: optional('Host of the server, without a connection string.', text),
  DB_PORT: optional('Port of the server: 5432 for pg, 3306 for mysql, unless set.', integer(1, 65_535)),
  DB_SOCKET: optional('Path of the socket of a MariaDB or MySQL server, in place of host and port.', text),
  DB_DATABASE: optional('Name of the database.', text),
  DB_USER: optional('Name of the database user.', text),
  DB_PASSWORD: secret('Password of the database user.'),
  DB_SSL: setting('Encrypt the connection; no-verify accepts any certificate.', sslModes, 'false'),
  DB_POOL__MIN: setting('Minimum number of open connections.', integer(0, 1000), '0'),
  DB_POOL__MAX: setting('Maximum number of connections.', integer(1, 1000), '10'),
  DB_RANDOM_PAGE_COST: setting(
    'random_page_cost of the Postgres planner: 1.1 suits solid-state disks and cached data; 0 = setting of the server.',
    decimal(0, 1000),
    '1.1',
  ),
  DB_POOL_SHARE: setting(
    'Share of the connections that one user, or one anonymous address, may use at the same time.',
    fraction,
    '0.5',
  ),
  DB_POOL_SHARE_WAIT: setting(
    'How long a request waits for a connection of that share before it gets 503.',
    timeout,
    '5s',
  ),
  DB_SEARCH_PATH: setting('Database schemas that are served; system tables are created in the first.', names, 'public'),
  DB_READ_REPLICAS: secret(
    'Connection strings of read replicas of Postgres, separated by spaces. Reads of clients go there, writes never.',
  ),
  DB_READ_WAIT: setting(
    'How long a read waits for a replica to have the last write of its client, before it goes to the primary.',
    timeout,
    '50ms',
  ),
  DB_READ_MAX_LAG: setting('A replica that lags longer is left out until it has caught up.', timeout, '10s'),
  DB_READ_INTERVAL: setting('How often replicas are looked at.', timeout, '1s'),
  DB_POOLER: optional(
    'transaction: the connection string leads to PgBouncer or the like in transaction mode (docs/scaling.md).',
    choice('transaction'),
  ),
  DB_POOLER_PREPARED: setting(
    'Whether the pooler carries prepared statements (PgBouncer 1.21 and later).',
    flag,
    'false',
  ),
  DB_DIRECT_CONNECTION_STRING: secret(
    'Connection string past the pooler, for notifications between replicas of Tandem; needed with DB_POOLER.',
  ),
  DB_EXCLUDE_TABLES: setting('Tables that are not served.', list, 'spatial_ref_sys,sysdiagrams'),
}
