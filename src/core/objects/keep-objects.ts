/**
 * Removes abandoned objects while the server runs: at the start, after the grace period, by schedule, and after rows were
 * deleted.
 */

import { type Schedule, watchSchedule } from '../../domain/ports/schedule.ts'
import type { Announcements } from '../announcements.ts'
import { repeatEvery } from '../recurring.ts'
import { deleteDoomed, type ObjectKeeper, repairObjects, writeGrace } from './stored-objects.ts'

const minute = 60_000

/** Runs one cleanup at a time. A request during a cleanup starts another one afterwards. */
export function keepObjects(
  keeper: ObjectKeeper,
  { announcements, schedule }: { readonly announcements: Announcements; readonly schedule: Schedule },
): { readonly close: () => Promise<void> } {
  let pending: 'repair' | 'delete' | null = 'repair'
  const isDue = watchSchedule(schedule, new Date())
  const clean = async (): Promise<void> => {
    const kind = isDue(new Date()) ? 'repair' : pending
    pending = null
    try {
      if (kind === 'delete') await deleteDoomed(keeper)
      if (kind !== 'repair') return
      const done = await repairObjects(keeper, new Date())
      if (done.deleted + done.unfinished > 0) keeper.log.info(done, 'Removed abandoned objects')
    } catch (error) {
      keeper.log.warn({ err: error }, 'Abandoned objects could not be removed; the next cleanup tries again')
    }
  }
  const cleanups = repeatEvery(minute, clean)
  const request = (kind: 'repair' | 'delete'): void => {
    pending = pending === 'repair' ? 'repair' : kind
    void cleanups.run()
  }
  request('repair')
  const early = setTimeout(() => request('repair'), writeGrace + minute).unref()
  const off = announcements.on('files', () => request('delete'))
  return {
    async close() {
      off()
      clearTimeout(early)
      await cleanups.close()
    },
  }
}
