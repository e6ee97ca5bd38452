import { expect, test } from 'vitest'
import { TandemError } from '../rights/errors.ts'
import { newName } from './names.ts'

test.each(['articles', 'Articles_2', '_hidden', 'select', 'a'.repeat(63)])('%s is a name', (name) => {
  expect(newName('collection', name)).toBe(name)
})

test.each([
  '',
  ' ',
  'a b',
  '1st',
  'a-b',
  'a.b',
  'größe',
  'a"b',
  "a'; drop table b; --",
  'a\0b',
  'a/b',
  'a'.repeat(64),
  '__proto__',
  '__typename',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'platform_users',
  'PLATFORM_users',
])('%j is no name of a collection', (name) => {
  expect(() => newName('collection', name)).toThrow(TandemError)
})

test('a field may begin like a system collection', () => {
  expect(newName('field', 'platform_id')).toBe('platform_id')
})

test.each(['e-mail address', 'a', '_', 'first-name-', 'a  b'])('%j is a name of a field', (name) => {
  expect(newName('field', name)).toBe(name)
})

test.each(['', ' ', 'a ', ' a', '-a', '1 a', 'a\tb', 'a\n', 'a, b', 'a.b', 'a:b', 'ä b', 'a'.repeat(64), '__a b'])(
  '%j is no name of a field',
  (name) => {
    expect(() => newName('field', name)).toThrow(TandemError)
  },
)
