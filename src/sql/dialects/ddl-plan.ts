/** Neutral descriptions of DDL changes, and the functions by which a vendor turns them into SQL. */

import type { GeometryType } from '../../domain/conditions/geometry.ts'
import type { Database } from '../../domain/ports/context.ts'
import type { FieldType } from '../../domain/query/field-types.ts'
import { hashText } from '../../domain/schema/hash-text.ts'

/** Types of new columns. */
export type StoredType = Exclude<FieldType, 'alias' | 'unknown'>

/** The planned state of a column. */
export type ColumnPlan = {
  readonly name: string
  readonly type: StoredType
  /** Set only for geometry columns. */
  readonly geometry: GeometryType | null
  /** Maximum number of characters of a string. */
  readonly length: number | null
  /** Total digits of a decimal, and digits after the decimal point. */
  readonly precision: number | null
  readonly scale: number | null
  /** Set where an integer has fewer bytes than usual, or a float more. */
  readonly width: 'small' | 'double' | null
  readonly nullable: boolean
  readonly default: DefaultPlan | null
  readonly unique: boolean
  readonly indexed: boolean
  readonly primaryKey: boolean
  readonly autoIncrement: boolean
  readonly comment: string | null
}

/** `expression` is from a closed list in core; it never contains text of a client. */
export type DefaultPlan =
  | { readonly kind: 'constant'; readonly text: string }
  | { readonly kind: 'expression'; readonly text: string }

export const referentialActions = ['NO ACTION', 'RESTRICT', 'CASCADE', 'SET NULL', 'SET DEFAULT'] as const

export type ReferentialAction = (typeof referentialActions)[number]

export type ForeignKeyPlan = {
  readonly name: string
  readonly column: string
  readonly table: string
  /** The primary key column that is referenced. */
  readonly key: string
  readonly onDelete: ReferentialAction
  readonly onUpdate: ReferentialAction
}

/** A single-column index; `constraint` names the constraint that it belongs to. */
export type IndexName = { readonly name: string; readonly unique: boolean; readonly constraint: boolean }

/** `<table>_<column>_<what>`, shortened to the identifiers of all vendors, with a hash to keep it unique. */
export function nameOf(table: string, column: string, what: string): string {
  const name = `${table}_${column}_${what}`
  return name.length <= 63 ? name : `${name.slice(0, 50)}_${hashText(name).slice(0, 12)}`
}

/** DDL of a vendor: each function returns statements to run in order. */
export type Ddl = {
  readonly createTable: (table: string, columns: readonly ColumnPlan[], comment: string | null) => readonly string[]
  readonly dropTable: (table: string) => readonly string[]
  readonly addColumn: (table: string, column: ColumnPlan) => readonly string[]
  /** Whether a foreign key sets only columns to null that can be null. */
  readonly nullsWhatCanBe?: true
  /** `foreignKeys`: those of `foreignKeysWith`. */
  readonly dropColumn: (table: string, column: string, foreignKeys: readonly string[]) => readonly string[]
  /** Names of foreign keys that have to be dropped before the column. Absent: they go with it. */
  readonly foreignKeysWith?: (db: Database, table: string, column: string) => Promise<readonly string[]>
  /** Merges changes of a table into as few statements as possible. The order of changes to one column is kept. */
  readonly merged: (table: string, texts: readonly string[]) => readonly string[]
  /** A statement that fails if a column cannot be converted to its planned type. It reads no rows. */
  readonly converted: (table: string, columns: readonly ColumnPlan[]) => string
  /** Converts the values. The default must be dropped before and set again after. */
  readonly alterType: (table: string, column: ColumnPlan) => readonly string[]
  readonly alterNullable: (table: string, column: ColumnPlan) => readonly string[]
  readonly alterDefault: (table: string, column: ColumnPlan) => readonly string[]
  readonly commentColumn: (table: string, column: ColumnPlan) => readonly string[]
  /** The command that creates an index without blocking writers, for an operator to run. */
  readonly indexInUse: (table: string, column: string) => string
  readonly addIndex: (table: string, column: Pick<ColumnPlan, 'name' | 'type'>, unique: boolean) => readonly string[]
  readonly dropIndex: (table: string, index: IndexName) => readonly string[]
  readonly addForeignKey: (table: string, key: ForeignKeyPlan) => readonly string[]
  readonly dropForeignKey: (table: string, name: string) => readonly string[]
  /** Single-column indexes on the column, except that of the primary key. */
  readonly readIndexes: (db: Database, table: string, column: string) => Promise<readonly IndexName[]>
  /** Cancels a change that waits too long for a lock, because new requests queue behind it. */
  readonly limitWaiting: string
}
