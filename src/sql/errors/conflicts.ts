/** Work that the database has ended because of a conflict with other work is done again. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isConflict } from './errors.ts'

const mostAttempts = 8

/** Milliseconds that the second attempt waits for at most; each later one for so many more. */
const longestPause = 20

/**
 * Runs a transaction, and again after a conflict. The pause is left to chance, so that two that have met do not meet
 * again.
 */
export async function repeated<T>(transaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transaction()
    } catch (error) {
      if (attempt >= mostAttempts || !isConflict(error)) throw error
    }
    await sleep(Math.random() * longestPause * attempt)
  }
}
