/** What history is kept, and for how long: older activity and revisions are deleted, some at a time. */
import type { Database, Log } from '../domain/context.ts'
import { type Schedule, watchSchedule } from '../domain/schedule.ts'

/** Ages are milliseconds; null = kept for good. */
export type Retention = {
  readonly schedule: Schedule
  /** Rows per statement. */
  readonly batch: number
  readonly activity: number | null
  readonly revisions: number | null
}

/** How many rows went. */
export type Removed = { readonly activity: number; readonly revisions: number }

/**
 * Deletes what is too old; each batch is a transaction of its own. Of several replicas one does it, the
 * others go away at once. Comments stay, and so does activity of which a revision is kept.
 */
export async function removeOldHistory(db: Database, retention: Retention, now: Date): Promise<Removed> {
  const { batch } = retention
  const before = (age: number | null): string | null =>
    age === null ? null : new Date(now.getTime() - age).toISOString()
  const revisions = await removeAll(db, oldRevisions, before(retention.revisions), batch)
  const activity = await removeAll(db, oldActivity, before(retention.activity), batch)
  return { activity, revisions }
}

/** Names the turn that deleting history takes. */
const turn = 7_265_003

const oldRevisions = `delete from platform_revisions where id in (
  select r.id from platform_revisions r join platform_activity a on a.id = r.activity
    where a."timestamp" < $1 order by a."timestamp" limit $2
)`

const oldActivity = `delete from platform_activity where id in (
  select a.id from platform_activity a where a."timestamp" < $1 and a.action <> 'comment'
    and not exists (select 1 from platform_revisions r where r.activity = a.id)
    order by a."timestamp" limit $2
)`

async function removeAll(db: Database, text: string, before: string | null, batch: number): Promise<number> {
  if (before === null) return 0
  let removed = 0
  for (;;) {
    const count = await db.transaction(async (inner) => {
      const lock = 'select pg_try_advisory_xact_lock($1) as mine'
      const { rows } = await inner.run({ text: lock, values: [turn] })
      if (!(rows[0] as { readonly mine: boolean }).mine) return 0
      return (await inner.run({ text, values: [before, batch] })).count
    })
    removed += count
    if (count < batch) return removed
  }
}

/** Looks every minute whether it is time; the result ends it, after what runs. */
export function keepHistoryShort(
  db: Database,
  retention: Retention,
  { clock, log }: { readonly clock: () => Date; readonly log: Log },
): () => Promise<void> {
  let running: Promise<void> | null = null
  const isDue = watchSchedule(retention.schedule, clock())
  const look = (): void => {
    const now = clock()
    if (!isDue(now) || running !== null) return
    running = removeOldHistory(db, retention, now)
      .then((removed) => {
        if (removed.activity + removed.revisions > 0) log.info(removed, 'Old history was deleted')
      })
      .catch((error: unknown) => log.error({ err: error }, 'Old history could not be deleted'))
      .finally(() => {
        running = null
      })
  }
  const timer = setInterval(look, minute)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}

const minute = 60_000
