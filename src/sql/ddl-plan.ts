/** What changes of tables are made of, and what a vendor fills in to write them. */
import type { Database } from '../domain/context.ts'
import type { FieldType } from '../domain/field-types.ts'
import type { GeometryType } from '../domain/geometry.ts'

/** Types that a new column can have. */
export type StoredType = Exclude<FieldType, 'alias' | 'unknown'>

/** A column as it should be. */
export type ColumnPlan = {
  readonly name: string
  readonly type: StoredType
  /** Null of all other types. */
  readonly geometry: GeometryType | null
  /** Characters of a string. */
  readonly length: number | null
  /** Digits of a decimal, and those behind the point. */
  readonly precision: number | null
  readonly scale: number | null
  readonly nullable: boolean
  readonly default: DefaultPlan | null
  readonly unique: boolean
  readonly indexed: boolean
  readonly primaryKey: boolean
  readonly autoIncrement: boolean
  readonly comment: string | null
}

/** `expression` is one of a closed list that core knows; never text of a client. */
export type DefaultPlan =
  | { readonly kind: 'constant'; readonly text: string }
  | { readonly kind: 'expression'; readonly text: string }

export const referentialActions = ['NO ACTION', 'RESTRICT', 'CASCADE', 'SET NULL', 'SET DEFAULT'] as const

export type ReferentialAction = (typeof referentialActions)[number]

export type ForeignKeyPlan = {
  readonly name: string
  readonly column: string
  readonly table: string
  /** The primary key that it points at. */
  readonly key: string
  readonly onDelete: ReferentialAction
  readonly onUpdate: ReferentialAction
}

/** An index on one column alone; `constraint` when a constraint made it. */
export type IndexName = { readonly name: string; readonly unique: boolean; readonly constraint: boolean }

/** DDL of a vendor: names and plans → texts, to be run one after the other. */
export type Ddl = {
  readonly createTable: (table: string, columns: readonly ColumnPlan[], comment: string | null) => readonly string[]
  readonly dropTable: (table: string) => readonly string[]
  readonly addColumn: (table: string, column: ColumnPlan) => readonly string[]
  readonly dropColumn: (table: string, column: string) => readonly string[]
  /** The same changes of a table in as few texts as can be; what belongs to one column stays in order. */
  readonly merged: (table: string, texts: readonly string[]) => readonly string[]
  /** Fails when a column has no conversion to its planned type; reads no row. */
  readonly converted: (table: string, columns: readonly ColumnPlan[]) => string
  /** Converts the values; the column has no default meanwhile. */
  readonly alterType: (table: string, column: ColumnPlan) => readonly string[]
  readonly alterNullable: (table: string, column: ColumnPlan) => readonly string[]
  readonly alterDefault: (table: string, column: ColumnPlan) => readonly string[]
  readonly commentColumn: (table: string, column: ColumnPlan) => readonly string[]
  readonly addIndex: (table: string, column: Pick<ColumnPlan, 'name' | 'type'>, unique: boolean) => readonly string[]
  readonly dropIndex: (table: string, index: IndexName) => readonly string[]
  readonly addForeignKey: (table: string, key: ForeignKeyPlan) => readonly string[]
  readonly dropForeignKey: (table: string, name: string) => readonly string[]
  /** Indexes on the column alone, the primary key's not among them. */
  readonly readIndexes: (db: Database, table: string, column: string) => Promise<readonly IndexName[]>
  /** Gives a change up that waits for others longer than it may keep new requests waiting. */
  readonly limitWaiting: string
}
