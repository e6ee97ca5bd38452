/** The public types of the package. They name none of the server's. */
import type { HttpHandler, WebSocketHandler } from 'msw'

/**
 * Rows by collection, in the form of the items of the current generation: fields with columns only. Those of a system
 * collection, such as `platform_roles`, take the place of the rows that a server starts with.
 */
export type GivenRows = { readonly [collection: string]: readonly { readonly [field: string]: unknown }[] }

/** One permission, in the form of the items of `/permissions`. */
export type MockPermission = {
  readonly collection: string
  readonly action: 'create' | 'read' | 'update' | 'delete' | 'share'
  /** `*`, or names of fields; `*` if absent. */
  readonly fields?: readonly string[]
  /** A filter on the rows. */
  readonly permissions?: object | null
  readonly validation?: object | null
  readonly presets?: object | null
}

export type MockUser = {
  readonly email: string
  readonly password?: string
  /** A static token. */
  readonly token?: string
  /** A uuid; made if absent. */
  readonly id?: string
  /** May do everything. */
  readonly admin?: boolean
  readonly permissions?: readonly MockPermission[]
  /** Other columns of the user's row, such as `first_name`. */
  readonly [column: string]: unknown
}

export type ScenarioName = 'slow' | 'rate-limited' | 'server-error' | 'unavailable' | 'offline'

/** `operation`: only this operationId. `delay`: milliseconds of `slow`, 2000 if absent. */
export type ScenarioOptions = { readonly operation?: string; readonly delay?: number }

type SnapshotMeta = { readonly [key: string]: unknown } | null

/** The part of a snapshot that the mock reads. */
export type Snapshot = {
  readonly collections: readonly {
    readonly collection: string
    readonly schema?: object | null
    readonly meta?: SnapshotMeta
  }[]
  readonly fields: readonly {
    readonly collection: string
    readonly field: string
    readonly type?: string | null
    readonly schema?: ColumnSchema | null
    readonly meta?: SnapshotMeta
  }[]
  readonly relations: readonly {
    readonly collection: string
    readonly field: string
    readonly related_collection?: string | null
    readonly schema?: {
      readonly constraint_name?: string | null
      readonly on_delete?: string | null
      readonly on_update?: string | null
    } | null
    readonly meta?: SnapshotMeta
  }[]
}

type ColumnSchema = {
  readonly data_type?: string | null
  readonly default_value?: unknown
  readonly max_length?: number | null
  readonly numeric_precision?: number | null
  readonly numeric_scale?: number | null
  readonly is_nullable?: boolean
  readonly is_unique?: boolean
  readonly is_indexed?: boolean
  readonly is_primary_key?: boolean
  readonly is_generated?: boolean
  readonly has_auto_increment?: boolean
  readonly comment?: string | null
}

export type MockOptions = {
  /** The data model, as `GET /schema/snapshot` gives it: that answer, or its `data`. See `fetchSnapshot`. */
  readonly schema: Snapshot | { readonly data: Snapshot }
  /** The address of the mock; requests to other addresses are left alone. `http://localhost:8055` if absent. */
  readonly url?: string
  readonly rows?: GivenRows
  /** Fills collections that have no rows, by name and type of their fields; the same seed makes the same rows. */
  readonly seed?: number
  /** The number of rows for each collection with `seed`; 10 if absent. */
  readonly count?: number
  /** Without users every request is an administrator's. */
  readonly users?: readonly MockUser[]
  /** What requests without a token may do; nothing if absent. */
  readonly visitors?: readonly MockPermission[]
  /** Contents of files, by the `filename_disk` of their rows. */
  readonly contents?: { readonly [name: string]: string | Uint8Array }
  /** Pages that requests may name as the target of the links in mails. */
  readonly pages?: readonly string[]
  /**
   * A request that the spec does not allow is a `MockRequestError`: `fetch` of the mock rejects with it, and MSW answers
   * it with 500 and its message. Without it the request gets the server's own answer.
   */
  readonly strict?: boolean
  /** The time. */
  readonly now?: () => Date
}

/** Texts of files by name, in the form of `tandem seed`: `authors.json` (a list of objects), `articles.csv`. */
export type SeedFiles = { readonly [name: string]: string }

/** What became of the rows of one file. */
export type SeedCounts = {
  readonly collection: string
  readonly created: number
  readonly updated: number
  readonly same: number
}

export type MockRequestError = Error & {
  readonly name: 'MockRequestError'
  /** The operationId; null for an unknown path or method. */
  readonly operation: string | null
  /** The server's own answer. */
  readonly response: Response
}

/** A mail that the server would have sent. */
export type MockMail = {
  readonly to: string
  /** `password-reset`, `user-invitation`, `user-registration`, `share-invitation`, or `letter`. */
  readonly template: string
  /** The address of its link, with its token; null for a letter. */
  readonly url: string | null
  /** The subject of a letter. */
  readonly subject?: string
}

/** The server's end of a WebSocket, as MSW and `ws` have it, with the address that the client asked for. */
export type SocketClient = {
  readonly url: URL
  readonly send: (text: string) => void
  readonly close: (code?: number, reason?: string) => void
  readonly addEventListener: {
    (type: 'message', listener: (event: { readonly data: unknown }) => void): void
    (type: 'close', listener: (event: { readonly code: number; readonly reason: string }) => void): void
  }
}

export type Mock = {
  /** For `setupServer` and `setupWorker` of MSW. */
  readonly handlers: readonly (HttpHandler | WebSocketHandler)[]
  /** Answers a request without MSW; its path counts from that of `url`. */
  readonly fetch: (request: Request) => Promise<Response>
  /** Serves a WebSocket that was accepted without MSW; false for a path at which none is served. */
  readonly connect: (client: SocketClient) => boolean
  /**
   * From now on requests meet this fate, or only those of one operation, by its operationId. Null ends all scenarios.
   */
  readonly scenario: (name: ScenarioName | null, options?: ScenarioOptions) => void
  /**
   * Writes rows of files as `tandem seed` does: related collections first, and a row that is there by its natural key is
   * updated. All or nothing; rejects with the file and the row of a fault. `reset` keeps them.
   */
  readonly seed: (files: SeedFiles) => Promise<readonly SeedCounts[]>
  /** The rows and users as they were given, and no scenarios. */
  readonly reset: () => void
  /** The mails that were sent since the last reset. */
  readonly mails: () => readonly MockMail[]
  /** All rows by collection, as an administrator sees them. */
  readonly state: () => { readonly [collection: string]: readonly { readonly [field: string]: unknown }[] }
}
