/** Statements on connections of the pool: safe retries, and translation of errors. */
import type { Database, Rows, Statement } from '../../domain/ports/context.ts'
import { isBrokenConnection, isStaleStatement, toTandemError } from '../errors/errors.ts'
import type { ConnectionPool } from './connection-pool.ts'
import type { Cancel } from './driver-internals.ts'
import { isRead } from './is-read.ts'
import { batchReads, type ReadStatement, type Reads } from './read-batches.ts'
import { send } from './send.ts'
import { inTransaction } from './transaction.ts'

/** The `Database` port over a pool. Without `cancel`, the reads of disconnected clients run to their end. */
export function databaseOf(
  connections: ConnectionPool,
  dialect: string,
  cancel: Cancel | null,
): Database & Pick<Reads, 'cancelReads'> {
  const { read, cancelReads } = batchReads(connections, cancel)
  const run = (statement: Statement): Promise<Rows> =>
    isForAsker(statement) ? read(statement) : runOnce(connections, statement, true)
  return {
    dialect,
    run,
    runLast: async (statement) => void (await run(statement)),
    transaction: (work) => inTransaction(connections, dialect, work),
    cancelReads,
  }
}

/**
 * A read is retried on another connection if the first one is dead; a write never is. After a schema change the other
 * connection may have outdated prepared statements too, so the retry has no name.
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
