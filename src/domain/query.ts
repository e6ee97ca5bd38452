/**
 * `Query`: the one language in which all four wire languages ask for rows. It is plain data in
 * core names (no generation's spelling, no dotted strings). Each wire language parses into it;
 * `authz/authorize.ts` turns it into an `Authorized<Query>`; `sql/` compiles that and nothing else.
 */
import type { Filter } from './filter.ts'
import type { AggregateName, FunctionName } from './functions.ts'

/** What is asked of one collection; the root of a read, and again the shape of each to-many level. */
export type Query = {
  readonly collection: string
  readonly selection: Selection
  readonly filter: Filter
  /** Case-insensitive text search over the readable columns of the root; null = no search. */
  readonly search: string | null
  /** Core field names: only the first row, in the sort order, of those that agree in all of them. Absent = every row. */
  readonly distinct?: readonly string[]
  /** Empty = the collection's own order. The primary key is always added as the last key by compile. */
  readonly sort: readonly Sort[]
  readonly page: Page
  /** Non-null turns the read into groups; `selection` is then ignored. */
  readonly aggregation: Aggregation | null
  /** Which rows of a collection with an archive field count. `all` unless a generation says otherwise. */
  readonly archive: Archive
  /** Counts wanted beside the rows, in the same statement. Only at the root. */
  readonly counts: readonly CountName[]
  /** Only at the root of a read of one row: that row as if these columns held these values. */
  readonly overlay?: Overlay
  /** Set by authorize alone: the rows that the actor may read. Already part of `filter`; `total` counts just these. */
  readonly rows?: Filter
  /** Set by authorize alone: the fields in which `search` looks. Compile takes those whose type fits the text. */
  readonly searchFields?: readonly SearchField[]
}

/** Column → value in the form in which JSON carries it into the column. */
export type Overlay = { readonly key: string | number; readonly row: { readonly [column: string]: unknown } }

export type SearchField = { readonly field: string } & Guarded

/** `total`: rows the actor may read; `filtered`: those that also match filter and search. */
export type CountName = 'total' | 'filtered'

/** `limit` null = no limit. Both are row counts. */
export type Page = { readonly limit: number | null; readonly offset: number }

/**
 * `all`: archived rows count too; `live`: only rows whose archive field does not hold an archived
 * value; `only`: just the rows whose archive field holds one of `values`.
 */
export type Archive =
  | { readonly kind: 'all' }
  | { readonly kind: 'live' }
  | { readonly kind: 'only'; readonly values: readonly string[] }

/** An ordered tree. Later entries win over earlier ones with the same `key`. */
export type Selection = readonly Selected[]

/** `key` is the name in the answer; `field` the core name in the collection. */
export type Selected = Wildcard | SelectedField | SelectedFunction | SelectedOne | SelectedMany | SelectedAny

/**
 * `*`, expanded by authorize to the fields that the actor may read, under the view's names.
 * `aliases`: whether one-to-many fields (without a column) belong to it, as arrays of keys.
 * `nested`: null for a plain `*`; else each relation is expanded with it (`*.*`).
 * `except`: core field names left out.
 */
export type Wildcard = {
  readonly kind: 'wildcard'
  readonly aliases: boolean
  readonly except: readonly string[]
  readonly nested: Selection | null
}

/** A column's value; for a bare many-to-one the stored key, for a bare one-to-many the array of keys. */
export type SelectedField = { readonly kind: 'field'; readonly key: string; readonly field: string } & Guarded & Related

/** `year(date)`, `count(tags)`: see `functions.ts`. */
export type SelectedFunction = {
  readonly kind: 'function'
  readonly key: string
  readonly function: FunctionName
  readonly field: string
} & Guarded &
  Related

/** A many-to-one expanded into an object (null when empty, unreadable or not matching `filter`). */
export type SelectedOne = {
  readonly kind: 'one'
  readonly key: string
  readonly field: string
  readonly selection: Selection
  readonly filter: Filter
  /** `live`: an archived row counts as empty. Authorize makes a condition of it; absent = archived rows are shown. */
  readonly archive?: Extract<Archive, { readonly kind: 'live' }>
} & Guarded

/** A one-to-many (also the junction side of a many-to-many) expanded into an array. */
export type SelectedMany = {
  readonly kind: 'many'
  readonly key: string
  readonly field: string
  /** `query.collection` is the related collection; `aggregation` may be used in it. */
  readonly query: Query
} & Guarded

/** The item of a many-to-any: one selection per collection that the request (or a wildcard) names. */
export type SelectedAny = {
  readonly kind: 'any'
  readonly key: string
  readonly field: string
  readonly options: readonly {
    readonly collection: string
    readonly selection: Selection
    readonly filter: Filter
  }[]
} & Guarded

/**
 * Set by authorize alone: the value is shown only for rows that match (rules of different rows may
 * allow different fields); absent = always. Where it does not match, the value is null.
 */
export type Guarded = { readonly guard?: Filter }

/**
 * Set by authorize alone, on a bare one-to-many (an array of keys) and on `count` of one: the related
 * rows that exist for the actor; absent = all.
 */
export type Related = { readonly related?: Filter }

/** What a row is ordered by. `random` orders by chance. A path leads through relations to one operand. */
export type Sort = { readonly descending: boolean; readonly nulls?: 'first' | 'last' } & SortOperand

export type SortOperand =
  | { readonly kind: 'field'; readonly path: readonly SortStep[]; readonly field: string; readonly guard?: Filter }
  | {
      readonly kind: 'function'
      readonly path: readonly SortStep[]
      readonly function: FunctionName
      readonly field: string
      readonly guard?: Filter
      readonly related?: Filter
    }
  /** Only in an aggregation: order of the groups by one of its results. */
  | { readonly kind: 'aggregate'; readonly aggregate: AggregateName; readonly field: string | null }
  | { readonly kind: 'random' }

/**
 * One hop of a sort path: the relational field, the collection it leads to (needed for a
 * many-to-any), and, set by authorize, the rows of it that may be seen (`filter`) and the rows from
 * which the hop may be made (`guard`); elsewhere the path ends in null.
 */
export type SortStep = {
  readonly field: string
  readonly collection: string
  readonly filter?: Filter
} & Guarded

/** Grouped or plain aggregation: one row per group, or one row in all when `group` is empty. */
export type Aggregation = {
  readonly values: readonly AggregateValue[]
  readonly group: readonly GroupKey[]
}

/** `field` null = `*` (of `count` and `countAll`). The answer nests as `{[aggregate]: {[key]: value}}`, or flat for `*`. */
export type AggregateValue = {
  readonly aggregate: AggregateName
  readonly field: string | null
  readonly key: string
} & Guarded

export type GroupKey =
  | ({ readonly kind: 'field'; readonly key: string; readonly field: string } & Guarded)
  | ({
      readonly kind: 'function'
      readonly key: string
      readonly function: FunctionName
      readonly field: string
    } & Guarded &
      Related)
