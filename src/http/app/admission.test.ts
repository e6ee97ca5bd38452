import { expect, test } from 'vitest'
import { createPressure, overloadOf } from './admission.ts'

const settings = {
  interval: 10,
  maxUtilization: null,
  maxDelay: 500,
  maxDatabaseWait: null,
  maxRss: null,
  maxHeap: null,
  retryAfter: 1,
}
const calm = { utilization: 0.5, delay: 3, rss: 100, heap: 50 }

test.each([
  [calm, {}, null],
  [{ ...calm, utilization: 1 }, {}, null],
  [{ ...calm, utilization: 0.995 }, { maxUtilization: 0.99 }, 'The server is too busy to answer'],
  [{ ...calm, delay: 501 }, {}, 'The server is too busy to answer'],
  [{ ...calm, delay: 501 }, { maxDelay: null }, null],
  [{ ...calm, rss: 101 }, { maxRss: 100 }, 'The server has too little memory to answer'],
  [{ ...calm, heap: 51 }, { maxHeap: 50 }, 'The server has too little memory to answer'],
  [calm, { maxRss: 100, maxHeap: 50 }, null],
])('%o under %o: %s', (load, changed, reason) => {
  expect(overloadOf(load, { ...settings, ...changed })).toBe(reason)
})

test('an idle process admits requests', async () => {
  const pressure = createPressure({ ...settings, maxDelay: 60_000, maxRss: 1024 ** 4 }, () => 60_000)
  await new Promise((resolve) => {
    setTimeout(resolve, 30)
  })
  expect(() => pressure.assertRoom(true)).not.toThrow()
  pressure.stop()
})

test('requests are refused while the wait for the database is too long', () => {
  let wait = 1000
  const pressure = createPressure({ ...settings, maxDatabaseWait: 1000, retryAfter: 7 }, () => wait)
  expect(() => pressure.assertRoom(true)).not.toThrow()
  wait = 1001
  const failure = { kind: 'unavailable', service: 'api', reason: 'The database is too busy to answer', retryAfter: 7 }
  expect(() => pressure.assertRoom(true)).toThrow(expect.objectContaining({ failures: [failure] }))
  expect(() => pressure.assertRoom(false)).not.toThrow()
  wait = 0
  expect(() => pressure.assertRoom(true)).not.toThrow()
  pressure.stop()
})
