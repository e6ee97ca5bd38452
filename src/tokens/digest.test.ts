import { expect, test } from 'vitest'
import { digestBy, fingerprint, sha1, sha256 } from './digest.ts'

/** FIPS 180-4, examples: the digests of "abc". */
const sha256OfAbc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'

test('digests match the standard, in hexadecimal', () => {
  expect(sha1('abc')).toBe('a9993e364706816aba3e25717850c26c9cd0d89d')
  expect(sha256('abc')).toBe(sha256OfAbc)
  expect(sha256('é')).toBe('4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c')
})

test('a fingerprint is as long as an SHA-1, but of SHA-256', () => {
  expect(fingerprint('abc')).toBe(sha256OfAbc.slice(0, 40))
})

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
