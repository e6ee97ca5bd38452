import { expect, test } from 'vitest'
import { fingerprint, sha1, sha256 } from './digest.ts'

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
