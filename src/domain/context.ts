/**
 * `Context` (`ctx`): everything a request may touch, first parameter of every function that does I/O.
 * Inside a transaction the inner ctx is the only database.
 */
import type { Actor } from './actor.ts'
import type { Images } from './images.ts'
import type { Mail } from './mail.ts'
import type { Outbound } from './outbound.ts'
import type { Resumable } from './resumable.ts'
import type { Schema } from './schema.ts'
import type { StorageLocations } from './storage.ts'
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
  readonly mail: Mail
  readonly limits: Limits
  readonly request: RequestFacts
  /** Whether something was committed for the request; absent where it only reads. */
  readonly committed?: (() => boolean) | undefined
  /** Who waits for what is read; absent where the work is done for nobody or goes on without them. */
  readonly asker?: Asker | undefined
  readonly server: ServerFacts
  readonly security: SecuritySettings
  /** Where the bytes of files are. */
  readonly storage: StorageLocations
  readonly images: Images
  readonly assets: AssetSettings
  readonly files: FileSettings
  readonly outbound: Outbound
  /** Uploads in parts. */
  readonly resumable: Resumable
  /**
   * To be called after a committed write to users, roles, policies, access, permissions or sessions:
   * whoever asks next, here or on another replica, is looked up again.
   */
  readonly forgetActors: () => Promise<void>
  readonly schemas: SchemaSource
  readonly attempts: Attempts
  /** Hears of rows as they are written, inside the transaction: how guards learn what a mutation really did. */
  readonly onWritten?: (written: Written) => void
  /** Takes the history of what is written, to be written itself at the end; without one it is written with each row. */
  readonly journal?: Journal
  /** Takes answers that the work under way goes on without until its end; without it they are waited for. */
  readonly later?: (answer: Promise<unknown>) => void
  /** Fields of users that the operation under way may set, though nobody may by hand. */
  readonly mayKeep?: readonly string[]
}

/** One attempt to prove who somebody is, or to have mail sent to somebody. */
export type Attempt = {
  /** What is tried: each action is counted by itself. */
  readonly action: 'login' | 'share' | 'password-reset' | 'registration' | 'invitation' | 'share-invitation'
  /** Whose account, normalised as it is looked up, whether or not there is one. */
  readonly account: string
  readonly ip: string | null
  /** Who asks, where that is known: counted instead of the address, behind which many may sit. */
  readonly user?: string
}

/** Counts attempts per account and per address, so that guessing takes too long and nobody's mailbox is flooded. */
export type Attempts = {
  /** Counts it, before anything is looked up; throws `requests-exceeded` when there were too many. */
  readonly begin: (attempt: Attempt) => Promise<void>
  /** It was the right person: nothing of it counts any more. */
  readonly succeed: (attempt: Attempt) => Promise<void>
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

/** History that waits for the end of the piece of work that it is about. */
export type Journal = JournalEntry[]

/** What one row leaves behind. */
export type JournalEntry = {
  readonly action: 'create' | 'update' | 'delete'
  readonly collection: string
  readonly key: string
  /** How history names the row: its key, or all columns of it. */
  readonly item: string
  /** The whole row, and what was changed of it, as JSON text; null when only the activity is kept. */
  readonly revision: { readonly data: string; readonly delta: string } | null
}

/** A SQL connection pool or, inside a transaction, its one connection. */
export type Database = {
  /** Vendor name of the dialect, a key of `sql/dialects`. */
  readonly dialect: string
  /** Set inside a transaction. */
  readonly isInner?: true
  run(statement: Statement): Promise<Rows>
  /** Runs it when all else of the transaction is done, together with its end; outside of one, at once. */
  runLast(statement: Statement): Promise<void>
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
  /** Of a read outside of a transaction: it is given up when this one goes. */
  readonly asker?: Asker | undefined
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

/** A client whose request only reads. */
export type Asker = { readonly isGone: boolean }

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
  /** What links in mails begin with: never what a request says the server is called. */
  readonly address: () => string
  /** Largest file of rows to import, in bytes. */
  readonly maxImport: number
  /** Folder that it must be able to write. */
  readonly dataDir: string
  /** Random per process; names it in health answers. */
  readonly instance: string
  /** False from the moment a stop was asked for. */
  readonly isReady: () => boolean
  /** How often clients may ask; false = as often as they like. */
  readonly rates: { readonly perAddress: RateFacts | false; readonly altogether: RateFacts | false }
  /** Forgets the answers that are kept, in this process. */
  readonly purgeAnswers: () => Promise<void>
  /** Whether the first administrator is left to a request. */
  readonly leavesSetup: boolean
  /** Resolves when the database answers; on a server it waits for no other statement. */
  readonly pingDatabase: () => Promise<void>
}

/** So many requests (`points`) in so many seconds. */
export type RateFacts = { readonly points: number; readonly duration: number }

/** Settings of tokens, sessions and password hashes of one project. Lifetimes are milliseconds. */
export type SecuritySettings = {
  /** Key of every signature and keyed hash. */
  readonly secret: string
  readonly accessTtl: number
  readonly refreshTtl: number
  /** A login takes at least this long. */
  readonly loginStall: number
  readonly accounts: AccountSettings
  readonly hash: HashCost
  readonly cookie: CookieSettings
}

/** What opens accounts by mail. */
export type AccountSettings = {
  /** A registration takes at least this long. */
  readonly registrationStall: number
  readonly passwordReset: LinkSettings
  readonly invitation: LinkSettings
  readonly registration: LinkSettings
}

/** Links in mails: how long they work, and to which pages a request may let them lead. */
export type LinkSettings = { readonly ttl: number; readonly pages: readonly string[] }

/** What one argon2id hash costs; `memory` in KiB, `length` in bytes. */
export type HashCost = {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
  readonly length: number
}

/** How long caches may keep files. */
export type AssetSettings = {
  /** Seconds. */
  readonly maxAge: number
  /** Ask every time whether there is something newer. */
  readonly revalidate: boolean
  /** Whoever knows a file's private hash gets it. */
  readonly openByHash: boolean
  /** Transformed pictures that are kept of one file. */
  readonly maxVariants: number
}

/** How cookies that carry tokens are set. */
export type CookieSettings = {
  /** Of the refresh token. */
  readonly name: string
  readonly domain: string | null
  readonly secure: boolean
  readonly sameSite: 'lax' | 'strict' | 'none'
}

/** What files may be, and how they come in. Sizes are bytes, times milliseconds. */
export type FileSettings = {
  /** Null = unlimited. */
  readonly maxSize: number | null
  /** Patterns of media types. */
  readonly types: readonly string[]
  /** Groups and values of metadata that are kept. */
  readonly metadata: readonly string[]
  readonly import: { readonly timeout: number; readonly maxSize: number }
  /** New contents get an MD5 sum: 2 ms for each megabyte, a third of what an upload costs without. */
  readonly checksums: boolean
  /** Contents without a byte are refused. */
  readonly refusesEmpty?: boolean
  /** Uploads that can be continued; null = there are none. What came of a `segment` bytes is kept, whatever dies. */
  readonly resumable: { readonly segment: number; readonly expiration: number } | null
}
