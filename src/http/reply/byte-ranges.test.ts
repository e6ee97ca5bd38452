import { expect, test } from 'vitest'
import type { TandemError } from '../../domain/rights/errors.ts'
import { selectPart } from './byte-ranges.ts'

const facts = { etag: '"abc"', modified: new Date('2026-01-31T10:00:00.700Z'), size: 1000 }
const same = 'Sat, 31 Jan 2026 10:00:00 GMT'
const earlier = 'Sat, 31 Jan 2026 09:59:59 GMT'
const whole = { kind: 'whole' }
const unchanged = { kind: 'unchanged' }
const part = (start: number, end: number) => ({ kind: 'part', start, end })

test.each([
  [{}, whole],
  [{ 'if-none-match': '"abc"' }, unchanged],
  [{ 'if-none-match': 'W/"abc"' }, unchanged],
  [{ 'if-none-match': '"x", "abc"' }, unchanged],
  [{ 'if-none-match': '*' }, unchanged],
  [{ 'if-none-match': '"x"' }, whole],
  [{ 'if-none-match': '"x"', 'if-modified-since': same }, whole],
  [{ 'if-modified-since': same }, unchanged],
  [{ 'if-modified-since': earlier }, whole],
  [{ 'if-modified-since': 'yesterday' }, whole],
  [{ range: 'bytes=0-0' }, part(0, 0)],
  [{ range: 'bytes=10-19' }, part(10, 19)],
  [{ range: 'bytes=990-' }, part(990, 999)],
  [{ range: 'bytes=-10' }, part(990, 999)],
  [{ range: 'bytes=-5000' }, part(0, 999)],
  [{ range: 'bytes=990-5000' }, part(990, 999)],
  [{ range: 'bytes=999-999' }, part(999, 999)],
  [{ range: 'bytes=0-1,5-6' }, whole],
  [{ range: 'pages=1-2' }, whole],
  [{ range: 'bytes=5-1' }, whole],
  [{ range: 'bytes=-' }, whole],
  [{ range: 'bytes=a-b' }, whole],
  [{ range: 'bytes=0-9', 'if-range': '"abc"' }, part(0, 9)],
  [{ range: 'bytes=0-9', 'if-range': '"old"' }, whole],
  [{ range: 'bytes=0-9', 'if-range': 'W/"abc"' }, whole],
  [{ range: 'bytes=0-9', 'if-range': same }, part(0, 9)],
  [{ range: 'bytes=0-9', 'if-range': earlier }, whole],
  [{ range: 'bytes=0-9', 'if-none-match': '"abc"' }, unchanged],
  [{ range: 'bytes=0-9', 'if-match': '"old", "abc"' }, part(0, 9)],
  [{ 'if-match': '*' }, whole],
  [{ 'if-match': '"abc"', 'if-unmodified-since': earlier }, whole],
  [{ 'if-unmodified-since': same }, whole],
  [{ 'if-unmodified-since': 'yesterday' }, whole],
] as const)('%j', (headers, expected) => {
  expect(selectPart({ method: 'GET', headers }, facts)).toEqual(expected)
})

test.each([
  [{ range: 'bytes=0-9', 'if-match': '"old"' }, 'If-Match'],
  [{ 'if-match': 'W/"abc"' }, 'If-Match'],
  [{ 'if-match': '"old"', 'if-none-match': '"abc"' }, 'If-Match'],
  [{ 'if-unmodified-since': earlier }, 'If-Unmodified-Since'],
] as const)('%j is about other contents', (headers, condition) => {
  expect.assertions(1)
  try {
    selectPart({ method: 'GET', headers }, facts)
  } catch (error) {
    expect((error as TandemError).failures).toEqual([{ kind: 'precondition-failed', condition }])
  }
})

test.each(['bytes=1000-', 'bytes=1000-2000', 'bytes=-0', 'bytes=999999999999999-'])(
  '%s is outside the file',
  (range) => {
    expect.assertions(1)
    try {
      selectPart({ method: 'GET', headers: { range } }, facts)
    } catch (error) {
      expect((error as TandemError).failures).toEqual([{ kind: 'range-not-satisfiable', range, size: 1000 }])
    }
  },
)

test('HEAD ignores ranges', () => {
  expect(selectPart({ method: 'HEAD', headers: { range: 'bytes=0-9' } }, facts)).toEqual(whole)
  expect(selectPart({ method: 'HEAD', headers: { range: 'bytes=1000-' } }, facts)).toEqual(whole)
})

test('an empty file has no satisfiable range', () => {
  expect(selectPart({ method: 'GET', headers: {} }, { ...facts, size: 0 })).toEqual(whole)
  expect(() => selectPart({ method: 'GET', headers: { range: 'bytes=0-' } }, { ...facts, size: 0 })).toThrow(
    'range-not-satisfiable',
  )
})
