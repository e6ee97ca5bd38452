/**
 * Texts of answers as bytes, in memory that is used again for the next ones: memory made for each answer makes the
 * engine collect everything each 64 MB.
 */

/** `release` says that nobody looks at the bytes any more; without it they are ordinary memory. */
export type Encoded = { readonly bytes: Uint8Array; readonly release: () => void }

const size = 81_920
const kept = 50

const free: Buffer[] = []

/** The text in UTF-8. What is too long for the memory that is kept gets memory of its own. */
export function encode(text: string): Encoded {
  if (text.length > size) return { bytes: Buffer.from(text), release: ignore }
  const memory = free.pop() ?? Buffer.allocUnsafeSlow(size)
  const release = (): void => {
    if (free.length < kept) free.push(memory)
  }
  const length = memory.write(text)
  // No character takes more than four bytes: with as many left nothing was cut off.
  if (length <= size - 4) return { bytes: memory.subarray(0, length), release }
  release()
  return { bytes: Buffer.from(text), release: ignore }
}

const ignore = (): void => {}
