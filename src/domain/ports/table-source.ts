/** Tables of other databases: as an import reads them, whatever the vendor is, and as it makes them here. */

export type SourceTable = {
  readonly name: string
  readonly isView: boolean
  /** Numbers that MariaDB counts beside its tables, and lists among them. */
  readonly isSequence: boolean
  readonly comment: string
  readonly columns: readonly SourceColumn[]
  readonly primaryKey: readonly string[]
  readonly indexes: readonly SourceIndex[]
  readonly foreignKeys: readonly SourceForeignKey[]
  /** Rules of the table that no other database takes over. */
  readonly rules: readonly SourceRule[]
}

export type SourceRule = { readonly kind: 'trigger' | 'check' | 'default' | 'index'; readonly name: string }

export type SourceColumn = {
  readonly name: string
  /** `int`, `varchar`, `enum`, … */
  readonly kind: string
  /** With length, words and sign: `int(10) unsigned`, `enum('a','b')`. */
  readonly type: string
  readonly nullable: boolean
  /** A constant as text, the moment of the write, or null for none. */
  readonly default: SourceDefault | null
  readonly autoIncrement: boolean
  readonly generated: boolean
  /** Whether every update sets it to the moment of the update. */
  readonly followsUpdates: boolean
  readonly comment: string
  /** Characters of a text. */
  readonly length: number | null
  readonly precision: number | null
  readonly scale: number | null
}

export type SourceDefault = { readonly kind: 'constant'; readonly text: string } | { readonly kind: 'now' }

export type SourceIndex = { readonly name: string; readonly columns: readonly string[]; readonly unique: boolean }

export type SourceForeignKey = {
  readonly name: string
  readonly columns: readonly string[]
  readonly table: string
  readonly keys: readonly string[]
  readonly onDelete: string
  readonly onUpdate: string
}

/** All values are texts; binary ones are hexadecimal digits. */
export type SourceValues = readonly (string | null)[]

/** What the values of a column are like: the least and the greatest, and how many are dates that no calendar has. */
export type Examined = { readonly least: string | null; readonly greatest: string | null; readonly noDates: number }

export type TableSource = {
  /** For people, without a password. */
  readonly name: string
  readonly tables: () => Promise<readonly SourceTable[]>
  /** Why the rows of a view cannot be read; null: they can. */
  readonly faultOf: (view: string) => Promise<string | null>
  readonly count: (table: string) => Promise<number>
  /** Looks at all rows, once. */
  readonly examine: (table: SourceTable, columns: readonly string[]) => Promise<ReadonlyMap<string, Examined>>
  /** Rows in the order of the bytes of their keys; numbers in their own order. */
  readonly rows: (
    table: SourceTable,
    columns: readonly string[],
    key: readonly string[],
  ) => AsyncIterable<readonly SourceValues[]>
  readonly close: () => Promise<void>
}

/** Tables that an import makes here, and rows that it writes to them. */

export type MirrorColumn = { readonly name: string; readonly type: string }

/** A table, or those of its columns that an import writes. */
export type Mirror = {
  readonly table: string
  /** Names of columns that identify a row; empty: rows have no key. */
  readonly key: readonly string[]
  /** Where the source gives its keys in another order than the database here. */
  readonly unordered?: boolean
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
