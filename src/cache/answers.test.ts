import { describe, expect, test } from 'vitest'
import { createAnswerCache, createAnswerStore } from './answers.ts'

const silent = (): void => {}
const log = { debug: silent, info: silent, warn: silent, error: silent }

const open = (ttl = 60_000) => createAnswerCache({ namespace: 'test', ttl, redis: null, log })

const answer = (text: string, ...tags: readonly string[]) => ({ text, tags })

describe('answers in memory', () => {
  test('are found until they are purged', async () => {
    const cache = open()
    expect(await cache.read('a')).toBeUndefined()
    await cache.keep('a', answer('{"data":1}', 'x'), await cache.begin())
    expect(await cache.read('a')).toEqual(answer('{"data":1}', 'x'))
    await Promise.all([cache.purge(), cache.purge(), cache.purge()])
    expect(await cache.read('a')).toBeUndefined()
  })

  test('are purged by their tags, and by no others', async () => {
    const cache = open()
    await cache.keep('a', answer('one\ntwo', 'x', 'y'), await cache.begin())
    await cache.keep('b', answer('other', 'z'), await cache.begin())
    await cache.purge(['y', 'q'])
    expect([await cache.read('a'), await cache.read('b')]).toEqual([undefined, answer('other', 'z')])
    await cache.keep('a', answer('one\ntwo', 'x', 'y'), await cache.begin())
    expect(await cache.read('a')).toEqual(answer('one\ntwo', 'x', 'y'))
  })

  test('made before a purge of a tag are not kept after it', async () => {
    const cache = open()
    const since = await cache.begin()
    await cache.purge(['x'])
    await cache.keep('a', answer('old', 'x'), since)
    await cache.keep('b', answer('other', 'y'), since)
    expect([await cache.read('a'), await cache.read('b')]).toEqual([undefined, answer('other', 'y')])
    await cache.purge()
    await cache.keep('b', answer('other', 'y'), since)
    expect(await cache.read('b')).toBeUndefined()
  })

  test('are all purged by more tags than are told apart', async () => {
    const cache = open()
    await cache.keep('a', answer('text', 'x'), await cache.begin())
    await cache.purge(Array.from({ length: 20_001 }, (_, at) => `t${at}`))
    expect(await cache.read('a')).toBeUndefined()
  })

  test('end with their time', async () => {
    const cache = open(1)
    await cache.keep('a', answer('text'), await cache.begin())
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
