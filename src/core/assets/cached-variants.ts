/**
 * A cache in memory for small variants. The content of a variant never changes under one name, so entries cannot become
 * stale. Permissions are checked before the cache is used.
 */
import { memoizeBy } from '../../domain/memoize.ts'
import { smallImage } from '../../domain/ports/images.ts'
import type { ObjectFacts, Outgoing, Storage } from '../../domain/ports/storage.ts'

/** Limits in bytes: of one variant, and of all cached variants of a storage. */
const most = { each: smallImage, all: 16 * 1024 ** 2 } as const

type CachedVariant = { readonly facts: ObjectFacts; readonly bytes: Buffer }
type Memory = { readonly variants: Map<string, CachedVariant>; size: number }

const memoryOf = memoizeBy((_storage: Storage): Memory => ({ variants: new Map(), size: 0 }))

/** Whether the variant is small enough for the cache. */
export const isKeepable = ({ size }: Pick<ObjectFacts, 'size'>): boolean => size <= most.each

/** The cached variant; marks it as recently used. */
export function recall(storage: Storage, key: string): CachedVariant | undefined {
  const { variants } = memoryOf(storage)
  const cached = variants.get(key)
  if (cached === undefined) return undefined
  variants.delete(key)
  variants.set(key, cached)
  return cached
}

/** Caches a variant and evicts the least recently used ones. */
export function keep(storage: Storage, key: string, variant: CachedVariant): void {
  const memory = memoryOf(storage)
  if (memory.variants.has(key)) return
  memory.variants.set(key, { ...variant, bytes: alone(variant.bytes) })
  memory.size += variant.bytes.length
  for (const [oldest, { bytes }] of memory.variants) {
    if (memory.size <= most.all) return
    memory.variants.delete(oldest)
    memory.size -= bytes.length
  }
}

/** The bytes without the memory around them: small buffers are parts of larger ones, which would be kept whole. */
function alone(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes
  const own = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(own)
  return own
}

export const fromMemory = (bytes: Uint8Array): Outgoing => ({
  sendTo: async (sink) => void sink.end(bytes),
  destroy: () => {},
})
