/** The connections of a pool, with the errors of this program. */
import type pg from 'pg'
import { TandemError } from '../../domain/rights/errors.ts'

export type ConnectionPool = {
  /** Rejects as `unavailable` if no connection becomes free in time, or none can be opened. */
  readonly acquire: () => Promise<pg.PoolClient>
  /** `isUseless`: the connection is closed. */
  readonly release: (client: pg.PoolClient, isUseless: boolean) => void
  /** Number of requests that wait for a connection. */
  readonly waiting: () => number
  /** Waits for connections in use, then closes all connections. None can be acquired from now on. */
  readonly close: () => Promise<void>
}

export function createConnectionPool(pool: pg.Pool, onGivenBack: () => void = () => undefined): ConnectionPool {
  // The pool handles errors of idle connections only, and an unhandled error would end the process. The statement on a
  // lost connection fails, and the pool closes the connection when it is released.
  pool.on('connect', (client: pg.PoolClient) => client.on('error', () => undefined))
  return {
    acquire: () => connect(pool),
    release(client, isUseless) {
      onGivenBack()
      client.release(isUseless)
    },
    waiting: () => pool.waitingCount,
    close: () => pool.end(),
  }
}

/** The cause, for example a wrong password, is for the operator and only logged. */
async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect()
  } catch (cause) {
    const waited = cause instanceof Error && cause.message.startsWith('timeout exceeded')
    const reason = waited ? 'No connection to the database is free' : 'The database cannot be reached'
    throw new TandemError({ kind: 'unavailable', service: 'database', reason, retryAfter: 1 }, { cause })
  }
}
