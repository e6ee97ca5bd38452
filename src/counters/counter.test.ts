import { describe, expect, test } from 'vitest'
import { type Counter, createCounter } from './counter.ts'
import { networkOf } from './network.ts'

const exhaust = async (counter: Counter, key: string, times: number) => {
  const counts = []
  for (let at = 0; at < times; at += 1) counts.push(await counter.take(key))
  return counts
}

describe('in memory', () => {
  const counter = createCounter({ name: 'test', points: 3, seconds: 60, redis: null })

  test('so many are allowed and no more, each key by itself', async () => {
    const counts = await exhaust(counter, 'a', 5)
    expect(counts.map(({ allowed }) => allowed)).toEqual([true, true, true, false, false])
    expect(counts.map(({ remaining }) => remaining)).toEqual([2, 1, 0, 0, 0])
    expect(counts[4]?.resetAfter).toBeGreaterThan(50_000)
    expect(await counter.take('b')).toMatchObject({ allowed: true, limit: 3, remaining: 2 })
  })

  test('refunded and deleted requests do not count', async () => {
    await exhaust(counter, 'c', 3)
    await counter.giveBack('c')
    expect((await counter.take('c')).allowed).toBe(true)
    expect((await counter.take('c')).allowed).toBe(false)
    await counter.forget('c')
    expect((await counter.take('c')).remaining).toBe(2)
  })

  test('calls at once are counted one by one', async () => {
    const counts = await Promise.all(Array.from({ length: 10 }, () => counter.take('d')))
    expect(counts.filter(({ allowed }) => allowed)).toHaveLength(3)
  })
})

test('a Redis that fails is replaced by the memory of the process', async () => {
  const broken = { isReady: true, eval: () => Promise.reject(new Error('gone')) }
  for (const redis of [broken, { isReady: false }]) {
    const counter = createCounter({ name: 'test', points: 2, seconds: 60, redis })
    const counts = await exhaust(counter, 'a', 3)
    expect(counts.map(({ allowed }) => allowed)).toEqual([true, true, false])
  }
})

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:0:1::7', '2001:db8:0:1'],
  ['2001:DB8:0:1:ffff:ffff:ffff:ffff', '2001:db8:0:1'],
  ['2001:0db8::7', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  [null, 'unknown'],
])('%s counts as %s', (ip, network) => {
  expect(networkOf(ip)).toBe(network)
})
