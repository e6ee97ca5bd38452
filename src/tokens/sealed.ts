/** Texts that only this server can read: AES-256-GCM with a key made from its secret. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** `purpose`: each has a key of its own. */
export type SealSettings = { readonly secret: string; readonly purpose: string }

const algorithm = 'aes-256-gcm'

const keyOf = ({ secret, purpose }: SealSettings): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `sealed ${purpose}`, 32))

/** Seals a text, as base64url. */
export function seal(text: string, settings: SealSettings): string {
  const start = randomBytes(12)
  const cipher = createCipheriv(algorithm, keyOf(settings), start)
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([start, cipher.getAuthTag(), body]).toString('base64url')
}

/** The text; null if it was sealed with another secret, or changed. */
export function unseal(sealed: string, settings: SealSettings): string | null {
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.length < 28) return null
  const decipher = createDecipheriv(algorithm, keyOf(settings), bytes.subarray(0, 12))
  decipher.setAuthTag(bytes.subarray(12, 28))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}
