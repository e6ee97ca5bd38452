import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../app/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const call = async (path: string, init: RequestInit = {}) => {
  const response = await fetch(app.url + path, init)
  const body = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: body.startsWith('{') ? (JSON.parse(body) as { data: unknown; error: unknown }) : body,
  }
}

const post = (path: string, body: string, type = 'application/json') =>
  call(path, { method: 'POST', body, headers: { 'content-type': type } })

test('query values are coerced, brackets and JSON text become objects, unknown parameters are ignored', async () => {
  const { body } = await call('/items/a?limit=5&fields[]=x&fields[]=y&filter={"a":{"_eq":"1/2:3"}}&utm_source=z')
  expect(body).toMatchObject({
    data: { query: { fields: ['x', 'y'], filter: { a: { _eq: '1/2:3' } }, utm_source: 'z' } },
  })
  expect((await call('/items/a?filter[a][_in][]=1&filter[a][_in][]=2')).body).toMatchObject({
    data: { query: { filter: { a: { _in: ['1', '2'] } } } },
  })
  expect((await call('/items/a?limit=5')).body).toMatchObject({ data: { query: { limit: 5 } } })
})

const refused: readonly (readonly [string, object])[] = [
  ['limit=x', { kind: 'invalid-query', name: 'limit', reason: 'Expected an integer for "limit" but received "x"' }],
  ['limit=', { kind: 'invalid-query', name: 'limit', reason: 'Expected an integer for "limit" but received ""' }],
  ['limit=-2', { kind: 'invalid-query', name: 'limit', reason: 'Expected a value >= -1 for "limit" but received -2' }],
  ['mode=c', { kind: 'invalid-query', name: 'mode', reason: 'Expected one of a, b for "mode" but received "c"' }],
  [
    'filter=abc',
    { kind: 'invalid-query', name: 'filter', reason: 'Expected an object for "filter" but received "abc"' },
  ],
  [
    'fields[a]=b',
    {
      kind: 'invalid-query',
      name: 'fields',
      reason: 'Expected a text or a list for "fields" but received an object',
    },
  ],
  [
    'filter[__proto__][x]=1',
    { kind: 'invalid-query', name: '__proto__', reason: '"__proto__" cannot be the name of a parameter or field' },
  ],
  [
    'filter={"constructor":1}',
    {
      kind: 'invalid-query',
      name: 'constructor',
      reason: '"constructor" cannot be the name of a parameter or field',
    },
  ],
]
test.each(refused)('?%s is refused by the name of the parameter', async (query, error) => {
  const answer = await call(`/items/a?${query}`)
  expect([answer.status, answer.body]).toEqual([400, { error }])
})

test('a path parameter is checked too', async () => {
  const answer = await call(`/items/${'a'.repeat(21)}`)
  expect(answer.body).toMatchObject({ error: { kind: 'invalid-query', name: 'collection' } })
})

test('SEARCH takes the parameters of GET as typed values, and keys', async () => {
  const { body } = await call('/items/a', {
    method: 'SEARCH',
    body: '{"query":{"limit":5,"filter":{"a":1}},"keys":[1,"b"]}',
    headers: { 'content-type': 'application/json' },
  })
  expect(body).toMatchObject({
    data: { operation: 'readItems', query: { limit: 5, filter: { a: 1 } }, keys: [1, 'b'], body: null },
  })
})

test('SEARCH without a body returns everything', async () => {
  expect((await call('/items/a', { method: 'SEARCH' })).body).toMatchObject({ data: { query: {}, keys: null } })
})

const search = (body: string) =>
  call('/items/a', { method: 'SEARCH', body, headers: { 'content-type': 'application/json' } })

const forms: readonly (readonly [string, object, object])[] = [
  ['an object as JSON text', { filter: '{"a":{"_eq":"é\\"{"}}' }, { filter: { a: { _eq: 'é"{' } } }],
  ['null for what is not given', { limit: null, fields: null, mode: null, filter: null, other: null }, { other: null }],
  ['the empty text for no object', { filter: '', fields: '' }, { fields: '' }],
]
test.each(forms)('SEARCH takes %s', async (_name, query, read) => {
  const { body } = await search(JSON.stringify({ query }))
  expect((body as { data: { query: unknown } }).data.query).toEqual(read)
})

const refusedSearches: readonly (readonly [string, object])[] = [
  ['{"query":{"limit":"x"}}', { kind: 'invalid-query', name: 'limit' }],
  [
    '{"query":{"filter":"abc"}}',
    { kind: 'invalid-query', name: 'filter', reason: 'Expected an object for "filter" but received "abc"' },
  ],
  [
    '{"query":{"filter":"[1]"}}',
    { kind: 'invalid-query', name: 'filter', reason: 'Expected an object for "filter" but received a list' },
  ],
  ['{"query":{"filter":"null"}}', { kind: 'invalid-query', name: 'filter' }],
  ['{"query":{"fields":{"0":"a"}}}', { kind: 'invalid-query', name: 'fields' }],
  [
    '{"query":{"filter":"{\\"__proto__\\":1}"}}',
    { kind: 'invalid-query', name: '__proto__', reason: '"__proto__" cannot be the name of a parameter or field' },
  ],
  [
    JSON.stringify({ query: { filter: `{"a":${'['.repeat(105)}${']'.repeat(105)}}` } }),
    { kind: 'invalid-query', name: 'query' },
  ],
  ['{"limit":5}', { kind: 'invalid-payload', name: 'limit', reason: '"limit" is not known here' }],
  ['{"keys":"1"}', { kind: 'invalid-payload', name: 'keys', reason: 'Expected a list for "keys" but received a text' }],
  [
    '{"query":{"filter":{"__proto__":1}}}',
    { kind: 'invalid-payload', reason: '"__proto__" cannot be the name of a field' },
  ],
  ['[]', { kind: 'invalid-payload', reason: 'Expected an object for the body but received a list' }],
]
test.each(refusedSearches)('SEARCH %s is refused', async (body, error) => {
  const answer = await search(body)
  expect([answer.status, answer.body]).toMatchObject([400, { error }])
})

