/** Recurring schedules (cron): five fields (minute, hour, day, month, weekday), in UTC. */
import { Cron } from 'croner'

export type Schedule = {
  /** The first time of the schedule after an instant; null when there is none. */
  readonly nextRun: (after: Date) => Date | null
}

/**
 * Null for what is no schedule. Where day and weekday are both named, either will do; `5/20` begins at 5.
 * @example parseSchedule('0 0 * * *') // every midnight
 */
export function parseSchedule(text: string): Schedule | null {
  try {
    const cron = new Cron(text, { mode: '5-part', utcOffset: 0, sloppyRanges: true, paused: true })
    return { nextRun: (after) => cron.nextRun(after) }
  } catch {
    return null
  }
}

/** Returns a function that returns whether a scheduled minute has begun since the previous call. Timers may be late or skip minutes. */
export function watchSchedule(schedule: Schedule, start: Date): (now: Date) => boolean {
  let next = schedule.nextRun(start)
  return (now) => {
    if (next === null || next > now) return false
    next = schedule.nextRun(now)
    return true
  }
}
