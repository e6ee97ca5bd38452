/** `RowStore`: how core reads and writes the rows of collections, and what it gets. */
import { parseExactly } from '../conditions/exact-numbers.ts'
import type { Filter } from '../query/filter.ts'
import type { Key } from '../query/key.ts'
import type { CountName, Query } from '../query/query.ts'
import type { Authorized } from '../rights/authorized.ts'
import type { Collection } from '../schema/schema.ts'
import type { Deferred, Journal } from './write-log.ts'

/** Set if the query selects counts. */
export type ReadResult = {
  /** The JSON text of an array, in pieces to be sent in order. */
  readonly pieces: readonly string[]
  readonly rowCount: number
  readonly counts: { readonly [name in CountName]?: number }
  /** The content tag of the row, if the query selects it. */
  readonly tag?: string
}

/** The JSON text of one row, and its content tag if the query selects it. */
export type OneRow = { readonly json: string; readonly tag?: string }

/** A given row that matches: its position in the list, from 0, and the JSON text of what the query selects. */
export type MatchedRow = { readonly position: number; readonly json: string }

/** A row by the keys of its selection, or by its columns with values in the JSON form that the database reads. */
export type Row = { readonly [name: string]: unknown }

/** The whole JSON text of an array. */
export const jsonOf = ({ pieces }: Pick<ReadResult, 'pieces'>): string => pieces.join('')

/** The JSON text of the only row of a result. */
export const rowTextOf = (result: Pick<ReadResult, 'pieces'>): string => jsonOf(result).slice(1, -1)

export const toRows = (result: Pick<ReadResult, 'pieces'>): readonly Row[] =>
  parseExactly(jsonOf(result)) as readonly Row[]

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

/** A row by field names (it may contain more fields), and the values of further expressions. */
export type RowBeside = { readonly row: unknown; readonly beside: readonly (string | null)[] }

/** Values to read with a row: as expressions, and by a statement of its own for rows without SQL. */
export type Beside<Db> = {
  readonly expressions: readonly string[]
  readonly read: (db: Db) => Promise<readonly (string | null)[]>
}

/** Receives a page. The next page is fetched when the promise resolves. */
export type PageSink = (rows: readonly Row[]) => Promise<void>

/** Values of the columns of a unique index, one object for each new row; none of them is null. */
export type KeyLookup = { readonly columns: readonly string[]; readonly rows: readonly Row[] }

/** `item` takes the position of `to`, and the rows between move by one. `rows`: the rows that may be changed. */
export type Move = {
  readonly collection: Collection
  readonly field: string
  readonly item: Key
  readonly to: Key
  readonly rows: Filter
}

/**
 * The only way from core to the rows of collections: statements of a SQL database, or rows in memory. It checks no
 * permissions; queries and conditions have them. `Reading`, `Writing`: the parts of a context that a read or a write needs.
 */
export type RowStore<Reading extends { readonly db: unknown }, Writing> = {
  /** As JSON text, in one round trip. */
  readonly read: (ctx: Reading, query: Authorized<Query>) => Promise<ReadResult>
  /** The first row, in one round trip; null if there is none. */
  readonly readOne: (ctx: Reading, query: Authorized<Query>) => Promise<OneRow | null>
  /** As objects, in one round trip. */
  readonly readRows: (ctx: Reading, query: Authorized<Query>) => Promise<readonly Row[]>
  /** Any number of rows with constant memory. */
  readonly readPages: (
    ctx: Reading & { readonly ids: { readonly uuid: () => string } },
    query: Authorized<Query>,
    onPage: PageSink,
  ) => Promise<void>
  /**
   * The first row and further expressions; null if there is no row. The expressions never depend on the request and must
   * be the same for the same query.
   */
  readonly readBeside: (
    ctx: Reading,
    query: Authorized<Query>,
    beside: Beside<Reading['db']>,
  ) => Promise<RowBeside | null>
  /** The rows of `query.given` that match the query. */
  readonly match: (ctx: Reading, query: Authorized<Query>) => Promise<readonly MatchedRow[]>
  /** Returns the keys of the rows that it reached, as text; of an insert in the order given. Throws as a database does. */
  readonly write: (ctx: Writing, write: Write, deferred: Deferred | null) => Promise<readonly string[]>
  /** Writes the entries of the journal; `parents`: the place of the entry above, by the place of each. */
  readonly writeHistory: (ctx: Writing, journal: Journal, parents: ReadonlyMap<number, number>) => Promise<void>
  /** The rows with numbers in place of keys, where columns hold numbers. */
  readonly toStored: (ctx: Writing, collection: Collection, rows: readonly Row[]) => Promise<readonly Row[]>
  /**
   * Locks the rows with these keys and those that refer to these parents until the end of the transaction, in the order
   * of their keys. Missing rows are left out.
   */
  readonly lock: (ctx: Writing, collection: Collection, request: LockRequest) => Promise<readonly LockedRow[]>
  /**
   * Locks the rows that have the values of new ones. Returns their keys, as text, by the position of the new row, from 0.
   */
  readonly conflicting: (
    ctx: Writing,
    collection: Collection,
    sought: KeyLookup,
  ) => Promise<ReadonlyMap<number, string>>
  /** The highest number in `field` among the rows of each parent, by the parent's key as text. */
  readonly highest: (
    ctx: Writing,
    collection: Collection,
    of: { readonly field: string; readonly foreign: Foreign },
  ) => Promise<ReadonlyMap<string, number>>
  /** False if one of the two rows may not be changed. */
  readonly move: (ctx: Writing, move: Move) => Promise<boolean>
  /** Deletes the rows of `about` whose item of the collection no longer exists. Returns their number. */
  readonly deleteAboutMissing: (ctx: Writing, about: string, collection: Collection) => Promise<number>
  /** Whether the types of the row's columns, and the domains within them, take its values. Writes nothing. */
  readonly takes: (ctx: Writing, collection: Collection, row: Row) => Promise<boolean>
  /** The key of a row as history has it. */
  readonly recordedKey: (ctx: Writing, collection: Collection, key: Key) => Promise<string>
}
