/** Rate limits, entity tags and the response cache in both generations. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { send } from './send.ts'
import { openWorld, type UserKind, type World } from './world.ts'

let worlds: World[] = []
afterEach(async () => {
  for (const world of worlds) await world.close()
  worlds = []
})

const open = async (settings: { readonly [name: string]: string }): Promise<World> => {
  const world = await openWorld(settings)
  worlds.push(world)
  return world
}

type AskOptions = {
  readonly as?: UserKind
  readonly method?: string
  readonly body?: object
  readonly headers?: HeadersInit
}

const ask = (world: World, path: string, { as = 'admin', method = 'GET', ...options }: AskOptions = {}) =>
  send(world.url, `${method} ${path}`, { token: world.tokens[as], ...options })

/** HIT or MISS; null if the response is not cacheable. */
const found = async (world: World, path: string, options: AskOptions = {}) =>
  (await ask(world, path, options)).headers.get('x-cache')

const current = '/items/articles?fields=id,title&sort=id'
const legacy = '/_/items/articles?fields=id,title&sort=id'

/** Memory, and Redis if the tests may use one. */
const redis = process.env['TEST_REDIS_URL']
const stores = redis === undefined ? (['memory'] as const) : (['memory', 'redis'] as const)
const withStore = (store: string, settings: { readonly [name: string]: string }) =>
  redis === undefined ? settings : { ...settings, CACHE_STORE: store, RATE_LIMITER_STORE: store, REDIS: redis }

describe('entity tags', () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld()
  })
  beforeEach(() => world.reset())
  afterAll(() => world.close())

  test.each([current, legacy])('%s: a client that has the response gets 304', async (path) => {
    const first = await ask(world, path)
    const tag = first.headers.get('etag') ?? ''
    expect(tag).toMatch(/^W\/"[0-9a-z]+-[0-9a-z]+"$/)
    expect(first.headers.get('cache-control')).toBe('private, no-cache')
    expect(first.headers.get('vary')).toContain('Authorization')
    for (const asked of [tag, tag.slice(2), `"other", ${tag}`, '*']) {
      const again = await ask(world, path, { headers: { 'if-none-match': asked } })
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', tag])
    }
    const other = await ask(world, path, { headers: { 'if-none-match': '"other"' } })
    expect([other.status, other.text]).toEqual([200, first.text])
    await ask(world, '/items/articles/1', { method: 'PATCH', body: { title: 'Changed' } })
    const changed = await ask(world, path, { headers: { 'if-none-match': tag } })
    expect(changed.status).toBe(200)
    expect(changed.headers.get('etag')).not.toBe(tag)
  })

  test('HEAD has the tag of GET; writes, searches and errors have none', async () => {
    const { headers } = await ask(world, current)
    expect((await ask(world, current, { method: 'HEAD' })).headers.get('etag')).toBe(headers.get('etag'))
    const written = await ask(world, '/items/articles', { method: 'POST', body: { title: 'New' } })
    const searched = await ask(world, '/items/articles', { method: 'SEARCH', body: {} })
    const failed = await ask(world, '/items/nothing')
    expect([written, searched, failed].map((each) => each.headers.get('etag'))).toEqual([null, null, null])
    expect(failed.headers.get('cache-control')).toBe('no-store')
  })
})

const someAddress = () => {
  const digits = crypto.randomUUID()
  return { headers: { 'x-forwarded-for': `2001:db8:${digits.slice(0, 4)}:${digits.slice(4, 8)}::1` } }
}

describe.each(stores)('rates counted in %s', (store) => {
  test('requests per address are limited; each generation reports it in its own form', async () => {
    const rates = { RATE_LIMITER_ENABLED: 'true', RATE_LIMITER_POINTS: '2', RATE_LIMITER_DURATION: '3600' }
    // Counters in Redis outlive the server, so each run uses its own addresses.
    const [from, elsewhere] = [someAddress(), someAddress()]
    const world = await open(withStore(store, { ...rates, IP_TRUST_PROXY: 'true' }))
    const first = await ask(world, current, from)
    const second = await ask(world, legacy, from)
    expect([first.status, second.status]).toEqual([200, 200])
    expect([first.headers.get('ratelimit-limit'), first.headers.get('ratelimit-remaining')]).toEqual(['2', '1'])
    expect(second.headers.get('x-ratelimit-remaining')).toBe('0')
    const refused = await ask(world, current, from)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000)
    expect(JSON.parse(refused.text)).toMatchObject({ error: { code: 'REQUESTS_EXCEEDED', limit: 2 } })
    const refusedToo = await ask(world, legacy, from)
    expect([refusedToo.status, JSON.parse(refusedToo.text)]).toEqual([
      429,
      { error: { code: 7, message: 'Too Many Requests' } },
    ])
    expect((await ask(world, '/server/ping', from)).text).toBe('pong')
    expect((await ask(world, current, elsewhere)).status).toBe(200)
  })
})

