import { expect, test } from 'vitest'
import { systemValue } from './system-values.ts'

test('words in one text are a list of words', () => {
  expect(systemValue('platform_users', 'tags', 'editor, printer,', 'editor, printer,')).toEqual(['editor', 'printer'])
  const words = ['editor']
  expect(systemValue('platform_users', 'tags', words, '["editor"]')).toBe(words)
})

test('a list of words has nothing but texts', () => {
  const failures = [{ kind: 'failed-validation', field: 'tags', type: 'type' }]
  expect(() => systemValue('platform_users', 'tags', [5])).toThrow(
    expect.objectContaining({ failures: [expect.objectContaining(failures[0])] }),
  )
})

test('JSON of another kind is refused, and not repeated', () => {
  expect(systemValue('platform_panels', 'options', { text: 'a' })).toEqual({ text: 'a' })
  expect(systemValue('platform_panels', 'options', null)).toBeNull()
  expect(() => systemValue('platform_users', 'auth_data', 'a secret')).toThrow(
    expect.objectContaining({
      failures: [expect.objectContaining({ message: 'Expected an object for field "auth_data"' })],
    }),
  )
})
