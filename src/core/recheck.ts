/** Checks the callers of open connections after rights, sessions or users have changed. */

/** Connections that are checked at the same time. */
const atOnce = 10

/**
 * Returns what starts a check of all connections. One check runs at a time; changes during it lead to one more, because
 * earlier connections were checked before them.
 */
export function createRecheck(connections: Iterable<{ readonly check: () => Promise<void> }>): () => void {
  let isRunning = false
  let isDue = false
  const run = async (): Promise<void> => {
    isRunning = true
    while (isDue) {
      isDue = false
      const waiting = Array.from(connections)
      const next = async (): Promise<void> => {
        for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) await each.check()
      }
      await Promise.all(Array.from({ length: atOnce }, next))
    }
    isRunning = false
  }
  return () => {
    isDue = true
    if (!isRunning) void run()
  }
}
