/** The table of attacks in the guide names tests that exist. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const table = readFileSync(join(import.meta.dirname, '../docs/login-attacks.md'), 'utf8')
const rows = table.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| attack'))

test.each(rows)('%s', (row) => {
  const [, file = '', name = ''] = /\| `([\w-]+)`: "(.+)" \| /.exec(row) ?? []
  const text = readFileSync(join(import.meta.dirname, `${file}.test.ts`), 'utf8')
  expect(text).toContain(name.replaceAll('\\"', '"'))
})
