import type { MetadataRow } from '../../domain/model/metadata.ts'

export type RelationDraft = {
  readonly collection: string
  readonly field: string
  /** Null for a many-to-any. */
  readonly related?: string | null
  /** Null: no foreign key in the database. Absent: one if both sides are tables. */
  readonly constraint?: {
    readonly onDelete?: string | null
    readonly onUpdate?: string | null
    /** By default made of the names of collection and field. */
    readonly name?: string
  } | null
  /** Columns of the metadata row. */
  readonly meta?: MetadataRow | null
}
