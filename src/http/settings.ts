/** What configuration decides about HTTP. */
export type HttpSettings = {
  /** Where clients reach the server, when it is not where it listens; null = taken from each request. */
  readonly publicUrl: string | null
  /** Bytes of a request body at most. */
  readonly maxPayload: number
  /** Which proxies may tell the client's address: none, all, a number of hops, or a list of addresses. */
  readonly trustProxy: boolean | number | readonly string[]
  /** Refuse unknown query parameters instead of ignoring them. */
  readonly strictQuery: boolean
  /** Check every answer against the spec; an answer that does not fit becomes a 500. */
  readonly validateResponses: boolean
  readonly cors: CorsSettings | null
  /** Seconds; null = the header is not sent. */
  readonly hsts: number | null
}

/** What other origins may do. `origin: true` reflects the caller's and then never allows credentials. */
export type CorsSettings = {
  readonly origin: true | readonly string[]
  readonly methods: readonly string[]
  readonly allowedHeaders: readonly string[]
  readonly exposedHeaders: readonly string[]
  readonly credentials: boolean
  readonly maxAge: number
}

/** Bounds on the shape of a request that no configuration changes. */
export const requestBounds = {
  /** Characters of path and query string. */
  url: 32_768,
  /** Levels of brackets in a query string, and of nesting in its JSON values. */
  queryDepth: 10,
  /** Elements of one list in a query string. */
  queryArray: 500,
  /** Parameters of one query string. */
  queryParameters: 1_000,
  /** Levels of nesting in a JSON query value or body. */
  jsonDepth: 100,
  /** Parts of one multipart body. */
  parts: 1_000,
  /** Bytes of the name of a part. */
  partName: 100,
  /** Bytes of the value of a part that is no file. */
  partValue: 1_048_576,
} as const