test('requests of all addresses together are limited', async () => {
  const world = await open({
    RATE_LIMITER_GLOBAL_ENABLED: 'true',
    RATE_LIMITER_GLOBAL_POINTS: '2',
    RATE_LIMITER_GLOBAL_DURATION: '3600',
  })
  const statuses = []
  for (let at = 0; at < 3; at += 1) statuses.push((await ask(world, current)).status)
  expect(statuses).toEqual([200, 200, 429])
})

test('under memory pressure requests get 503, except ping and health', async () => {
  const pressure = {
    PRESSURE_LIMITER_ENABLED: 'true',
    PRESSURE_LIMITER_SAMPLE_INTERVAL: '10',
    PRESSURE_LIMITER_MAX_MEMORY_RSS: '1mb',
    PRESSURE_LIMITER_RETRY_AFTER: '3',
  }
  const world = await open(pressure)
  await expect.poll(async () => (await ask(world, current)).status).toBe(503)
  const [refused, refusedToo] = [await ask(world, current), await ask(world, legacy)]
  expect(refused.headers.get('retry-after')).toBe('3')
  expect(JSON.parse(refused.text)).toMatchObject({ error: { code: 'SERVICE_UNAVAILABLE', service: 'api' } })
  expect(refusedToo.status).toBe(503)
  const ping = await ask(world, '/server/ping')
  expect([ping.text, ping.headers.get('content-type')]).toEqual(['pong', 'text/html; charset=utf-8'])
  expect((await ask(world, '/server/health')).status).toBe(200)
})

test('when the database queue is too long new requests get 503; queued ones are served', async () => {
  const world = await open({
    PRESSURE_LIMITER_ENABLED: 'true',
    PRESSURE_LIMITER_MAX_EVENT_LOOP_DELAY: 'false',
    PRESSURE_LIMITER_MAX_DATABASE_WAIT: '1',
    PRESSURE_LIMITER_RETRY_AFTER: '2',
    // One user fills the queue.
    DB_POOL_SHARE: '1',
  })
  // Writes of one row block each other.
  const crowd = ['/items/articles/1', '/_/items/articles/1'].flatMap((path) => Array.from({ length: 40 }, () => path))
  const write = (path: string) => ask(world, path, { method: 'PATCH', body: { title: path } })
  const told = new Set<string>()
  const askAll = async (): Promise<readonly string[]> => {
    for (const { status, headers, text } of await Promise.all(crowd.map(write))) {
      if (status !== 200) told.add(`${status} ${headers.get('retry-after')} ${JSON.parse(text).error.code}`)
    }
    return [...told].toSorted()
  }
  await expect.poll(askAll, { timeout: 20_000, interval: 0 }).toEqual(['503 2 21', '503 2 SERVICE_UNAVAILABLE'])
  expect((await ask(world, current)).status).toBe(200)
})

