import { describe, expect, test } from 'vitest'
import { createAnswerCache, createAnswerStore } from './answers.ts'

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

test('the store in memory forgets what was not asked for, counts characters and never takes what is too long', async () => {
  const store = createAnswerStore(60_000, 10)
  const all = (...keys: readonly string[]) => Promise.all(keys.map((key) => store.get(key)))
  for (const key of ['a', 'b', 'c']) await store.set(key, '1234')
  expect(await all('a', 'b', 'c')).toEqual([undefined, '1234', '1234'])
  await store.set('b', '12')
  await store.set('d', '1')
  expect(await all('b', 'c', 'd')).toEqual(['12', '1234', '1'])
  await store.set('e', '1234567890')
  expect(await store.get('e')).toBeUndefined()
})
