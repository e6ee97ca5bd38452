/** Deletes answers whose time is over. */
import type { Database, Log } from '../../domain/ports/context.ts'
import { deleteExpired } from '../../sql/statements/batch/idempotency.ts'

const batch = 1000

/** Returns the number of deleted answers. */
export async function forgetExpired(db: Pick<Database, 'run'>): Promise<number> {
  let all = 0
  for (;;) {
    const count = await deleteExpired(db, batch)
    all += count
    if (count < batch) return all
  }
}

/** Deletes them every ten minutes. The result stops it and waits for a running deletion. */
export function keepKeysFew(db: Pick<Database, 'run'>, log: Log, interval = 600_000): () => Promise<void> {
  let running = Promise.resolve()
  const forget = async (): Promise<void> => {
    await forgetExpired(db).catch((error: unknown) => log.warn({ err: error }, 'Expired answers could not be deleted'))
  }
  const timer = setInterval(() => void (running = running.then(forget)), interval)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}
