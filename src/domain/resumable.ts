/** `Resumable`: uploads that go on where they broke off, by the tus protocol. Where their bytes are is up to the store. */
import type { Readable } from 'node:stream'

/** A request of the protocol. */
export type ResumableRequest = {
  readonly method: 'POST' | 'HEAD' | 'PATCH' | 'DELETE' | 'OPTIONS'
  readonly url: string
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined }
  readonly body: Readable | null
}

/** What is answered; a failure is thrown instead. */
export type ResumableReply = { readonly status: number; readonly headers: { readonly [name: string]: string } }

/** Texts that the client says of what it uploads; null where it says a name alone. */
export type UploadMetadata = { readonly [name: string]: string | null }

/** How far an upload is. */
export type UploadState = {
  /** Bytes of the whole; null until its client knows. */
  readonly length: number | null
  readonly offset: number
  readonly metadata: UploadMetadata
  /** When its last bytes came; it expires from then on. */
  readonly touched: Date
}

/** Sums that clients may send along, the usual one first. */
export const sumAlgorithms = ['sha1', 'sha256', 'md5'] as const

/** A sum of contents, in hexadecimal. */
export type Checksum = { readonly algorithm: (typeof sumAlgorithms)[number]; readonly hex: string }

/** Bytes that come to an upload. With a sum all of them are kept, or none. */
export type Piece = { readonly offset: number; readonly stream: Readable; readonly checksum: Checksum | null }

/** Uploads of one caller. Whoever else asks is told that there is nothing. */
export type UploadStore = {
  readonly create: (id: string, upload: Pick<UploadState, 'length' | 'metadata'>) => Promise<void>
  readonly read: (id: string) => Promise<UploadState>
  /** Says the length of one that had none, and makes the file if all of it is there. */
  readonly declare: (id: string, length: number) => Promise<void>
  /** Resolves to the new offset. A stream that fails is an end: what came of it stays. */
  readonly append: (id: string, piece: Piece) => Promise<number>
  readonly remove: (id: string) => Promise<void>
}

export type ResumableOptions = {
  readonly store: UploadStore
  /** Bytes of an upload; null = unlimited. */
  readonly maxSize: number | null
  /** Milliseconds for which an upload may rest. */
  readonly expiration: number
  /** Makes the id of a new upload. */
  readonly createId: () => string
  /** Where an upload is continued. */
  readonly locationOf: (id: string) => string
}

/** The protocol; one for all requests of the process, so that two of them do not write one upload at once. */
export type Resumable = {
  readonly answer: (request: ResumableRequest, options: ResumableOptions) => Promise<ResumableReply>
}
