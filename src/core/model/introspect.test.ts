import { expect, test } from 'vitest'
import { plural } from './introspect.ts'

test.each([
  ['artist', 'artists'],
  ['category', 'categories'],
  ['day', 'days'],
  ['address', 'addresses'],
  ['box', 'boxes'],
  ['branch', 'branches'],
  ['articles', 'articles'],
  ['invoice_line', 'invoice_lines'],
  ['Customer', 'Customers'],
])('the plural of %s is %s', (name, expected) => {
  expect(plural(name)).toBe(expected)
})
