import { expect, test } from 'vitest'
import { TandemError } from '../domain/rights/errors.ts'
import { createQueue, loginTurns, requestQueue, turnsOf } from './hash-turns.ts'

/** Takes turns that end when the gate opens. */
const hold = (count: number, take: (work: () => Promise<void>) => Promise<void>, gate: Promise<void>) =>
  Promise.allSettled(Array.from({ length: count }, () => take(() => gate)))

test('one caller has a limited queue, and further jobs get a retry time', async () => {
  const queue = createQueue('hashing', { working: 1, waiting: 10, perCaller: 3 })
  const gate = Promise.withResolvers<void>()
  const held = hold(6, (work) => queue.take('ann', work), gate.promise)
  const other = queue.take('bob', async () => 'done')
  gate.resolve()
  const refused = (await held).filter((each) => each.status === 'rejected').map(({ reason }) => reason as TandemError)
  expect(refused.map(({ failures }) => failures)).toEqual(
    [1, 2].map(() => [{ kind: 'unavailable', service: 'hashing', reason: 'Too many at once', retryAfter: 5 }]),
  )
  expect(await other).toBe('done')
})

test('callers are served in turn', async () => {
  const queue = createQueue('hashing', { working: 1, waiting: 10, perCaller: 5 })
  const gate = Promise.withResolvers<void>()
  const done: string[] = []
  const take = (caller: string) => queue.take(caller, async () => void done.push(caller))
  const first = queue.take('ann', () => gate.promise)
  const all = [take('ann'), take('ann'), take('ann'), take('bob'), take('eve'), take('bob')]
  gate.resolve()
  await Promise.all([first, ...all])
  expect(done).toEqual(['ann', 'bob', 'eve', 'ann', 'bob', 'ann'])
})

test('a queue that was full takes as many jobs again once they are done', async () => {
  const queue = createQueue('hashing', { working: 1, waiting: 2, perCaller: 2 })
  for (let round = 0; round < 3; round += 1) {
    const gate = Promise.withResolvers<void>()
    const held = hold(4, (work) => queue.take('ann', work), gate.promise)
    gate.resolve()
    expect((await held).filter((each) => each.status === 'rejected')).toHaveLength(1)
  }
})

test('a failed job frees its slot', async () => {
  const queue = createQueue('hashing', { working: 1, waiting: 10, perCaller: 5 })
  const failing = queue.take('ann', () => Promise.reject(new Error('no')))
  const next = queue.take('ann', async () => 'done')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('done')
  expect(await queue.take('ann', async () => 'again')).toBe('again')
})

test('logins do not wait for the queue of requests', async () => {
  const gate = Promise.withResolvers<void>()
  const { working, waiting } = requestQueue.bounds
  const callers = Array.from({ length: working + waiting }, (_, at) => `caller ${at}`)
  const held = callers.map((caller) => hold(1, turnsOf(caller), gate.promise))
  await expect(turnsOf('one more')(async () => 'done')).rejects.toThrow('unavailable')
  expect(await loginTurns(async () => 'in')).toBe('in')
  gate.resolve()
  await Promise.all(held)
})
