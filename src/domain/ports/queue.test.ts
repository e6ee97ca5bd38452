import { expect, test } from 'vitest'
import { TandemError } from '../rights/errors.ts'
import { createQueue } from './queue.ts'

const bounds = {
  service: 'hashing',
  running: 1,
  waiting: 10,
  reasons: { full: 'Too many at once', late: 'Waited too long' },
  retryAfter: 5,
}

/** Takes turns that end when the gate opens. */
const hold = (count: number, take: (work: () => Promise<void>) => Promise<void>, gate: Promise<void>) =>
  Promise.allSettled(Array.from({ length: count }, () => take(() => gate)))

test('one caller has a limited queue, and further jobs get a retry time', async () => {
  const queue = createQueue({ ...bounds, waitingPerCaller: 3 })
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
  const queue = createQueue({ ...bounds, waitingPerCaller: 5 })
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
  const queue = createQueue({ ...bounds, waiting: 2 })
  for (let round = 0; round < 3; round += 1) {
    const gate = Promise.withResolvers<void>()
    const held = hold(4, (work) => queue.take('ann', work), gate.promise)
    gate.resolve()
    expect((await held).filter((each) => each.status === 'rejected')).toHaveLength(1)
  }
})

test('a failed job frees its slot', async () => {
  const queue = createQueue({ ...bounds, waitingPerCaller: 5 })
  const failing = queue.take('ann', () => Promise.reject(new Error('no')))
  const next = queue.take('ann', async () => 'done')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('done')
  expect(await queue.take('ann', async () => 'again')).toBe('again')
})

test('one caller has a limited number of running jobs, and others are not held up', async () => {
  const queue = createQueue({ ...bounds, running: 3, runningPerCaller: 1 })
  const gate = Promise.withResolvers<void>()
  const begun: string[] = []
  const take = (caller: string) =>
    queue.take(caller, () => {
      begun.push(caller)
      return gate.promise
    })
  const all = ['ann', 'ann', 'bob', 'ann', 'eve'].map(take)
  expect(begun).toEqual(['ann', 'bob', 'eve'])
  gate.resolve()
  await Promise.all(all)
  expect(begun).toEqual(['ann', 'bob', 'eve', 'ann', 'ann'])
})

test('a job that waits too long is refused and loses its turn', async () => {
  const queue = createQueue({ ...bounds, timeout: 5 })
  const gate = Promise.withResolvers<void>()
  const first = queue.take('ann', () => gate.promise)
  await expect(queue.take('bob', async () => 'late')).rejects.toMatchObject({
    failures: [{ kind: 'unavailable', service: 'hashing', reason: 'Waited too long', retryAfter: 5 }],
  })
  const next = queue.take('eve', async () => 'in time')
  gate.resolve()
  await first
  expect(await next).toBe('in time')
})

test('a closed queue refuses waiting and new jobs, and lets running ones end', async () => {
  const queue = createQueue(bounds)
  const gate = Promise.withResolvers<string>()
  const first = queue.take('ann', () => gate.promise)
  const refused = expect(Promise.allSettled([queue.take('ann', async () => 'no'), queue.take('bob', async () => 'no')]))
  queue.close()
  await refused.resolves.toMatchObject([{ status: 'rejected' }, { status: 'rejected' }])
  await expect(queue.take('bob', async () => 'no')).rejects.toThrow('unavailable')
  gate.resolve('done')
  expect(await first).toBe('done')
})
