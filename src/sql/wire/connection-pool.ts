/** Connections of a pool: asked for in the words of this program, and watched while they are lent. */
import type pg from 'pg'
import { TandemError } from '../../domain/rights/errors.ts'

export type ConnectionPool = {
  /** Rejects as `unavailable` when none comes free in time, or none can be made. */
  readonly acquire: () => Promise<pg.PoolClient>
  /** `isUseless`: it is closed. */
  readonly release: (client: pg.PoolClient, isUseless: boolean) => void
  /** How many wait for a connection. */
  readonly waiting: () => number
  /** Waits for what is lent, then closes every connection; nothing can be lent from now on. */
  readonly close: () => Promise<void>
}

export function createConnectionPool(pool: pg.Pool, onGivenBack: () => void = () => undefined): ConnectionPool {
  // The pool hears only of connections that it has itself; an error that nobody hears would end the process. One that
  // is lost while it is lent fails its statement, and the pool closes it when it comes back.
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

/** Whatever stands in the way, a wrong password included, is for the operator to read in the log. */
async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect()
  } catch (cause) {
    const waited = cause instanceof Error && cause.message.startsWith('timeout exceeded')
    const reason = waited ? 'No connection to the database is free' : 'The database cannot be reached'
    throw new TandemError({ kind: 'unavailable', service: 'database', reason, retryAfter: 1 }, { cause })
  }
}
