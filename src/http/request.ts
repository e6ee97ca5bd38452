/** `HttpRequest`: the facts of a request as plain data, read once. Nothing below `http/` sees express. */
export type HttpRequest = {
  readonly id: string
  readonly method: string
  /** Path without the query string, as the client sent it. */
  readonly path: string
  /** Path and query string, as the client sent them; never written to a log. */
  readonly url: string
  /** `https://example.com`, as the client (or a trusted proxy) calls the server. */
  readonly origin: string
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined }
  /** Parsed query string: strings, lists and null-prototype objects. */
  readonly query: { readonly [name: string]: unknown }
  readonly cookies: { readonly [name: string]: string }
  readonly ip: string | null
  /** Aborts when the client goes away before the answer is complete. */
  readonly signal: AbortSignal
}
