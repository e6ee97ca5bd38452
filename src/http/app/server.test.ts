import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TandemError } from '../../domain/rights/errors.ts'
import { empty, json, jsonText, type Reply, text, withCookies } from '../reply/reply.ts'
import type { CorsSettings } from '../settings.ts'
import { startTestApp, type TestApp } from './test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp(
    {},
    {
      readFixed: async () => {
        throw new Error('secret detail')
      },
      readReset: async () => {
        throw new Error('a bug')
      },
      readItem: async (
        _ctx,
        input: { path: { id: string }; request: { cookies: object; origin: string; ip: string | null } },
      ) => {
        if (input.path.id === 'text') return text('plain')
        if (input.path.id === 'wrong') return jsonText('{"dat":1}')
        if (input.path.id === 'empty') return empty()
        if (input.path.id === 'elsewhere') throw new TandemError({ kind: 'project-not-found', project: 'x' })
        if (input.path.id === 'forbidden') throw new TandemError({ kind: 'forbidden' })
        if (input.path.id === 'request')
          return json({ data: { cookies: input.request.cookies, origin: input.request.origin, ip: input.request.ip } })
        return withCookies(jsonText('{"data":"é"}'), [
          { name: 'a', value: 'x y;', maxAgeSeconds: 5, secure: false, sameSite: 'lax' },
        ])
      },
    },
  )
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

describe('routing', () => {
  const rows: readonly (readonly [string, string, string])[] = [
    ['/items/a', 'new', 'readItems'],
    ['/ITEMS/a/', 'new', 'readItems'],
    ['/items/a/text2', 'new', 'readItem'],
    ['/_/items/a', 'old', 'readItems'],
    ['/unknown-project/items/a', 'old', 'readItems'],
    ['/_', 'old', 'readProject'],
    ['/_/', 'old', 'readProject'],
    ['/', 'old', 'readRoot'],
    ['/server/ping', 'new', 'ping'],
    ['/server/projects', 'old', 'readProjects'],
  ]
  test.each(rows)('%s is answered by the %s generation, %s', async (path, generation, operation) => {
    const { body } = await call(path)
    if (operation === 'readItem') expect(body).toEqual({ data: 'é' })
    else expect(body).toMatchObject({ data: { generation, operation } })
  })

  const missing: readonly (readonly [string, string])[] = [
    ['/nowhere', 'new'],
    ['/items', 'new'],
    ['/items/a/b/c', 'new'],
    ['/_/nowhere', 'old'],
    ['/_/nowhere/else', 'old'],
    ['/unknown-project/nowhere', 'new'],
    ['/_/items', 'old'],
  ]
  test.each(missing)('%s is unknown to the %s generation', async (path, generation) => {
    const answer = await call(path)
    expect([answer.status, answer.headers.get('x-generation'), answer.body]).toEqual([
      404,
      generation,
      { error: { kind: 'route-not-found', path, isInProject: path.startsWith('/_/') } },
    ])
  })

  test('an unsupported method is refused with the allowed ones', async () => {
    const answer = await call('/items/a', { method: 'PUT' })
    expect([answer.status, answer.body]).toEqual([
      405,
      { error: { kind: 'method-not-allowed', method: 'PUT', allowed: ['GET', 'HEAD', 'SEARCH', 'POST', 'DELETE'] } },
    ])
  })

  test('OPTIONS without CORS lists the methods', async () => {
    const answer = await call('/items/a/1', { method: 'OPTIONS' })
    expect([answer.status, answer.headers.get('allow')]).toEqual([204, 'GET, HEAD'])
  })

  test('the answer for an unknown project is not checked against a spec', async () => {
    const { status, body } = await call('/items/a/elsewhere')
    expect([status, body]).toEqual([410, { error: { kind: 'project-not-found', project: 'x' } }])
  })

  test('a path that is not percent-encoded UTF-8 is refused', async () => {
    const answer = await call('/items/%ff')
    expect([answer.status, answer.body]).toMatchObject([400, { error: { kind: 'invalid-query', name: 'path' } }])
  })
})

