import { expect, test } from 'vitest'
import { codeAt, createCodeSecret, matchCode } from './one-time-codes.ts'

/** RFC 6238, appendix B: the secret of its SHA-1 examples, and the last six digits of the results. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const examples = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
] as const

test.each(examples)('the code at second %s matches the standard', (seconds, code) => {
  const now = new Date(seconds * 1000)
  expect(codeAt(secret, now)).toBe(code)
  expect(matchCode(secret, code, now)).toBe(Math.floor(seconds / 30))
  expect(matchCode(secret, `${code.slice(0, 3)} ${code.slice(3)}`, now)).toBe(Math.floor(seconds / 30))
})

test('a code is valid from 30 seconds before its time to 30 seconds after it', () => {
  const steps = [-1, 0, 30, 59, 60, 89, 90].map((seconds) => matchCode(secret, '287082', new Date(seconds * 1000)))
  expect(steps).toEqual([null, 1, 1, 1, 1, 1, null])
})

test.each(['', '28708', '2870820', '28708a', '-28708'])('%j is not a code', (code) => {
  expect(matchCode(secret, code, new Date(59_000))).toBe(null)
})

test.each(['', 'x', 'AAAA', '!nonsense!', '1'.repeat(32)])('%j is not a secret', (text) => {
  expect(matchCode(text, '287082', new Date(59_000))).toBe(null)
})

test('a secret has from 10 to 125 bytes, in any case', () => {
  const now = new Date(59_000)
  const accepted = [secret.slice(0, 16), `${secret}======`, secret.toLowerCase(), 'A'.repeat(200)]
  for (const text of accepted) expect(matchCode(text, codeAt(text, now), now), text).toBe(1)
  const sizes = [secret.slice(0, 15), 'A'.repeat(201)]
  for (const text of sizes) expect(matchCode(text, codeAt(text, now), now), text).toBe(null)
  for (const text of [`${secret}!`, `!${secret}`, `=${secret}`, `${secret}=A`]) {
    expect(matchCode(text, codeAt(secret, now), now), text).toBe(null)
  }
})

test('secrets are unique, and labels are encoded', () => {
  const one = createCodeSecret('ann & bo@example.com', 'A/B')
  expect(one.secret).not.toBe(createCodeSecret('ann & bo@example.com', 'A/B').secret)
  expect(one.url).toMatch(/^otpauth:\/\/totp\/A%2FB:ann%20%26%20bo%40example\.com\?issuer=A%2FB&secret=[A-Z2-7]{32}&/)
})
