/** Settings of one project that its requests depend on. */

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
