import { expect, test } from 'vitest'
import { clientName } from './client-name.ts'

const clients: readonly (readonly [named: string | null, userAgent: string | null, client: string])[] = [
  ['shop-frontend/2.3.1', 'Mozilla/5.0 (X11) Chrome/120.0 Safari/537.36', 'shop-frontend 2.3'],
  ['shop-frontend', 'axios/1.7.2', 'shop-frontend'],
  ['shop/v2', null, 'shop 2'],
  ['ann@example.com', 'axios/1.7.2', 'axios 1.7'],
  ['Bearer abc def', 'axios/1.7.2-beta', 'axios 1.7'],
  [`x/${'9'.repeat(50)}`, 'curl/8.5.0', 'curl 8.5'],
  [null, 'shop-app/4.0 (Android 14; ann@example.com)', 'shop-app 4.0'],
  [null, 'Mozilla/5.0 (X11; Linux) Chrome/120.0 Safari/537.36', 'Chrome'],
  [null, 'node', 'node'],
  [null, null, 'unknown'],
  ['a'.repeat(41), '', 'unknown'],
]

test.each(clients)('%j with the user agent %j is the client %j', (named, userAgent, client) => {
  expect(clientName({ client: named, key: null, userAgent })).toBe(client)
})

test('an API key names a client that does not name itself', () => {
  const sender = { client: null, key: 'Nightly report', userAgent: 'node' }
  expect(clientName(sender)).toBe('key Nightly report')
  expect(clientName({ ...sender, client: 'shop-jobs/2' })).toBe('shop-jobs 2')
  expect(Array.from(clientName({ ...sender, key: '🚲'.repeat(100) }))).toHaveLength(64)
})
