/** Digests of content, for comparison. */
import { createHmac, hash, timingSafeEqual } from 'node:crypto'

/** SHA-1 in hexadecimal, as clients of schema changes expect it. It is for comparison, not for security. */
export const sha1 = (text: string): string => hash('sha1', text, 'hex')

/** SHA-256 in hexadecimal. */
export const sha256 = (text: string): string => hash('sha256', text, 'hex')

/** SHA-256 with a key, in hexadecimal. Without the key it reveals nothing about the text. */
export const keyedDigest = (text: string, key: string): string => createHmac('sha256', key).update(text).digest('hex')

/** The first digits of a hash in the form of a uuid of version 8, whose bits have no meaning. */
export const toUuid = (digits: string): string =>
  digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')

/** A uuid made of the hash of a text. */
export const uuidOfText = (text: string): string => toUuid(sha256(text))

/** The first 40 hexadecimal digits of SHA-256, which is resistant to collisions. */
export const fingerprint = (text: string): string => sha256(text).slice(0, 40)

const digests = ['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512'] as const

/** The digest that older clients request by name, in hexadecimal; null for an unknown name. */
export function digestBy(name: string, text: string): string | null {
  const digest = digests.find((each) => each === name)
  return digest === undefined ? null : hash(digest, text, 'hex')
}

/** Whether the texts are equal; compares in constant time. */
export function isSameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
