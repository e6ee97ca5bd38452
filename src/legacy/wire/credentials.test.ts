import { expect, test } from 'vitest'
import type { HttpRequest } from '../../http/request/request.ts'
import { legacyGeneration } from '../generation.ts'
import { findProject, findToken } from './credentials.ts'

const request = (more: Partial<HttpRequest>): HttpRequest => ({
  id: '1',
  method: 'GET',
  path: '/_/items/posts',
  url: '/_/items/posts',
  base: '',
  origin: 'http://localhost',
  trustedOrigins: [],
  headers: {},
  query: {},
  cookies: {},
  ip: null,
  signal: new AbortController().signal,
  isGone: false,
  subject: null,
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
])('a request is for the project of %s', (_name, given, path, expected) => {
  expect(findProject(given, path as { readonly [name: string]: string })).toBe(expected)
})

const isMeant = (path: string, headers: Record<string, string>, isElsewhere: boolean): boolean =>
  legacyGeneration.isMeant?.(request({ path, headers }), isElsewhere) ?? false

test.each([
  ['/types', {}, false, true],
  ['/Interfaces/', {}, false, true],
  ['/layouts/x', {}, false, true],
  ['/pages', {}, false, true],
  ['/modules', {}, false, true],
  ['/projects/x', {}, false, true],
  ['/server/projects', {}, true, true],
  ['/server/else', {}, true, false],
  ['/typesetting', {}, false, false],
  ['/nowhere', {}, false, false],
  ['/nowhere', { 'x-acme-project': '_' }, false, true],
  ['/nowhere', { 'x-project': '_' }, false, false],
  ['/items/a/b/c/d', { 'x-platform-project': '_' }, true, false],
])('%s with %j, elsewhere %s, fails in the form of this generation: %s', (path, headers, isElsewhere, expected) => {
  expect(isMeant(path, headers as Record<string, string>, isElsewhere)).toBe(expected)
})
