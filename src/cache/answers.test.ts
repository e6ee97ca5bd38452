import { describe, expect, test } from 'vitest'
import { createAnswerCache } from './answers.ts'
import { createBoundedMap } from './bounded-map.ts'

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
