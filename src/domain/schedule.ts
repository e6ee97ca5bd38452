/** Times that come again: the five fields of cron (minute, hour, day, month, weekday), in UTC. */

/** The numbers that each field allows; `anyDay`: which of day and weekday the text leaves open. */
export type Schedule = {
  readonly fields: readonly [Numbers, Numbers, Numbers, Numbers, Numbers]
  readonly isDayOpen: boolean
  readonly isWeekdayOpen: boolean
}

type Numbers = ReadonlySet<number>

const bounds = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
] as const

/**
 * Lists, ranges and steps of numbers; null for what is no schedule.
 * @example parseSchedule('0 0 * * *') // every midnight
 */
export function parseSchedule(text: string): Schedule | null {
  const parts = text.trim().split(/\s+/)
  if (parts.length !== bounds.length) return null
  const fields = parts.map((part, index) => parseField(part, bounds[index] as readonly [number, number]))
  if (fields.includes(null)) return null
  const [minute, hour, day, month, weekday] = fields as unknown as Schedule['fields']
  // Sunday is 0 and 7.
  const weekdays = new Set([...weekday].map((each) => each % 7))
  const isDayOpen = parts[2] === '*'
  return { fields: [minute, hour, day, month, weekdays], isDayOpen, isWeekdayOpen: parts[4] === '*' }
}

/** Whether the minute of the instant is one of the schedule's. Where day and weekday are both named, either will do. */
export function isDue({ fields, isDayOpen, isWeekdayOpen }: Schedule, at: Date): boolean {
  const [minutes, hours, days, months, weekdays] = fields
  if (!minutes.has(at.getUTCMinutes()) || !hours.has(at.getUTCHours()) || !months.has(at.getUTCMonth() + 1))
    return false
  const isDay = days.has(at.getUTCDate())
  const isWeekday = weekdays.has(at.getUTCDay())
  return isDayOpen || isWeekdayOpen ? isDay && isWeekday : isDay || isWeekday
}

/** Tells at each look whether a minute of the schedule has begun since the look before: timers come late and skip some. */
export function watchSchedule(schedule: Schedule, start: Date): (now: Date) => boolean {
  let looked = minuteOf(start)
  return (now) => {
    const before = looked
    looked = minuteOf(now)
    for (let at = before + 1; at <= looked; at += 1) if (isDue(schedule, new Date(at * minute))) return true
    return false
  }
}

const minute = 60_000

const minuteOf = (at: Date): number => Math.floor(at.getTime() / minute)

const range = /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/

function parseField(text: string, [least, most]: readonly [number, number]): Numbers | null {
  const found = new Set<number>()
  for (const part of text.split(',')) {
    const match = range.exec(part)
    if (match === null) return null
    const [, first, last, step] = match
    const from = first === undefined ? least : Number(first)
    const to = last !== undefined ? Number(last) : first === undefined || step !== undefined ? most : from
    const by = step === undefined ? 1 : Number(step)
    if (from < least || to > most || from > to || by === 0) return null
    for (let number = from; number <= to; number += by) found.add(number)
  }
  return found
}