describe.each(stores)('answers kept in %s', (store) => {
  const keeping = (more: { readonly [name: string]: string } = {}) =>
    withStore(store, {
      CACHE_ENABLED: 'true',
      CACHE_STATUS_HEADER: 'X-Cache',
      CACHE_NAMESPACE: `test-${crypto.randomUUID()}`,
      ...more,
    })

  /** For tests that use their own requests; the last purges it. */
  let plain: World
  beforeAll(async () => {
    plain = await openWorld(keeping())
  })
  afterAll(() => plain.close())

  test.each([current, legacy])('%s: a repeated request of the same user is a cache hit', async (path) => {
    const world = plain
    const first = await ask(world, path)
    const second = await ask(world, path)
    expect([first.headers.get('x-cache'), second.headers.get('x-cache')]).toEqual(['MISS', 'HIT'])
    expect(second.text).toBe(first.text)
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'))
    expect(second.headers.get('cache-control')).toBe('private, max-age=300')
    expect(await found(world, `${path}&limit=1`)).toBe('MISS')
  })

  test('users with different rights do not share cached responses', async () => {
    const world = plain
    const question = `${current}&limit=2`
    expect(await found(world, question)).toBe('MISS')
    const forEditor = await ask(world, question, { as: 'editor' })
    expect([forEditor.status, forEditor.headers.get('x-cache')]).toEqual([200, 'MISS'])
    for (const as of ['public', 'nobody', 'writer'] as const) {
      expect((await ask(world, question, { as })).status).toBe(403)
      expect((await ask(world, question, { as })).headers.get('x-cache')).toBeNull()
    }
    expect(await found(world, question, { headers: { accept: 'application/vnd.other+json' } })).toBe('MISS')
  })

  test('volatile data, accounts and server status are never cached', async () => {
    const world = plain
    const paths = [
      '/items/articles?filter[published][_lt]=$NOW',
      '/items/articles?filter=%7B%22published%22:%7B%22_lt%22:%22%24NOW%22%7D%7D',
      '/_/items/articles?sort=?',
      '/server/health',
      '/auth',
    ]
    for (const path of [...paths, ...paths]) expect(await found(world, path), path).toBeNull()
    await ask(world, '/items/articles', { method: 'SEARCH', body: {} })
    expect(await found(world, '/items/articles', { method: 'SEARCH', body: {} })).toBeNull()
  })

  test('a write purges the cache if configured and if its collection is not excepted', async () => {
    const change = { method: 'PATCH', body: { title: `Changed` } }
    const question = `${current}&limit=3`
    await ask(plain, question)
    await ask(plain, '/items/articles/1', change)
    expect(await found(plain, question)).toBe('HIT')
    const purged = await open(
      keeping({ CACHE_AUTO_PURGE: 'true', CACHE_AUTO_PURGE_IGNORE_LIST: 'tags,directus_presets' }),
    )
    await ask(purged, current)
    await ask(purged, '/utils/hash/generate', { method: 'POST', body: { string: 'a' } })
    await ask(purged, '/items/tags/1', { method: 'PATCH', body: { name: 'pink' } })
    await ask(purged, '/presets', { method: 'POST', body: { collection: 'articles' } })
    expect(await found(purged, current)).toBe('HIT')
    // Applications tell each page that they show.
    await ask(purged, '/users/me?fields=last_page')
    await ask(purged, '/users/me/track/page', { method: 'PATCH', body: { last_page: '/content/articles' } })
    expect(await found(purged, current)).toBe('HIT')
    const own = await ask(purged, '/users/me?fields=last_page')
    expect([own.headers.get('x-cache'), own.text]).toEqual(['MISS', '{"data":{"last_page":"/content/articles"}}'])
    await ask(purged, '/_/items/articles/1', change)
    const fresh = await ask(purged, current)
    expect([fresh.headers.get('x-cache'), fresh.headers.get('cache-control')]).toEqual(['MISS', 'private, no-cache'])
    expect(fresh.text).toContain('"Changed"')
    const revisions = '/revisions?filter[collection][_eq]=articles&filter[item][_eq]=1&sort=-id&limit=1&fields=id'
    const { data } = JSON.parse((await ask(purged, revisions)).text) as { readonly data: readonly { id: number }[] }
    // Notifications between replicas about the previous write may arrive late.
    await expect.poll(() => found(purged, current)).toBe('HIT')
    expect((await ask(purged, `/utils/revert/${data[0]?.id}`, { method: 'POST' })).status).toBe(204)
    expect(await found(purged, current)).toBe('MISS')
  })

  test('clients can bypass the cache where allowed, and large responses are not cached', async () => {
    const past = { headers: { 'cache-control': 'no-store' } }
    const world = await open(keeping({ CACHE_SKIP_ALLOWED: 'true', CACHE_VALUE_MAX_SIZE: '100b' }))
    const one = '/items/articles/1?fields=id'
    await ask(world, one)
    expect(await found(world, one)).toBe('HIT')
    expect(await found(world, one, past)).toBeNull()
    await ask(world, '/items/articles')
    expect(await found(world, '/items/articles')).toBe('MISS')
    await ask(plain, one)
    expect(await found(plain, one, past)).toBe('HIT')
  })

  test('administrators can purge the cache; a change of rights purges it too', async () => {
    const world = plain
    await ask(world, current)
    expect((await ask(world, '/utils/cache/clear', { method: 'POST', as: 'editor' })).status).toBe(403)
    expect(await found(world, current)).toBe('HIT')
    const cleared = await ask(world, '/utils/cache/clear?system', { method: 'POST' })
    expect([cleared.status, cleared.text, cleared.headers.get('content-type')]).toEqual([200, '', null])
    expect(await found(world, current)).toBe('MISS')
  })
})

test('the server works without Redis', async () => {
  const world = await open({
    REDIS: 'redis://127.0.0.1:1',
    CACHE_ENABLED: 'true',
    CACHE_STORE: 'redis',
    CACHE_STATUS_HEADER: 'X-Cache',
    RATE_LIMITER_ENABLED: 'true',
    RATE_LIMITER_STORE: 'redis',
    RATE_LIMITER_POINTS: '3',
    RATE_LIMITER_DURATION: '3600',
  })
  const answers = []
  for (let at = 0; at < 4; at += 1) answers.push(await ask(world, current))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429])
  expect(answers[1]?.headers.get('x-cache')).toBe('MISS')
})
