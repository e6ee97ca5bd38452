/** Lending connections: those that come back stay at hand for whoever asks next. */
import type pg from 'pg'
import { TandemError } from '../domain/errors.ts'

export type Lender = {
  /** Rejects as `unavailable` when none comes free in time, or none can be made. */
  readonly lend: () => Promise<pg.PoolClient>
  /** `isUseless`: it is closed. */
  readonly giveBack: (client: pg.PoolClient, isUseless: boolean) => void
  /** How many wait for a connection. */
  readonly waiting: () => number
  /** Waits for what is lent, then closes every connection; nothing can be lent from now on. */
  readonly close: () => Promise<void>
}

/** Milliseconds that a connection stays at hand unused before the pool gets it, which closes it when it is not asked either. */
const unused = 1_000

/**
 * Passing a connection through the pool costs two timers, a promise and a turn of the queue, for each statement: one
 * that comes back while nobody waits does not go there.
 */
export function createLender(pool: pg.Pool, onGivenBack: () => void = () => undefined): Lender {
  const atHand: pg.PoolClient[] = []
  /** Those at hand that nobody has asked for since the last look. */
  let rested = 0
  const lost = new WeakSet<pg.PoolClient>()
  let timer: NodeJS.Timeout | null = null
  const look = (): void => {
    timer = null
    for (const client of atHand.splice(0, rested)) client.release()
    rested = atHand.length
    if (rested > 0) timer = setTimeout(look, unused).unref()
  }
  pool.on('connect', (client: pg.PoolClient) =>
    // The pool hears only of those that it has itself; an error that nobody hears would end the process.
    client.on('error', (error) => {
      lost.add(client)
      const at = atHand.indexOf(client)
      if (at === -1) return
      atHand.splice(at, 1)
      rested = Math.min(rested, atHand.length)
      client.release(error)
      pool.emit('error', error, client)
    }),
  )
  return {
    async lend() {
      const client = atHand.pop()
      if (client === undefined) return connect(pool)
      if (rested > atHand.length) rested = atHand.length
      return client
    },
    giveBack(client, isUseless) {
      onGivenBack()
      if (isUseless || lost.has(client)) return client.release(true)
      if (pool.ending || pool.waitingCount > 0) return client.release()
      atHand.push(client)
      timer ??= setTimeout(look, unused).unref()
    },
    waiting: () => pool.waitingCount,
    async close() {
      if (timer !== null) clearTimeout(timer)
      for (const client of atHand.splice(0)) client.release()
      await pool.end()
    },
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
