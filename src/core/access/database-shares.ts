/**
 * Limits the database connections of each caller, so that one caller cannot block the others. Statements beyond the limit
 * wait in a queue per caller.
 */
import { networkOf } from '../../counters/network.ts'
import type { Asker, Database } from '../../domain/ports/context.ts'
import { createQueue } from '../../domain/ports/queue.ts'
import type { Actor } from '../../domain/rights/actor.ts'

export type CallerShare = {
  /** Share of the connections that one caller may use at the same time; at least one connection. */
  readonly part: number
  /** Limit of the waiting time in milliseconds. */
  readonly acquireTimeout: number
  /** Limit of a read in the database in milliseconds. */
  readonly timeout: number
}

/** `connections`: maximum number of connections. */
type SharedDatabase = Database & { readonly connections: number; readonly cancelReads?: (asker: Asker) => void }

/** Returns the database with the limit of a caller. */
export type DatabaseShares = (actor: Actor, ip: string | null) => Database

/** A caller is a user, with all its sessions, or an anonymous address. */
export function createDatabaseShares(
  db: SharedDatabase,
  { part, acquireTimeout, timeout }: CallerShare,
): DatabaseShares {
  const timed = withTimeout(db, timeout)
  if (part >= 1) return ({ kind }) => (kind === 'system' ? db : timed)
  const reason = 'The caller has too many requests at the same time'
  const { take } = createQueue({
    service: 'database',
    runningPerCaller: Math.max(1, Math.floor(db.connections * part)),
    timeout: acquireTimeout,
    reasons: { full: reason, late: reason },
    retryAfter: 1,
  })
  return (actor, ip) => {
    if (actor.kind === 'system') return db
    const caller = actor.kind === 'user' ? `user ${actor.user}` : `address ${networkOf(ip)}`
    return {
      dialect: db.dialect,
      ...(timed.stream === undefined
        ? {}
        : {
            stream: (statement, onPage) => take(caller, () => timed.stream?.(statement, onPage) ?? Promise.resolve()),
          }),
      run: (statement) => take(caller, () => timed.run(statement)),
      runLast: async (statement) => void (await take(caller, () => timed.run(statement))),
      transaction: (work) => take(caller, () => timed.transaction(work)),
    }
  }
}

/** Cancels reads that take too long, as those of clients that have disconnected. */
function withTimeout(db: SharedDatabase, timeout: number): Database {
  const run: Database['run'] = async (statement) => {
    const { asker } = statement
    if (asker === undefined || db.cancelReads === undefined) return db.run(statement)
    const timer = setTimeout(() => db.cancelReads?.(asker), timeout)
    try {
      return await db.run(statement)
    } finally {
      clearTimeout(timer)
    }
  }
  return { ...db, run }
}
