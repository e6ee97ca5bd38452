/** `Outbound`: requests that this server sends because a client asks for it. */
import type { Readable } from 'node:stream'

export type Outbound = {
  /** Reads a file from an address; the caller reads the stream to its end or destroys it. */
  readonly fetchFile: (address: string, options: FetchOptions) => Promise<Fetched>
}

export type FetchOptions = {
  /** Milliseconds for everything, the last byte included. */
  readonly timeout: number
  readonly signal?: AbortSignal
}

export type Fetched = {
  /** Where it came from in the end. */
  readonly url: URL
  /** Media type, as the other server says. */
  readonly type: string
  readonly stream: Readable
}
