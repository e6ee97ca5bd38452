import { expect, test } from 'vitest'
import { numberOf } from './shape-numbers.ts'

test('a text has one number, which no other text gets, however many come between', () => {
  const seen = new Map([['first', numberOf('first')]])
  expect(numberOf('first')).toBe(seen.get('first'))
  for (let n = 0; n < 2_000; n += 1) seen.set(String(n), numberOf(String(n)))
  expect(new Set(seen.values()).size).toBe(2_001)
  expect([...seen.values()]).not.toContain(numberOf('first'))
})
