import { expect, test } from 'vitest'
import { createCounter } from '../counters/counter.ts'
import { createAttempts } from './attempts.ts'
import { failuresOf } from './test-context.ts'

const counter = (name: string, points: number) => createCounter({ name, points, seconds: 60, redis: null })
const attemptsOf = (perAccount: number, perAddress: number) =>
  createAttempts({ perAccount: counter('account', perAccount), perAddress: counter('address', perAddress) })
const attempt = { action: 'login', account: 'a@example.com', ip: '192.0.2.1' }
const exceeded = (limit: number) => [
  { kind: 'requests-exceeded', limit, retryAfter: expect.any(Number) as number, reset: expect.any(String) as string },
]

test('an account has so many attempts, from wherever they come', async () => {
  const attempts = attemptsOf(2, 10)
  await attempts.begin(attempt)
  await attempts.begin({ ...attempt, ip: '192.0.2.2' })
  expect(await failuresOf(attempts.begin({ ...attempt, ip: '192.0.2.3' }))).toEqual(exceeded(2))
  await attempts.begin({ ...attempt, account: 'b@example.com' })
  await attempts.begin({ ...attempt, action: 'reset' })
})

test('an address has so many attempts, whatever accounts they are for', async () => {
  const attempts = attemptsOf(10, 2)
  await attempts.begin(attempt)
  await attempts.begin({ ...attempt, account: 'b@example.com' })
  expect(await failuresOf(attempts.begin({ ...attempt, account: 'c@example.com' }))).toEqual(exceeded(2))
})

test('success counts for nothing, and pays for no other account', async () => {
  const attempts = attemptsOf(2, 4)
  const own = { ...attempt, account: 'own@example.com' }
  for (let at = 0; at < 10; at += 1) {
    await attempts.begin(own)
    await attempts.succeed(own)
  }
  for (const account of ['b', 'c', 'd', 'e']) {
    await attempts.begin({ ...attempt, account })
    if (account === 'e') break
    await attempts.begin(own)
    await attempts.succeed(own)
  }
  expect(await failuresOf(attempts.begin(own))).toEqual(exceeded(4))
})

test('attempts at once are counted before any is judged', async () => {
  const attempts = attemptsOf(5, 100)
  const results = await Promise.allSettled(Array.from({ length: 50 }, () => attempts.begin(attempt)))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
})

test('without counters everything is let through', async () => {
  const attempts = createAttempts(null)
  for (let at = 0; at < 100; at += 1) await attempts.begin(attempt)
  await attempts.succeed(attempt)
})
