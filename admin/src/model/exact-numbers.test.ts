import { expect, test } from 'vitest'
import { withMarks, withoutMark, withoutMarks } from './exact-numbers.ts'
import { toText } from './to-text.ts'

/** What the application makes of JSON, and sends. */
const through = (json: string): string => withoutMarks(JSON.stringify(JSON.parse(withMarks(json))))

test.each([
  ['{"id":12345678901234567890}'],
  ['[-0.12345678901234567891,1e400]'],
  ['12345678901234567891'],
  ['{"text":"12345678901234567890","12345678901234567891":"a \\" 12345678901234567892"}'],
  ['[9007199254740993,9007199254740991,0.30000000000000004,1.7976931348623157e+308]'],
])('the digits of %s stay', (json) => {
  expect(through(json)).toBe(json)
})

test('numbers that a double holds stay numbers', () => {
  const json = '[9007199254740992, 0.30000000000000004, 1000000000000000000000, 1e-300, 0.0000000000000000, -0]'
  expect(withMarks(json)).toBe(json)
})

test.each([
  ['{"a": 0012345678901234567890}'],
  ['12345678901234567890x'],
  ['.12345678901234567890'],
  ['[1 12345678901234567]'],
])('what is not JSON stays so: %s', (text) => {
  expect(() => JSON.parse(withMarks(text)) as unknown).toThrow(SyntaxError)
})

test('such a number is shown by its digits', () => {
  const value: unknown = JSON.parse(withMarks('[12345678901234567890]'))
  expect([toText(value), toText((value as unknown[])[0])]).toEqual(['[12345678901234567890]', '12345678901234567890'])
  expect([withoutMark('a'), toText('a')]).toEqual(['a', 'a'])
})
