/** Sums of contents. */
import { createHash } from 'node:crypto'

/** A sum that is made while contents pass by; `end` gives it in hexadecimal. */
export type Checksum = { readonly add: (chunk: Uint8Array) => void; readonly end: () => string }

/** MD5: it tells damage, and protects against nobody. */
export function createChecksum(): Checksum {
  const hash = createHash('md5')
  return { add: (chunk) => void hash.update(chunk), end: () => hash.digest('hex') }
}
