import { expect, test } from 'vitest'
import { storedValue } from './codecs.ts'

/** MySQL reads a decimal of a JSON text as a double, and an integer as it is. */
test.each([
  ['decimal', 'text'],
  ['bigInteger', 'json'],
] as const)('the event of a row has a %s in the form "%s"', (type, json) => {
  expect(storedValue('a.price', { type, dataType: type === 'decimal' ? 'decimal' : 'bigint' })).toMatchObject({ json })
})
