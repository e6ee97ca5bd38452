import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { jsonText } from './reply.ts'
import { freshnessOf } from './respond.ts'

const cacheControlOf = (request: Partial<IncomingMessage>): string | undefined => {
  const req = { method: 'GET', url: '/items/articles', headers: {}, ...request } as IncomingMessage
  const { headers } = freshnessOf(req, jsonText('{}'), '{}')
  return headers[headers.indexOf('cache-control') + 1]
}

test.each<[string, Partial<IncomingMessage>]>([
  ['a header', { headers: { authorization: 'Bearer x' } }],
  ['a cookie', { headers: { cookie: 'platform_session_token=x' } }],
  ['the query string', { url: '/items/articles?access_token=x' }],
])('what is answered to credentials in %s is kept by no shared cache', (_, request) => {
  expect(cacheControlOf(request)).toBe('private, no-cache')
})

test('public answers may be cached, and are revalidated', () => {
  expect(cacheControlOf({})).toBe('no-cache')
})
