/**
 * Small variants that are asked for often stay in memory. Under one name there is ever only one content, so what
 * is kept cannot be wrong; whether somebody may see it was asked before.
 */
import { smallImage } from '../domain/images.ts'
import type { ObjectFacts, Outgoing, Storage } from '../domain/storage.ts'

/** Bytes of one variant, and of all that are kept of a storage. */
const most = { each: smallImage, all: 16 * 1024 ** 2 } as const

type Kept = { readonly facts: ObjectFacts; readonly bytes: Buffer }
type Memory = { readonly variants: Map<string, Kept>; size: number }

const memories = new WeakMap<Storage, Memory>()

/** Whether it is small enough to be kept. */
export const isKeepable = ({ size }: Pick<ObjectFacts, 'size'>): boolean => size <= most.each

/** What is kept under the key; whoever is asked for stays longest. */
export function recall(storage: Storage, key: string): Kept | undefined {
  const variants = memories.get(storage)?.variants
  const kept = variants?.get(key)
  if (kept === undefined) return undefined
  variants?.delete(key)
  variants?.set(key, kept)
  return kept
}

/** Keeps it, and lets go of those that were not asked for the longest. */
export function keep(storage: Storage, key: string, kept: Kept): void {
  const memory = memories.get(storage) ?? { variants: new Map<string, Kept>(), size: 0 }
  memories.set(storage, memory)
  if (memory.variants.has(key)) return
  memory.variants.set(key, kept)
  memory.size += kept.bytes.length
  for (const [oldest, { bytes }] of memory.variants) {
    if (memory.size <= most.all) return
    memory.variants.delete(oldest)
    memory.size -= bytes.length
  }
}

/** Bytes that are in memory, on their way to a client. */
export const fromMemory = (bytes: Uint8Array): Outgoing => ({
  sendTo: async (sink) => void sink.end(bytes),
  destroy: () => {},
})
