/** `node:crypto` in the bundle: what Web Crypto gives at once. */
import { Buffer } from './buffer.ts'

export const randomUUID = (): string => crypto.randomUUID()

export const randomBytes = (size: number): Uint8Array =>
  (Buffer as { from: (bytes: Uint8Array) => Uint8Array }).from(crypto.getRandomValues(new Uint8Array(size)))

/** Secrets of a mock are known: time tells nobody anything. */
export const timingSafeEqual = (left: Uint8Array, right: Uint8Array): boolean =>
  left.length === right.length && left.every((byte, at) => byte === right[at])

type Derivation = { readonly message: string; readonly nonce: Uint8Array; readonly tagLength: number }
type Done = (error: Error | null, hash: ArrayBuffer) => void

/** No argon2, but a digest of the same length that depends on the same: the mock has no passwords to protect. */
export function argon2(_algorithm: string, { message, nonce, tagLength }: Derivation, done: Done): void {
  const text = new TextEncoder().encode(message)
  const given = new Uint8Array(nonce.length + text.length)
  given.set(nonce)
  given.set(text, nonce.length)
  const fail = (error: unknown): void => done(error as Error, new ArrayBuffer())
  crypto.subtle.digest('SHA-512', given).then((hash) => {
    const bytes = new Uint8Array(hash)
    done(null, Uint8Array.from({ length: tagLength }, (_, at) => bytes[at % bytes.length] as number).buffer)
  }, fail)
}
