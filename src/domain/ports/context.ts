/**
 * `Context` (`ctx`): the resources and facts of one request. It is the first parameter of every function that does I/O.
 * Inside a transaction, the inner `ctx` has the only database handle.
 */

import type { SpentCost } from '../conditions/query-cost.ts'
import type { RequestUsage } from '../query/usage.ts'
import type { Actor, Allowance } from '../rights/actor.ts'
import type { CatalogRename, Schema } from '../schema/schema.ts'
import type { View } from '../schema/view.ts'
import type { Recording, Subscriptions } from './feed.ts'
import type { Images } from './images.ts'
import type { Mail } from './mail.ts'
import type { Outbound } from './outbound.ts'
import type { Providers } from './providers.ts'
import type { RowStore } from './row-store.ts'
import type { ServerFacts } from './server-facts.ts'
import type { AssetSettings, FileSettings, KeySettings, Limits, SecuritySettings } from './settings.ts'
import type { Stopwatch } from './stations.ts'
import type { StorageLocations } from './storage.ts'
import type { Resumable } from './uploads.ts'
import type { WebhookDispatch } from './webhooks.ts'

export type Context = {
  /** Key of the project; `_` is the default project. */
  readonly project: string
  readonly db: Database
  /** Reads and writes the rows of collections, in `db`. */
  readonly rows: RowStore<ReadContext, WriteContext>
  readonly schema: Schema
  /** The view of the request's generation. Core passes it on and does not depend on the generation. */
  readonly view: View
  readonly actor: Actor
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly mail: Mail
  readonly limits: Limits
  readonly request: RequestFacts
  /** Measures the stations of the request; absent or null if they are not measured. */
  readonly stopwatch?: Stopwatch | null
  /** What the API key of the request may still do; absent or null = nothing is limited. */
  readonly allowance?: Allowance | null
  /** Whether the request has committed a transaction. Absent for requests that only read. */
  readonly committed?: (() => boolean) | undefined
  /** How far the writes of the database have come; absent where there are no replicas. */
  readonly position?: (() => Promise<string>) | undefined
  /** The client that waits for reads. Absent if no client waits, or if the work must continue without the client. */
  readonly asker?: Asker | undefined
  readonly server: ServerFacts
  readonly security: SecuritySettings
  readonly storage: StorageLocations
  readonly images: Images
  readonly assets: AssetSettings
  readonly files: FileSettings
  readonly outbound: Outbound
  /** Resumable uploads (tus). */
  readonly resumable: Resumable
  /**
   * Call it after a committed write to users, roles, policies, access, permissions or sessions. It invalidates cached
   * actors in all replicas.
   */
  readonly forgetActors: () => Promise<void>
  /** Items that the operations of a batch may still write, together; absent outside of batches and without a limit. */
  readonly budget?: { left: number }
  /** What the reads of the request have cost so far, where they share its bounds; absent = each read has its own. */
  readonly spent?: SpentCost
  /**
   * Collects what is written: the rows of a collection by their keys as text; null = it is not known which ones. Absent =
   * nothing is collected.
   */
  readonly changed?: Map<string, Set<string> | null>
  /** Inside a transaction: the work to do after its commit. See `afterCommit` in core. */
  readonly effects?: Set<Effect>
  readonly schemas: SchemaSource
  /** Whether changes of rows are recorded for listeners. Absent = there is no feed. */
  readonly feed?: Recording | undefined
  /** Deliveries of changes to webhooks. Absent = they are made elsewhere. */
  readonly webhooks?: WebhookDispatch | undefined
  /** Subscriptions to changes of rows. Absent = there are none. */
  readonly subscriptions?: Subscriptions<Context> | undefined
  /** The context with the caller's current rights, for long answers. Rejects if the caller was removed. Absent = unchanged. */
  readonly again?: (() => Promise<Context>) | undefined
  /** Counts what the client of the request uses. Absent = nothing is counted. */
  readonly usage?: RequestUsage | undefined
  readonly attempts: Attempts
  /** Limits of the answers stored under an `Idempotency-Key`; absent = the defaults of the settings. */
  readonly keys?: KeySettings
  /** Identity providers of the project; absent = none. */
  readonly providers?: Providers
  /** Fields of users that this operation may set although they cannot be written directly. */
  readonly mayKeep?: readonly string[]
  /** Set for writes by an identity provider: they neither change nor create administrators. */
  readonly provisions?: true
}

/** What a query is parsed and authorized with. */
export type QueryContext = Pick<Context, 'schema' | 'view' | 'actor' | 'limits'>

/** What a read of rows needs. */
export type ReadContext = Pick<
  Context,
  | 'db'
  | 'rows'
  | 'schema'
  | 'view'
  | 'actor'
  | 'clock'
  | 'limits'
  | 'asker'
  | 'stopwatch'
  | 'allowance'
  | 'usage'
  | 'spent'
>

export type WriteContext = Pick<
  Context,
  'db' | 'rows' | 'schema' | 'view' | 'actor' | 'clock' | 'request' | 'log' | 'feed' | 'allowance'
>

/** What logins, sessions and logouts use. */
export type AccountContext = Pick<
  Context,
  | 'attempts'
  | 'clock'
  | 'db'
  | 'forgetActors'
  | 'ids'
  | 'log'
  | 'project'
  | 'providers'
  | 'request'
  | 'security'
  | 'server'
