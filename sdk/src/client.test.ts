import { expect, test } from 'vitest'
import { type ClientOptions, createClient } from './client.ts'
import { isApiError as isCurrentError } from './current.ts'
import { TandemApiError } from './errors.ts'
import { isApiError as isLegacyError } from './legacy.ts'
import { observedFetch } from './observed-fetch.ts'

const read = { method: 'GET', path: '/items/{collection}', search: true }
const create = { method: 'POST', path: '/items/{collection}' }
const articles = { path: { collection: 'articles' } }

/** A client whose waits are recorded and take no time. */
function clientOf(replies: Parameters<typeof observedFetch>[0], more: Partial<ClientOptions> = {}) {
  const { fetch, asked } = observedFetch(replies)
  const waits: number[] = []
  const client = createClient({
    url: 'http://api.example/',
    generation: 'current',
    fetch,
    random: () => 1,
    wait: async (milliseconds) => void waits.push(milliseconds),
    ...more,
  })
  return { client, asked, waits }
}

test('a request has path parameters and a query string', async () => {
  const { client, asked } = clientOf([{ body: { data: [] } }])
  const answer = await client.request(read, { path: { collection: 'a/b' }, query: { limit: 1 } })
  expect(answer).toEqual({ data: [] })
  expect(asked[0]).toMatchObject({ method: 'GET', url: 'http://api.example/items/a%2Fb?limit=1', body: undefined })
})

test('a client tells how far its last write has come', async () => {
  const { client, asked } = clientOf([
    { body: { data: [] } },
    { status: 204, headers: { 'x-tandem-position': '0/16B3748' } },
    { body: { data: [] } },
    { body: { data: [] } },
  ])
  await client.request(read, articles)
  await client.request(create, { ...articles, body: { title: 'A' } })
  await client.request(read, articles)
  await client.request(read, articles)
  expect(asked.map(({ headers }) => headers.get('x-tandem-position'))).toEqual([null, null, '0/16B3748', '0/16B3748'])
})

test('a body is sent as JSON', async () => {
  const { client, asked } = clientOf([{ status: 204 }])
  expect(await client.request(create, { ...articles, body: { title: 'A' } })).toBeUndefined()
  expect(asked[0]?.body).toBe('{"title":"A"}')
  expect(asked[0]?.headers.get('content-type')).toBe('application/json')
})

test('a missing path parameter is refused before anything is sent', async () => {
  const { client, asked } = clientOf([{}])
  await expect(client.request(read)).rejects.toThrow('Expected a value for "collection" in the path but received none.')
  expect(asked).toEqual([])
})

test.each(['.', '..'])('a path parameter %j, which would lead to another operation, is refused', async (id) => {
  const { client, asked } = clientOf([{}])
  const request = client.request(
    { method: 'DELETE', path: '/items/{collection}/{id}' },
    { path: { ...articles.path, id } },
  )
  await expect(request).rejects.toThrow(`Expected a value for "id" in the path but received "${id}".`)
  expect(asked).toEqual([])
})

test('a query too long for a URL is sent as SEARCH, and any read on request', async () => {
  const { client, asked } = clientOf([{ body: {} }])
  await client.request(read, { ...articles, query: { search: 'a'.repeat(5000) } })
  await client.request(read, { ...articles, query: { fields: ['id', { author: ['name'] }] } }, { search: true })
  expect(asked.map(({ method }) => method)).toEqual(['SEARCH', 'SEARCH'])
  expect(asked[1]).toMatchObject({
    url: 'http://api.example/items/articles',
    body: '{"query":{"fields":["id","author.name"]}}',
  })
})

test('an answer outside 2xx is a typed error with the codes of the current generation', async () => {
  const body = { errors: [{ message: 'No.', extensions: { code: 'FORBIDDEN' } }] }
  const { client } = clientOf([{ status: 403, body }])
  const error = await client.request(read, articles).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(TandemApiError)
  expect(error).toMatchObject({
    status: 403,
    codes: ['FORBIDDEN'],
    code: 'FORBIDDEN',
    message: 'No.',
    generation: 'current',
    body,
  })
})

