import { expect, test } from 'vitest'
import { expectWait } from './expect-wait.ts'

/** A pool of ten connections with an adjustable queue and clock. */
function createQueue() {
  let waiting = 0
  let time = 0
  let busy = 0
  const wait = expectWait(() => waiting, {
    least: 10,
    now: () => time,
    idle: () => time - busy,
  })
  const waitOf = (length: number): number => {
    waiting = length
    return wait.expected()
  }
  return {
    waitOf,
    /** Time passes while the process is busy. */
    work: (later: number) => {
      time += later
      busy += later
    },
    /** Time passes, then so many connections are released while others wait. */
    release: (later: number, times: number, length: number) => {
      time += later
      waitOf(length)
      for (let at = 0; at < times; at += 1) wait.givenBack()
    },
  }
}

test('nobody waits without a queue, however slow it was', () => {
  const { waitOf, release } = createQueue()
  release(0, 0, 30)
  release(5_000, 9, 30)
  expect(waitOf(30)).toBe(15_000)
  release(100, 1, 0)
  expect(waitOf(0)).toBe(0)
  expect(waitOf(30)).toBe(0)
})

test('those who come back together meet what the last queue has taught, until it is forgotten or disproved', () => {
  const { waitOf, release } = createQueue()
  release(0, 0, 100)
  release(100, 10, 100)
  release(0, 1, 0)
  release(1_000, 0, 0)
  expect(waitOf(150)).toBe(1_500)
  release(1, 10, 150)
  expect(waitOf(150)).toBe(15)
  release(0, 1, 0)
  release(10_000, 0, 0)
  expect(waitOf(150)).toBe(0)
})

test('a crowd is known before the first connection comes free, and right when the first ones do', () => {
  const { waitOf, release } = createQueue()
  release(0, 0, 200)
  release(50, 0, 200)
  expect(waitOf(200)).toBe(1_000)
  release(50, 10, 200)
  expect(waitOf(190)).toBe(1_900)
  release(100, 10, 190)
  expect(waitOf(180)).toBe(1_800)
})

test('the time in which a crowd is read says nothing about the database', () => {
  const { waitOf, work, release } = createQueue()
  release(0, 0, 1)
  work(400)
  expect(waitOf(500)).toBe(0)
  release(20, 0, 500)
  expect(waitOf(500)).toBe(1_000)
  release(0, 10, 500)
  expect(waitOf(490)).toBe(980)
  work(100)
  expect(waitOf(490)).toBe(5_880)
})

test('a few who wait for something long are no crowd', () => {
  const { waitOf, release } = createQueue()
  release(0, 0, 2)
  release(2_000, 0, 2)
  expect(waitOf(3)).toBe(600)
})

test('a queue that never ends goes by its last connections', () => {
  const { waitOf, release } = createQueue()
  release(0, 0, 100)
  for (let at = 0; at < 100; at += 1) release(10, 1, 100)
  expect(waitOf(100)).toBeCloseTo(1_000)
  for (let at = 0; at < 300; at += 1) release(1, 1, 100)
  expect(waitOf(100)).toBeGreaterThan(99)
  expect(waitOf(100)).toBeLessThan(105)
})
