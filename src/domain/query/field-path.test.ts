import { expect, test } from 'vitest'
import { splitNames, splitPath, unescaped } from './field-path.ts'

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
  [String.raw`\-a.b\,c\:d`, ['-a', 'b,c:d']],
])('%s has the names %j', (path, names) => {
  expect(splitPath(path)).toEqual(names)
})

test.each([
  ['a, b,,c ', ['a', 'b', 'c']],
  ['', []],
  [String.raw`a\,b,c`, [String.raw`a\,b`, 'c']],
  [String.raw`a\\,b`, [String.raw`a\\`, 'b']],
  ['a,b\\', ['a', 'b\\']],
])('%s has the words %j', (text, words) => {
  expect(splitNames(text)).toEqual(words)
})

test('a name without escapes keeps its dots', () => {
  expect(unescaped(String.raw`a.b\,c\.d`)).toBe('a.b,c.d')
})
