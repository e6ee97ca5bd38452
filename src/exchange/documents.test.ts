import { expect, test } from 'vitest'
import { fromYaml } from './documents.ts'

test.each([
  ['a: 1\nb: {c: 2, d: [3]}', { a: 1, b: { c: 2, d: [3] } }],
  ['1: a\n"2": b', { 1: 'a', 2: 'b' }],
  ['- a: 1\n- a: 2', [{ a: 1 }, { a: 2 }]],
])('%j is read', (text, value) => {
  expect(fromYaml(text)).toEqual(value)
})

test.each(['a: 1\na: 2', 'b: {a: 1, "a": 2}', '- {a: 1, b: {}, a: 1}', '1: a\n"1": b'])(
  '%j has a key twice',
  (text) => {
    expect(() => fromYaml(text)).toThrow(/^Map keys must be unique but "[a1]" is there twice$/)
  },
)

test('a map of 50,000 keys is read in linear time', () => {
  const text = Array.from({ length: 50_000 }, (_, at) => `k${at}: ${at}`).join('\n')
  expect(fromYaml(text)).toMatchObject({ k0: 0, k49999: 49_999 })
})
