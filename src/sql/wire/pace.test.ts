import { expect, test } from 'vitest'
import { createPace, startWatch } from './pace.ts'

test('a name that is not known takes forever, and one that is known the mean of its last times', () => {
  const pace = createPace()
  expect([pace.expect('a'), pace.expect(undefined)]).toEqual([Infinity, Infinity])
  pace.note('a', 8)
  pace.note('a', 0)
  pace.note(undefined, 1)
  expect([pace.expect('a'), pace.expect('b'), pace.expect(undefined)]).toEqual([7, Infinity, Infinity])
})

test('the oldest names are forgotten when there are too many', () => {
  const pace = createPace()
  for (let n = 0; n < 10_001; n += 1) pace.note(String(n), 1)
  expect([pace.expect('0'), pace.expect('1'), pace.expect('10000')]).toEqual([Infinity, 1, 1])
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
