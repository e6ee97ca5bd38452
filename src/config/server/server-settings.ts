/** Settings of read replicas and of a pooler between Tandem and Postgres. */
import { choice, flag, optional, secret, setting, timeout } from '../kinds.ts'

export const replicaSettings = {
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
}