>

/** What the contents of files use. */
export type FileContext = Pick<Context, 'actor' | 'clock' | 'db' | 'files' | 'ids' | 'images' | 'log' | 'storage'>

/** Work outside of the transaction that led to it. It may run although nothing was written, and runs once per transaction. */
export type Effect = (ctx: Context) => Promise<void>

/** An attempt that is rate limited: proof of an identity, or a request for a mail. */
export type Attempt = {
  /** What is attempted. Each action has counters of its own. */
  readonly action:
    | 'login'
    | 'provider-login'
    | 'share'
    | 'password-reset'
    | 'registration'
    | 'invitation'
    | 'share-invitation'
    | 'letter'
  /** The account, normalised as for the look-up, whether or not it exists. */
  readonly account: string
  readonly ip: string | null
  /** The requesting user, if authenticated. It replaces the address as the key, because many users can share an address. */
  readonly user?: string
}

/** Rate limits of attempts per account and per address, against guessing and mail flooding. */
export type Attempts = {
  /** Counts the attempt before any look-up. Throws `requests-exceeded` when the limit is reached. */
  readonly begin: (attempt: Attempt) => Promise<void>
  /** The attempt was legitimate: resets its counters. */
  readonly succeed: (attempt: Attempt) => Promise<void>
}

/** The source of schemas. Running requests keep their `ctx.schema` when the schema changes. */
export type SchemaSource = {
  /** Reads the schema as the transaction sees it, or as it will be after `renames`. Only the caller receives it. */
  readonly load: (db: Database, renames?: readonly CatalogRename[]) => Promise<Schema>
  /** Notifies the other replicas of a change of the schema, in its transaction. */
  readonly announce: (db: Database) => Promise<void>
  /** Call it after a committed change of the schema: later requests get the new schema. */
  readonly refresh: () => Promise<Schema>
}

/** A SQL connection pool; inside a transaction, its one connection. */
export type Database = {
  /** Name of the dialect, a key of `sql/dialects`. */
  readonly dialect: string
  /** Set inside a transaction. */
  readonly isInner?: true
  run(statement: Statement): Promise<Rows>
  /** Runs the statement at the end of the transaction, in one round trip with the commit; outside of a transaction, at once. */
  runLast(statement: Statement): Promise<void>
  /** Inside a transaction: runs a read after the commit, in one round trip with it. Absent: the database cannot. */
  runAfter?(statement: Statement): Promise<Rows>
  /** Passes on the rows of a read in pages, one after another. Absent: the database has cursors. */
  stream?(statement: Statement, onPage: (rows: readonly unknown[]) => Promise<void>): Promise<void>
  /** Commits when `work` resolves, rolls back when it rejects. Nested calls are savepoints. */
  transaction<T>(work: (inner: Database) => Promise<T>): Promise<T>
}

export type Statement = {
  /** What the statement does: the name for databases that run no SQL. Absent = only a SQL database can do it. */
  readonly task?: string
  readonly text: string
  /**
   * The statement in other words, by dialect, where its text says what that one cannot: one text, or several that are run
   * one after another in one transaction. `$$1` is the list of the first column of the first one's rows.
   */
  readonly texts?: { readonly [dialect: string]: string | readonly string[] | undefined }
  readonly values: readonly unknown[]
  /** The collections that it reads, one entry per table; absent = it is not known. */
  readonly reads?: readonly string[]
  /** Name of the prepared statement, stable for its text. Absent = the statement is not prepared. */
  readonly name?: string
  /**
   * `array`: each row is a list of column texts in order. `plain`: each row is an object with values in wire form.
   * `object`, the default: each row is an object for internal use.
   */
  readonly rows?: 'object' | 'array' | 'plain'
  /** Whether a read finds its few rows by a key, or first in the order of the key: others may wait for it. */
  readonly isQuick?: boolean
  /** The client of a read outside of a transaction: the read is cancelled when the client disconnects. */
  readonly asker?: Asker | undefined
  /** Whether it is an announcement, which other replicas read after the commit where the database notifies nobody. */
  readonly announces?: true
}

export type Rows = {
  readonly rows: readonly unknown[]
  /** Number of rows changed or returned. */
  readonly count: number
}

export type Clock = () => Date

export type Ids = {
  readonly uuid: () => string
  /** URL-safe random text of `length` characters. */
  readonly token: (length: number) => string
}

/** The client of a request that only reads. `position`: how far its last write has come; absent or null = none. */
export type Asker = { readonly isGone: boolean; readonly position?: string | null }

/** A structured logger. `detail` is redacted before it is logged. */
export type Log = {
  readonly [Level in 'debug' | 'info' | 'warn' | 'error']: (detail: object, message: string) => void
}

/** Facts of the request that are stored in history and sessions. */
export type RequestFacts = {
  readonly id: string
  readonly ip: string | null
  readonly userAgent: string | null
  readonly origin: string | null
  /** What the client wants recorded in history, where the client may choose. */
  readonly history?: {
    readonly skip: boolean
    readonly comment: string | null
    /** Another name for what is done to the rows of a collection. */
    readonly renamed?: RenamedAction
  }
}

/** What the activity calls the creation or change of rows of one collection. */
export type RenamedAction = {
  readonly collection: string
  readonly from: 'create' | 'update'
  readonly to: 'revert' | 'soft-delete' | 'upload'
}
