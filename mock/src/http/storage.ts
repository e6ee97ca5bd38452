import { Readable } from 'node:stream'
import { ObjectMissing, type Storage, type StorageLocations } from '../../../src/domain/ports/storage.ts'

/** Contents by the names that files have in storage. */
export type Contents = { readonly [name: string]: string | Uint8Array }

type Stored = { readonly bytes: Buffer; readonly modified: Date }

/** One location. `reset` restores the given contents. */
export function createStorage(
  contents: Contents,
  now: () => Date,
): { readonly storage: StorageLocations; readonly reset: () => void } {
  const objects = new Map<string, Stored>()
  const reset = (): void => {
    objects.clear()
    for (const [name, bytes] of Object.entries(contents))
      objects.set(name, { bytes: Buffer.from(bytes as string), modified: now() })
  }
  reset()
  const storedOf = (key: string): Stored => {
    const object = objects.get(key)
    if (object === undefined) throw new ObjectMissing(key)
    return object
  }
  const storage: Storage = {
    async write(key, stream) {
      const chunks: Uint8Array[] = []
      for await (const chunk of stream) chunks.push(chunk as Uint8Array)
      const bytes = Buffer.concat(chunks)
      objects.set(key, { bytes, modified: now() })
      return { size: bytes.length }
    },
    async read(key, range) {
      const { bytes } = storedOf(key)
      return Readable.from([range === undefined ? bytes : bytes.subarray(range.start, range.end + 1)])
    },
    async stat(key) {
      const object = objects.get(key)
      return object === undefined ? null : { size: object.bytes.length, modified: object.modified }
    },
    delete: async (key) => void objects.delete(key),
    async *list(prefix) {
      for (const [key, { bytes, modified }] of objects)
        if (key.startsWith(prefix)) yield { key, size: bytes.length, modified }
    },
    async move(from, to) {
      objects.set(to, storedOf(from))
      objects.delete(from)
    },
    discardUnfinished: async () => 0,
  }
  return { storage: { locations: new Map([['local', storage]]), primary: 'local' }, reset }
}
