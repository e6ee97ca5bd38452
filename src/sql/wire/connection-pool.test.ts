import { EventEmitter } from 'node:events'
import type pg from 'pg'
import { expect, test, vi } from 'vitest'
import { createConnectionPool } from './connection-pool.ts'

/** A pool that makes a new connection for each request, and records the released ones. */
function createTested() {
  const released: [name: string, isClosed: boolean][] = []
  let asked = 0
  const pool = Object.assign(new EventEmitter(), {
    waitingCount: 0,
    end: vi.fn(async () => undefined),
    connect: async () => {
      asked += 1
      const name = `c${asked}`
      const release = (isClosed = false): void => void released.push([name, isClosed])
      const client = Object.assign(new EventEmitter(), { release })
      pool.emit('connect', client)
      return client
    },
  })
  const back = vi.fn()
  return { pool, released, back, connections: createConnectionPool(pool as never, back) }
}

test('connections come from the pool and go back to it, useless ones to be closed', async () => {
  const { pool, released, back, connections } = createTested()
  const [first, second] = [await connections.acquire(), await connections.acquire()]
  connections.release(first, true)
  connections.release(second, false)
  expect(released).toEqual([
    ['c1', true],
    ['c2', false],
  ])
  expect(back).toHaveBeenCalledTimes(2)
  pool.waitingCount = 3
  expect(connections.waiting()).toBe(3)
  await connections.close()
  expect(pool.end).toHaveBeenCalledOnce()
})

test('one that is lost while it is lent does not end the process', async () => {
  const { connections } = createTested()
  const client = (await connections.acquire()) as unknown as EventEmitter
  expect(() => client.emit('error', new Error('gone'))).not.toThrow()
})

const refusing = (message: string): pg.Pool =>
  Object.assign(new EventEmitter(), { connect: () => Promise.reject(new Error(message)) }) as never

const reasonOf = (message: string): Promise<unknown> =>
  createConnectionPool(refusing(message))
    .acquire()
    .catch((error: { failures: readonly { reason: string }[]; cause: Error }) => [
      error.failures[0]?.reason,
      error.cause.message,
    ])

test('why there is none, the operator reads, and the client only that it is so', async () => {
  const full = 'timeout exceeded when trying to connect'
  expect(await reasonOf(full)).toEqual(['No connection to the database is free', full])
  expect(await reasonOf('refused')).toEqual(['The database cannot be reached', 'refused'])
})
