import { expect, test } from 'vitest'
import {
  createRefreshToken,
  createStaticToken,
  equalTokens,
  hashToken,
  isTokenHash,
  readRefreshToken,
  shortDigest,
} from './opaque.ts'

const secret = 'a secret'
const session = '0b8d3bd1-91cb-4e5c-9ae2-5a1c7f8c9b10'

test('a refresh token has 64 URL-safe characters and names its session', () => {
  const token = createRefreshToken(session, secret)
  expect(token).toMatch(/^[\w-]{64}$/)
  expect(readRefreshToken(token, secret)).toBe(session)
})

test('no two refresh tokens of a session are equal', () => {
  expect(createRefreshToken(session, secret)).not.toBe(createRefreshToken(session, secret))
})

test('an invalid, modified or foreign refresh token names no session', () => {
  const token = createRefreshToken(session, secret)
  const changed = `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`
  expect(readRefreshToken(createRefreshToken(session, 'another'), secret)).toBe(null)
  expect(readRefreshToken(changed, secret)).toBe(null)
  expect(readRefreshToken('', secret)).toBe(null)
  expect(readRefreshToken('x'.repeat(64), secret)).toBe(null)
})

test('hashes depend on token and secret', () => {
  expect(hashToken('a', secret)).toMatch(/^[\w-]{43}$/)
  expect(hashToken('a', secret)).toBe(hashToken('a', secret))
  expect(hashToken('a', secret)).not.toBe(hashToken('b', secret))
  expect(hashToken('a', secret)).not.toBe(hashToken('a', 'another'))
})

test('static tokens are long and random', () => {
  expect(createStaticToken()).toMatch(/^[\w-]{32}$/)
  expect(createStaticToken()).not.toBe(createStaticToken())
})

test('a refresh token in another spelling or with more after it names no session', () => {
  const token = createRefreshToken(session, secret)
  for (const other of [`${token}A`, `${token}=`, token.slice(0, -1), `${token.slice(0, -1)} `, ` ${token}`]) {
    expect(readRefreshToken(other, secret), other).toBe(null)
  }
})

test('a stored hash is told from a token', () => {
  expect(isTokenHash(hashToken('a', secret))).toBe(true)
  for (const text of ['a', createStaticToken(), `${hashToken('a', secret)}A`, `${hashToken('a', secret).slice(1)}.`]) {
    expect(isTokenHash(text), text).toBe(false)
  }
})

test('a token equals itself and no other', () => {
  expect(equalTokens('a', 'a', secret)).toBe(true)
  expect([equalTokens('a', 'b', secret), equalTokens('a', '', secret)]).toEqual([false, false])
})

test('a digest is equal for equal texts and depends on the secret', () => {
  expect(shortDigest('a', secret)).toMatch(/^[0-9a-f]{40}$/)
  expect(shortDigest('a', secret)).toBe(shortDigest('a', secret))
  for (const other of [shortDigest('b', secret), shortDigest('a', 'another'), shortDigest('', secret)]) {
    expect(shortDigest('a', secret)).not.toBe(other)
  }
})