describe('answers', () => {
  test('finished JSON text is sent as it is, with its length in bytes, cookies and security headers', async () => {
    const { headers, body } = await call('/items/a/1')
    expect(body).toEqual({ data: 'é' })
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': '13',
      'set-cookie': 'a=x%20y%3B; Max-Age=5; Path=/; HttpOnly; SameSite=Lax',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
    })
    expect(headers.get('x-powered-by')).toBeNull()
    expect(headers.get('strict-transport-security')).toBeNull()
    expect(headers.get('x-request-id')).toMatch(/^request-\d+$/)
  })

  test('HEAD has the headers of GET and no body', async () => {
    const answer = await call('/items/a/1', { method: 'HEAD' })
    expect([answer.status, answer.headers.get('content-length'), answer.body]).toEqual([200, '13', ''])
  })

  test('204 has neither body nor length', async () => {
    const answer = await call('/items/a/empty')
    expect([
      answer.status,
      answer.headers.get('content-length'),
      answer.headers.get('content-type'),
      answer.body,
    ]).toEqual([204, null, null, ''])
  })

  test('a failure has the form of its generation', async () => {
    const answer = await call('/items/a/forbidden')
    expect([answer.status, answer.body, answer.headers.get('x-generation')]).toEqual([
      403,
      { error: { kind: 'forbidden' } },
      'new',
    ])
  })

  test('an unexpected error is a 500 without details and a log line with all of them', async () => {
    const answer = await call('/items/known/fixed')
    expect([answer.status, answer.body]).toEqual([500, { error: { kind: 'bug' } }])
    const line = app.lines.findLast(({ level }) => level === 'error')
    expect(line?.detail).toMatchObject({ err: { message: 'secret detail' } })
  })

  test('the log line of an unexpected error contains no token', async () => {
    const token = 'b'.repeat(45)
    expect((await call(`/auth/reset/${token}`)).status).toBe(500)
    const line = app.lines.findLast(({ level }) => level === 'error')
    expect(line?.detail).toMatchObject({ path: '/auth/reset/[redacted]' })
    expect(JSON.stringify(app.lines)).not.toContain(token)
  })

  test('an answer outside the spec is a 500 that names the deviation', async () => {
    const wrong = await call('/items/a/wrong')
    expect([wrong.status, wrong.headers.get('x-spec-violation')]).toEqual([
      500,
      "GET /items/{collection}/{id} answered 200 against its spec: the answer must have required property 'data'",
    ])
    const media = await call('/items/a/text')
    expect([media.status, media.headers.get('x-spec-violation')]).toEqual([
      500,
      'GET /items/{collection}/{id} answered 200 against its spec: the media type text/html is not in the spec',
    ])
  })

  test('handlers see cookies, origin and address', async () => {
    const { body } = await call('/items/a/request', {
      headers: { cookie: 'a=1; b=x%20y; a=2', 'x-forwarded-for': '9.9.9.9' },
    })
    expect(body).toEqual({ data: { cookies: { a: '1', b: 'x y' }, origin: app.url, ip: '127.0.0.1' } })
  })
})

test('one log line per request, without query string and without tokens', async () => {
  const own = await startTestApp()
  await (
    await fetch(`${own.url}/items/${'a'.repeat(45)}?access_token=secret`, {
      headers: { authorization: 'Bearer secret' },
    })
  ).text()
  await expect.poll(() => own.lines.length).toBe(1)
  await own.close()
  expect(own.lines[0]).toMatchObject({
    level: 'info',
    message: 'request',
    detail: { requestId: 'request-1', method: 'GET', path: '/items/[redacted]', status: 400 },
  })
  expect(JSON.stringify(own.lines)).not.toContain('secret')
})

test('the reason why a service is unavailable is logged and not sent', async () => {
  const failure = { kind: 'unavailable', service: 'files', reason: 'It cannot be reached', retryAfter: 1 } as const
  const errors = [
    new TandemError(failure, { cause: new Error('access denied to the bucket') }),
    new TandemError(failure),
  ]
  const own = await startTestApp({}, { readItem: () => Promise.reject(errors.shift()) })
  for (const id of ['1', '2'])
    expect(await (await fetch(`${own.url}/items/a/${id}`)).json()).toEqual({ error: failure })
  await expect.poll(() => own.lines.length).toBe(3)
  await own.close()
  expect(own.lines.filter(({ level }) => level === 'warn')).toMatchObject([
    {
      detail: {
        err: { cause: { message: 'access denied to the bucket' } },
        requestId: 'request-1',
        path: '/items/a/1',
      },
    },
  ])
})

test('a disconnected client is logged and its handler is notified', async () => {
  let isNotified = false
  const begun = Promise.withResolvers<void>()
  const own = await startTestApp(
    {},
    {
      readItem: (_ctx, { request }: { request: { signal: AbortSignal } }) =>
        new Promise((resolve) => {
          begun.resolve()
          request.signal.addEventListener('abort', () => {
            isNotified = true
            resolve(empty())
          })
        }),
    },
  )
  const socket = connect(own.port, '127.0.0.1', () => socket.write('GET /items/a/1 HTTP/1.1\r\nHost: a\r\n\r\n'))
  await begun.promise
  socket.destroy()
  await expect.poll(() => own.lines.length).toBe(1)
  expect([isNotified, own.lines[0]?.detail]).toMatchObject([true, { aborted: true }])
  await own.close()
})

test('shutdown can wait for work whose client has disconnected', async () => {
  const [begun, work] = [Promise.withResolvers<void>(), Promise.withResolvers<Reply<204, null>>()]
  const readItem = (): Promise<Reply> => {
    begun.resolve()
    return work.promise
  }
  const own = await startTestApp({}, { readItem })
  await own.settled(10_000)
  const socket = connect(own.port, '127.0.0.1', () => socket.write('GET /items/a/1 HTTP/1.1\r\nHost: a\r\n\r\n'))
  await begun.promise
  socket.destroy()
  await own.close()
  await own.settled(20)
  let isSettled = false
  const settled = own.settled(60_000).then(() => (isSettled = true))
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(isSettled).toBe(false)
  work.resolve(empty())
  await settled
})

