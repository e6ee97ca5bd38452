import { expect, test } from 'vitest'
import { assertTrustedPage, assertTrustedWrite } from './trusted-page.ts'

const request = { origin: 'https://here.example/api', trustedOrigins: ['https://app.example'], headers: {} }
const write = { ...request, method: 'POST' }

test.each([
  ['no browser headers', {}],
  ['the same origin', { origin: 'https://here.example', 'sec-fetch-site': 'same-origin' }],
  ['a listed origin', { origin: 'https://app.example', 'sec-fetch-site': 'cross-site' }],
  ['the same origin, without an Origin header', { 'sec-fetch-site': 'same-origin' }],
  ['a typed address', { 'sec-fetch-site': 'none' }],
])('%s is trusted', (_name, headers) => {
  expect(() => assertTrustedPage({ ...request, headers })).not.toThrow()
})

test.each([
  ['another origin', { origin: 'https://evil.example' }],
  ['another origin that claims to be the same', { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' }],
  ['another scheme', { origin: 'http://here.example' }],
  ['no origin', { origin: 'null' }],
  ['another site, without an Origin header', { 'sec-fetch-site': 'cross-site' }],
  ['another host of the site, without an Origin header', { 'sec-fetch-site': 'same-site' }],
])('a write from %s is refused, a read is not', (_name, headers) => {
  expect(() => assertTrustedWrite({ ...write, headers })).toThrow('forbidden')
  expect(() => assertTrustedWrite({ ...write, headers, method: 'GET' })).not.toThrow()
})
