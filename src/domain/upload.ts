/** What a client sends along with a file, in the order in which it comes. */
import type { Readable } from 'node:stream'

/** A named value, or the contents of a file. */
export type Part =
  | { readonly kind: 'value'; readonly name: string; readonly value: string }
  | ({ readonly kind: 'file'; readonly name: string } & Incoming)

/** Contents that are still coming in; nothing that follows them comes before they are read. */
export type Incoming = {
  /** As the client calls it, without folders; null when it does not say. */
  readonly filename: string | null
  /** Media type, as the client says. */
  readonly type: string
  /** Fails when the client goes away. */
  readonly stream: Readable
  /**
   * The object that the stream reads, where it lies in the location already that they go to, and nobody else wants it;
   * with its MD5 sum, if one was made.
   */
  readonly object?: { readonly key: string; readonly size: number; readonly checksum: string | null }
}
