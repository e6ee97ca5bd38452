/** In-memory storage for tests that are not about storage. */
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Outbound } from '../domain/ports/outbound.ts'
import type { FileSettings } from '../domain/ports/settings.ts'
import { type ObjectFacts, ObjectMissing, type Storage, type StorageLocations } from '../domain/ports/storage.ts'
import type { Resumable } from '../domain/ports/uploads.ts'

type StoredObject = { readonly bytes: Buffer; readonly modified: Date }

export function createMemoryStorage(): Storage {
  const objects = new Map<string, StoredObject>()
  const get = (key: string): StoredObject => {
    const cached = objects.get(key)
    if (cached === undefined) throw new ObjectMissing(key)
    return cached
  }
  return {
    async write(key, stream) {
      const bytes = await buffer(stream)
      objects.set(key, { bytes, modified: new Date() })
      return { size: bytes.length }
    },
    async read(key, range) {
      const { bytes } = get(key)
      return Readable.from(range === undefined ? [bytes] : [bytes.subarray(range.start, range.end + 1)])
    },
    async stat(key) {
      const stored = objects.get(key)
      return stored === undefined ? null : { size: stored.bytes.length, modified: stored.modified }
    },
    async delete(key) {
      objects.delete(key)
    },
    async *list(prefix) {
      for (const [key, { bytes, modified }] of objects) {
        if (key.startsWith(prefix)) yield { key, size: bytes.length, modified }
      }
    },
    async move(from, to) {
      objects.set(to, get(from))
      objects.delete(from)
    },
    discardUnfinished: () => Promise.resolve(0),
  }
}

export const createMemoryLocations = (): StorageLocations => ({
  locations: new Map([['local', createMemoryStorage()]]),
  primary: 'local',
})

export async function listAll(storage: Storage, prefix: string): Promise<readonly (ObjectFacts & { key: string })[]> {
  const found: (ObjectFacts & { key: string })[] = []
  for await (const each of storage.list(prefix)) found.push(each)
  return found
}

/** File settings that allow everything, without resumable uploads. */
export const testFileSettings: FileSettings = {
  maxSize: null,
  types: ['*/*'],
  metadata: ['*'],
  checksums: false,
  import: { timeout: 5000, maxSize: 1_000_000 },
  resumable: { segment: 4, expiration: 60_000, most: 100 },
}

/** An outbound port that always fails. */
export const noOutbound: Outbound = { fetchFile: () => Promise.reject(new Error('Nothing is fetched in this test')) }

/** A resumable port that always fails. */
export const noResumable: Resumable = {
  answer: () => Promise.reject(new Error('Nothing is continued in this test')),
}
