import { expect, test } from 'vitest'
import { splitPath } from './field-path.ts'

test.each([
  ['a', ['a']],
  ['a.b', ['a', 'b']],
  ['', ['']],
  ['a..b', ['a', '', 'b']],
  [String.raw`a\.b`, ['a.b']],
  [String.raw`a.b\.c.d`, ['a', 'b.c', 'd']],
  [String.raw`a\\.b`, ['a\\', 'b']],
  [String.raw`\.`, ['.']],
  [String.raw`a\b.c`, [String.raw`a\b`, 'c']],
  [String.raw`a\.b.`, ['a.b', '']],
])('%s has the names %j', (path, names) => {
  expect(splitPath(path)).toEqual(names)
})
