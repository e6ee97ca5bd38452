import { hash as bcryptHash } from 'bcryptjs'
import { expect, test } from 'vitest'
import { hashPassword, verifyPassword } from './password.ts'

const cost = { memory: 256, passes: 2, parallelism: 1, length: 32 }

test('a hash is argon2id in PHC form and matches its password alone', async () => {
  const hash = await hashPassword('correct horse', cost)
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=256,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  expect(await verifyPassword('correct horse', hash, cost)).toEqual({ matches: true, needsRehash: false })
  expect(await verifyPassword('wrong horse', hash, cost)).toEqual({ matches: false, needsRehash: false })
})

test('equal passwords have different hashes', async () => {
  expect(await hashPassword('a', cost)).not.toBe(await hashPassword('a', cost))
})

test('the standard’s own example verifies', async () => {
  const hash = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
  expect(await verifyPassword('password', hash, cost)).toEqual({ matches: true, needsRehash: true })
})

test('a hash of other parameters is to be made anew', async () => {
  const hash = await hashPassword('a', cost)
  expect(await verifyPassword('a', hash, { ...cost, passes: 3 })).toEqual({ matches: true, needsRehash: true })
})

test('hashes by bcrypt verify and are to be made anew', async () => {
  const hash = await bcryptHash('correct horse', 4)
  expect(await verifyPassword('correct horse', hash, cost)).toEqual({ matches: true, needsRehash: true })
  const old = hash.replace('$2b$', '$2y$')
  expect(await verifyPassword('correct horse', old, cost)).toEqual({ matches: true, needsRehash: true })
  expect((await verifyPassword('wrong', hash, cost)).matches).toBe(false)
})

test('no hash and no known hash match nothing', async () => {
  expect(await verifyPassword('a', null, cost)).toEqual({ matches: false, needsRehash: false })
  expect(await verifyPassword('a', 'plain text', cost)).toEqual({ matches: false, needsRehash: false })
})

test('many at once wait for each other', async () => {
  const hashes = await Promise.all(Array.from({ length: 12 }, () => hashPassword('a', cost)))
  expect(new Set(hashes).size).toBe(12)
})

test('more than can wait are turned away', async () => {
  const results = await Promise.allSettled(Array.from({ length: 203 }, () => hashPassword('a', cost)))
  expect(results.filter((each) => each.status === 'rejected')).toHaveLength(1)
})
