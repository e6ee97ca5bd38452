/**
 * `Query`: the neutral form of a read, which all wire languages are parsed into. It is plain data in core names, without
 * the spelling of a generation. `authz/authorize.ts` turns it into an `Authorized<Query>`, the only input of `sql/`.
 */
import type { Filter } from './filter.ts'
import type { AggregateName, Call, FunctionName } from './functions.ts'
import type { Key } from './key.ts'

/** A read of one collection: the root, or one to-many level. */
export type Query = {
  readonly collection: string
  readonly selection: Selection
  readonly filter: Filter
  /** Case-insensitive full-text search over the readable columns of the root; null = no search. */
  readonly search: string | null
  /** Core field names: of rows that are equal in all these fields, only the first in sort order. Absent = every row. */
  readonly distinct?: readonly string[]
  /** Empty = default order of the collection. Compile always adds the primary key as the last sort key. */
  readonly sort: readonly Sort[]
  readonly page: Page
  /**
   * The values of a row in the keys of `sort`, which are then fields of the collection and include its key: the page begins
   * behind them. Only at the root. Counts do not look at it.
   */
  readonly after?: readonly (string | null)[]
  /** If set, the read returns groups, and `selection` is ignored. */
  readonly aggregation: Aggregation | null
  /** How archived rows are treated. `all` unless a generation sets another default. */
  readonly archive: Archive
  /** Counts to return with the rows, in the same statement. Only at the root. */
  readonly counts: readonly CountName[]
  /** Only at the root of a read of one row: the row is read as if these columns had these values. */
  readonly overlay?: Overlay
  /** Only at the root: rows to judge in place of those of the table. Sort and page are ignored. */
  readonly given?: GivenRows
  /** Only at the root of a read by key: the fields of the content tag, in addition to the selection. */
  readonly tag?: Selection
  /** Only with `tag`: locks the row until the end of the transaction. */
  readonly locked?: true
  /** Set only by authorize: the rows that the actor may read. `filter` already includes them; `total` counts them. */
  readonly rows?: Filter
  /**
   * Set only by authorize, for the count `estimated`: nothing but what the request asks restricts the rows, so that the
   * statistics of the database, which are about all rows, say nothing that the actor may not read.
   */
  readonly estimable?: true
  /** Set only by authorize: the fields to search. Compile uses those whose type fits the search text. */
  readonly searchFields?: readonly SearchField[]
}

/** Column → value, in the JSON form of the column. */
export type Overlay = { readonly key: string | number; readonly row: { readonly [column: string]: unknown } }

/**
 * Each row as JSON text from column name to value. Related rows are those of the database. `isGone`: the rows have been
 * deleted, perhaps with rows that referred to them, so only those match that do so whatever these rows were.
 */
export type GivenRows = { readonly rows: readonly string[]; readonly isGone: boolean }

export type SearchField = { readonly field: string } & GuardedSelection

/**
 * `total`: rows that the actor may read. `filtered`: those that also match filter and search. `estimated`: about as many as
 * `filtered`; exactly as many where that is cheap, or where the query is not `estimable`.
 */
export type CountName = 'total' | 'filtered' | 'estimated'

/** `limit` null = no limit. Both are row counts. */
export type Page = { readonly limit: number | null; readonly offset: number }

/**
 * `all`: archived rows are included. `live`: rows whose archive field holds an archived value are left out.
 * `only`: only rows whose archive field holds one of `values`.
 */
export type Archive =
  | { readonly kind: 'all' }
  | { readonly kind: 'live' }
  | { readonly kind: 'only'; readonly values: readonly string[] }

/** An ordered tree. If two entries have the same `key`, the later one wins. */
export type Selection = readonly Selected[]

/** `key` is the name in the answer; `field` the core name in the collection. */
export type Selected =
  | Wildcard
  | SelectedField
  | SelectedFunction
  | SelectedOne
  | SelectedMany
  | SelectedAny
  | SelectedObject
  | SelectedConstant
  | SelectedRowKey
  | SelectedCursor

/**
 * `*`. Authorize expands it to the readable fields, under the names of the view.
 * `aliases`: whether one-to-many fields are included, as arrays of keys.
 * `nested`: null for a plain `*`; otherwise the selection that each relation is expanded with (`*.*`).
 * `except`: core field names that are left out.
 */
export type Wildcard = {
  readonly kind: 'wildcard'
  readonly aliases: boolean
  readonly except: readonly string[]
  readonly nested: Selection | null
  /** With `nested`: items that may not be read are objects of their keys. Absent = they are left out. */
  readonly keysOfClosed?: true
  /** With `nested`: the languages of the translations that it reaches. Absent = all. */
  readonly languages?: readonly string[]
}

/** The value of a column: for a many-to-one the stored key, for a one-to-many an array of keys. */
export type SelectedField = {
  readonly kind: 'field'
  readonly key: string
  readonly field: string
} & GuardedSelection &
  Related

