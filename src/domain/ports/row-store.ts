/** `RowStore`: rows that are kept without SQL. It takes the place of the statements that read and write rows. */
import type { Filter } from '../query/filter.ts'
import type { Query } from '../query/query.ts'
import type { Actor } from '../rights/actor.ts'
import type { Authorized } from '../rights/authorized.ts'
import type { Collection, Schema } from '../schema/schema.ts'
import type { View } from '../schema/view.ts'

/** Set if the query selects counts. */
export type ReadResult = {
  /** The JSON text of an array, in pieces to be sent in order. */
  readonly pieces: readonly string[]
  readonly rowCount: number
  readonly counts: { readonly total?: number; readonly filtered?: number }
  /** The content tag of the row, if the query selects it. */
  readonly tag?: string
}

/** A given row that matches: its position in the list, from 0, and the JSON text of what the query selects. */
export type Judged = { readonly position: number; readonly json: string }

/** A row by the keys of its selection, or by its columns with values in the JSON form that the database reads. */
export type Row = { readonly [name: string]: unknown }

/** The whole JSON text of an array. */
export const jsonOf = ({ pieces }: Pick<ReadResult, 'pieces'>): string => pieces.join('')

/** The JSON text of the only row of a result. */
export const rowTextOf = (result: Pick<ReadResult, 'pieces'>): string => jsonOf(result).slice(1, -1)

/** The rows of a result as objects. */
export const toRows = (result: Pick<ReadResult, 'pieces'>): readonly Row[] =>
  JSON.parse(jsonOf(result)) as readonly Row[]

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

/** Related rows: the foreign key field and the keys of the parents. */
export type Foreign = { readonly field: string; readonly parents: readonly (string | number)[] }

/** The key of a row and some of its fields, as text of the database. */
export type LockedRow = { readonly key: string; readonly fields: ReadonlyMap<string, string | null> }

/** The rows to lock, and the fields to read. */
export type LockRequest = {
  readonly keys: readonly (string | number)[]
  readonly foreign: readonly Foreign[]
  readonly fields: readonly string[]
}

/** What an answer depends on besides the rows. */
export type StoreContext = {
  readonly schema: Schema
  readonly view: View
  readonly actor: Actor
  readonly clock: () => Date
}

/** The functions that take the place of statements. History is not kept. */
export type RowStore = {
  readonly read: (ctx: StoreContext, query: Authorized<Query>) => ReadResult
  /** The rows of `query.given` that match the query. */
  readonly judge: (ctx: StoreContext, query: Authorized<Query>) => readonly Judged[]
  /** Returns the keys of the rows that it reached, as text; of an insert in the order given. Throws as a database does. */
  readonly write: (ctx: StoreContext, write: Write) => readonly string[]
  /** The rows with these keys and those that refer to these parents, in the order of their keys. */
  readonly lock: (ctx: StoreContext, collection: Collection, request: LockRequest) => readonly LockedRow[]
  /** The keys, as text, of rows that have the values of given ones in these columns, by the position of the given row. */
  readonly conflicting: (
    ctx: StoreContext,
    collection: Collection,
    given: { readonly columns: readonly string[]; readonly rows: readonly Row[] },
  ) => ReadonlyMap<number, string>
  /** The highest number in `field` among the rows of each parent, by the parent's key as text. */
  readonly highest: (
    ctx: StoreContext,
    collection: Collection,
    of: { readonly field: string; readonly foreign: Foreign },
  ) => ReadonlyMap<string, number>
  /** Deletes the rows of `about` whose item of the collection is gone. Returns their number. */
  readonly deleteAboutMissing: (ctx: StoreContext, about: string, collection: Collection) => number
}
