import * as fc from 'fast-check'
import qs from 'qs'
import { expect, test } from 'vitest'
import { parsePlainQuery } from './plain-query.ts'

const bounds = { parameters: 5, depth: 3 }

const parsedByLibrary = (text: string): object => qs.parse(text, { plainObjects: true })

test.each([
  'fields=id,title.*&limit=-1',
  'filter[author][first.name][_eq]=1&filter[author][_some][b]=2&a=',
  'filter%5Ba%5D%5b_in%5d=x%2Cy%20z&search=%C3%A4',
  'a={"b":1}',
])('parses %s as the library does', (text) => {
  expect(parsePlainQuery(text, bounds)).toEqual(parsedByLibrary(text))
})

test.each([
  '',
  'a',
  '=1',
  'a=1&',
  'a=1&a=2',
  'a=1&a[b]=2',
  'a[b]=1&a=2',
  'a[b]=1&a[b][c]=2',
  'a[]=1',
  'a[0]=1',
  'a=1+2',
  'a=[1]',
  'a==1',
  'a=%ff',
  'a%20b=1',
  'a[b][c][d][e]=1',
  'a=1&b=1&c=1&d=1&e=1&f=1',
])('leaves %s to the library', (text) => {
  expect(parsePlainQuery(text, bounds)).toBe(null)
})

const word = fc.constantFrom(
  'a',
  'b',
  'toString',
  '_eq',
  '0',
  '1a',
  '-',
  '.',
  '%5B',
  '%5d',
  '%61',
  '%',
  '[',
  ']',
  '=',
  '&',
  '+',
  'é',
)

test('what it parses is what the library parses', () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 14 }), (words) => {
      const text = words.join('')
      const parsed = parsePlainQuery(text, bounds)
      if (parsed !== null) expect(parsed).toEqual(parsedByLibrary(text))
    }),
    { numRuns: 5000 },
  )
})
