import { expect, test } from 'vitest'
import { memoizeBy, memoizeByBoth } from './memoize.ts'

test('results are made once per key, whatever else is given', () => {
  const key = {}
  const namesOf = memoizeBy((_key: object, name: string) => ({ name }))
  expect(namesOf(key, 'first')).toBe(namesOf(key, 'second'))
  expect(namesOf({}, 'second')).toEqual({ name: 'second' })
})

test('results of two keys are made once per pair', () => {
  const [left, right] = [{}, {}]
  const pairOf = memoizeByBoth((one: object, other: object) => [one, other])
  expect(pairOf(left, right)).toBe(pairOf(left, right))
  expect(pairOf(left, {})).not.toBe(pairOf(left, right))
  expect(pairOf({}, right)).not.toBe(pairOf(left, right))
})