test('an answer outside 2xx is a typed error with the number of the legacy generation', async () => {
  const body = { error: { code: 203, message: 'Item not found' } }
  const { client } = clientOf([{ status: 404, body }], { generation: 'legacy' })
  await expect(client.request(read, articles)).rejects.toMatchObject({
    status: 404,
    codes: [203],
    message: 'Item not found',
  })
})

test('only existing codes of a generation compile', () => {
  const error = new TandemApiError('current', 403, { errors: [{ message: '', extensions: { code: 'FORBIDDEN' } }] })
  expect([isCurrentError(error, 'FORBIDDEN'), isCurrentError(error, 'CONFLICT'), isCurrentError(error)]).toEqual([
    true,
    false,
    true,
  ])
  // @ts-expect-error a misspelt code would never be found
  expect(isCurrentError(error, 'FORBIDEN')).toBe(false)
  // @ts-expect-error the legacy generation has numbers
  expect(isLegacyError(error, 'FORBIDDEN')).toBe(true)
  const caught: unknown = error
  // @ts-expect-error nor does a found error have such a code
  expect(isCurrentError(caught) && caught.code === 'FORBIDEN').toBe(false)
  // @ts-expect-error or one of the other generation
  expect(isLegacyError(caught) && caught.code === 'FORBIDDEN').toBe(true)
})

test('an error with an unknown body has its status', async () => {
  const { client } = clientOf([{ status: 502 }])
  await expect(client.request(read, articles)).rejects.toMatchObject({
    codes: [],
    code: null,
    message: 'The server answered 502.',
  })
})

test('reads are retried after a network error with exponential backoff', async () => {
  const { client, asked, waits } = clientOf([new TypeError('refused'), new TypeError('refused'), { body: 1 }])
  expect(await client.request(read, articles)).toBe(1)
  expect(asked).toHaveLength(3)
  expect(waits).toEqual([200, 400])
})

test('half of each wait is random', async () => {
  const { client, waits } = clientOf([new TypeError('refused'), { body: 1 }], { random: () => 0 })
  await client.request(read, articles)
  expect(waits).toEqual([100])
})

test('retries end, and the last error is thrown', async () => {
  const failure = new TypeError('refused')
  const { client, asked } = clientOf([failure])
  await expect(client.request(read, articles)).rejects.toBe(failure)
  expect(asked).toHaveLength(3)
})

test('a 503 with Retry-After is retried', async () => {
  const { client, waits } = clientOf([{ status: 503, headers: { 'retry-after': '2' } }, { body: 1 }])
  expect(await client.request(read, articles)).toBe(1)
  expect(waits).toEqual([2000])
})

test('Retry-After may be a date', async () => {
  const headers = { 'retry-after': 'Sat, 31 Jan 2026 10:00:03 GMT' }
  const { client, waits } = clientOf([{ status: 503, headers }, { body: 1 }], {
    now: () => Date.parse('2026-01-31T10:00:00Z'),
  })
  await client.request(read, articles)
  expect(waits).toEqual([3000])
})

test('a 503 without Retry-After and any other error are final', async () => {
  for (const status of [500, 502, 503, 429]) {
    const { client, asked } = clientOf([{ status }])
    await expect(client.request(read, articles)).rejects.toMatchObject({ status })
    expect(asked).toHaveLength(1)
  }
})

test('a write is never sent twice', async () => {
  const failed = clientOf([new TypeError('refused'), { body: 1 }])
  await expect(failed.client.request(create, { ...articles, body: {} })).rejects.toThrow('refused')
  expect(failed.asked).toHaveLength(1)
  const busy = clientOf([{ status: 503, headers: { 'retry-after': '1' } }, { body: 1 }])
  await expect(busy.client.request(create, { ...articles, body: {} })).rejects.toMatchObject({ status: 503 })
  expect(busy.asked).toHaveLength(1)
})

test('a request ends with its timeout', async () => {
  const { client } = clientOf(['hang'])
  await expect(client.request(read, articles, { timeout: 5 })).rejects.toMatchObject({ name: 'TimeoutError' })
})

