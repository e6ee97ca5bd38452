import { createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { createCounter } from '../counters/counter.ts'
import { createAnswerCache } from './answers.ts'
import { createBoundedMap } from './bounded-map.ts'
import { openRedis } from './redis.ts'

const silent = (): void => {}
const log = { debug: silent, info: silent, warn: silent, error: silent }

const open = (ttl = 60_000) => createAnswerCache({ namespace: 'test', ttl, redis: null, log })

describe('answers in memory', () => {
  test('are found until they are purged', async () => {
    const cache = open()
    expect(await cache.read('a')).toBeUndefined()
    await cache.keep('a', '{"data":1}', cache.epoch())
    expect(await cache.read('a')).toBe('{"data":1}')
    await Promise.all([cache.purge(), cache.purge(), cache.purge()])
    expect(await cache.read('a')).toBeUndefined()
  })

  test('made before a purge are not kept after it', async () => {
    const cache = open()
    const since = cache.epoch()
    await cache.purge()
    await cache.keep('a', 'old', since)
    expect(await cache.read('a')).toBeUndefined()
  })

  test('end with their time', async () => {
    const cache = open(1)
    await cache.keep('a', 'text', cache.epoch())
    await expect.poll(() => cache.read('a')).toBeUndefined()
  })
})

test('a bounded map forgets the oldest, counts what it holds and never takes what is too large', () => {
  const map = createBoundedMap(10)
  map.set('a', '1234')
  map.set('b', '1234')
  map.set('c', '1234')
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([undefined, '1234', '1234'])
  map.set('b', '12')
  map.set('d', '1')
  expect([map.get('b'), map.get('c'), map.get('d')]).toEqual(['12', '1234', '1'])
  map.set('e', '1234567890')
  expect(map.get('e')).toBeUndefined()
  expect([map.delete('d'), map.delete('d')]).toEqual([true, false])
  map.clear()
  expect(map.get('b')).toBeUndefined()
})

describe('a Redis that takes connections and never answers', () => {
  test('neither holds a start up nor a request', async () => {
    const server = createServer((socket) => socket.on('error', silent)).listen(0, '127.0.0.1')
    await new Promise((resolve) => {
      server.once('listening', resolve)
    })
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : null
    const redis = await openRedis(`redis://127.0.0.1:${port}`, log)
    const cache = createAnswerCache({ namespace: 'test', ttl: 60_000, redis, log })
    await cache.keep('a', 'text', cache.epoch())
    expect(await cache.read('a')).toBeUndefined()
    await cache.purge()
    expect(await cache.read('a')).toBeUndefined()
    const counter = createCounter({ name: 'test', points: 1, seconds: 60, redis: redis.client })
    expect([(await counter.take('a')).allowed, (await counter.take('a')).allowed]).toEqual([true, false])
    redis.close()
    server.close()
  })
})

const url = process.env['TEST_REDIS_URL']

if (url !== undefined) {
  test('replicas that share a Redis count together and forget together', async () => {
    const [one, two] = [await openRedis(url, log), await openRedis(url, log)]
    const name = `test-${crypto.randomUUID()}`
    const counters = [one, two].map(({ client }) => createCounter({ name, points: 2, seconds: 60, redis: client }))
    const counts = [await counters[0]?.take('a'), await counters[1]?.take('a'), await counters[0]?.take('a')]
    expect(counts.map((count) => count?.allowed)).toEqual([true, true, false])
    const [here, there] = [one, two].map((redis) => createAnswerCache({ namespace: name, ttl: 60_000, redis, log }))
    await here?.keep('a', 'text', here.epoch())
    expect(await there?.read('a')).toBe('text')
    await there?.purge()
    expect(await here?.read('a')).toBeUndefined()
    one.close()
    two.close()
  })
}
