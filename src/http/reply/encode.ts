/**
 * Encodes answers as UTF-8 in pooled buffers: a new buffer per answer would trigger a full garbage collection every 64
 * MB.
 */

/** `release` returns the bytes to the pool; without it they are ordinary memory. */
export type Encoded = { readonly bytes: Uint8Array; readonly release: () => void }

const size = 81_920
const maxPooledBuffers = 50

const free: Buffer[] = []

/** Encodes the texts one after the other. Text that does not fit into a pooled buffer gets memory of its own. */
export function encode(...texts: readonly string[]): Encoded {
  const memory = free.pop() ?? Buffer.allocUnsafeSlow(size)
  const release = (): void => {
    if (free.length < maxPooledBuffers) free.push(memory)
  }
  let length = 0
  for (const text of texts) {
    if (length + text.length <= size) length += memory.write(text, length)
    else length = size
  }
  // A character takes at most four bytes: if as many are left, nothing was cut off.
  if (length <= size - 4) return { bytes: memory.subarray(0, length), release }
  release()
  return { bytes: Buffer.from(texts.join('')), release: ignore }
}

const ignore = (): void => {}
