import { expect, test } from 'vitest'
import { createCounter } from '../../counters/counter.ts'
import { adminUser, failuresOf } from '../testing/test-context.ts'
import { countMails, createAttempts } from './attempts.ts'

const counter = (name: string, points: number) => createCounter({ name, points, seconds: 60, redis: null })
function attemptsOf(perAccount: number, perAddress: number) {
  const counters = { perAccount: counter('account', perAccount), perAddress: counter('address', perAddress) }
  const registration = { perAccount: null, perAddress: counter('registrations', 1) }
  return createAttempts((action) => (action === 'registration' ? registration : counters))
}
const attempt = { action: 'login', account: 'a@example.com', ip: '192.0.2.1' } as const
const exceeded = (limit: number) => [
  { kind: 'requests-exceeded', limit, retryAfter: expect.any(Number) as number, reset: expect.any(String) as string },
]

test('an account has so many attempts, from wherever they come', async () => {
  const attempts = attemptsOf(2, 10)
  await attempts.begin(attempt)
  await attempts.begin({ ...attempt, ip: '192.0.2.2' })
  expect(await failuresOf(attempts.begin({ ...attempt, ip: '192.0.2.3' }))).toEqual(exceeded(2))
  await attempts.begin({ ...attempt, account: 'b@example.com' })
  await attempts.begin({ ...attempt, action: 'password-reset' })
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

test('each action has counters of its own, and one without a counter is not limited', async () => {
  const attempts = attemptsOf(1, 100)
  const registration = { ...attempt, action: 'registration' } as const
  await attempts.begin(attempt)
  await attempts.begin(registration)
  expect(await failuresOf(attempts.begin({ ...registration, account: 'b@example.com' }))).toEqual(exceeded(1))
  await attempts.succeed(registration)
  await attempts.begin({ ...registration, ip: '192.0.2.2' })
})

test('mails are counted by mailbox, and by user where one asks', async () => {
  const request = { id: 'r', ip: '192.0.2.1', userAgent: null, origin: null }
  const by = (user: string) => ({ request, actor: { ...adminUser, user }, attempts })
  const attempts = attemptsOf(2, 3)
  await countMails(by('ann'), 'invitation', ['a@example.com', 'b@example.com'])
  expect(await failuresOf(countMails(by('ann'), 'invitation', ['c@example.com', 'd@example.com']))).toEqual(exceeded(3))
  await countMails(by('bo'), 'invitation', ['a@example.com'])
  expect(await failuresOf(countMails(by('bo'), 'invitation', ['a@example.com']))).toEqual(exceeded(2))
  await countMails(by('bo'), 'share-invitation', ['a@example.com'])
})
