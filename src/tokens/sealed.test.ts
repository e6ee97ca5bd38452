import { expect, test } from 'vitest'
import { seal, unseal } from './sealed.ts'

const settings = { secret: 'a secret', purpose: 'tests' }

test('a sealed text is read with its secret and purpose alone, and differs each time', () => {
  const sealed = seal('the token ü', settings)
  expect(unseal(sealed, settings)).toBe('the token ü')
  expect(seal('the token ü', settings)).not.toBe(sealed)
  expect(unseal(sealed, { ...settings, secret: 'another' })).toBe(null)
  expect(unseal(sealed, { ...settings, purpose: 'other' })).toBe(null)
})

test.each(['', 'x', 'a'.repeat(60)])('%j was not sealed here', (text) => {
  expect(unseal(text, settings)).toBe(null)
})

test('a changed text is refused', () => {
  const bytes = Buffer.from(seal('text', settings), 'base64url')
  bytes[bytes.length - 1] = (bytes[bytes.length - 1] ?? 0) ^ 1
  expect(unseal(bytes.toString('base64url'), settings)).toBe(null)
})
