/** Deletes old activity and revisions in batches. */
import type { Database, Log } from '../../domain/ports/context.ts'
import { type Schedule, watchSchedule } from '../../domain/ports/schedule.ts'
import { repeatedTransaction } from '../../sql/errors/conflicts.ts'
import {
  type ActivityPlace,
  deleteActivity,
  deleteRevisionsOf,
  findOldActivity,
} from '../../sql/statements/activity.ts'
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
  const revisions = await removeAll(db, deleteRevisionsOf, before(retention.revisions), batch)
  const activity = await removeAll(db, deleteActivity, before(retention.activity), batch)
  return { activity, revisions }
}

type Deletion = (db: Database, activity: readonly number[]) => Promise<number>

/** Goes through the old entries once, so that those which are kept are not read again for every batch. */
async function removeAll(db: Database, deletion: Deletion, before: Date | null, batch: number): Promise<number> {
  if (before === null) return 0
  let removed = 0
  let behind: ActivityPlace | null = null
  do {
    const old = { before, behind, batch }
    const done: { readonly last: ActivityPlace | null; readonly count: number } = await repeatedTransaction(
      db,
      async (inner) => {
        if (!(await tryLockHistory(inner))) return { last: null, count: 0 }
        const entries = await findOldActivity(inner, old)
        const last = entries.length < batch ? null : (entries.at(-1) ?? null)
        return {
          last,
          count: await deletion(
            inner,
            entries.map(({ id }) => id),
          ),
        }
      },
    )
    removed += done.count
    behind = done.last
  } while (behind !== null)
  return removed
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
