/**
 * `Storage`: where the bytes of files are. One port, whatever holds them; objects have flat keys, and
 * what was written is there whole or not at all.
 */
import type { Readable, Writable } from 'node:stream'

/** One place that holds objects. Whatever it refuses or lacks is an error; only `ObjectMissing` is ordinary. */
export type Storage = {
  /**
   * Stores what the stream yields, replacing what was there; until it resolves nobody sees any of it. Chunks that
   * are `owned` by the stream's reader may be empty after that.
   */
  readonly write: (
    key: string,
    stream: Readable,
    options?: { readonly signal?: AbortSignal; readonly owned?: boolean },
  ) => Promise<{ readonly size: number }>
  /** Both ends of the range count. Rejects with `ObjectMissing`. Who does not read to the end destroys the stream. */
  readonly read: (key: string, range?: ByteRange) => Promise<Readable>
  /** The same for who does nothing but hand it on; absent where a stream is as good. */
  readonly open?: (key: string, range?: ByteRange) => Promise<Outgoing>
  /**
   * The file that an object is, for programs that read files; absent where objects are none. It lies within the
   * storage, whatever links lead there. Rejects with `ObjectMissing`.
   */
  readonly pathOf?: (key: string) => Promise<string>
  /** Begins an object that somebody else writes as a file; absent where objects are none. */
  readonly draft?: () => Draft
  readonly stat: (key: string) => Promise<ObjectFacts | null>
  /** An absent object is fine. */
  readonly delete: (key: string) => Promise<void>
  /** Finished objects whose key begins with the prefix, in no particular order. */
  readonly list: (prefix: string) => AsyncIterable<ObjectFacts & { readonly key: string }>
  /** Replaces what was at `to`. Rejects with `ObjectMissing`. */
  readonly move: (from: string, to: string) => Promise<void>
  /**
   * Discards writes that were begun before the time and have not ended: what a killed process left behind. Where a
   * write that goes on looks the same, it is asked by its key whether it does. Says how many.
   */
  readonly discardUnfinished: (before: Date, isWritten?: (key: string) => boolean) => Promise<number>
}

/** An object that is being written: nobody sees any of it until it is kept. */
export type Draft = {
  /** Of a file that is not there yet. */
  readonly path: string
  /** Stores the file, which is on the disk by now, replacing what was there. A power cut soon after may take it, whole. */
  readonly keep: (key: string) => Promise<void>
  readonly discard: () => Promise<void>
}

/** Open, and to be sent or destroyed, once. */
export type Outgoing = {
  /** Writes all of it and ends the sink; resolves early when the sink is closed. */
  readonly sendTo: (sink: Writable) => Promise<void>
  readonly destroy: () => void
}

/** First and last byte, counted from 0. */
export type ByteRange = { readonly start: number; readonly end: number }

export type ObjectFacts = { readonly size: number; readonly modified: Date }

/** The locations of a project by name, and the one that new files go to. */
export type StorageLocations = { readonly locations: ReadonlyMap<string, Storage>; readonly primary: string }

/** Nothing is stored under the key. */
export class ObjectMissing extends Error {
  constructor(key: string, options?: { readonly cause?: unknown }) {
    super(`No object ${key}`, options)
    this.name = 'ObjectMissing'
  }
}

/**
 * Whether a text may be a key: one to eight segments between slashes, none of which begins with a dot or
 * holds a backslash or a control character; 255 bytes at most.
 */
export const isObjectKey = (key: string): boolean =>
  key.length <= 255 &&
  key.isWellFormed() &&
  Buffer.byteLength(key) <= 255 &&
  /^[^./\\\p{Cc}][^/\\\p{Cc}]*(?:\/[^./\\\p{Cc}][^/\\\p{Cc}]*){0,7}$/u.test(key)

/**
 * How the keys of everything derived from an object begin: `<base>__`. They go when it goes.
 * @example variantPrefix('5f0c.jpg') // '5f0c__'
 */
export const variantPrefix = (key: string): string => `${key.replace(/(?<=[^/])\.[^./]*$/, '')}__`
