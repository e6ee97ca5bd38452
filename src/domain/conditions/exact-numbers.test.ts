import { expect, test } from 'vitest'
import { exactNumber, isExact, parseExactly, rounded, withDigits } from './exact-numbers.ts'

test.each([
  '0',
  '-0',
  '1',
  '12.50',
  '1.0',
  '1e2',
  '0.1',
  '100000000000000000000',
  '1E+2',
  '0.000001',
  '1e-7',
  '9007199254740992',
  '1e300',
  '0.0',
])('%s is a double', (text) => expect(exactNumber(text)).toBe(Number(text)))

test.each([
  '9007199254740993',
  '123456789123456789.12345',
  '0.10000000000000000001',
  '1e400',
  '1e-400',
  '-18446744073709551615',
  '12345678901234567.0',
])('%s keeps its digits', (text) => {
  const value = parseExactly(text)
  expect(isExact(value)).toBe(true)
  expect(withDigits(value)).toBe(text)
  expect(JSON.stringify({ a: [value] })).toBe(`{"a":[${text}]}`)
})

test('the rest of a document is parsed as usual', () => {
  const text = '{"a":[1,9007199254740993,"9007199254740993",null],"b":{"__proto__":2},"c":1.50}'
  const value = parseExactly(text) as { readonly a: readonly unknown[]; readonly b: object; readonly c: number }
  expect(value.a.map(withDigits)).toEqual([1, '9007199254740993', '9007199254740993', null])
  expect(Object.hasOwn(value.b, '__proto__')).toBe(true)
  expect(value.c).toBe(1.5)
  expect(rounded({ a: value.a })).toEqual({ a: [1, 9007199254740992, '9007199254740993', null] })
})
