import { array, assert, constantFrom, property, record } from 'fast-check'
import qs from 'qs'
import { expect, test } from 'vitest'
import { parseBrackets } from './bracket-query.ts'

const options = { depth: 10, arrayLimit: 500, parameterLimit: 1_000 }
const library = { ...options, strictDepth: true, throwOnLimitExceeded: true, plainObjects: true } as const
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

test('reads names in brackets and lists', () => {
  expect(plain(parseBrackets('a[b][]=1&a[b][]=2&c=x%20y+z&d', options))).toEqual({
    a: { b: ['1', '2'] },
    c: 'x y z',
    d: '',
  })
  expect(plain(parseBrackets('filter%5Ba.b%5D%5B_eq%5D=1&filter[year(d)][_gt]=2', options))).toEqual({
    filter: { 'a.b': { _eq: '1' }, 'year(d)': { _gt: '2' } },
  })
})

test.each([
  'a=1&a=2',
  'a[0]=1',
  'a=1&a[b]=2',
  'a[b]=1&a=2',
  'a[]=1&a=2',
  'a[]=1&a[b]=2',
  '[a]=1',
  'a[b=1',
  'a]=1',
  'a=%ff',
  'a%2eb=1',
  `a${'[b]'.repeat(11)}=1`,
])('leaves %s to the general parser', (text) => {
  expect(parseBrackets(text, options)).toBeNull()
})

test('what it reads, the general parser reads alike', () => {
  const name = constantFrom('a', 'b', '_eq', 'a.b', 'year(d)', '', '0', 'c d', '$x')
  const pair = record({
    head: name,
    path: array(name, { maxLength: 4 }),
    value: constantFrom('1', 'x+y', '%20z', 'a]=b', 'a=b', '', '%5B'),
  })
  assert(
    property(array(pair, { maxLength: 6 }), (pairs) => {
      const text = pairs
        .map(({ head, path, value }) => `${head}${path.map((each) => `[${each}]`).join('')}=${value}`)
        .join('&')
      const mine = parseBrackets(text, options)
      if (mine !== null) expect(plain(mine)).toEqual(plain(qs.parse(text, library)))
    }),
    { numRuns: 3_000 },
  )
})
