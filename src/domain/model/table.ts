/** `Table`: one table as introspected, without metadata. Vendor types are already mapped to field types. */
import type { FieldType } from '../query/field-types.ts'
import type { Column, SupportedWrites, TableKind } from '../schema/schema.ts'

export type Table = {
  readonly name: string
  /** Set where an unqualified name would resolve to another table. */
  readonly schema: string | null
  readonly kind?: TableKind
  readonly comment: string | null
  /** In the order of the table. */
  readonly columns: readonly TableColumn[]
  /** The columns of the primary key, or of a unique index over columns without nulls; none where there is neither. */
  readonly keyColumns: readonly string[]
  /** The columns of each unique index that holds for all rows, the primary key among them. */
  readonly uniqueKeys?: readonly (readonly string[])[]
  readonly changes: SupportedWrites
  readonly foreignKeys: readonly ForeignKey[]
}

export type TableColumn = Column & { readonly type: FieldType }

/** A foreign key to the key of a served table. */
export type ForeignKey = {
  readonly name: string
  /** Its column, or the name of a field for its columns. */
  readonly column: string
  /** Set for several columns: these, in the order of the key that they refer to. */
  readonly columns?: readonly string[]
  readonly table: string
  readonly onDelete: string
  readonly onUpdate: string
}