test('STRICT_QUERY refuses unknown parameters but not the token', async () => {
  const own = await startTestApp({ strictQuery: true })
  const refused = await (await fetch(`${own.url}/items/a?utm_source=x`)).json()
  const fine = await fetch(`${own.url}/items/a?access_token=x&limit=1`)
  const search = async (body: string) => {
    const headers = { 'content-type': 'application/json' }
    return (await fetch(`${own.url}/items/a`, { method: 'SEARCH', body, headers })).status
  }
  const bodies = [await search('{"query":{"x":1}}'), await search('{"query":{"x":null}}')]
  await own.close()
  expect(refused).toEqual({
    error: { kind: 'invalid-query', name: 'utm_source', reason: '"utm_source" is not a parameter of this operation' },
  })
  expect([fine.status, ...bodies]).toEqual([200, 400, 400])
})

const headersOf = async (url: string, origin: string, method = 'GET') => {
  const { status, headers } = await fetch(`${url}/items/a`, {
    method,
    headers: { origin, 'access-control-request-method': 'SEARCH' },
  })
  return [status, headers.get('access-control-allow-origin'), headers.get('access-control-allow-credentials')]
}

test('CORS is off until configured, and a reflected origin never comes with credentials', async () => {
  const cors = {
    methods: ['GET', 'SEARCH'],
    allowedHeaders: ['Authorization'],
    exposedHeaders: [],
    credentials: true,
    maxAge: 60,
  }
  const reflecting = await startTestApp({ cors: { ...cors, origin: true } })
  const listed = await startTestApp({ cors: { ...cors, origin: ['https://a.example'] } })
  expect(await headersOf(app.url, 'https://a.example')).toEqual([200, null, null])
  expect(await headersOf(reflecting.url, 'https://a.example')).toEqual([200, 'https://a.example', null])
  expect(await headersOf(listed.url, 'https://a.example')).toEqual([200, 'https://a.example', 'true'])
  expect(await headersOf(listed.url, 'https://b.example')).toEqual([200, null, 'true'])
  expect(await headersOf(listed.url, 'https://a.example', 'OPTIONS')).toEqual([204, 'https://a.example', 'true'])
  await Promise.all([reflecting.close(), listed.close()])
})

/** The origins that handlers of such a server see as trusted. */
const trusted = async (cors: CorsSettings): Promise<unknown> => {
  const own = await startTestApp(
    { cors },
    {
      readItem: async (_ctx, { request }: { request: { trustedOrigins: unknown } }) =>
        json({ data: request.trustedOrigins }),
    },
  )
  const { data } = (await (await fetch(`${own.url}/items/a/1`)).json()) as { data: unknown }
  await own.close()
  return data
}

test('only listed origins that may send cookies are trusted', async () => {
  const cors = { origin: ['https://a.example'], methods: [], allowedHeaders: [], exposedHeaders: [], maxAge: 60 }
  expect(await trusted({ ...cors, credentials: true })).toEqual(['https://a.example'])
  expect(await trusted({ ...cors, credentials: false })).toEqual([])
  expect(await trusted({ ...cors, credentials: true, origin: ['https://a.example', '*'] })).toEqual([])
  expect(await trusted({ ...cors, credentials: true, origin: true })).toEqual([])
})

test('a star in an allowed header matches one word', async () => {
  const allowedHeaders = ['Authorization', 'X-*-Project']
  const origin = ['https://a.example']
  const own = await startTestApp({
    cors: { origin, methods: ['GET'], allowedHeaders, exposedHeaders: [], credentials: true, maxAge: 60 },
  })
  const { headers } = await fetch(`${own.url}/items/a`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://a.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'x-acme-project, x-evil, x--project, x-a-b-project',
    },
  })
  expect(headers.get('access-control-allow-headers')).toBe('Authorization,x-acme-project')
  await own.close()
})

test('headers of a proxy count only if it is trusted', async () => {
  const own = await startTestApp(
    { trustProxy: 1, publicUrl: null },
    {
      readItem: async (_ctx, { request }: { request: { ip: string; origin: string } }) =>
        json({ data: { ip: request.ip, origin: request.origin } }),
    },
  )
  const answer = await fetch(`${own.url}/items/a/1`, {
    headers: { 'x-forwarded-for': '9.9.9.9', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'api.example' },
  })
  expect(await answer.json()).toEqual({ data: { ip: '9.9.9.9', origin: 'https://api.example' } })
  await own.close()
})

test('an error in admission fails its request and not the process', async () => {
  let isBroken = true
  const uuid = (): string => {
    if (isBroken) throw new Error('no id')
    return 'id'
  }
  const own = await startTestApp({}, {}, { uuid })
  expect((await fetch(`${own.url}/items/a`)).status).toBe(500)
  isBroken = false
  expect((await fetch(`${own.url}/items/a`)).status).toBe(200)
  await own.close()
  expect(own.lines[0]).toMatchObject({ level: 'error', message: 'Answer could not be sent' })
})
