export type Tokens = {
  readonly access: string
  /** The refresh token; null if a cookie or the access token itself renews the session. */
  readonly refresh: string | null
  /** Milliseconds since 1970; null = never. */
  readonly expires: number | null
}

/** Storage of tokens; memory by default. */
export type TokenStorage = {
  readonly get: () => Tokens | null | Promise<Tokens | null>
  readonly set: (tokens: Tokens | null) => void | Promise<void>
  /** Runs `work` while nobody else who shares the storage, such as another tab, runs theirs. */
  readonly lock?: <Result>(work: () => Promise<Result>) => Promise<Result>
}
