/** Another database as a source of tables: what an import reads, whatever its vendor is. */

export type SourceTable = {
  readonly name: string
  readonly isView: boolean
  readonly comment: string
  readonly columns: readonly SourceColumn[]
  readonly primaryKey: readonly string[]
  readonly indexes: readonly SourceIndex[]
  readonly foreignKeys: readonly SourceForeignKey[]
}

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
