/** Statements on a pool: lending, retrying where it is safe, translating errors. */
import type pg from 'pg'
import type { Database, Rows, Statement } from '../domain/context.ts'
import { isBrokenConnection, isStaleStatement, toTandemError } from './errors.ts'
import { lend, send } from './lend.ts'
import { inTransaction } from './transaction.ts'

/** The port over a pool. */
export function databaseOf(pool: pg.Pool, dialect: string): Database {
  return {
    dialect,
    run: (statement) => runOnce(pool, statement, true),
    runLast: async (statement) => void (await runOnce(pool, statement, true)),
    transaction: (work) => inTransaction(pool, dialect, work),
  }
}

/**
 * A read is tried again on another connection when the first one turns out to be dead; a write never is. What the
 * first one had prepared before a schema change, the other one may have too: it is asked without a name.
 */
async function runOnce(pool: pg.Pool, statement: Statement, mayRetry: boolean): Promise<Rows> {
  const client = await lend(pool)
  try {
    const rows = await send(client, statement)
    client.release()
    return rows
  } catch (error) {
    const broken = isBrokenConnection(error)
    const stale = isStaleStatement(error)
    client.release(broken || stale)
    const { name: _name, ...unnamed } = statement
    if (mayRetry && (stale || (broken && isRead(statement)))) return runOnce(pool, unnamed, false)
    throw toTandemError(error)
  }
}

const isRead = (statement: Statement): boolean => /^\s*select\b/i.test(statement.text)
