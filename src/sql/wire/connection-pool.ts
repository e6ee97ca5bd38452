import type pg from 'pg'
import { TandemError } from '../../domain/rights/errors.ts'

export type ConnectionPool = {
  /** Rejects as `unavailable` if no connection becomes free in time, or none can be opened. */
  readonly acquire: () => Promise<pg.PoolClient>
  /** How long the first one that waits for a connection has waited, in milliseconds. */
  readonly waitingTime: () => number
}

export function createConnectionPool(pool: pg.Pool): ConnectionPool {
  // The pool handles errors of idle connections only, and an unhandled error would end the process. The statement on a
  // lost connection fails, and the pool closes the connection when it is released.
  pool.on('connect', (client: pg.PoolClient) => client.on('error', () => undefined))
  const line = createLine()
  return { acquire: () => line.wait(connect(pool)), waitingTime: line.waitingTime }
}

/** Measures how long the first one in a line has waited, in milliseconds. */
export function createLine(now = () => performance.now()) {
  const starts = new Set<{ readonly at: number }>()
  return {
    async wait<T>(connection: Promise<T>): Promise<T> {
      const start = { at: now() }
      starts.add(start)
      try {
        return await connection
      } finally {
        starts.delete(start)
      }
    },
    waitingTime: (): number => {
      const [first] = starts
      return first === undefined ? 0 : now() - first.at
    },
    length: () => starts.size,
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
