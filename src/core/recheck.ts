/** Checks the callers of open connections after rights, sessions or users have changed. */
import { inParallel, oneAtATime } from './recurring.ts'

/** Connections that are checked at the same time. */
const atOnce = 10

/** Returns what starts a check of all connections. Changes during a check lead to one more. */
export function createRecheck(connections: () => Iterable<{ readonly check: () => Promise<void> }>): () => void {
  const { run } = oneAtATime(() => inParallel([...connections()], atOnce, (each) => each.check()))
  return () => void run()
}
