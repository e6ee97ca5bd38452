import { expect, it, vi } from 'vitest'
import { repeatEvery } from './recurring.ts'

function gate() {
  const runs: PromiseWithResolvers<void>[] = []
  const work = (): Promise<void> => {
    const run = Promise.withResolvers<void>()
    runs.push(run)
    return run.promise
  }
  return { runs, work }
}

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

it('repeats the work until it is closed', async () => {
  vi.useFakeTimers()
  const work = vi.fn(async () => undefined)
  const recurring = repeatEvery(100, work)
  await vi.advanceTimersByTimeAsync(250)
  expect(work).toHaveBeenCalledTimes(2)
  await recurring.close()
  await vi.advanceTimersByTimeAsync(250)
  expect(work).toHaveBeenCalledTimes(2)
  vi.useRealTimers()
})

it('runs once more for all requests during a run, and not before it has ended', async () => {
  const { runs, work } = gate()
  const recurring = repeatEvery(60_000, work)
  void recurring.run()
  await turn()
  const second = recurring.run()
  expect(recurring.run()).toBe(second)
  await turn()
  expect(runs).toHaveLength(1)
  runs[0]?.resolve()
  await turn()
  expect(runs).toHaveLength(2)
  runs[1]?.resolve()
  await second
  await recurring.close()
})

it('waits for the present run when it is closed', async () => {
  const { runs, work } = gate()
  const recurring = repeatEvery(60_000, work)
  void recurring.run()
  await turn()
  let isClosed = false
  const closing = recurring.close().then(() => (isClosed = true))
  await turn()
  expect(isClosed).toBe(false)
  runs[0]?.resolve()
  await closing
  expect(isClosed).toBe(true)
})