/** A function of a field, such as `year(date)` or `count(tags)`; see `functions.ts`. */
export type SelectedFunction = { readonly kind: 'function'; readonly key: string } & Call & GuardedSelection & Related

/** A many-to-one expanded into an object (null when empty, unreadable or not matching `filter`). */
export type SelectedOne = {
  readonly kind: 'one'
  readonly key: string
  readonly field: string
  readonly selection: Selection
  readonly filter: Filter
  /** `live`: an archived related row is shown as null. Absent = archived rows are shown. Authorize turns it into a condition. */
  readonly archive?: Extract<Archive, { readonly kind: 'live' }>
} & GuardedSelection

/** A one-to-many (also the junction side of a many-to-many) expanded into an array. */
export type SelectedMany = {
  readonly kind: 'many'
  readonly key: string
  readonly field: string
  /** `query.collection` is the related collection; `aggregation` is allowed. */
  readonly query: Query
  /** Whether the array has keys in place of objects; the query then selects the key alone. */
  readonly asKeys?: true
} & GuardedSelection

/** A many-to-any: one selection per collection that the request or a wildcard names. */
export type SelectedAny = {
  readonly kind: 'any'
  readonly key: string
  readonly field: string
  readonly options: readonly {
    readonly collection: string
    readonly selection: Selection
    readonly filter: Filter
    /** Whether its items are shown by their keys; the selection is then the key alone. Authorize drops it if none may be read. */
    readonly asKey?: true
  }[]
} & GuardedSelection

/** The key of the row as one value; of several columns their text (`schema/row-keys.ts`). */
export type SelectedRowKey = { readonly kind: 'row-key'; readonly key: string } & GuardedSelection

/** Where the row is in the order of the list (`cursor.ts`). `sort` is that of the query. Only at the root. */
export type SelectedCursor = { readonly kind: 'cursor'; readonly key: string; readonly sort: readonly Sort[] }

/** An object of further values of the same row. `orNull`: null where the first of them is. */
export type SelectedObject = {
  readonly kind: 'object'
  readonly key: string
  readonly selection: Selection
  readonly orNull?: true
}

/** A text that is the same for every row, such as the name of a type. */
export type SelectedConstant = { readonly kind: 'constant'; readonly key: string; readonly text: string }

/**
 * Set only by authorize: the field is readable only on rows that match the guard, and null on other rows. Absent = all
 * rows. Guards exist because rules of different rows may allow different fields.
 */
export type GuardedSelection = { readonly guard?: Filter }

/**
 * Set only by authorize, on a one-to-many shown as keys and on `count` of a one-to-many: the related rows that the actor
 * may read. Absent = all.
 */
export type Related = { readonly related?: Filter }

/** A sort key. `random` sorts randomly. A path leads through relations to one operand. */
export type Sort = { readonly descending: boolean; readonly nulls?: 'first' | 'last' } & SortOperand

export type SortOperand =
  | { readonly kind: 'field'; readonly path: readonly SortStep[]; readonly field: string; readonly guard?: Filter }
  | ({
      readonly kind: 'function'
      readonly path: readonly SortStep[]
      readonly guard?: Filter
      readonly related?: Filter
    } & Call)
  /** Only in an aggregation: sorts groups by one of the aggregates. */
  | { readonly kind: 'aggregate'; readonly aggregate: AggregateName; readonly field: string | null }
  | { readonly kind: 'random' }
  /** Set only by core, at the root: rows in the order of these keys. */
  | { readonly kind: 'listed'; readonly keys: readonly Key[] }

/**
 * One step of a sort path: the relational field and its related collection (needed for a many-to-any). Authorize sets
 * `filter` (the related rows that are readable) and `guard` (the rows on which the field is readable). The path is null
 * for rows outside of them.
 */
export type SortStep = {
  readonly field: string
  readonly collection: string
  readonly filter?: Filter
} & GuardedSelection

/** An aggregation: one row per group, or a single row if `group` is empty. */
export type Aggregation = {
  readonly values: readonly AggregateValue[]
  readonly group: readonly GroupKey[]
  /** The form of each group in the answer; absent = the keys, and an object for each aggregate. */
  readonly layout?: readonly AggregationEntry[]
}

/** `value` and `group` are places in the lists of the aggregation. */
export type AggregationEntry =
  | { readonly kind: 'value'; readonly key: string; readonly value: number }
  | { readonly kind: 'group'; readonly key: string; readonly group: number }
  | { readonly kind: 'object'; readonly key: string; readonly entries: readonly AggregationEntry[] }
  | SelectedConstant

/** `field` null = `*` (of `count` and `countAll`). The answer nests as `{[aggregate]: {[key]: value}}`, or flat for `*`. */
export type AggregateValue = {
  readonly aggregate: AggregateName
  readonly field: string | null
  readonly key: string
} & GuardedSelection

export type GroupKey =
  | ({ readonly kind: 'field'; readonly key: string; readonly field: string } & GuardedSelection)
  | ({
      readonly kind: 'function'
      readonly key: string
      readonly function: FunctionName
      readonly field: string
    } & GuardedSelection &
      Related)
