/** Work that the database has ended because of a conflict with other work is done again. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../domain/ports/context.ts'
import { isConflict } from './errors.ts'

const mostAttempts = 12

/** Milliseconds that the second attempt waits for at most; each later one for so many more. */
const longestPause = 50

/**
 * Runs a transaction, and again after a conflict. The pause is left to chance, so that two that have met do not meet
 * again.
 */
export async function repeated<T>(transaction: () => Promise<T>): Promise<T> {
  let last: unknown
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transaction()
    } catch (error) {
      // The same error once more is that of a transaction around this one, which is over.
      if (attempt >= mostAttempts || !isConflict(error) || error === last) throw error
      last = error
    }
    await sleep(Math.random() * longestPause * attempt)
  }
}

/** `work` changes nothing but the database, because a conflict repeats it. */
export const repeatedTransaction = <T>(
  db: Pick<Database, 'transaction'>,
  work: (inner: Database) => Promise<T>,
): Promise<T> => repeated(() => db.transaction(work))
