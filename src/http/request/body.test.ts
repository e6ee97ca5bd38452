import { expect, test } from 'vitest'
import type { TandemError } from '../../domain/rights/errors.ts'
import { parseJson } from './body.ts'

const failureOf = (bytes: Buffer | string): unknown => {
  try {
    parseJson(Buffer.from(bytes as string))
    return null
  } catch (error) {
    return (error as TandemError).failures[0]
  }
}

test('parses JSON of any kind', () => {
  expect(parseJson(Buffer.from('{"a":[1,"é",null]}'))).toEqual({ a: [1, 'é', null] })
  expect(parseJson(Buffer.from('3'))).toBe(3)
})

const refused: readonly (readonly [string, Buffer | string, string])[] = [
  ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'Expected UTF-8 for the body but received other bytes'],
  ['a word without quotes, and does not repeat it', '{"password":hunter2}', "Unexpected token 'h' in JSON"],
  ['a text alone, and does not repeat it', 'hunter2\nand more', "Unexpected token 'h' in JSON"],
  [
    'a text within much of it',
    `{"a":"${'x'.repeat(100)}","password":hunter2,"b":"is not valid JSON"}`,
    "Unexpected token 'h' in JSON",
  ],
  ['a __proto__ key', '{"a":{"__proto__":{}}}', '"__proto__" cannot be the name of a field'],
  ['an escaped __proto__ key', String.raw`[{"\u005f_proto__":1}]`, '"__proto__" cannot be the name of a field'],
  [
    '101 levels',
    `${'['.repeat(101)}${' '.repeat(100)}${']'.repeat(101)}`,
    'Expected at most 100 levels of nesting for the body but received more',
  ],
  [
    'half a million levels',
    '['.repeat(500_000),
    'Expected at most 100 levels of nesting for the body but received more',
  ],
  [
    'a hundred thousand fields',
    JSON.stringify(Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`f${at}`, 1]))),
    'Expected at most 10000 fields for the body but received more',
  ],
]
test.each(refused)('refuses %s', (_name, bytes, reason) => {
  expect(failureOf(bytes)).toEqual({ kind: 'invalid-payload', reason })
})

test('brackets inside strings are not levels, and __proto__ is allowed as a value', () => {
  expect(failureOf(JSON.stringify({ a: `\\"${'['.repeat(300)}`, b: '__proto__' }))).toBeNull()
})
