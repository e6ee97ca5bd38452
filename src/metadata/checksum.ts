import { createHash } from 'node:crypto'
import type { Checksum } from '../domain/ports/uploads.ts'

/** A pass-through stream. `end` resolves to its checksum in hexadecimal, or to null if none is computed. */
export type Summed = { readonly chunks: AsyncIterable<Buffer>; readonly end: () => string | null }

/** Computes the checksum of a stream. It detects damage; it is no protection against manipulation. */
export function summed(chunks: AsyncIterable<Buffer>, algorithm: Checksum['algorithm'] | null): Summed {
  if (algorithm === null) return { chunks, end: () => null }
  const hash = createHash(algorithm)
  async function* passing(): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      hash.update(chunk)
      yield chunk
    }
  }
  return { chunks: passing(), end: () => hash.digest('hex') }
}
