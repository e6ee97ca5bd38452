/** Hashes that older clients request by name: bcrypt, and plain digests in hexadecimal. */
import { createHash } from 'node:crypto'
import { hash } from 'bcryptjs'

const digests = ['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512'] as const

/** The digest of the text; null for an unknown name. */
export function digestBy(name: string, text: string): string | null {
  const known = digests.find((each) => each === name)
  return known === undefined ? null : createHash(known).update(text).digest('hex')
}

const rounds = 10
let last: Promise<unknown> = Promise.resolve()

/** Hashes with bcrypt, one at a time. */
export function hashByBcrypt(text: string): Promise<string> {
  const next = last.then(() => hash(text, rounds))
  last = next.catch(() => undefined)
  return next
}
