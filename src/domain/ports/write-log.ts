/** What the writes of one mutation collect. The value is made where the mutation begins and passed on to each statement. */

import type { Key } from '../query/key.ts'
import type { RowCheck } from '../query/mutation.ts'
import type { Collection } from '../schema/schema.ts'

/** The rows that were written, and what is left for the end of the transaction. */
export type WriteLog = {
  /** One entry per statement, in order. Guards check the effect of a mutation by it. */
  readonly written: Written[]
  /** Null: each statement is awaited at once and writes its history itself. */
  readonly deferred: Deferred | null
}

/** What a nested write does at the end of its transaction. */
export type Deferred = {
  readonly journal: Journal
  /** Statements that were sent and are awaited at the end, in this order. */
  readonly answers: Promise<unknown>[]
  /** Conditions on rows that depend on other rows of the transaction. */
  readonly checks: PendingCheck[]
}

/** The conditions on one written row. `path`: its place in the payload. */
export type PendingCheck = {
  readonly collection: Collection
  readonly key: Key
  readonly path: string
  readonly sets: RowCheck
}

/** Rows that one statement has written. */
export type Written = {
  readonly kind: 'insert' | 'update' | 'update-each' | 'delete'
  readonly collection: string
  /** Empty for a deletion. */
  readonly columns: readonly string[]
  /** Keys as text. */
  readonly keys: readonly string[]
}

/** History entries of one transaction that are not yet written. */
export type Journal = JournalEntry[]

/** The history of one written row. */
export type JournalEntry = {
  readonly action: string
  readonly collection: string
  readonly key: string
  /** Key of the row in history. For rows without a key: all its columns. */
  readonly item: string
  /** The whole row and its changes, as JSON text; null if only activity is recorded. */
  readonly revision: { readonly data: string; readonly delta: string } | null
}
