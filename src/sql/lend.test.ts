import { EventEmitter } from 'node:events'
import type pg from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLender } from './lend.ts'

type Connection = EventEmitter & { readonly name: string; release(error?: unknown): void }

/** A pool that makes a connection for each who asks, and writes down what comes back. */
function createPool() {
  const released: [name: string, isClosed: boolean][] = []
  const pool = Object.assign(new EventEmitter(), {
    waitingCount: 0,
    ending: false,
    asked: 0,
    end: async () => {
      pool.ending = true
    },
    connect: async (): Promise<Connection> => {
      pool.asked += 1
      const name = `c${pool.asked}`
      const client = Object.assign(new EventEmitter(), {
        name,
        release: (error?: unknown) => void released.push([name, Boolean(error)]),
      })
      pool.emit('connect', client)
      return client
    },
  })
  return { pool, released }
}

function createTested() {
  const { pool, released } = createPool()
  const back = vi.fn()
  const lender = createLender(pool as never, back)
  const lend = async (): Promise<Connection> => (await lender.lend()) as never
  const giveBack = (client: Connection, isUseless = false): void => lender.giveBack(client as never, isUseless)
  return { pool, released, back, lender, lend, giveBack }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('what came back last is lent next, without the pool', async () => {
  const { pool, released, back, lend, giveBack } = createTested()
  const [first, second] = [await lend(), await lend()]
  giveBack(first)
  giveBack(second)
  expect([await lend(), await lend()]).toEqual([second, first])
  expect([pool.asked, released, back.mock.calls.length]).toEqual([2, [], 2])
})

test('what is useless, and what comes back while somebody waits or the pool ends, goes to the pool', async () => {
  const { pool, released, lend, giveBack } = createTested()
  giveBack(await lend(), true)
  const [waitedFor, atEnd] = [await lend(), await lend()]
  pool.waitingCount = 1
  giveBack(waitedFor)
  pool.waitingCount = 0
  pool.ending = true
  giveBack(atEnd)
  expect(released).toEqual([
    ['c1', true],
    ['c2', false],
    ['c3', false],
  ])
})

test('a connection that is lost at hand is closed and reported, and never lent', async () => {
  const { pool, released, lend, giveBack } = createTested()
  const reported = vi.fn()
  pool.on('error', reported)
  const [first, second] = [await lend(), await lend()]
  giveBack(first)
  giveBack(second)
  const error = new Error('gone')
  first.emit('error', error)
  expect([released, reported.mock.calls]).toEqual([[['c1', true]], [[error, first]]])
  expect(await lend()).toBe(second)
  expect((await lend()).name).toBe('c3')
})

test('one that is lost while it is lent is closed when it comes back', async () => {
  const { released, lend, giveBack } = createTested()
  const client = await lend()
  client.emit('error', new Error('gone'))
  expect(released).toEqual([])
  giveBack(client)
  expect(released).toEqual([['c1', true]])
})

test('what nobody has asked for in a second goes to the pool; what is in use stays', async () => {
  const { released, lend, giveBack } = createTested()
  const [first, second, third] = [await lend(), await lend(), await lend()]
  for (const client of [first, second, third]) giveBack(client)
  vi.advanceTimersByTime(1_000)
  expect(released).toEqual([])
  giveBack(await lend())
  vi.advanceTimersByTime(1_000)
  expect(released.map(([name]) => name)).toEqual(['c1', 'c2'])
  vi.advanceTimersByTime(1_000)
  expect(released.map(([name]) => name)).toEqual(['c1', 'c2', 'c3'])
  expect(vi.getTimerCount()).toBe(0)
})

test('what is at hand is closed with the pool', async () => {
  const { pool, released, lender, lend, giveBack } = createTested()
  giveBack(await lend())
  await lender.close()
  expect([released, pool.ending, vi.getTimerCount()]).toEqual([[['c1', false]], true, 0])
})

const refusing = (message: string): pg.Pool =>
  Object.assign(new EventEmitter(), { connect: () => Promise.reject(new Error(message)) }) as never

const reasonOf = (message: string): Promise<unknown> =>
  createLender(refusing(message))
    .lend()
    .catch((error: { failures: readonly { reason: string }[]; cause: Error }) => [
      error.failures[0]?.reason,
      error.cause.message,
    ])

test('why there is none, the operator reads, and the client only that it is so', async () => {
  const full = 'timeout exceeded when trying to connect'
  expect(await reasonOf(full)).toEqual(['No connection to the database is free', full])
  expect(await reasonOf('refused')).toEqual(['The database cannot be reached', 'refused'])
})
