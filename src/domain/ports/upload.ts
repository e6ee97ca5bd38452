/** Parts of a multipart upload, in the order of the request. */
import type { Readable } from 'node:stream'

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
