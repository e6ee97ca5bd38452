import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express, { type Express, type RequestHandler, Router } from 'express'
import { afterEach, expect, test } from 'vitest'
import { empty, json, withCookies } from '../reply/reply.ts'
import { createTestApp } from './test-app.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** Starts a server; requests return status, headers and the body as text. */
async function serve(app: Express) {
  const server = app.listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return async (path: string, init: RequestInit = {}) => {
    const response = await fetch(url + path, { redirect: 'manual', ...init })
    return { url, status: response.status, headers: response.headers, body: await response.text() }
  }
}

const mounted = (path: string, own: Parameters<typeof createTestApp>[1] = {}) => {
  const parent = express()
  const { app } = createTestApp({}, own)
  parent.use(path, app)
  return { parent, app }
}

test('operations are served under a path prefix, and see it as their base', async () => {
  const { parent } = mounted('/data', {
    readItem: async (_ctx, { request }: { request: { base: string; path: string; url: string; origin: string } }) => {
      const { base, path, url, origin } = request
      return json({ data: { base, path, url, origin } })
    },
  })
  const ask = await serve(parent)
  const { url, status, body } = await ask('/data/items/a/1?limit=2')
  expect(status).toBe(200)
  expect(JSON.parse(body)).toEqual({
    data: { base: '/data', path: '/items/a/1', url: '/items/a/1?limit=2', origin: `${url}/data` },
  })
  expect((await ask('/items/a/1')).status).toBe(404)
})

test('cookies are scoped to the prefix, and those of other middleware stay', async () => {
  const parent = express()
  parent.use((_req, res, next) => {
    res.cookie('theirs', '1').set('x-frame-options', 'THEIRS').set('x-theirs', '1')
    next()
  })
  const cookie = { name: 'own', value: '2', secure: false, sameSite: 'lax' } as const
  const { app } = createTestApp({}, { readItem: async () => withCookies(empty(), [cookie, { ...cookie, path: '/a' }]) })
  parent.use('/data', app)
  const { headers } = await (await serve(parent))('/data/items/a/1')
  expect(headers.getSetCookie()).toEqual([
    'theirs=1; Path=/',
    'own=2; Path=/data; HttpOnly; SameSite=Lax',
    'own=2; Path=/data/a; HttpOnly; SameSite=Lax',
  ])
  expect(headers.get('x-theirs')).toBe('1')
})

test('later middleware answers unknown paths, otherwise the generation answers 404', async () => {
  const { parent } = mounted('/data')
  parent.get('/data/own', (_req, res) => void res.send('own'))
  const ask = await serve(parent)
  for (const _ of [1, 2]) {
    expect((await ask('/data/own')).body).toBe('own')
    const unknown = await ask('/data/nothing-here')
    expect([unknown.status, unknown.headers.get('x-generation')]).toEqual([404, 'new'])
    const retired = await ask('/data/retired')
    expect(retired.headers.get('x-generation')).toBe('old')
    // Tandem says nothing about paths of the other application.
    const foreign = await ask('/elsewhere')
    expect([foreign.status, foreign.headers.get('x-generation')]).toEqual([404, null])
  }
  expect((await ask('/data/items/a', { method: 'PATCH' })).status).toBe(405)
})

test('works works works mounted at the root, in a router, and twice', async () => {
  const root = mounted('/')
  root.parent.get('/own', (_req, res) => void res.send('own'))
  const askRoot = await serve(root.parent)
  expect((await askRoot('/own')).body).toBe('own')
  expect((await askRoot('/nothing')).headers.get('x-generation')).toBe('new')

  const router = Router()
  router.use('/data', createTestApp().app)
  router.use((_req, res) => void res.status(404).send('theirs'))
  const askRouter = await serve(express().use('/api', router))
  expect(JSON.parse((await askRouter('/api/data/items/a')).body)).toMatchObject({ data: { operation: 'readItems' } })
  expect((await askRouter('/api/data/nothing')).body).toBe('theirs')

  const twice = express()
  twice.use('/one', createTestApp().app)
  twice.use('/two', createTestApp().app)
  const askTwice = await serve(twice)
  for (const path of ['/one', '/two']) {
    expect((await askTwice(`${path}/items/a`)).status).toBe(200)
    expect((await askTwice(`${path}/nothing`)).headers.get('x-generation')).toBe('new')
  }
})

