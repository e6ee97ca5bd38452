import { expect, test } from 'vitest'
import { beginOf, dayOf, toDay, weeksOf } from './calendar.ts'

const noon = new Date(2026, 10, 5, 12)

const days = (firstDay: number) => weeksOf(noon, firstDay).map((week) => week.map(toDay))

test('weeks are whole, and begin with the day of the language', () => {
  expect(days(1).map(([first]) => first)).toEqual([
    '2026-10-26',
    '2026-11-02',
    '2026-11-09',
    '2026-11-16',
    '2026-11-23',
    '2026-11-30',
  ])
  expect(days(0).at(-1)?.at(-1)).toBe('2026-12-05')
  // February that begins with a Monday has four weeks.
  expect(weeksOf(new Date(2027, 1, 14), 1)).toHaveLength(4)
})

test('values fall on the day of the clock', () => {
  expect(dayOf('date', '2026-11-05')).toBe('2026-11-05')
  expect(dayOf('dateTime', '2026-11-05T23:59:59')).toBe('2026-11-05')
  expect(dayOf('timestamp', noon.toISOString())).toBe('2026-11-05')
  expect([dayOf('timestamp', 'soon'), dayOf('date', null)]).toEqual([null, null])
})

test('a day begins at midnight of the clock', () => {
  expect(beginOf('date', noon)).toBe('2026-11-05')
  expect(beginOf('dateTime', noon)).toBe('2026-11-05T00:00:00')
  expect(beginOf('timestamp', noon)).toBe(new Date(2026, 10, 5).toISOString())
})
