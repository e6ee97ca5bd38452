/** Makes the log of a mutation, and defers statements to the end of a nested write. */
import type { Deferred, WriteLog } from '../../domain/ports/write-log.ts'

/** The log of a mutation whose statements are awaited one by one. */
export const openLog = (): WriteLog => ({ written: [], deferred: null })

/** Awaits the answer, or leaves that to the end of the nested write. */
export async function awaitAnswer({ deferred }: WriteLog, answer: Promise<unknown>): Promise<void> {
  if (deferred === null) await answer
  else deferAnswer(deferred, answer)
}

/** Leaves waiting for the answer to the end. Until then its failure is not reported as unhandled. */
export function deferAnswer({ answers }: Deferred, answer: Promise<unknown>): void {
  answer.catch(() => undefined)
  answers.push(answer)
}

/**
 * Runs the work of a nested write, then awaits what it deferred. Throws the first failure in the order in which the
 * statements were sent: later failures only follow from it.
 */
export async function settleDeferred<T>({ answers }: Deferred, work: () => Promise<T>): Promise<T> {
  const done = work()
  await done.catch(() => undefined)
  for (const answer of answers) await answer
  return done
}
