/** Sums of contents. */
import { createHash } from 'node:crypto'

/** Contents on their way, and when all of them have passed, `end` gives their MD5 in hexadecimal: null where it is not wanted. */
export type Summed = { readonly chunks: AsyncIterable<Buffer>; readonly end: () => string | null }

/** Sums up while contents pass. MD5 tells damage, and protects against nobody. */
export function summed(chunks: AsyncIterable<Buffer>, isWanted: boolean): Summed {
  if (!isWanted) return { chunks, end: () => null }
  const hash = createHash('md5')
  async function* passing(): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      hash.update(chunk)
      yield chunk
    }
  }
  return { chunks: passing(), end: () => hash.digest('hex') }
}
