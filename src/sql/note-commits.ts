/** Records whether a repetition of the work would repeat its effects. */
import type { Database } from '../domain/ports/context.ts'
import { isRead } from './shapes/is-read.ts'

/** The database, and whether a transaction or a statement other than a read has succeeded on it. */
export function noteCommits(db: Database): { readonly db: Database; readonly committed: () => boolean } {
  let committed = false
  const transaction: Database['transaction'] = async (work) => {
    const result = await db.transaction(work)
    committed = true
    return result
  }
  const run: Database['run'] = async (statement) => {
    const rows = await db.run(statement)
    if (!isRead(statement)) committed = true
    return rows
  }
  const runLast: Database['runLast'] = async (statement) => void (await run(statement))
  return { db: { ...db, run, runLast, transaction }, committed: () => committed }
}
