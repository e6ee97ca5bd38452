/** The writes there are: what is to be written, in names of columns and with keys as they are stored. */
import type { Context } from '../../domain/ports/context.ts'
import type { Journal } from '../../domain/ports/write-log.ts'
import type { Filter } from '../../domain/query/filter.ts'
import type { Collection } from '../../domain/schema/schema.ts'

/** What a write needs of a context. */
export type WriteContext = Pick<Context, 'db' | 'schema' | 'view' | 'actor' | 'clock' | 'request'>

/** Column name → value in the form in which JSON carries it into the column. */
export type Row = { readonly [column: string]: unknown }

/** Rows of one shape: every one of them has exactly these columns. */
export type Insert = {
  readonly kind: 'insert'
  readonly collection: Collection
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
  /** What was changed, fit to be kept: one per row. */
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
  /** History is written even where no column changes, because related rows do. */
  readonly touches?: boolean
}

/** Own values for each row; each holds its key, which is not among the columns. */
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

/** What the parameters of a statement are read from. */
export type Sent = { readonly write: Write; readonly ctx: WriteContext; readonly journal: Journal | null }
