import { expect, test } from 'vitest'
import { encode } from './encode.ts'

test.each([
  ['nothing', ''],
  ['plain', 'x'.repeat(81_920)],
  ['just fitting', 'x'.repeat(81_916)],
  ['of two bytes each', 'é'.repeat(40_960)],
  ['of two bytes each, too many', 'é'.repeat(50_000)],
  ['of four bytes each', '😀'.repeat(20_480)],
  ['of four bytes each, cut in the middle', `x${'😀'.repeat(20_480)}`],
  ['long', 'x'.repeat(1_000_000)],
  ['half a pair', 'x\uD800y'],
])('a text as UTF-8: %s', (_name, text) => {
  const { bytes, release } = encode(text)
  expect(Buffer.from(text).equals(bytes)).toBe(true)
  release()
})

test('memory is used again only after its release', () => {
  const [one, other] = [encode('one'), encode('other')]
  expect(one.bytes.buffer).not.toBe(other.bytes.buffer)
  one.release()
  const next = encode('next')
  expect(next.bytes.buffer).toBe(one.bytes.buffer)
  expect([String(Buffer.from(other.bytes)), String(Buffer.from(next.bytes))]).toEqual(['other', 'next'])
})

test.each([
  ['few', ['{"data":', '[1,"é"]', '}']],
  ['just fitting', ['x'.repeat(40_000), 'y'.repeat(41_900)]],
  ['too many', ['x'.repeat(40_000), 'y'.repeat(42_000), 'z']],
  ['too many bytes', ['x'.repeat(10), 'é'.repeat(40_960), 'z']],
  ['none', []],
])('texts one after the other: %s', (_name, texts) => {
  const { bytes, release } = encode(...texts)
  expect(Buffer.from(texts.join('')).equals(bytes)).toBe(true)
  release()
})
