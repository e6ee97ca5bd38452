import { EventEmitter } from 'node:events'
import type pg from 'pg'
import { expect, test } from 'vitest'
import { createConnectionPool, createLine } from './connection-pool.ts'

/** A pool that makes a new connection for each request, and records the released ones. */
function createTested() {
  const released: [name: string, isClosed: boolean][] = []
  let requests = 0
  const pool = Object.assign(new EventEmitter(), {
    connect: async () => {
      requests += 1
      const name = `c${requests}`
      const release = (isClosed = false): void => void released.push([name, isClosed])
      const client = Object.assign(new EventEmitter(), { release })
      pool.emit('connect', client)
      return client
    },
  })
  return { released, connections: createConnectionPool(pool as never) }
}

test('connections come from the pool and go back to it, useless ones to be closed', async () => {
  const { released, connections } = createTested()
  const [first, second] = [await connections.acquire(), await connections.acquire()]
  first.release(true)
  second.release()
  expect(released).toEqual([
    ['c1', true],
    ['c2', false],
  ])
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

test('the wait is that of the first one in the line, however it ends', async () => {
  let time = 0
  const line = createLine(() => time)
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const waits = [line.wait(first.promise)]
  time = 30
  waits.push(line.wait(second.promise))
  time = 100
  expect([line.waitingTime(), line.length()]).toEqual([100, 2])
  first.reject(new Error('late'))
  await expect(waits[0]).rejects.toThrow('late')
  expect([line.waitingTime(), line.length()]).toEqual([70, 1])
  second.resolve()
  await waits[1]
  expect([line.waitingTime(), line.length()]).toEqual([0, 0])
})
