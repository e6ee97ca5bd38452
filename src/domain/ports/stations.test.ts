import { expect, test } from 'vitest'
import { createStopwatch, serverTiming } from './stations.ts'

test('time is added to the station that a request leaves, in the order of the stations', () => {
  const clock = [0, 2, 3, 7, 8.5]
  const stopwatch = createStopwatch(() => clock.shift() ?? 0)
  stopwatch.leave('validate')
  stopwatch.leave('run')
  stopwatch.leave('authorize')
  stopwatch.leave('run')
  expect([...stopwatch.times()]).toEqual([
    ['validate', 2],
    ['run', 2.5],
    ['authorize', 4],
  ])
  expect(serverTiming(stopwatch.times())).toBe('validate;dur=2.00, authorize;dur=4.00, run;dur=2.50')
})
