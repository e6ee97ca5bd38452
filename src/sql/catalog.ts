/** What a vendor's catalogs say, in neutral rows. */
import type { FieldType } from '../domain/field-types.ts'

/** How to get it is the dialect's `readCatalog`. */
export type Catalog = {
  /** Of all visible tables, in order; views are not among them. */
  readonly columns: readonly CatalogColumn[]
  readonly keys: readonly CatalogKey[]
  readonly foreignKeys: readonly CatalogForeignKey[]
}

export type CatalogColumn = {
  readonly table: string
  /** The schema by which its type has to be called; null where its name will do, as that of a table called `json` will not. */
  readonly tableSchema: string | null
  readonly tableComment: string | null
  readonly name: string
  readonly comment: string | null
  readonly dataType: string
  readonly type: FieldType
  readonly nullable: boolean
  readonly generated: boolean
  readonly autoIncrement: boolean
  readonly hasDefault: boolean
  readonly defaultValue: string | number | boolean | null
  readonly defaultExpression: string | null
  readonly maxLength: number | null
  readonly precision: number | null
  readonly scale: number | null
}

/** An index over plain columns. */
export type CatalogKey = {
  readonly table: string
  readonly unique: boolean
  /** In the order of the key. */
  readonly columns: readonly string[]
  readonly primary: boolean
}

/** A foreign key by its first column. */
export type CatalogForeignKey = {
  readonly name: string
  readonly table: string
  readonly column: string
  readonly width: number
  readonly foreignTable: string
  readonly foreignColumn: string
  /** Whether the search path leads to the table it points at. */
  readonly visible: boolean
  readonly onDelete: string
  readonly onUpdate: string
}
