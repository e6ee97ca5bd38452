import { expect, test } from 'vitest'
import { encode } from './encode.ts'

test.each([
  ['nothing', ''],
  ['plain', 'x'.repeat(81_920)],
  ['exactly at the limit', 'x'.repeat(81_916)],
  ['two-byte characters', 'é'.repeat(40_960)],
  ['too many two-byte characters', 'é'.repeat(50_000)],
  ['four-byte characters', '😀'.repeat(20_480)],
  ['a four-byte character across the limit', `x${'😀'.repeat(20_480)}`],
  ['long', 'x'.repeat(1_000_000)],
  ['a lone surrogate', 'x\uD800y'],
])('a text as UTF-8: %s', (_name, text) => {
  const { bytes, release } = encode(text)
  expect(Buffer.from(text).equals(bytes)).toBe(true)
  release()
})

test('buffers are reused only after their release', () => {
  const [one, other] = [encode('one'), encode('other')]
  expect(one.bytes.buffer).not.toBe(other.bytes.buffer)
  one.release()
  const next = encode('next')
  expect(next.bytes.buffer).toBe(one.bytes.buffer)
  expect([String(Buffer.from(other.bytes)), String(Buffer.from(next.bytes))]).toEqual(['other', 'next'])
})

test.each([
  ['few pieces', ['{"data":', '[1,"é"]', '}']],
  ['exactly at the limit', ['x'.repeat(40_000), 'y'.repeat(41_900)]],
  ['too many pieces', ['x'.repeat(40_000), 'y'.repeat(42_000), 'z']],
  ['too many bytes', ['x'.repeat(10), 'é'.repeat(40_960), 'z']],
  ['none', []],
])('texts one after the other: %s', (_name, texts) => {
  const { bytes, release } = encode(...texts)
  expect(Buffer.from(texts.join('')).equals(bytes)).toBe(true)
  release()
})
