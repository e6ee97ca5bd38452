import { hash as bcryptHash } from 'bcryptjs'
import { expect, test } from 'vitest'
import { findCostFault, hashPassword, verifyPassword } from './password.ts'

const cost = { memory: 256, passes: 2, parallelism: 1, length: 32 }

test('a hash is argon2id in PHC form and matches its password alone', async () => {
  const hash = await hashPassword('correct horse', cost)
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=256,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  expect(await verifyPassword('correct horse', hash, { cost })).toEqual({ matches: true, needsRehash: false })
  expect(await verifyPassword('wrong horse', hash, { cost })).toEqual({ matches: false, needsRehash: false })
})

test('equal passwords have different hashes', async () => {
  expect(await hashPassword('a', cost)).not.toBe(await hashPassword('a', cost))
})

test('the standard’s own example verifies', async () => {
  const hash = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
  expect(await verifyPassword('password', hash, { cost })).toEqual({ matches: true, needsRehash: true })
})

test('a hash of other parameters is to be made anew', async () => {
  const hash = await hashPassword('a', cost)
  expect(await verifyPassword('a', hash, { cost: { ...cost, passes: 3 } })).toEqual({
    matches: true,
    needsRehash: true,
  })
})

test('hashes by bcrypt verify and are to be made anew', async () => {
  const hash = await bcryptHash('correct horse', 4)
  expect(await verifyPassword('correct horse', hash, { cost })).toEqual({ matches: true, needsRehash: true })
  const old = hash.replace('$2b$', '$2y$')
  expect(await verifyPassword('correct horse', old, { cost })).toEqual({ matches: true, needsRehash: true })
  expect((await verifyPassword('wrong', hash, { cost })).matches).toBe(false)
})

const long = 'correct horse battery staple '.repeat(3)

test.each([
  ['the whole password', long],
  ['its first 72 bytes', long.slice(0, 72)],
  ['72 bytes of wider characters', 'é'.repeat(36)],
  ['a password and its repetition', 'ab\0ab'],
])('what bcrypt cannot tell apart keeps its hash: %s', async (_, password) => {
  const hash = await bcryptHash(password === 'ab\0ab' ? 'ab' : password.startsWith('c') ? long : `${password}e`, 4)
  expect(await verifyPassword(password, hash, { cost })).toEqual({ matches: true, needsRehash: false })
})

test('a password of 71 bytes is whole for bcrypt', async () => {
  const password = long.slice(0, 71)
  expect(await verifyPassword(password, await bcryptHash(long, 4), { cost })).toEqual({
    matches: false,
    needsRehash: true,
  })
  const hash = await bcryptHash(password, 4)
  expect(await verifyPassword(password, hash, { cost })).toEqual({ matches: true, needsRehash: true })
})

test('no hash and no known hash match nothing', async () => {
  expect(await verifyPassword('a', null, { cost })).toEqual({ matches: false, needsRehash: false })
  expect(await verifyPassword('a', 'plain text', { cost })).toEqual({ matches: false, needsRehash: false })
})

test('no parameters that are too small to make a hash match anything', async () => {
  const rest = 'c2FsdHNhbHRzYWx0c2FsdA$aGFzaGhhc2hoYXNoaGFzaA'
  const wrong = ['m=8,t=1,p=4', 'm=0,t=0,p=0', 'm=8,t=0,p=1'].map((each) => `$argon2id$v=19$${each}$${rest}`)
  for (const each of [...wrong, `$2b$03$${'a'.repeat(53)}`, `$2b$32$${'a'.repeat(53)}`]) {
    expect(findCostFault(each, cost)).toBeNull()
    expect(await verifyPassword('a', each, { cost })).toEqual({ matches: false, needsRehash: false })
  }
})

test('a comparison by bcrypt leaves the event loop to others', async () => {
  const hash = await bcryptHash('correct horse', 12)
  let turns = 0
  const others = setInterval(() => (turns += 1), 5)
  expect((await verifyPassword('correct horse', hash, { cost })).matches).toBe(true)
  clearInterval(others)
  // In the thread of the others, it would leave them at most one turn in 100 ms.
  expect(turns).toBeGreaterThan(8)
})

const withCost = (parameters: string): string => `$argon2id$v=19$${parameters}$c2FsdHNhbHRzYWx0c2FsdA$aGFzaGhhc2hoYXNo`
const dear = { memory: 1_048_576, passes: 40, parallelism: 32, length: 32 }

const costs: readonly (readonly [stored: string, fault: object | null])[] = [
  [withCost('m=65536,t=3,p=4'), null],
  [withCost('m=65536,t=4,p=1'), null],
  [withCost('m=4194304,t=100,p=1'), { parameter: 'KiB of memory (m)', most: 262_144, received: 4_194_304 }],
  [withCost('m=9999999999,t=1,p=1'), { parameter: 'KiB of memory (m)', most: 262_144, received: 9_999_999_999 }],
  [withCost('m=8,t=33,p=1'), { parameter: 'passes (t)', most: 32, received: 33 }],
  [withCost('m=136,t=1,p=17'), { parameter: 'lanes (p)', most: 16, received: 17 }],
  [withCost('m=262144,t=3,p=1'), { parameter: 'KiB of memory times passes (m × t)', most: 524_288, received: 786_432 }],
  [`$2y$10$${'a'.repeat(53)}`, null],
  [`$2b$12$${'a'.repeat(53)}`, null],
  [`$2b$13$${'a'.repeat(53)}`, { parameter: 'rounds of bcrypt (as a power of two)', most: 12, received: 13 }],
  ['plain text', null],
]

test.each(costs)('what a comparison with %s costs is judged by its text', (stored, fault) => {
  expect(findCostFault(stored, cost)).toEqual(fault)
})

test('a hash of the cost that the server is configured for is never too dear', () => {
  expect(findCostFault(withCost('m=1048576,t=40,p=32'), dear)).toBeNull()
  expect(findCostFault(withCost('m=1048576,t=41,p=32'), dear)).toMatchObject({ most: 40 })
})

test('many at once wait for each other', async () => {
  const hashes = await Promise.all(Array.from({ length: 12 }, () => hashPassword('a', cost)))
  expect(new Set(hashes).size).toBe(12)
})

test('more logins than can wait are turned away', async () => {
  const results = await Promise.allSettled(Array.from({ length: 203 }, () => hashPassword('a', cost)))
  expect(results.filter((each) => each.status === 'rejected')).toHaveLength(1)
})
