/** `node:crypto` in the bundle: what the server's modules use of it, at once and without Node. */
import { hmac } from '@noble/hashes/hmac.js'
import { md5, sha1 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { Buffer } from './buffer.ts'

type Bytes = Uint8Array & { readonly toString: (encoding?: string) => string }
type Encoding = 'hex' | 'base64' | 'base64url'

const buffers = Buffer as {
  readonly from: (data: unknown) => Bytes
  readonly concat: (all: readonly Uint8Array[]) => Bytes
}

export const randomUUID = (): string => crypto.randomUUID()

export const randomBytes = (size: number): Uint8Array => buffers.from(crypto.getRandomValues(new Uint8Array(size)))

/** Secrets of a mock are known: time tells nobody anything. */
export const timingSafeEqual = (left: Uint8Array, right: Uint8Array): boolean =>
  left.length === right.length && left.every((byte, at) => byte === right[at])

const algorithms = { sha1, sha256, md5 } as const

type Algorithm = keyof typeof algorithms

const encoded = (bytes: Uint8Array, encoding: Encoding | undefined): Bytes | string =>
  encoding === undefined ? buffers.from(bytes) : buffers.from(bytes).toString(encoding)

/** Collects data until its digest is asked for. */
function digesting(digest: (data: Uint8Array) => Uint8Array) {
  const parts: Uint8Array[] = []
  const self = {
    update(data: string | Uint8Array) {
      parts.push(buffers.from(data))
      return self
    },
    digest: (encoding?: Encoding) => encoded(digest(buffers.concat(parts)), encoding),
  }
  return self
}

export const createHash = (algorithm: Algorithm) => digesting(algorithms[algorithm])

export const createHmac = (algorithm: Algorithm, key: string) =>
  digesting((data) => hmac(algorithms[algorithm], buffers.from(key), data))

export const hash = (algorithm: Algorithm, data: string, encoding: Encoding = 'hex') =>
  encoded(algorithms[algorithm](buffers.from(data)), encoding)

type Derivation = { readonly message: string; readonly nonce: Uint8Array; readonly tagLength: number }
type Done = (error: Error | null, hash: ArrayBuffer) => void

/** No argon2, but a digest of the same length that depends on the same: the mock has no passwords to protect. */
export function argon2(_algorithm: string, { message, nonce, tagLength }: Derivation, done: Done): void {
  const digest = sha256(buffers.concat([nonce, buffers.from(message)]))
  done(null, Uint8Array.from({ length: tagLength }, (_, at) => digest[at % digest.length] as number).buffer)
}
