import { expect, test } from 'vitest'
import type { Context } from '../../domain/ports/context.ts'
import type { Route } from '../../domain/ports/operation.ts'
import { jsonText } from '../reply/reply.ts'
import type { AnyHandler } from './handlers.ts'
import { type ResponseCache, withResponseCache } from './response-cache.ts'

const route = (method: 'GET' | 'POST'): Route => ({
  operationId: method,
  method,
  path: '/graphql',
  tag: 'graphql',
  search: false,
  credentials: 'read',
  accepts: [],
  bodyRequired: false,
  query: [],
})

function open() {
  const stored = new Map<string, object>()
  let purges = 0
  const cache = {
    read: async (key: string) => stored.get(key),
    keep: async (key: string, answer: object) => void stored.set(key, answer),
    begin: async () => 0,
    purge: async () => void (purges += 1),
  }
  const settings = {
    autoPurge: true,
    unpurged: [],
    ttl: 1000,
    sharedMaxAge: null,
    skipAllowed: false,
    statusHeader: null,
    tagHeaders: false,
    maxSize: null,
  }
  let calls = 0
  const handler: AnyHandler = async () => jsonText(`{"data":${(calls += 1)}}`)
  const responseCache = { cache, settings } as unknown as ResponseCache
  const routes = [route('GET'), route('POST')]
  const handlers = withResponseCache(
    { name: 'x', routes, handlers: { GET: handler, POST: handler } },
    () => responseCache,
  )
  const ask = async (method: 'GET' | 'POST', url: string, committed = false): Promise<string> => {
    const actor = { kind: 'public', access: { rules: [] } }
    const db = { run: () => Promise.resolve({ rows: [], count: 0 }) }
    const log = { error: () => undefined }
    const ctx = { actor, project: '_', schema: { version: '1' }, limits: {}, db, log, committed: () => committed }
    const request = { method, url, headers: {}, origin: 'http://x' }
    const reply = await (handlers[method] as AnyHandler)(ctx as unknown as Context, { request } as never)
    return reply.body?.kind === 'json-text' ? [reply.body.text].flat().join('') : ''
  }
  return { ask, purges: () => purges }
}

test('answers are cached unless they depend on chance or time', async () => {
  const { ask } = open()
  expect(await ask('GET', '/graphql?query=%7Ba%7D')).toBe('{"data":1}')
  expect(await ask('GET', '/graphql?query=%7Ba%7D')).toBe('{"data":1}')
  for (const [at, chance] of ['%22%3F%22', '"?"', '%24NOW'].entries()) {
    expect(await ask('GET', `/graphql?query=${chance}`)).toBe(`{"data":${2 + 2 * at}}`)
    expect(await ask('GET', `/graphql?query=${chance}`)).toBe(`{"data":${3 + 2 * at}}`)
  }
})

test('an operation that may read or write purges the cache only after a write', async () => {
  const { ask, purges } = open()
  await ask('POST', '/graphql')
  expect(purges()).toBe(0)
  await ask('POST', '/graphql', true)
  expect(purges()).toBe(1)
})
