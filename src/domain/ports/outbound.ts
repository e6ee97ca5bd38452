/** `Outbound`: HTTP requests that the server makes on behalf of a client. */
import type { Readable } from 'node:stream'

export type Outbound = {
  /** Downloads a file. The caller reads the stream to its end or destroys it. */
  readonly fetchFile: (address: string, options: FetchOptions) => Promise<Fetched>
}

export type FetchOptions = {
  /** Limit in milliseconds of the whole download. */
  readonly timeout: number
  readonly signal?: AbortSignal
  readonly headers?: { readonly [name: string]: string }
}

export type Fetched = {
  /** The final URL after redirects. */
  readonly url: URL
  /** Media type from the response header. */
  readonly type: string
  readonly stream: Readable
}
