/** Statements on a pool: lending, retrying where it is safe, translating errors. */
import type pg from 'pg'
import type { Database, Rows, Statement } from '../domain/context.ts'
import { isBrokenConnection, isStaleStatement, toTandemError } from './errors.ts'
import { type Cancel, type Reads, watchReads } from './give-up.ts'
import { lend, send } from './lend.ts'
import { inTransaction } from './transaction.ts'

/** The port over a pool. Without `cancel`, what runs for nobody goes on to its end. */
export function databaseOf(pool: pg.Pool, dialect: string, cancel: Cancel | null): Database & Pick<Reads, 'giveUp'> {
  const reads = watchReads(cancel)
  const from = { pool, reads }
  return {
    dialect,
    run: (statement) => runOnce(from, statement, true),
    runLast: async (statement) => void (await runOnce(from, statement, true)),
    transaction: (work) => inTransaction(pool, dialect, work),
    giveUp: reads.giveUp,
  }
}

type From = { readonly pool: pg.Pool; readonly reads: Reads }

/**
 * A read is tried again on another connection when the first one turns out to be dead; a write never is. What the
 * first one had prepared before a schema change, the other one may have too: it is asked without a name.
 */
async function runOnce(from: From, statement: Statement, mayRetry: boolean): Promise<Rows> {
  const client = await lend(from.pool)
  const { asker } = statement
  try {
    const rows = await (asker === undefined ? send(client, statement) : from.reads.send(client, statement, asker))
    client.release()
    return rows
  } catch (error) {
    const broken = isBrokenConnection(error)
    const stale = isStaleStatement(error)
    client.release(broken || stale)
    const { name: _name, ...unnamed } = statement
    if (mayRetry && (stale || (broken && isRead(statement)))) return runOnce(from, unnamed, false)
    throw toTandemError(error)
  }
}

const isRead = (statement: Statement): boolean => /^\s*select\b/i.test(statement.text)
