/** A transaction in the form of a database: for work that opens a transaction of its own, and fails alone. */
import type { Database } from '../../domain/ports/context.ts'
import { isRead } from '../../sql/shapes/is-read.ts'

/**
 * The database of a transaction in which each write runs in a savepoint, so that statements still work after a failed
 * write.
 */
export function withSavepoints(db: Database): Database {
  const run: Database['run'] = (statement) =>
    isRead(statement) ? db.run(statement) : db.transaction((inner) => inner.run(statement))
  return {
    dialect: db.dialect,
    ...(db.stream === undefined ? {} : { stream: db.stream.bind(db) }),
    run,
    runLast: async (statement) => void (await run(statement)),
    transaction: (work) => db.transaction(work),
  }
}
