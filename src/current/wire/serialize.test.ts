import { expect, test } from 'vitest'
import { serializeFirst, serializeItem, serializeList } from './serialize.ts'

test('lists, counts before them', () => {
  expect(serializeList({ pieces: ['[1]'], rowCount: 1, counts: {} }).join('')).toBe('{"data":[1]}')
  expect(serializeList({ pieces: ['[1]'], rowCount: 1, counts: { total: 5, filtered: 1 } }).join('')).toBe(
    '{"meta":{"total_count":5,"filter_count":1},"data":[1]}',
  )
  expect(serializeList({ pieces: ['[]'], rowCount: 0, counts: { filtered: 0 } }).join('')).toBe(
    '{"meta":{"filter_count":0},"data":[]}',
  )
})

test('one item, and the only one of a list', () => {
  expect(serializeItem('{"id":1}')).toBe('{"data":{"id":1}}')
  expect(serializeFirst({ pieces: ['[{"id":[1]}]'] })).toBe('{"data":{"id":[1]}}')
})
