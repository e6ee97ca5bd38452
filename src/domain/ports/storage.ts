/**
 * `Storage`: the port for file contents. Objects have flat keys, and every write is atomic.
 */
import type { Readable, Writable } from 'node:stream'

/** One storage location. Every failure is an error; `ObjectMissing` is the only expected one. */
export type Storage = {
  /**
   * Stores the contents of the stream and replaces an existing object. The new object becomes visible when the write
   * resolves. If chunks are `owned`, the storage may release their memory after writing them.
   */
  readonly write: (
    key: string,
    stream: Readable,
    options?: { readonly signal?: AbortSignal; readonly owned?: boolean },
  ) => Promise<{ readonly size: number }>
  /** Reads an object; both ends of the range are inclusive. Rejects with `ObjectMissing`. The caller reads to the end or destroys the stream. */
  readonly read: (key: string, range?: ByteRange) => Promise<Readable>
  /** Like `read`, for callers that only forward the contents. Absent where it has no advantage over a stream. */
  readonly open?: (key: string, range?: ByteRange) => Promise<Outgoing>
  /**
   * Path of the file that stores an object, for programs that need a file. Absent for storages without files. The path is
   * always inside the storage; symbolic links are not followed. Rejects with `ObjectMissing`.
   */
  readonly pathOf?: (key: string) => Promise<string>
  /** Begins an object that another program writes as a file. Absent for storages without files. */
  readonly draft?: () => Draft
  readonly stat: (key: string) => Promise<ObjectFacts | null>
  /** Deletes an object; succeeds if it does not exist. */
  readonly delete: (key: string) => Promise<void>
  /** Finished objects whose key has the prefix, in no particular order. */
  readonly list: (prefix: string) => AsyncIterable<ObjectFacts & { readonly key: string }>
  /** Replaces an object at `to`. Rejects with `ObjectMissing`. */
  readonly move: (from: string, to: string) => Promise<void>
  /**
   * Discards unfinished writes that began before the given time, such as those of a killed process. Where a running write
   * cannot be distinguished, `isWritten` decides by key. Returns the number of discarded writes.
   */
  readonly discardUnfinished: (before: Date, isWritten?: (key: string) => boolean) => Promise<number>
}

/** An object in progress, which is invisible until `keep` is called. */
export type Draft = {
  /** Path of a file that does not exist yet. */
  readonly path: string
  /** Stores the file, which must be synced to disk, and replaces an existing object. A power failure soon after may lose the object as a whole. */
  readonly keep: (key: string) => Promise<void>
  readonly discard: () => Promise<void>
}

/** An open object, to be sent or destroyed exactly once. */
export type Outgoing = {
  /** Writes the contents and ends the sink. Resolves early if the sink is closed. */
  readonly sendTo: (sink: Writable) => Promise<void>
  readonly destroy: () => void
}

/** Offsets of the first and the last byte. */
export type ByteRange = { readonly start: number; readonly end: number }

export type ObjectFacts = { readonly size: number; readonly modified: Date }

/** The storage locations of a project by name, and the location of new files. */
export type StorageLocations = { readonly locations: ReadonlyMap<string, Storage>; readonly primary: string }

/** No object is stored under the key. */
export class ObjectMissing extends Error {
  constructor(key: string, options?: { readonly cause?: unknown }) {
    super(`No object ${key}`, options)
    this.name = 'ObjectMissing'
  }
}

/**
 * Whether a text is a valid key: one to eight segments separated by slashes, 255 bytes at most. Segments do not begin with
 * a dot and contain no backslash and no control character.
 */
export const isObjectKey = (key: string): boolean =>
  key.length <= 255 &&
  key.isWellFormed() &&
  Buffer.byteLength(key) <= 255 &&
  /^[^./\\\p{Cc}][^/\\\p{Cc}]*(?:\/[^./\\\p{Cc}][^/\\\p{Cc}]*){0,7}$/u.test(key)

/**
 * Key prefix of all objects that are derived from an object: a folder of its own, so that a list of them does not read
 * other folders. They are deleted with the object.
 * @example variantPrefix('5f0c.jpg') // '5f0c__/'
 */
export const variantPrefix = (key: string): string => `${baseOf(key)}__/`

/**
 * The key without its extension.
 * @example baseOf('5f0c.jpg') // '5f0c'
 */
export const baseOf = (key: string): string => key.replace(/(?<=[^/])\.[^./]*$/, '')
