import { expect, test } from 'vitest'
import { csvEntries } from './csv-entries.ts'

test.each<[string, readonly string[]]>([
  ['', []],
  ['sea', ['sea']],
  ['sea,sky', ['sea', 'sky']],
  [',sea,sky,', ['sea', 'sky']],
  [',sea,\n,sky,', ['sea', '\n', 'sky']],
  [',sea,,sky,', ['sea', '', 'sky']],
  [',,sea,,', ['', 'sea', '']],
  [',,', []],
  [',', ['', '']],
  [',sea', ['', 'sea']],
  ['sea,', ['sea', '']],
])('the text %j has the entries %j', (stored, entries) => {
  expect(csvEntries(stored)).toEqual(entries)
})
