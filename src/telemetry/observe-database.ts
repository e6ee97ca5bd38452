import type { Database, Rows, Statement } from '../domain/ports/context.ts'

/** Runs one statement and reports it. `task`: the name of the statement. */
export type ObserveStatement = (
  of: { readonly statement: Statement; readonly task: string },
  run: (statement: Statement) => Promise<Rows>,
) => Promise<Rows>

/** Statements inside of transactions are reported too, except `begin` and `commit`. */
export function observeDatabase<Db extends Database>(db: Db, observe: ObserveStatement): Db {
  const run: Database['run'] = (statement) =>
    observe({ statement, task: taskOf(statement) }, (observed) => db.run(observed))
  const runLast: Database['runLast'] = async (statement) => {
    await observe({ statement, task: taskOf(statement) }, async (observed) => {
      await db.runLast(observed)
      return { rows: [], count: 0 }
    })
  }
  const runAfter = (statement: Statement): Promise<Rows> =>
    observe({ statement, task: taskOf(statement) }, (observed) => (db as Required<Database>).runAfter(observed))
  const transaction: Database['transaction'] = (work) =>
    db.transaction((inner) => work(observeDatabase(inner, observe)))
  return { ...db, run, runLast, ...(db.runAfter === undefined ? {} : { runAfter }), transaction }
}

/** Statements that are compiled from queries and mutations have no task of their own. */
const taskOf = ({ task, rows }: Statement): string => task ?? (rows === undefined ? 'other' : 'rows')
