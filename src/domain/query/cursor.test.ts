import { expect, test } from 'vitest'
import { type CursorSort, readCursor, toCursor } from './cursor.ts'

const by = (field: string, descending = false): CursorSort => ({ kind: 'field', path: [], field, descending })

test('a cursor gives its values back, in the order that it was made for', () => {
  const sort = [by('title', true), by('id')]
  const text = toCursor(sort, ['Über ♥ "a"', null])
  expect(text).toMatch(/^[\w-]+$/)
  expect(readCursor(text, sort)).toEqual(['Über ♥ "a"', null])
  expect(readCursor(text, [by('title'), by('id')])).toBeNull()
  expect(readCursor(text, [by('title', true)])).toBeNull()
})

test.each(['', 'x', '!', btoa('{}'), btoa('[]'), btoa('["[]",1]'), btoa('null')])('%j is no cursor', (text) => {
  expect(readCursor(text, [by('id')])).toBeNull()
})
