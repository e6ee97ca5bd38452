import { describe, expect, test } from 'vitest'
import type { Context } from '../../domain/ports/context.ts'
import type { Credentials, Renewal } from '../../domain/rights/actor.ts'
import { caught } from '../../domain/testing/test-failures.ts'
import type { HttpRequest } from '../../http/request/request.ts'
import { signAccessToken } from '../../tokens/jwt.ts'
import {
  deleteCookie,
  findProject,
  findSession,
  findToken,
  isLegacyClient,
  isProlonged,
  namesProject,
  readCredentials,
  readSession,
} from './credentials.ts'

const request = (more: Partial<HttpRequest>): HttpRequest => ({
  id: '1',
  method: 'GET',
  path: '/_/items/posts',
  url: '/_/items/posts',
  base: '',
  origin: 'http://localhost',
  trustedOrigins: [],
  project: '_',
  headers: {},
  query: {},
  cookies: {},
  ip: null,
  signal: new AbortController().signal,
  isGone: false,
  subject: null,
  stopwatch: null,
  describe: () => undefined,
  parts: () => {
    throw new Error('There is no body')
  },
  content: () => {
    throw new Error('There is no body')
  },
  ...more,
})

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`
const claimed = (claims: unknown): string => Buffer.from(JSON.stringify(claims)).toString('base64url')
const tokenFor = (project: string): string =>
  `e30.${Buffer.from(JSON.stringify({ project })).toString('base64url')}.e30`

test.each([
  ['the query', request({ query: { access_token: 'a' } }), { token: 'a', by: 'query' }],
  ['Basic with an empty password', request({ headers: { authorization: basic('a:') } }), { token: 'a', by: 'basic' }],
  ['Basic with the token again', request({ headers: { authorization: basic('a:a') } }), { token: 'a', by: 'basic' }],
  ['Bearer in any case', request({ headers: { authorization: 'bEARER a' } }), { token: 'a', by: 'bearer' }],
  ['the cookie of the project', request({ cookies: { 'platform-_-session': 'a' } }), { token: 'a', by: 'cookie' }],
  [
    'the query before all others',
    request({ query: { access_token: 'a' }, headers: { authorization: 'Bearer b' } }),
    { token: 'a', by: 'query' },
  ],
  [
    'the cookie when Authorization is of another kind',
    request({ headers: { authorization: basic('a:b') }, cookies: { 'platform-_-session': 'c' } }),
    { token: 'c', by: 'cookie' },
  ],
  [
    'Basic with spaces around',
    request({ headers: { authorization: `${basic('a:')}  ` } }),
    { token: 'a', by: 'basic' },
  ],
  ['Basic with a token that has a colon', request({ headers: { authorization: basic('a:b:a:b') } }), null],
  ['Bearer with spaces around', request({ headers: { authorization: 'Bearer   a  ' } }), { token: 'a', by: 'bearer' }],
  [
    'Basic before the cookie',
    request({ headers: { authorization: basic('a') }, cookies: { 'platform-_-session': 'c' } }),
    { token: 'a', by: 'basic' },
  ],
  ['nowhere, when Basic has no user', request({ headers: { authorization: basic(':a') } }), null],
  ['nowhere, when Basic begins otherwise', request({ headers: { authorization: `x ${basic('a:')}` } }), null],
  ['nowhere, when Basic has more', request({ headers: { authorization: `${basic('a:')} x` } }), null],
  ['nowhere, when Bearer begins otherwise', request({ headers: { authorization: 'x Bearer a' } }), null],
  ['nowhere, when Bearer has two words', request({ headers: { authorization: 'Bearer a b' } }), null],
  ['nowhere, when the parameter is empty', request({ query: { access_token: '' } }), null],
  ['nowhere, when there are several parameters', request({ query: { access_token: ['a', 'b'] } }), null],
  ['nowhere, when the cookie is empty', request({ cookies: { 'platform-_-session': '' } }), null],
  ['nowhere, when the cookie is of another project', request({ cookies: { 'platform-other-session': 'a' } }), null],
  ['nowhere', request({}), null],
])('a token is found in %s', (_name, given, expected) => {
  expect(findToken(given, '_')).toEqual(expected)
})

test.each([
  ['its path', request({ headers: { 'x-platform-project': 'other' } }), { project: 'shop' }, 'shop'],
  [
    'a signed token',
    request({ headers: { authorization: `Bearer ${tokenFor('shop')}`, 'x-platform-project': 'other' } }),
    {},
    'shop',
  ],
  ['the parameter', request({ query: { project: 'shop' } }), {}, 'shop'],
  ['the header', request({ headers: { 'x-platform-project': 'shop' } }), {}, 'shop'],
  ['the header of older clients', request({ headers: { 'x-acme-project': 'shop' } }), {}, 'shop'],
  ['nothing', request({ headers: { authorization: 'Bearer a.b.c' } }), {}, '_'],
  ['nothing, when the parameter is empty', request({ query: { project: '' } }), {}, '_'],
  ['nothing, when the header is empty', request({ headers: { 'x-platform-project': '' } }), {}, '_'],
  [
    'nothing, when the header has no word',
    request({ headers: { 'x-project': 'shop', 'x-a-project-b': 'shop' } }),
    {},
    '_',
  ],
  ['nothing, when the token has no part', request({ headers: { authorization: 'Bearer a' } }), {}, '_'],
  [
    'nothing, when the token claims null',
    request({ headers: { authorization: `Bearer a.${claimed(null)}.c` } }),
    {},
    '_',
  ],
  [
    'nothing, when the token claims a text',
    request({ headers: { authorization: `Bearer a.${claimed('x')}.c` } }),
    {},
    '_',
  ],
  [
    'nothing, when the token claims a number',
    request({ headers: { authorization: `Bearer a.${claimed({ project: 5 })}.c` } }),
    {},
    '_',
  ],
  [
    'the parameter before the header',
    request({ query: { project: 'shop' }, headers: { 'x-platform-project': 'other' } }),
    {},
    'shop',
  ],
  [
    'the own header before others',
    request({ headers: { 'x-acme-project': 'other', 'x-platform-project': 'shop' } }),
    {},
    'shop',
  ],
  [
    'a token in its cookie',
    request({ query: { project: 'other' }, cookies: { 'platform-other-session': tokenFor('shop') } }),
    {},
    'shop',
  ],
])('a request is for the project of %s', (_name, given, path, expected) => {
  expect(findProject(given, path as { readonly [name: string]: string })).toBe(expected)
})

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
const shop = { 'x-platform-project': 'shop' }

test.each<[isLegacy: boolean, what: string, request: Partial<HttpRequest>]>([
  [false, 'nothing', {}],
  [true, 'the header of older clients', { headers: { 'x-acme-project': '_' } }],
  [false, 'the header of both generations', { headers: shop }],
  [true, 'a project in the query', { query: { project: '' } }],
  [true, 'the token of the operator', { query: { super_admin_token: 'x' } }],
  [true, 'a session cookie', { cookies: { 'platform-_-session': 'c' } }],
  [true, 'the session cookie of its project', { headers: shop, cookies: { 'platform-shop-session': 'c' } }],
  [false, 'the session cookie of another one', { cookies: { 'platform-shop-session': 'c' } }],
  [true, 'a token of this generation', bearer(`a.${claimed({ type: 'auth' })}.c`)],
  [false, 'a token of the other one', bearer(`a.${claimed({ type: 'access' })}.c`)],
  [false, 'a token with another claim', bearer(`a.${claimed({ kind: 'auth' })}.c`)],
  [false, 'claims that are none', bearer(`a.${claimed(null)}.c`)],
  [false, 'a static token', bearer('abc')],
])('that a client is of this generation is %s by %s', (isLegacy, _what, more) => {
  expect(isLegacyClient(request(more))).toBe(isLegacy)
})

const read = (token: string): Credentials => ({ kind: 'static', token })
const cookies = { 'platform-_-session': 'c' }
const elsewhere = { origin: 'http://evil.example' }
const kindOf = (act: () => unknown): string => caught(act).failures[0].kind

describe('credentials', () => {
  test('are those of the token, or none', () => {
    expect(readCredentials(request({ cookies }), read, '_')).toEqual({ kind: 'static', token: 'c' })
    expect(readCredentials(request({ cookies }), read, 'other')).toEqual({ kind: 'none' })
  })

  test('in a cookie write only from a trusted origin; others from everywhere', () => {
    const write = request({ method: 'POST', cookies, headers: elsewhere })
    expect(kindOf(() => readCredentials(write, read, '_'))).toBe('forbidden')
    expect(readCredentials({ ...write, method: 'GET' }, read, '_')).toEqual({ kind: 'static', token: 'c' })
    const trusted = { ...write, trustedOrigins: ['http://evil.example'] }
    expect(readCredentials(trusted, read, '_')).toEqual({ kind: 'static', token: 'c' })
    const named = { ...write, headers: { ...elsewhere, authorization: 'Bearer a' } }
    expect(readCredentials(named, read, '_')).toEqual({ kind: 'static', token: 'a' })
  })
})

const deleted = (path: string) => `platform-_-session=; Path=${path}; Max-Age=0; SameSite=Lax; HttpOnly`

test('a cookie is deleted where it was read, and only if it was', () => {
  expect(deleteCookie(request({ cookies }))).toBe(deleted('/'))
  expect(deleteCookie(request({ cookies, base: '/api' }))).toBe(deleted('/api'))
  expect(deleteCookie(request({ cookies, path: '/' }))).toBe(deleted('/'))
  expect(deleteCookie(request({ cookies, path: '/shop/items' }))).toBeNull()
  expect(deleteCookie(request({ cookies, query: { access_token: 'a' } }))).toBeNull()
  expect(deleteCookie(request({}))).toBeNull()
})

test('a request names a project by a header of this generation alone', () => {
  expect(namesProject({ headers: { 'x-acme-project': '_' } })).toBe(true)
  for (const name of ['x-project', 'x-acme-project-b', 'y-x-acme-project', 'x-a-b-project']) {
    expect(namesProject({ headers: { [name]: '_' } })).toBe(false)
  }
})

const withCookie = (token: string, more: Partial<HttpRequest> = {}) =>
  request({ cookies: { 'platform-_-session': token }, ...more })

describe('sessions', () => {
  const session = '0b8d3bd1-91cb-4e5c-9ae2-5a1c7f8c9b10'
  const secret = 'a secret of at least thirty-two characters'
  const now = new Date('2026-01-01T00:00:00Z')
  const ctx = { project: '_', security: { secret }, clock: () => now } as Context
  const tokenOf = (renewal?: Renewal): string =>
    signAccessToken({ session, issuedAt: now, ttl: 60_000, renewal, shown: {} }, { secret, project: '_' })

  test('are found by any valid token', () => {
    expect(findSession(ctx, request({ query: { access_token: tokenOf() } }))).toBe(session)
    expect(findSession(ctx, withCookie(tokenOf()))).toBe(session)
    for (const token of ['static', `${tokenOf()}x`]) expect(findSession(ctx, withCookie(token))).toBeNull()
    expect(findSession(ctx, request({}))).toBeNull()
  })

  test('are found by a cookie only on a trusted page', () => {
    expect(kindOf(() => findSession(ctx, withCookie(tokenOf(), { headers: elsewhere })))).toBe('forbidden')
    const named = request({ query: { access_token: tokenOf() }, headers: elsewhere })
    expect(findSession(ctx, named)).toBe(session)
  })

  test('a failure that is a bug is not hidden', () => {
    const broken = {
      ...ctx,
      clock: () => {
        throw new TypeError('a bug')
      },
    } as Context
    expect(() => findSession(broken, withCookie(tokenOf()))).toThrow('a bug')
  })

  test('are prolonged only by tokens made for that', () => {
    expect(isProlonged(ctx, tokenOf('prolonged-cookie'))).toBe(true)
    for (const token of [tokenOf('temporary'), tokenOf(), 'static']) expect(isProlonged(ctx, token)).toBe(false)
  })

  const inBody = (token: string) => readSession(ctx, withCookie('other', { headers: elsewhere }), token)

  const byCookie = (token: string, more: Partial<HttpRequest> = {}) =>
    readSession(ctx, withCookie(token, more), undefined)

  test('are refreshed by a token in the body, or by the cookie that every request prolongs', () => {
    for (const renewal of ['temporary', 'prolonged-cookie'] as const) {
      expect(inBody(tokenOf(renewal))).toEqual({ session, by: 'body' })
    }
    for (const token of [tokenOf(), tokenOf('session-cookie'), 'static']) {
      expect(kindOf(() => inBody(token))).toBe('invalid-token')
    }
    expect(byCookie(tokenOf('prolonged-cookie'))).toEqual({ session, by: 'cookie' })
    for (const token of [tokenOf('temporary'), tokenOf(), 'static']) {
      expect(kindOf(() => byCookie(token))).toBe('invalid-token')
    }
    expect(kindOf(() => byCookie(tokenOf('prolonged-cookie'), { headers: elsewhere }))).toBe('forbidden')
  })

  test('need a token', () => {
    expect(kindOf(() => readSession(ctx, withCookie(tokenOf()), ''))).toBe('invalid-payload')
    expect(kindOf(() => readSession(ctx, request({}), undefined))).toBe('invalid-payload')
    expect(kindOf(() => readSession(ctx, withCookie(''), undefined))).toBe('invalid-payload')
  })
})
