/**
 * Removes abandoned objects while the server runs: at the start, after the grace period, by schedule, and after rows were
 * deleted.
 */
import { type Schedule, watchSchedule } from '../../domain/ports/schedule.ts'
import type { Announcements } from '../announcements.ts'
import { deleteDoomed, type ObjectKeeper, repairObjects, writeGrace } from './stored-objects.ts'

const minute = 60_000

/** Runs one cleanup at a time. A request during a cleanup starts another one afterwards. */
export function keepObjects(
  keeper: ObjectKeeper,
  { announcements, schedule }: { readonly announcements: Announcements; readonly schedule: Schedule },
): { readonly close: () => Promise<void> } {
  const state: { wanted: 'repair' | 'delete' | null; closed: boolean } = { wanted: 'repair', closed: false }
  const work = async (): Promise<void> => {
    while (state.wanted !== null && !state.closed) {
      const what = state.wanted
      state.wanted = null
      try {
        if (what === 'delete') await deleteDoomed(keeper)
        else {
          const done = await repairObjects(keeper, new Date())
          if (done.deleted + done.unfinished > 0) keeper.log.info(done, 'Removed abandoned objects')
        }
      } catch (error) {
        keeper.log.warn({ err: error }, 'Abandoned objects could not be removed; the next cleanup tries again')
      }
    }
  }
  let running = work()
  const want = (what: 'repair' | 'delete'): void => {
    state.wanted = what === 'repair' || state.wanted === 'repair' ? 'repair' : 'delete'
    running = running.then(work)
  }
  const early = setTimeout(() => want('repair'), writeGrace + minute).unref()
  const isDue = watchSchedule(schedule, new Date())
  const timer = setInterval(() => {
    if (isDue(new Date())) want('repair')
  }, minute).unref()
  const off = announcements.on('files', () => want('delete'))
  return {
    async close() {
      state.closed = true
      off()
      clearInterval(timer)
      clearTimeout(early)
      await running
    },
  }
}
