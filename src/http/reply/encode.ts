/**
 * Texts of answers as bytes, in memory that is used again for the next ones: memory made for each answer makes the
 * engine collect everything each 64 MB.
 */

/** `release` says that nobody looks at the bytes any more; without it they are ordinary memory. */
export type Encoded = { readonly bytes: Uint8Array; readonly release: () => void }

const size = 81_920
const kept = 50

const free: Buffer[] = []

/** The texts, one after the other, in UTF-8. What is too long for the memory that is kept gets memory of its own. */
export function encode(...texts: readonly string[]): Encoded {
  const memory = free.pop() ?? Buffer.allocUnsafeSlow(size)
  const release = (): void => {
    if (free.length < kept) free.push(memory)
  }
  let length = 0
  for (const text of texts) {
    if (length + text.length <= size) length += memory.write(text, length)
    else length = size
  }
  // No character takes more than four bytes: with as many left nothing was cut off.
  if (length <= size - 4) return { bytes: memory.subarray(0, length), release }
  release()
  return { bytes: Buffer.from(texts.join('')), release: ignore }
}

const ignore = (): void => {}
