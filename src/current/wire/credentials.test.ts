import { expect, test } from 'vitest'
import type { Credentials } from '../../domain/rights/actor.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { readCredentials } from './credentials.ts'

const request = {
  method: 'GET',
  origin: 'http://localhost:8055',
  trustedOrigins: ['https://app.example'],
  headers: {},
  query: {},
  cookies: {},
}
const read = (token: string): Credentials => ({ kind: 'static', token })
const cookie = { platform_session_token: 'c' }

const accepted: readonly (readonly [name: string, changes: object, token: string | null])[] = [
  ['no token', {}, null],
  ['a bearer header', { headers: { authorization: 'Bearer abc' } }, 'abc'],
  ['a lower-case bearer header', { headers: { authorization: 'bearer abc' } }, 'abc'],
  ['a bearer header with more spaces', { headers: { authorization: 'Bearer   abc  ' } }, 'abc'],
  ['a bearer header with two words', { headers: { authorization: 'Bearer abc def' } }, null],
  ['a bearer header without a token', { headers: { authorization: 'Bearer ' } }, null],
  ['a bearer header without a space', { headers: { authorization: 'Bearerabc' } }, null],
  ['a header that begins otherwise', { headers: { authorization: 'x Bearer abc' } }, null],
  ['several headers', { headers: { authorization: ['Bearer abc'] } }, null],
  ['an empty cookie', { cookies: { platform_session_token: '' } }, null],
  ['another kind of authorization', { headers: { authorization: 'Basic YTpi' } }, null],
  ['a query parameter', { query: { access_token: 'abc' } }, 'abc'],
  ['an empty query parameter', { query: { access_token: '' } }, null],
  ['the session cookie', { cookies: cookie }, 'c'],
  ['a header beside the cookie', { headers: { authorization: 'Bearer abc' }, cookies: cookie }, 'abc'],
  ['a parameter beside the cookie', { query: { access_token: 'abc' }, cookies: cookie }, 'abc'],
  [
    'a write by cookie from the same origin',
    { method: 'POST', cookies: cookie, headers: { origin: request.origin } },
    'c',
  ],
  [
    'a write by cookie from an origin that may send cookies',
    { method: 'PATCH', cookies: cookie, headers: { origin: 'https://app.example' } },
    'c',
  ],
  [
    'a write by cookie from the origin of a server below a path',
    {
      method: 'PATCH',
      cookies: cookie,
      origin: 'https://here.example/api',
      headers: { origin: 'https://here.example' },
    },
    'c',
  ],
  ['a write by cookie without origin', { method: 'POST', cookies: cookie }, 'c'],
  ['a read by cookie from another origin', { cookies: cookie, headers: { origin: 'http://evil.example' } }, 'c'],
]

test.each(accepted)('%s', (_name, changes, token) => {
  expect(readCredentials({ ...request, ...changes }, read)).toEqual(
    token === null ? { kind: 'none' } : { kind: 'static', token },
  )
})

const refused: readonly (readonly [name: string, changes: object, kind: string])[] = [
  [
    'a header and a parameter',
    { headers: { authorization: 'Bearer a' }, query: { access_token: 'a' } },
    'invalid-payload',
  ],
  ['two parameters', { query: { access_token: ['a', 'b'] } }, 'invalid-query'],
  [
    'a write by cookie from another origin',
    { method: 'DELETE', cookies: cookie, headers: { origin: 'http://evil.example' } },
    'forbidden',
  ],
  ...['http://localhost', 'http://localhost:80', 'http:', 'null', ''].map(
    (origin) =>
      [
        `a write by cookie from ${origin}`,
        { method: 'POST', cookies: cookie, headers: { origin } },
        'forbidden',
      ] as const,
  ),
]

test.each(refused)('%s is refused', (_name, changes, kind) => {
  let found: unknown
  try {
    readCredentials({ ...request, ...changes }, read)
  } catch (error) {
    found = error
  }
  expect(found instanceof TandemError && found.failures[0].kind).toBe(kind)
})
