/** Tables that an import makes here, and rows that it writes to them. */

export type MirrorColumn = { readonly name: string; readonly type: string }

/** A table, or those of its columns that an import writes. */
export type Mirror = {
  readonly table: string
  /** Names of columns that identify a row; empty: rows have no key. */
  readonly key: readonly string[]
  readonly columns: readonly MirrorColumn[]
  /** A uuid key that new rows get beside the columns. */
  readonly generates?: string
}

export type MirrorRow = readonly (string | null)[]

/** Types of imported columns, from a closed list; numbers in brackets are checked. */
export type MirrorType =
  | 'smallint'
  | 'integer'
  | 'bigint'
  | 'real'
  | 'double precision'
  | 'boolean'
  | 'date'
  | 'time'
  | 'timestamp'
  | 'text'
  | 'json'
  | 'bytea'
  | 'uuid'
  | `numeric(${number},${number})`
  | `varchar(${number})`

export type PlannedColumn = {
  readonly name: string
  readonly type: MirrorType
  readonly nullable: boolean
  readonly default: { readonly kind: 'constant'; readonly text: string } | { readonly kind: 'now' } | null
  readonly autoIncrement: boolean
  /** The only values; null for any. */
  readonly words: readonly string[] | null
  readonly comment: string
}

export type PlannedIndex = { readonly name: string; readonly columns: readonly string[]; readonly unique: boolean }

export type PlannedTable = {
  readonly name: string
  readonly comment: string
  readonly columns: readonly PlannedColumn[]
  readonly primaryKey: readonly string[]
  readonly indexes: readonly PlannedIndex[]
}

export type PlannedKey = {
  readonly table: string
  readonly columns: readonly string[]
  readonly target: string
  readonly keys: readonly string[]
  readonly onDelete: string
  readonly onUpdate: string
}
