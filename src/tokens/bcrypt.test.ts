import { expect, test } from 'vitest'
import { compareBcrypt, hashBcrypt, readRounds } from './bcrypt.ts'

const rest = 'a'.repeat(53)

test.each([
  ['$2a$04$', 4],
  ['$2b$10$', 10],
  ['$2y$31$', 31],
  ['$2b$03$', null],
  ['$2b$00$', null],
  ['$2b$32$', null],
  ['$2x$10$', null],
  ['$2$10$', null],
  ['$2b$4$', null],
  ['x$2b$10$', null],
  ['$argon2id$10$', null],
])('a hash that begins with %s has the cost %s', (start, rounds) => {
  expect(readRounds(`${start}${rest}`)).toBe(rounds)
})

test('a hash has 53 characters of salt and digest', () => {
  for (const text of [
    '',
    '$2b$10$',
    `$2b$10$${rest}a`,
    `$2b$10$${rest.slice(1)}`,
    `$2b$10$${rest.slice(1)}+`,
    `$2b$10$${rest}\n`,
  ]) {
    expect(readRounds(text), JSON.stringify(text)).toBeNull()
  }
  expect(readRounds(`$2b$10$${'./A'.repeat(17)}9z`)).toBe(10)
})

test('a hash matches its password alone, and no two are equal', async () => {
  const [one, other] = [await hashBcrypt({ password: 'a', rounds: 4 }), await hashBcrypt({ password: 'a', rounds: 4 })]
  expect([readRounds(one), readRounds(other), one === other]).toEqual([4, 4, false])
  expect(await compareBcrypt({ password: 'a', stored: one })).toBe(true)
  expect(await compareBcrypt({ password: 'b', stored: one })).toBe(false)
})

test('a password that cannot be hashed fails at once', async () => {
  await expect(hashBcrypt({ password: 5 as never, rounds: 4 })).rejects.toThrow('Illegal arguments')
})
