/** Whether work has come so far that doing it anew would do it twice. */
import type { Database } from '../domain/context.ts'

/** The same database, and whether a transaction on it was committed since. */
export function noteCommits(db: Database): { readonly db: Database; readonly committed: () => boolean } {
  let committed = false
  const transaction: Database['transaction'] = async (work) => {
    const result = await db.transaction(work)
    committed = true
    return result
  }
  return { db: { ...db, transaction }, committed: () => committed }
}
