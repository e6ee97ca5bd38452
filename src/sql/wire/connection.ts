/** Statements on lent connections: retrying where it is safe, translating errors. */
import type { Database, Rows, Statement } from '../../domain/ports/context.ts'
import type { ConnectionPool } from './connection-pool.ts'
import { isBrokenConnection, isStaleStatement, toTandemError } from './errors.ts'
import type { Cancel } from './give-up.ts'
import { batchReads, type ReadStatement, type Reads } from './read-batches.ts'
import { send } from './send.ts'
import { inTransaction } from './transaction.ts'

/** The port over a pool's connections. Without `cancel`, what runs for nobody goes on to its end. */
export function databaseOf(
  connections: ConnectionPool,
  dialect: string,
  cancel: Cancel | null,
): Database & Pick<Reads, 'giveUp'> {
  const { read, giveUp } = batchReads(connections, cancel)
  const run = (statement: Statement): Promise<Rows> =>
    isForAsker(statement) ? read(statement) : runOnce(connections, statement, true)
  return {
    dialect,
    run,
    runLast: async (statement) => void (await run(statement)),
    transaction: (work) => inTransaction(connections, dialect, work),
    giveUp,
  }
}

/**
 * A read is tried again on another connection when the first one turns out to be dead; a write never is. What the
 * first one had prepared before a schema change, the other one may have too: it is asked without a name.
 */
async function runOnce(connections: ConnectionPool, statement: Statement, mayRetry: boolean): Promise<Rows> {
  const client = await connections.acquire()
  try {
    const rows = await send(client, statement)
    connections.release(client, false)
    return rows
  } catch (error) {
    const broken = isBrokenConnection(error)
    const stale = isStaleStatement(error)
    connections.release(client, broken || stale)
    const { name: _name, ...unnamed } = statement
    if (mayRetry && (stale || (broken && isRead(statement)))) return runOnce(connections, unnamed, false)
    throw toTandemError(error)
  }
}

const isForAsker = (statement: Statement): statement is ReadStatement => statement.asker !== undefined

/** Whether it can be done again. */
export const isRead = (statement: Statement): boolean => /^\s*select\b/i.test(statement.text)
