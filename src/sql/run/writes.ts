/** The kinds of writes, in column names and with stored keys. */
import type { Context } from '../../domain/ports/context.ts'
import type { Journal } from '../../domain/ports/write-log.ts'
import type { Filter } from '../../domain/query/filter.ts'
import type { Collection } from '../../domain/schema/schema.ts'

/** The part of a context that a write needs. */
export type WriteContext = Pick<Context, 'db' | 'schema' | 'view' | 'actor' | 'clock' | 'request'>

/** From column name to value, in the JSON form that the database reads. */
export type Row = { readonly [column: string]: unknown }

/** Rows that all have exactly these columns. */
export type Insert = {
  readonly kind: 'insert'
  readonly collection: Collection
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
  /** The changes for history, one per row. */
  readonly deltas: readonly Row[]
}

/** The same values for all keys. `where`: the rows that may be changed. */
export type Update = {
  readonly kind: 'update'
  readonly collection: Collection
  readonly columns: readonly string[]
  readonly keys: readonly (string | number)[]
  readonly row: Row
  readonly delta: Row
  readonly where: Filter
  /** History is written even if no column changes, because related rows do. */
  readonly touches?: boolean
}

/** Separate values for each row. Each row contains its key, which is not in `columns`. */
export type UpdateEach = {
  readonly kind: 'update-each'
  readonly collection: Collection
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
  readonly deltas: readonly Row[]
  readonly where: Filter
  readonly touches?: boolean
}

export type Delete = {
  readonly kind: 'delete'
  readonly collection: Collection
  readonly keys: readonly (string | number)[]
  readonly where: Filter
}

export type Write = Insert | Update | UpdateEach | Delete

/** The source of the parameters of a statement. */
export type Sent = { readonly write: Write; readonly ctx: WriteContext; readonly journal: Journal | null }
