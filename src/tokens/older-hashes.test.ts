import { compare } from 'bcryptjs'
import { expect, test } from 'vitest'
import { readRounds } from './bcrypt.ts'
import type { HashQueue } from './hash-turns.ts'
import { digestBy, hashByBcrypt } from './older-hashes.ts'

test.each([
  ['md5', '900150983cd24fb0d6963f7d28e17f72'],
  ['sha1', 'a9993e364706816aba3e25717850c26c9cd0d89d'],
  ['sha224', '23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7'],
  ['sha256', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
])('the digest of "abc" by %s matches the standard', (name, digest) => {
  expect(digestBy(name, 'abc')).toBe(digest)
})

test('the longer digests have their length', () => {
  expect(['sha384', 'sha512'].map((name) => digestBy(name, 'abc')?.length)).toEqual([96, 128])
})

test.each(['', 'SHA1', 'sha3-256', 'ripemd160', 'core', 'constructor'])('%j names no digest', (name) => {
  expect(digestBy(name, 'abc')).toBeNull()
})

test('a hash by bcrypt of ten rounds is made in turn and matches its text', async () => {
  let turns = 0
  const inTurn: HashQueue = (work) => {
    turns += 1
    return work()
  }
  const hash = await hashByBcrypt('correct horse', inTurn)
  expect([turns, readRounds(hash)]).toEqual([1, 10])
  expect(await compare('correct horse', hash)).toBe(true)
})