test('an aborted request rejects with the reason and is not retried', async () => {
  const { client, asked } = clientOf(['hang'])
  const controller = new AbortController()
  const request = client.request(read, articles, { signal: controller.signal })
  const reason = new Error('the page was left')
  await Promise.resolve()
  controller.abort(reason)
  await expect(request).rejects.toBe(reason)
  expect(asked).toHaveLength(1)
})

test('an abort ends the wait before a retry', async () => {
  const controller = new AbortController()
  const { fetch } = observedFetch([new TypeError('refused')])
  const client = createClient({
    url: 'http://api.example',
    generation: 'current',
    fetch,
    retry: { first: 60_000, longest: 60_000 },
  })
  const request = client.request(read, articles, { signal: controller.signal })
  await new Promise((resolve) => {
    setTimeout(resolve, 5)
  })
  controller.abort(new Error('enough'))
  await expect(request).rejects.toThrow('enough')
})

test('an expired token is renewed once and the request retried, writes too', async () => {
  const expired = {
    status: 401,
    body: { errors: [{ message: 'Token expired.', extensions: { code: 'TOKEN_EXPIRED' } }] },
  }
  const credentials = { token: async () => 'old', renew: async () => 'new' }
  const { client, asked } = clientOf([expired, { body: 1 }], { credentials })
  expect(await client.request(create, { ...articles, body: {} })).toBe(1)
  expect(asked.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer old', 'Bearer new'])
})

test('other token errors are final', async () => {
  const refused = { status: 401, body: { errors: [{ message: 'No.', extensions: { code: 'INVALID_CREDENTIALS' } }] } }
  const { client, asked } = clientOf([refused], { credentials: { token: async () => 'old', renew: async () => 'new' } })
  await expect(client.request(read, articles)).rejects.toMatchObject({ status: 401 })
  expect(asked).toHaveLength(1)
})

test('a request can override or omit the token', async () => {
  const { client, asked } = clientOf([{ body: 1 }], {
    credentials: { token: async () => 'mine', renew: async () => null },
  })
  await client.request(read, articles, { token: 'other' })
  await client.request(read, articles, { token: null })
  expect(asked.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer other', null])
})

test.each(['api.example', '//api.example', '', 'ftp://api.example', 'https:///items'])(
  'the url "%s" is refused',
  (url) => {
    expect(() => createClient({ url, generation: 'current' })).toThrow(
      `Expected an address such as "https://api.example.com" for "url" but received "${url}".`,
    )
  },
)

test('a read waits as long as a 429 says; a write is sent once', async () => {
  const busy = { status: 429, headers: { 'retry-after': '3' } }
  const { client, asked, waits } = clientOf([busy, { body: { data: [] } }, busy])
  await client.request(read, articles)
  expect(waits).toEqual([3000])
  await expect(client.request(create, { ...articles, body: {} })).rejects.toMatchObject({ status: 429 })
  expect(asked).toHaveLength(3)
})

test('hooks see every request and response, and may set headers', async () => {
  const seen: string[] = []
  const { client, asked } = clientOf([new TypeError('offline'), { status: 200, body: { data: [] } }], {
    onRequest: ({ operation, method, url, headers }) => {
      headers.set('x-trace', 'abc')
      seen.push(`${method} ${operation.path} ${url}`)
    },
    onResponse: (response, { method }) => void seen.push(`${method} ${response.status}`),
  })
  await client.request(read, articles)
  const sent = 'GET /items/{collection} http://api.example/items/articles'
  expect(seen).toEqual([sent, sent, 'GET 200'])
  expect(asked.map(({ headers }) => headers.get('x-trace'))).toEqual(['abc', 'abc'])
})

test('an error names the request in the log of the server', async () => {
  const { client } = clientOf([{ status: 403, headers: { 'x-request-id': 'r-1' } }, { status: 502 }])
  await expect(client.request(read, articles)).rejects.toMatchObject({ requestId: 'r-1' })
  await expect(client.request(read, articles)).rejects.toMatchObject({ requestId: null })
})
