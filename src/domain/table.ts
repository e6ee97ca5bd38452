/** `Table`: what introspection finds in a database, before any metadata. Vendor types are already mapped. */
import type { FieldType } from './field-types.ts'
import type { Column } from './schema.ts'

export type Table = {
  readonly name: string
  /** Where the database takes the name alone for something else. */
  readonly schema: string | null
  readonly comment: string | null
  /** In the order of the table. */
  readonly columns: readonly TableColumn[]
  /** The columns of the primary key: one, or those of a junction table, all of them foreign keys. */
  readonly keyColumns: readonly [string, ...string[]]
  readonly foreignKeys: readonly ForeignKey[]
}

export type TableColumn = Column & { readonly type: FieldType }

/** One column that points at the primary key, of one column, of a table of the same schema. */
export type ForeignKey = {
  readonly name: string
  readonly column: string
  readonly table: string
  readonly onDelete: string
  readonly onUpdate: string
}