test('an item and a list of items are bodies, a number is none', async () => {
  expect((await post('/items/a', '{"x":1}')).body).toMatchObject({ data: { body: { x: 1 } } })
  expect((await post('/items/a', '[{"x":1}]', 'application/json; charset=utf-8')).body).toMatchObject({
    data: { body: [{ x: 1 }] },
  })
  expect((await post('/items/a', '3')).body).toEqual({
    error: { kind: 'invalid-payload', reason: 'Expected an object or a list for the body but received a number' },
  })
})

const bodies: readonly (readonly [string, object])[] = [
  ['{"email":"a"}', { kind: 'invalid-payload', name: 'password', reason: 'Expected "password" but received nothing' }],
  [
    '{"email":"a","password":5}',
    { kind: 'invalid-payload', name: 'password', reason: 'Expected a text for "password" but received a number' },
  ],
  ['{"email":"a","password":"b","x":1}', { kind: 'invalid-payload', name: 'x', reason: '"x" is not known here' }],
  [
    '{"email":"a","password":"b","mode":"c"}',
    { kind: 'invalid-payload', name: 'mode', reason: 'Expected one of json, cookie for "mode" but received a text' },
  ],
  ['{"email":', { kind: 'invalid-payload', reason: 'Unexpected end of JSON input' }],
]
test.each(bodies)('the body %s is refused without repeating its values', async (body, error) => {
  const answer = await post('/auth/login', body)
  expect([answer.status, answer.body]).toEqual([400, { error }])
})

test('a missing body, a foreign media type, a compressed and a large body are refused', async () => {
  expect((await call('/auth/login', { method: 'POST' })).body).toEqual({
    error: { kind: 'invalid-payload', reason: 'Expected a body but received nothing' },
  })
  const foreign = await post('/auth/login', 'email=a', 'application/x-www-form-urlencoded')
  expect([foreign.status, foreign.body]).toEqual([
    415,
    {
      error: {
        kind: 'unsupported-media-type',
        mediaType: 'application/x-www-form-urlencoded',
        expected: 'application/json',
      },
    },
  ])
  const encoded = (encoding: string) =>
    call('/auth/login', {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json', 'content-encoding': encoding },
    })
  const refused = { kind: 'unsupported-media-type', header: 'Content-Encoding', mediaType: 'gzip' }
  expect(await encoded('gzip')).toMatchObject({ status: 415, body: { error: refused } })
  expect((await encoded('Identity')).status).not.toBe(415)
  const large = await post('/auth/login', `{"email":"${'a'.repeat(1_000)}"}`)
  expect([large.status, large.body]).toEqual([413, { error: { kind: 'content-too-large', limit: 1_000 } }])
})

test('a body of unknown length is cut off at the limit', async () => {
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const req = httpRequest(
      `${app.url}/auth/login`,
      { method: 'POST', headers: { 'content-type': 'application/json' } },
      (res) => {
        res.resume()
        resolve(res.statusCode)
      },
    )
    req.on('error', reject)
    req.write('x'.repeat(600))
    req.write('x'.repeat(600))
  })
  expect(status).toBe(413)
})

test.each([
  ['a stated length', { 'content-length': String(20_000_000) }],
  ['an unknown length', {}],
])('a client that reads after it has sent all gets its answer: %s', async (_name, headers) => {
  const answer = await new Promise<string>((resolve, reject) => {
    const { hostname, port } = new URL(app.url)
    const socket = connect({ host: hostname, port: Number(port) })
    const isChunked = Object.keys(headers).length === 0
    const lines = [
      'POST /auth/login HTTP/1.1',
      'host: x',
      'content-type: application/json',
      ...Object.entries(headers).map((each) => each.join(': ')),
      ...(isChunked ? ['transfer-encoding: chunked'] : []),
    ]
    const body = 'x'.repeat(20_000_000)
    socket.pause()
    socket.on('error', reject)
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    socket.write(isChunked ? `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n` : body, (error) => {
      if (error != null) return reject(error)
      socket.once('data', (bytes) => {
        socket.destroy()
        resolve(bytes.toString())
      })
      socket.resume()
    })
  })
  expect(answer).toMatch(/^HTTP\/1.1 413 /)
})

test('an optional body may be absent', async () => {
  expect((await call('/items/a', { method: 'DELETE' })).body).toMatchObject({
    data: { operation: 'deleteItems', body: null },
  })
})

test('an URL beyond the bound is refused', async () => {
  expect((await call(`/items/a?search=${'a'.repeat(33_000)}`)).body).toMatchObject({
    error: { kind: 'invalid-query', name: 'url' },
  })
})
