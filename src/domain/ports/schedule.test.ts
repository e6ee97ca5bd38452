import { expect, test } from 'vitest'
import { parseSchedule, type Schedule, watchSchedule } from './schedule.ts'

test.for([
  ['0 0 * * *', '2026-01-31T00:00:59Z', true],
  ['0 0 * * *', '2026-01-31T00:01:00Z', false],
  ['*/15 8-10 * * *', '2026-01-31T09:45:00Z', true],
  ['*/15 8-10 * * *', '2026-01-31T11:45:00Z', false],
  ['5/20 * * * *', '2026-01-31T11:45:00Z', true],
  ['1,3-5 * * * *', '2026-01-31T11:04:00Z', true],
  ['0 0 1 * *', '2026-02-01T00:00:00Z', true],
  ['0 0 * 2 *', '2026-01-31T00:00:00Z', false],
  ['0 0 * * 7', '2026-02-01T00:00:00Z', true],
  ['0 0 * * 0', '2026-02-01T00:00:00Z', true],
  ['0 0 * * 1', '2026-02-01T00:00:00Z', false],
  ['0 0 15 * 0', '2026-02-01T00:00:00Z', true],
  ['0 0 15 * 0', '2026-02-15T00:00:00Z', true],
  ['0 0 15 * 0', '2026-02-16T00:00:00Z', false],
] as const)('%s at %s: %s', ([text, at, due]) => {
  const aMinuteBefore = new Date(Date.parse(at) - 60_000)
  expect(watchSchedule(parseSchedule(text) as Schedule, aMinuteBefore)(new Date(at))).toBe(due)
})

test.for([
  '',
  '* * * *',
  '* * * * * *',
  '60 * * * *',
  '* 24 * * *',
  '* * 0 * *',
  '5-1 * * * *',
  '2026 * * * * *',
  '*/0 * * * *',
  'a * * * *',
])('%j is no schedule', (text) => {
  expect(parseSchedule(text)).toBeNull()
})

test('looks that come late miss no minute of the schedule, and none counts twice', () => {
  const isDueSince = watchSchedule(parseSchedule('0 0 * * *') as Schedule, new Date('2026-01-30T23:58:59.990Z'))
  const looks = ['23:59:59.995Z', '00:01:00.001Z', '00:01:59.999Z'].map((time, at) =>
    isDueSince(new Date(`2026-01-3${at === 0 ? 0 : 1}T${time}`)),
  )
  expect(looks).toEqual([false, true, false])
  expect(isDueSince(new Date('2026-02-03T10:00:00Z'))).toBe(true)
})

test('a schedule whose day never comes is never due', () => {
  const isDueSince = watchSchedule(parseSchedule('0 0 31 2 *') as Schedule, new Date('2026-01-30T00:00:00Z'))
  expect(isDueSince(new Date('2036-01-30T00:00:00Z'))).toBe(false)
})
