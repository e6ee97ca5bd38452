import { expect, test } from 'vitest'
import type { Context } from '../../../domain/ports/context.ts'
import { noProviders } from '../../../domain/ports/providers.ts'
import { publicAddress } from './flows.ts'

const publicUrls = ['https://app.example.com/api', 'https://main.example.com/old', 'https://plain.example.com']
const server = { address: () => 'https://main.example.com/api' } as Context['server']

test.each([
  ['a listed address', 'https://app.example.com/api', 'https://app.example.com/api'],
  ['one whose path the proxy took away', 'https://app.example.com', 'https://app.example.com/api'],
  ['one without a path', 'https://plain.example.com', 'https://plain.example.com'],
  ['the usual one without its path', 'https://main.example.com', 'https://main.example.com/api'],
  ['a listed one beside the usual one', 'https://main.example.com/old', 'https://main.example.com/old'],
  ['another host', 'https://evil.example.org', 'https://main.example.com/api'],
  ['another scheme', 'http://app.example.com', 'https://main.example.com/api'],
])('a login that begins at %s returns to the address of the operator', (_what, asked, expected) => {
  expect(publicAddress({ server, providers: { ...noProviders, publicUrls } }, asked)).toBe(expected)
})