test('earlier middleware sees an ordinary request and can refuse it', async () => {
  const parent = express()
  const seen: unknown[] = []
  const gate: RequestHandler = (req, res, next) => {
    seen.push([req.path, req.query, req.get('x-a'), req.ip])
    if (req.get('x-a') === undefined) return void res.status(401).json({ theirs: true })
    next()
  }
  parent.use('/data', gate, createTestApp().app)
  const ask = await serve(parent)
  expect(await ask('/data/items/a?limit=1')).toMatchObject({ status: 401, body: '{"theirs":true}' })
  expect((await ask('/data/items/a?limit=1', { headers: { 'x-a': '1' } })).status).toBe(200)
  expect(seen).toEqual([
    ['/items/a', { limit: '1' }, undefined, '127.0.0.1'],
    ['/items/a', { limit: '1' }, '1', '127.0.0.1'],
  ])
})

test('a body that an earlier parser has read is used, within the same limits', async () => {
  const parent = express()
  parent.use(express.json())
  parent.use('/data', createTestApp().app)
  const ask = await serve(parent)
  const post = (body: string, type = 'application/json') =>
    ask('/data/items/a', { method: 'POST', headers: { 'content-type': type }, body })
  expect(JSON.parse((await post('{"a":[1]}')).body)).toMatchObject({ data: { body: { a: [1] } } })
  expect((await post(`{"a":"${'x'.repeat(1000)}"}`)).status).toBe(413)
  expect((await post('{"__proto__":1}')).status).toBe(400)
  expect((await post('"text"')).status).toBe(400)
})

test('a body that earlier middleware consumed without keeping is refused', async () => {
  const parent = express()
  parent.use((req, _res, next) => void req.resume().once('end', () => next()))
  parent.use('/data', createTestApp().app)
  const ask = await serve(parent)
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":1}' }
  expect(await ask('/data/items/a', init)).toMatchObject({ status: 400 })
})

test('an operation with x-raw gets the Express request', async () => {
  const { parent } = mounted('/data', {
    readRaw: async (_ctx, { raw }: { raw: express.Request }) =>
      json({ data: [raw.originalUrl, raw.get('host') === undefined, raw.res?.headersSent] }),
    readItem: async (_ctx, input: object) => json({ data: 'raw' in input }),
  })
  const ask = await serve(parent)
  expect(JSON.parse((await ask('/data/server/raw')).body)).toEqual({ data: ['/data/server/raw', false, false] })
  expect(JSON.parse((await ask('/data/items/a/1')).body)).toEqual({ data: false })
})

const readPlace = async (_ctx: unknown, { request }: { request: { ip: string; origin: string } }) =>
  json({ data: [request.ip, request.origin] })

test('trust in proxies follows the outer application unless the settings say otherwise', async () => {
  const headers = { 'x-forwarded-for': '9.9.9.9', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'a.example' }
  const believed = ['9.9.9.9', 'https://a.example/data']
  for (const [around, own, expected] of [
    [true, false, believed],
    [false, true, believed],
    [true, ['192.168.0.0/16'], null],
  ] as const) {
    const parent = express().set('trust proxy', around)
    parent.use('/data', createTestApp({ trustProxy: own }, { readItem: readPlace }).app)
    const ask = await serve(parent)
    const { url, body } = await ask('/data/items/a/1', { headers })
    expect(JSON.parse(body)).toEqual({ data: expected ?? ['127.0.0.1', `${url}/data`] })
  }
})
