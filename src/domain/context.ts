/**
 * `Context` (`ctx`): everything a request may touch, first parameter of every function that does I/O.
 * Inside a transaction the inner ctx is the only database.
 */
import type { Actor } from './actor.ts'
import type { Schema } from './schema.ts'
import type { View } from './view.ts'

export type Context = {
  /** Project key; `_` is the default one. */
  readonly project: string
  readonly db: Database
  readonly schema: Schema
  /** The generation's eyes; core passes it on and never looks which one it is. */
  readonly view: View
  readonly actor: Actor
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly limits: Limits
  readonly request: RequestFacts
  readonly server: ServerFacts
  readonly security: SecuritySettings
  /**
   * To be called after a committed write to users, roles, policies, access, permissions or sessions:
   * whoever asks next, here or on another replica, is looked up again.
   */
  readonly forgetActors: () => Promise<void>
  readonly schemas: SchemaSource
  /** Hears of rows as they are written, inside the transaction: how guards learn what a mutation really did. */
  readonly onWritten?: (written: Written) => void
}

/** Where schemas come from. Requests under way keep `ctx.schema`, whatever changes meanwhile. */
export type SchemaSource = {
  /** Reads it anew, inside a transaction as that one sees it; nobody else gets to know. */
  readonly load: (db: Database) => Promise<Schema>
  /** To be called after a committed change: requests that begin from now on see it. */
  readonly refresh: () => Promise<Schema>
}

/** Rows that one statement has written. */
export type Written = {
  readonly kind: 'insert' | 'update' | 'update-each' | 'delete'
  readonly collection: string
  /** None for a deletion. */
  readonly columns: readonly string[]
  /** As text. */
  readonly keys: readonly string[]
}

/** A SQL connection pool or, inside a transaction, its one connection. */
export type Database = {
  /** Vendor name of the dialect, a key of `sql/dialects`. */
  readonly dialect: string
  run(statement: Statement): Promise<Rows>
  /** Commits when `work` resolves, rolls back when it rejects. Nested calls are savepoints. */
  transaction<T>(work: (inner: Database) => Promise<T>): Promise<T>
}

export type Statement = {
  readonly text: string
  readonly values: readonly unknown[]
  /** Set for statements worth preparing; stable for a given text. */
  readonly name?: string
  /**
   * `array` gives each row as a list of column texts, in order; `plain` as an object whose values are in
   * their wire form already; `object`, the default, as one for our own use.
   */
  readonly rows?: 'object' | 'array' | 'plain'
}

export type Rows = {
  readonly rows: readonly unknown[]
  /** Rows changed or returned. */
  readonly count: number
}

export type Clock = () => Date

export type Ids = {
  readonly uuid: () => string
  /** URL-safe random text of `length` characters. */
  readonly token: (length: number) => string
}

/** A structured logger; `detail` is redacted before it is written. */
export type Log = {
  readonly [Level in 'debug' | 'info' | 'warn' | 'error']: (detail: object, message: string) => void
}

/** Bounds that configuration sets and every generation obeys. */
export type Limits = {
  /** Rows, when a read names no limit. */
  readonly queryDefault: number
  /** Rows at most per read; null = unlimited. */
  readonly queryMax: number | null
  /** Levels of relations in fields, filters, sorts and deep. */
  readonly depth: number
  /** Items per mutation; null = unlimited. */
  readonly batch: number | null
}

/** Facts of the request that history and sessions keep. */
export type RequestFacts = {
  readonly id: string
  readonly ip: string | null
  readonly userAgent: string | null
  readonly origin: string | null
  /** What a write should leave behind, where the client has a say in it. */
  readonly history?: { readonly skip: boolean; readonly comment: string | null }
}

/** What the program knows about itself; the same for every request. */
export type ServerFacts = {
  readonly version: string
  /** Address under which clients reach it, where one is configured. */
  readonly publicUrl: string | null
  /** Largest request body, in bytes. */
  readonly maxPayload: number
  /** Largest file of rows to import, in bytes. */
  readonly maxImport: number
  /** Folder that it must be able to write. */
  readonly dataDir: string
  /** Random per process; names it in health answers. */
  readonly instance: string
  /** False from the moment a stop was asked for. */
  readonly isReady: () => boolean
  /** Resolves when the database answers; waits for no other statement. */
  readonly pingDatabase: () => Promise<void>
}

/** Settings of tokens, sessions and password hashes of one project. Lifetimes are milliseconds. */
export type SecuritySettings = {
  /** Key of every signature and keyed hash. */
  readonly secret: string
  readonly accessTtl: number
  readonly refreshTtl: number
  /** A login takes at least this long. */
  readonly loginStall: number
  readonly hash: HashCost
  readonly cookie: CookieSettings
}

/** What one argon2id hash costs; `memory` in KiB, `length` in bytes. */
export type HashCost = {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
  readonly length: number
}

/** How cookies that carry tokens are set. */
export type CookieSettings = {
  /** Of the refresh token. */
  readonly name: string
  readonly domain: string | null
  readonly secure: boolean
  readonly sameSite: 'lax' | 'strict' | 'none'
}
