export type HttpSettings = {
  /** Public address, if it differs from the listening address; null takes it from each request. */
  readonly publicUrl: string | null
  /** Maximum bytes of a request body. */
  readonly maxPayload: number
  /** Maximum bytes of a body that is a data model (`x-schema-body`). */
  readonly maxSchema: number
  /** Proxies whose headers for the client's address count: none, all, a number of hops, or a list of addresses. */
  readonly trustProxy: boolean | number | readonly string[]
  /** Whether unknown query parameters are refused instead of ignored. */
  readonly strictQuery: boolean
  /** Whether every answer is checked against the spec; a deviation becomes a 500. */
  readonly validateResponses: boolean
  /** Whether administrators get the times of the stations of their requests (`Server-Timing`). */
  readonly serverTiming: boolean
  readonly cors: CorsSettings | null
  /** Seconds of `Strict-Transport-Security`; null omits the header. */
  readonly hsts: number | null
}

/** How a generation that has a successor is retired. */
export type RetirementSettings = {
  readonly isServed: boolean
  /** Since when it is deprecated, or from when; null = it is not. */
  readonly since: Date | null
  /** When it will be turned off; null = unknown. */
  readonly sunset: Date | null
}

/** CORS settings. `origin: true` reflects the caller's origin and then never allows credentials. */
export type CorsSettings = {
  readonly origin: true | readonly string[]
  readonly methods: readonly string[]
  readonly allowedHeaders: readonly string[]
  readonly exposedHeaders: readonly string[]
  readonly credentials: boolean
  readonly maxAge: number
}

/** At most `points` requests within `seconds`. */
export type Rate = { readonly points: number; readonly seconds: number }

/** Rate limits; null means unlimited. */
export type RateSettings = {
  readonly perAddress: Rate | null
  readonly altogether: Rate | null
  /** Failed logins per account; a client address may have ten times as many. */
  readonly logins: Rate | null
  /** Registrations per client address. */
  readonly registrations: Rate | null
  /** Mails per mailbox and purpose; a sender may cause a hundred times as many. */
  readonly mails: Rate | null
  /** Whether all replicas share the counters. */
  readonly shared: boolean
}

/** Limits beyond which the process counts as overloaded; null disables one. */
export type PressureSettings = {
  /** Milliseconds between two measurements. */
  readonly interval: number
  readonly maxUtilization: number | null
  /** Milliseconds. */
  readonly maxDelay: number | null
  /** Maximum wait for a database connection, in milliseconds. */
  readonly maxDatabaseWait: number | null
  /** Bytes. */
  readonly maxRss: number | null
  readonly maxHeap: number | null
  /** Seconds. */
  readonly retryAfter: number
}

export type CacheSettings = {
  /** Whether all replicas share the cache. */
  readonly shared: boolean
  readonly namespace: string
  /** Milliseconds. */
  readonly ttl: number
  readonly autoPurge: boolean
  /** Collections whose writes do not purge the cache. */
  readonly unpurged: readonly string[]
  /** Seconds of `s-maxage` for shared caches; null omits it. */
  readonly sharedMaxAge: number | null
  readonly skipAllowed: boolean
  /** Lower case. */
  readonly statusHeader: string | null
  /** Whether answers name their tags for a network of caches. */
  readonly tagHeaders: boolean
  /** Maximum bytes of a cached answer. */
  readonly maxSize: number | null
}

/** Fixed limits on the shape of a request. */
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
  /** Keys of the object that a body is. */
  bodyKeys: 10_000,
  /** Bytes that the references in one batch may stand for. */
  filled: 1_048_576,
  /** Parts of one multipart body. */
  parts: 1_000,
  /** Bytes of the name of a part. */
  partName: 100,
  /** Bytes of the value of a part that is not a file. */
  partValue: 1_048_576,
} as const
