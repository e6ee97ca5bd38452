import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { createForwarding } from './forwarding.ts'

const forwarded = {
  'x-forwarded-for': '9.9.9.9, 10.0.0.7',
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'a.example',
}

const requestOf = (headers: object, socket: object = {}): IncomingMessage =>
  ({ headers: { host: 'own.example:8055', ...headers }, socket: { remoteAddress: '10.0.0.1', ...socket } }) as never

test.each([
  [false, forwarded, '10.0.0.1', 'http://own.example:8055'],
  [true, forwarded, '9.9.9.9', 'https://a.example'],
  [1, forwarded, '10.0.0.7', 'https://a.example'],
  [['10.0.0.0/8'], forwarded, '9.9.9.9', 'https://a.example'],
  [['192.168.0.0/16'], forwarded, '10.0.0.1', 'http://own.example:8055'],
  [true, {}, '10.0.0.1', 'http://own.example:8055'],
])('proxies trusted: %j, headers %j', (trusted, headers, ip, origin) => {
  const { ip: ipOf, origin: originOf } = createForwarding(trusted)
  expect([ipOf(requestOf(headers)), originOf(requestOf(headers))]).toEqual([ip, origin])
})

test('a connection with TLS is https; one that is gone has no address', () => {
  const { ip, origin } = createForwarding(false)
  expect(origin(requestOf({}, { encrypted: true }))).toBe('https://own.example:8055')
  expect(ip(requestOf({}, { remoteAddress: undefined }))).toBe(null)
})
