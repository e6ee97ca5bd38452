/** Settings and limits of one project that its requests depend on. */

import type { CostBounds } from '../conditions/query-cost.ts'

/** Settings of answers that are stored under an `Idempotency-Key`. */
export type KeySettings = {
  /** Milliseconds. */
  readonly ttl: number
  /** Maximum number of stored keys per caller. */
  readonly most: number
  /** The largest answer in bytes. */
  readonly largest: number
}

/** Settings of tokens, sessions and password hashes of one project. Times are in milliseconds. */
export type SecuritySettings = {
  /** Key of all signatures and keyed hashes. */
  readonly secret: string
  readonly accessTtl: number
  readonly refreshTtl: number
  /** Minimum duration of a login, so that its time reveals nothing. */
  readonly loginStall: number
  readonly accounts: AccountSettings
  readonly hash: HashCost
  readonly cookie: CookieSettings
}

export type AccountSettings = {
  /** Minimum duration of a registration. */
  readonly registrationStall: number
  readonly passwordReset: LinkSettings
  readonly invitation: LinkSettings
  readonly registration: LinkSettings
}

/** Links in mails: lifetime, and the pages that a request may choose as target. */
export type LinkSettings = { readonly ttl: number; readonly pages: readonly string[] }

/** Cost of one argon2id hash; `memory` in KiB, `length` in bytes. */
export type HashCost = {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
  readonly length: number
}

/** Settings of the responses that deliver files. */
export type AssetSettings = {
  /** Cache lifetime in seconds. */
  readonly maxAge: number
  /** Whether caches must revalidate each time. */
  readonly revalidate: boolean
  /** Whether the private hash of a file is sufficient to read the file. */
  readonly openByHash: boolean
  /** Whether the name of a file in an address of version 8 is sufficient to read the file. */
  readonly openByName: boolean
  /** Number of transformed images that are kept per file. */
  readonly maxVariants: number
}

export type CookieSettings = {
  /** Name of the cookie with the refresh token. */
  readonly name: string
  readonly domain: string | null
  /** Null = secure if the request came by https. */
  readonly secure: boolean | null
  readonly sameSite: 'lax' | 'strict' | 'none'
}

/** Settings of files and uploads. Sizes are in bytes, times in milliseconds. */
export type FileSettings = {
  /** Null = unlimited. */
  readonly maxSize: number | null
  /** Allowed media types, as patterns. */
  readonly types: readonly string[]
  /** Patterns of the media types that a request accepts. */
  readonly accepted?: readonly string[]
  /** Groups and values of metadata that are stored. */
  readonly metadata: readonly string[]
  readonly import: { readonly timeout: number; readonly maxSize: number }
  /** Whether an MD5 checksum of new contents is computed. It costs 2 ms per megabyte and makes an upload a third slower. */
  readonly checksums: boolean
  /** Whether empty files are rejected. */
  readonly refusesEmpty?: boolean
  /** Settings of resumable uploads; null = off. A received segment of `segment` bytes survives a crash. */
  readonly resumable: {
    readonly segment: number
    readonly expiration: number
    /** Unfinished uploads of one owner. */
    readonly most: number
  } | null
}

/** Configured limits that every generation applies. */
export type Limits = {
  /** Number of rows of a read without a limit of its own. */
  readonly queryDefault: number
  /** Largest number of rows per read; null = unlimited. */
  readonly queryMax: number | null
  /** Levels of relations in fields, filters, sort paths and deep parameters. */
  readonly depth: number
  /** Items per mutation; null = unlimited. */
  readonly batch: number | null
  /** Milliseconds that a batch may take; absent = the default of the settings. */
  readonly batchTime?: number
  /** Limits on the cost of one query. */
  readonly cost: CostBounds
  /** Limits per window of API keys without limits of their own; absent = none. */
  readonly perKey?: { readonly requests: number | null; readonly cost: number | null }
  /** Whether names that have no meaning are refused where they would otherwise be ignored. */
  readonly strict?: boolean
  /** Absent = the defaults of the settings. */
  readonly documents?: DocumentLimits
}

/** Bounds on documents of a query language, checked before any work for the database. */
export type DocumentLimits = {
  /** Whether clients may query the schema (introspection). */
  readonly introspection: boolean
  readonly tokens: number
  /** Fields in each other. */
  readonly depth: number
  readonly aliases: number
  readonly rootFields: number
  readonly directives: number
  /** Documents that clients may send by their hash; null = none. */
  readonly persisted: PersistedDocuments | null
}

/** `isOnly`: no other document is run. */
export type PersistedDocuments = { readonly texts: ReadonlyMap<string, string>; readonly isOnly: boolean }
