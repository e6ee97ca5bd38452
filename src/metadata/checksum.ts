/** Sums of contents. */
import { createHash } from 'node:crypto'
import type { Checksum } from '../domain/resumable.ts'

/** Contents on their way, and when all of them have passed, `end` gives their sum in hexadecimal: null where none is wanted. */
export type Summed = { readonly chunks: AsyncIterable<Buffer>; readonly end: () => string | null }

/** Sums up while contents pass. It tells damage, and protects against nobody. */
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
