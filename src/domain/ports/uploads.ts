/** Uploads: parts of multipart requests, and `Resumable`, the port for resumable uploads by the tus protocol. An `UploadStore` stores the bytes. */
import type { Readable } from 'node:stream'

/** A request of the tus protocol. */
export type ResumableRequest = {
  readonly method: 'POST' | 'HEAD' | 'PATCH' | 'DELETE' | 'OPTIONS'
  readonly url: string
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined }
  readonly body: Readable | null
}

/** A success response. Failures are thrown. */
export type ResumableReply = { readonly status: number; readonly headers: { readonly [name: string]: string } }

/** Metadata that the client sends with an upload; null for a key without a value. */
export type UploadMetadata = { readonly [name: string]: string | null }

export type UploadState = {
  /** Total size in bytes; null until the client declares it. */
  readonly length: number | null
  readonly offset: number
  readonly metadata: UploadMetadata
  /** Time of the last write. The upload expires a fixed time later. */
  readonly touched: Date
}

/** Supported checksum algorithms. The first is the default. */
export const sumAlgorithms = ['sha1', 'sha256', 'md5'] as const

/** A checksum of contents, in hexadecimal. */
export type Checksum = { readonly algorithm: (typeof sumAlgorithms)[number]; readonly hex: string }

/** Bytes to append to an upload. With a checksum, the whole piece is stored or nothing. */
export type UploadPart = { readonly offset: number; readonly stream: Readable; readonly checksum: Checksum | null }

/** The uploads of one caller. Uploads of other callers are reported as not found. */
export type UploadStore = {
  readonly create: (id: string, upload: Pick<UploadState, 'length' | 'metadata'>) => Promise<void>
  readonly read: (id: string) => Promise<UploadState>
  /** Declares the length of an upload, and completes the upload if all bytes have arrived. */
  readonly declare: (id: string, length: number) => Promise<void>
  /** Returns the new offset. If the stream fails, the bytes that arrived are kept. */
  readonly append: (id: string, piece: UploadPart) => Promise<number>
  readonly remove: (id: string) => Promise<void>
}

export type ResumableOptions = {
  readonly store: UploadStore
  /** Limit in bytes of an upload; null = unlimited. */
  readonly maxSize: number | null
  /** Milliseconds without a write after which an upload expires. */
  readonly expiration: number
  readonly createId: () => string
  /** The URL at which an upload is continued. */
  readonly locationOf: (id: string) => string
}

/** The tus protocol. All requests of the process share one value, so that writes to one upload are serialised. */
export type Resumable = {
  readonly answer: (request: ResumableRequest, options: ResumableOptions) => Promise<ResumableReply>
}

/** A form field, or the contents of a file. */
export type Part =
  | { readonly kind: 'value'; readonly name: string; readonly value: string }
  | ({ readonly kind: 'file'; readonly name: string } & Incoming)

/** File contents that are still being received. The next part arrives only after they are read. */
export type Incoming = {
  /** Name given by the client, without folders; null if there is none. */
  readonly filename: string | null
  /** Media type given by the client. */
  readonly type: string
  /** Fails when the client disconnects. */
  readonly stream: Readable
  /**
   * Set if the contents are already stored as an object in the target location, which the file may take over. Its MD5
   * checksum is included if it was computed.
   */
  readonly object?: { readonly key: string; readonly size: number; readonly checksum: string | null }
}
