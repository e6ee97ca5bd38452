/** Hashes that older clients request by name: bcrypt, and plain digests in hexadecimal. */
import { createHash } from 'node:crypto'
import { hashBcrypt } from './bcrypt.ts'
import type { HashQueue } from './hash-turns.ts'

const digests = ['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512'] as const

/** The digest of the text; null for an unknown name. */
export function digestBy(name: string, text: string): string | null {
  const existing = digests.find((each) => each === name)
  return existing === undefined ? null : createHash(existing).update(text).digest('hex')
}

const rounds = 10

/** Hashes with bcrypt in the queue of the caller. */
export const hashByBcrypt = (text: string, inTurn: HashQueue): Promise<string> =>
  inTurn(() => hashBcrypt({ password: text, rounds }))
