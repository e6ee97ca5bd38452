/** What configuration decides about HTTP. */
export type HttpSettings = {
  /** Where clients reach the server, when it is not where it listens; null = taken from each request. */
  readonly publicUrl: string | null
  /** Bytes of a request body at most. */
  readonly maxPayload: number
  /** The same where the body is a data model (`x-schema-body`). */
  readonly maxSchema: number
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

/** So many within so many seconds. */
export type Rate = { readonly points: number; readonly seconds: number }

/** Null = as many as come. */
export type RateSettings = {
  readonly perAddress: Rate | null
  readonly altogether: Rate | null
  /** Failed ones of an account; an address has ten times as many. */
  readonly logins: Rate | null
  /** Of an address of the network. */
  readonly registrations: Rate | null
  /** Mails to one mailbox, for each purpose; a sender has a hundred times as many. */
  readonly mails: Rate | null
  /** Counted by all replicas together. */
  readonly shared: boolean
}

/** When the process counts as overloaded; null = never for that reason. */
export type PressureSettings = {
  /** Milliseconds between two looks. */
  readonly interval: number
  readonly maxUtilization: number | null
  /** Milliseconds. */
  readonly maxDelay: number | null
  /** For a connection to the database, in milliseconds. */
  readonly maxDatabaseWait: number | null
  /** Bytes. */
  readonly maxRss: number | null
  readonly maxHeap: number | null
  /** Seconds. */
  readonly retryAfter: number
}

/** How answers are kept. */
export type CacheSettings = {
  /** By all replicas together. */
  readonly shared: boolean
  readonly namespace: string
  /** Milliseconds. */
  readonly ttl: number
  readonly autoPurge: boolean
  /** Collections whose writes purge nothing. */
  readonly unpurged: readonly string[]
  /** Seconds; null = nothing is said to shared caches. */
  readonly sharedMaxAge: number | null
  readonly skipAllowed: boolean
  /** In lower case. */
  readonly statusHeader: string | null
  /** Bytes at most of one answer. */
  readonly maxSize: number | null
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
  /** Keys of the object that a body is. */
  bodyKeys: 10_000,
  /** Parts of one multipart body. */
  parts: 1_000,
  /** Bytes of the name of a part. */
  partName: 100,
  /** Bytes of the value of a part that is no file. */
  partValue: 1_048_576,
} as const
