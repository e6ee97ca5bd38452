import { expect, test } from 'vitest'
import { createLatencyEstimates, startWatch } from './read-batches.ts'

test('a name that is not known takes forever, and one that is known the mean of its last times', () => {
  const estimates = createLatencyEstimates()
  expect([estimates.expect('a'), estimates.expect(undefined)]).toEqual([Infinity, Infinity])
  estimates.note('a', 8)
  estimates.note('a', 0)
  estimates.note(undefined, 1)
  expect([estimates.expect('a'), estimates.expect('b'), estimates.expect(undefined)]).toEqual([7, Infinity, Infinity])
})

test('the oldest names are forgotten when there are too many', () => {
  const estimates = createLatencyEstimates()
  for (let n = 0; n < 10_001; n += 1) estimates.note(String(n), 1)
  expect([estimates.expect('0'), estimates.expect('1'), estimates.expect('10000')]).toEqual([Infinity, 1, 1])
})

test('waiting counts, being busy hardly', () => {
  let [time, idle] = [1_000, 400]
  const watch = startWatch({ now: () => time, idle: () => idle })
  time += 160
  expect(watch()).toBe(10)
  time += 160
  idle += 50
  expect(watch()).toBe(50)
  expect(watch()).toBe(0)
})

test('the clock of the process begins with the watch', () => {
  const watch = startWatch()
  expect(watch()).toBeGreaterThanOrEqual(0)
  expect(watch()).toBeLessThan(performance.now())
})
