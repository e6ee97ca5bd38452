/** What is kept in Redis: counters and answers, shared, and without a Redis that works. */
import { type AddressInfo, createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { createAnswerCache } from './cache/answers.ts'
import { openRedis } from './cache/redis.ts'
import { openSignals } from './cache/signals.ts'
import { createCounter } from './counters/counter.ts'

const silent = (): void => {}
const log = { debug: silent, info: silent, warn: silent, error: silent }

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
    await cache.keep('a', { text: 'text', tags: [] }, await cache.begin())
    expect(await cache.read('a')).toBeUndefined()
    await cache.purge()
    expect(await cache.read('a')).toBeUndefined()
    const counter = createCounter({ name: 'test', points: 1, seconds: 60, redis: redis.client })
    expect([(await counter.take('a')).allowed, (await counter.take('a')).allowed]).toEqual([true, false])
    redis.close()
    server.close()
  })
})

test('a Redis that falls silent holds no request for long', async () => {
  let isSilent = false
  const server = createServer((socket) => {
    socket.on('error', silent)
    socket.on('data', (sent) => {
      const commands = String(sent).match(/^\*\d+\r$/gm) ?? []
      if (!isSilent) socket.write('+text\r\n'.repeat(commands.length))
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => {
    server.once('listening', resolve)
  })
  const redis = await openRedis(`redis://127.0.0.1:${(server.address() as AddressInfo).port}`, log)
  const cache = createAnswerCache({ namespace: 'test', ttl: 60_000, redis, log })
  const counter = createCounter({ name: 'test', points: 1, seconds: 60, redis: redis.client })
  expect(redis.client).toMatchObject({ isReady: true })
  isSilent = true
  const counts = await Promise.all([counter.take('a'), counter.take('a')])
  expect(counts.map(({ allowed }) => allowed)).toEqual([true, false])
  expect(await cache.read('a')).toBeUndefined()
  redis.close()
  server.close()
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
    if (here === undefined || there === undefined) throw new Error('Expected two caches')
    // The first use of each purges what former processes may have left.
    expect([await here.read('a'), await there.read('a')]).toEqual([undefined, undefined])
    const entry = { text: 'text', tags: ['x'] }
    await here.keep('a', entry, await here.begin())
    expect(await there.read('a')).toEqual(entry)
    const since = await here.begin()
    await there.purge(['x'])
    expect(await here.read('a')).toBeUndefined()
    await here.keep('a', entry, since)
    expect(await there.read('a')).toBeUndefined()
    one.close()
    two.close()
  })

  test('a signal of a replica reaches the others, also after an outage, and not itself', async () => {
    const channel = `test-${crypto.randomUUID()}`
    const [one, two, elsewhere] = [channel, channel, 'other'].map((name) => openSignals(url, name, log))
    if (one === undefined || two === undefined || elsewhere === undefined) throw new Error('Expected three replicas')
    const heard: string[] = []
    one.listen(() => void heard.push('one'))
    two.listen(() => void heard.push('two'))
    elsewhere.listen(() => void heard.push('elsewhere'))
    await expect.poll(() => (one.send(), heard.includes('two')), { interval: 20 }).toBe(true)
    const { client, close } = await openRedis(url, log)
    await client.sendCommand(['CLIENT', 'KILL', 'TYPE', 'pubsub'])
    heard.length = 0
    await expect.poll(() => (one.send(), heard.includes('two')), { interval: 20 }).toBe(true)
    expect(new Set(heard)).toEqual(new Set(['two']))
    for (const each of [one, two, elsewhere]) each.close()
    close()
  })
}
