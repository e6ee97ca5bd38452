/** One transaction for a whole piece of work; two that stood in each other's way take turns. */
import type { Context } from '../../domain/ports/context.ts'
import { isConflict } from '../../sql/wire/errors.ts'

const mostAttempts = 4

/**
 * Commits when `work` resolves, rolls back when it rejects; `work` uses the inner ctx only. Work that the
 * database ended to solve a deadlock begins anew, so it may change nothing but the database. Within a transaction it
 * is a part of that one, and fails with it: who goes on after a part has failed asks the database for a transaction.
 */
export async function withTransaction<T>(ctx: Context, work: (inner: Context) => Promise<T>): Promise<T> {
  if (ctx.db.isInner === true) return work(ctx)
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ctx.db.transaction((db) => work({ ...ctx, db }))
    } catch (error) {
      if (attempt >= mostAttempts || !isConflict(error)) throw error
    }
  }
}
