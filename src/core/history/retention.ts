/** Deletes old activity and revisions in batches. */
import type { Database, Log } from '../../domain/ports/context.ts'
import { type Schedule, watchSchedule } from '../../domain/ports/schedule.ts'
import { repeatedTransaction } from '../../sql/errors/conflicts.ts'
import { deleteOldActivity, deleteOldRevisions, type OldHistory } from '../../sql/statements/activity.ts'
import { tryLockHistory } from '../../sql/statements/locks.ts'
import { repeatEvery } from '../recurring.ts'

/** Ages in milliseconds; null = forever. */
export type Retention = {
  readonly schedule: Schedule
  readonly batch: number
  readonly activity: number | null
  readonly revisions: number | null
}

export type Removed = { readonly activity: number; readonly revisions: number }

/**
 * Deletes old history. Each batch is a transaction. A lock ensures that only one replica deletes; the others return at
 * once. Comments are kept, and so is activity with a remaining revision.
 */
export async function removeOldHistory(db: Database, retention: Retention, now: Date): Promise<Removed> {
  const { batch } = retention
  const before = (age: number | null): Date | null => (age === null ? null : new Date(now.getTime() - age))
  const revisions = await removeAll(db, deleteOldRevisions, before(retention.revisions), batch)
  const activity = await removeAll(db, deleteOldActivity, before(retention.activity), batch)
  return { activity, revisions }
}

type Deletion = (db: Database, old: OldHistory) => Promise<number>

async function removeAll(db: Database, deletion: Deletion, before: Date | null, batch: number): Promise<number> {
  if (before === null) return 0
  let removed = 0
  for (;;) {
    const count = await repeatedTransaction(db, async (inner) => {
      return (await tryLockHistory(inner)) ? deletion(inner, { before, batch }) : 0
    })
    removed += count
    if (count < batch) return removed
  }
}

/** Checks the schedule every minute. The result stops it and waits for a running deletion. */
export function deleteHistoryBySchedule(
  db: Database,
  retention: Retention,
  { clock, log }: { readonly clock: () => Date; readonly log: Log },
): () => Promise<void> {
  const isDue = watchSchedule(retention.schedule, clock())
  const deleteIfDue = async (): Promise<void> => {
    const now = clock()
    if (!isDue(now)) return
    try {
      const removed = await removeOldHistory(db, retention, now)
      if (removed.activity + removed.revisions > 0) log.info(removed, 'Deleted old history')
    } catch (error) {
      log.error({ err: error }, 'Old history could not be deleted')
    }
  }
  return repeatEvery(minute, deleteIfDue).close
}

const minute = 60_000
