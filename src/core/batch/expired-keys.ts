/** Deletes the stored answers of idempotency keys that have expired. */
import type { Database, Log } from '../../domain/ports/context.ts'
import { deleteExpired } from '../../sql/statements/batch/idempotency.ts'
import { repeatEvery } from '../recurring.ts'

const batch = 1000

/** Returns the number of deleted answers. */
export async function deleteAllExpired(db: Pick<Database, 'run'>): Promise<number> {
  let all = 0
  for (;;) {
    const count = await deleteExpired(db, batch)
    all += count
    if (count < batch) return all
  }
}

/** Deletes them every ten minutes. The result stops it and waits for a running deletion. */
export const deleteExpiredKeys = (db: Pick<Database, 'run'>, log: Log): (() => Promise<void>) =>
  repeatEvery(600_000, async () => {
    await deleteAllExpired(db).catch((error: unknown) =>
      log.warn({ err: error }, 'Expired answers could not be deleted'),
    )
  }).close
