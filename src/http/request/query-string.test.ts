import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { normalizeUrl, parseQueryString, refuseReservedKeys } from './query-string.ts'

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

const rows: readonly (readonly [string, object])[] = [
  ['', {}],
  ['filter[a][_eq]=1&fields=id,b', { filter: { a: { _eq: '1' } }, fields: 'id,b' }],
  ['a=1&a=2&a=3', { a: ['1', '2', '3'] }],
  ['a[]=1&a[]=2', { a: ['1', '2'] }],
  ['a[0]=x&a[1]=y', { a: ['x', 'y'] }],
  ['a=x+y%20z', { a: 'x y z' }],
  ['a+b=c+d&&e', { 'a b': 'c d', e: '' }],
  ['search=constructor', { search: 'constructor' }],
  ['a==b', { a: '=b' }],
  ['a=%ff', { a: '%ff' }],
  ['a[b][]=1&a[b][]=2&c=x%20y+z&d', { a: { b: ['1', '2'] }, c: 'x y z', d: '' }],
  ['filter%5Ba.b%5D%5B_eq%5D=1', { filter: { 'a.b': { _eq: '1' } } }],
  ['filter[year(d)][_gt]=2', { filter: { 'year(d)': { _gt: '2' } } }],
  ['filter[_or][0][a]=1&filter[_or][1][b]=2', { filter: { _or: [{ a: '1' }, { b: '2' }] } }],
  ['fields=a,*.*,-b', { fields: 'a,*.*,-b' }],
]
test.each(rows)('parses %s', (text, query) => {
  expect(plain(parseQueryString(text))).toEqual(query)
})

test.each(['__proto__=1', 'a[__proto__]=1', 'a[%5f%5fproto__]=1', 'constructor=1', 'a[constructor][prototype]=1'])(
  'refuses the reserved name in %s',
  (text) => {
    expect(() => parseQueryString(text)).toThrow('invalid-query')
  },
)

test('refuses query strings beyond the limits', () => {
  expect(() => parseQueryString(`a${'[b]'.repeat(11)}=1`)).toThrow('invalid-query')
  expect(() => parseQueryString(Array.from({ length: 501 }, (_, at) => `a[]=${at}`).join('&'))).toThrow('invalid-query')
  expect(() => parseQueryString('a&'.repeat(1_001))).toThrow('invalid-query')
  expect(() => parseQueryString('a[]=x&'.repeat(1_001))).toThrow('invalid-query')
})

test.each(['', 'a=1', 'a[b]=1', 'a[b]=1&filter[c]=1', 'a[0]=1'])(
  'the objects parsed from %s inherit nothing',
  (text) => {
    const query = parseQueryString(text)
    const inner = Object.values(query).filter((value) => typeof value === 'object')
    for (const each of [query, ...inner]) expect('toString' in (each as object)).toBe(Array.isArray(each))
  },
)

const many = (name: string, count: number): string =>
  Array.from({ length: count }, (_, at) => `${name}[x${at}]=1`).join('&')

test('the limit on parameters includes those of the filter', () => {
  expect(() => parseQueryString(`${many('filter', 600)}&${many('deep', 600)}`)).toThrow('invalid-query')
})

test('throws only TandemError', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      try {
        parseQueryString(text)
      } catch (error) {
        expect((error as Error).name).toBe('TandemError')
      }
    }),
  )
})

test('reserved keys in JSON values are refused at any depth', () => {
  expect(() => refuseReservedKeys({ a: [{ prototype: 1 }] })).toThrow('invalid-query')
  expect(() => refuseReservedKeys({ a: ['constructor'] })).not.toThrow()
  const deep = JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`) as unknown
  expect(() => refuseReservedKeys(deep)).toThrow('invalid-query')
})

test.each([
  ['//_/items/a?x=//b', '/_/items/a?x=//b'],
  ['///items//1', '/items//1'],
  ['//', '/'],
  ['//?a=/%61', '/?a=/%61'],
  ['/items?a=//b', '/items?a=//b'],
  ['//%61/items/a%2Fb?x=%61', '/a/items/a%2Fb?x=%61'],
  ['*', '*'],
  ['', ''],
])('the URL %s becomes %s', (url, normalized) => {
  expect(normalizeUrl(url)).toBe(normalized)
})
