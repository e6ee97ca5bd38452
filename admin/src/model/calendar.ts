/** Days of a calendar, and the values of fields that fall on them. */

/** The types of fields that name a day. */
export const dayTypes = ['date', 'dateTime', 'timestamp'] as const
export type DayType = (typeof dayTypes)[number]

const two = (count: number): string => String(count).padStart(2, '0')

/** `2026-11-27`, as the clock of the browser has it. */
export const toDay = (time: Date): string => `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`

/** The day that a value falls on; null for what is no time. */
export function dayOf(type: DayType, value: unknown): string | null {
  if (typeof value !== 'string') return null
  if (type !== 'timestamp') return /^\d{4}-\d{2}-\d{2}/.exec(value)?.[0] ?? null
  const time = new Date(value)
  return Number.isNaN(time.getTime()) ? null : toDay(time)
}

/** The first moment of a day, as a filter compares a field of the type with it. */
export function beginOf(type: DayType, day: Date): string {
  if (type === 'timestamp') return new Date(day.getFullYear(), day.getMonth(), day.getDate()).toISOString()
  return type === 'date' ? toDay(day) : `${toDay(day)}T00:00:00`
}

/** The weeks that a month touches, whole; `firstDay` is that of a week, 0 for Sunday. */
export function weeksOf(month: Date, firstDay: number): readonly (readonly Date[])[] {
  const first = new Date(month.getFullYear(), month.getMonth(), 1)
  const before = (first.getDay() - firstDay + 7) % 7
  const days = new Date(month.getFullYear(), month.getMonth() + 1, 0).getDate()
  return Array.from({ length: Math.ceil((before + days) / 7) }, (_, week) =>
    Array.from(
      { length: 7 },
      (__, day) => new Date(month.getFullYear(), month.getMonth(), 1 - before + week * 7 + day),
    ),
  )
}

type WeekInfo = { readonly firstDay: number }

/** The day that weeks begin with where the language is spoken, 0 for Sunday; Monday where browsers do not know. */
export function firstDayOf(language: string): number {
  const locale = new Intl.Locale(language) as Intl.Locale & { getWeekInfo?: () => WeekInfo; weekInfo?: WeekInfo }
  return ((locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 1) % 7
}
