/** The database catalog in neutral rows. */
import type { FieldType } from '../../domain/query/field-types.ts'
import type { Column, SupportedWrites, TableKind } from '../../domain/schema/schema.ts'

/** The catalog, as read by the dialect's `readCatalog`. */
export type Catalog = {
  /** The columns of all tables and views of the search path, in order. */
  readonly columns: readonly CatalogColumn[]
  /** Names of tables that another table of the same name, in an earlier schema of the search path, hides. */
  readonly hidden: readonly string[]
  /** Names of tables without columns. */
  readonly empty: readonly string[]
  readonly keys: readonly CatalogKey[]
  readonly foreignKeys: readonly CatalogForeignKey[]
}

/** The identity of a catalog's state: when it was read, its types, and the names of its tables by their object ids. */
export type CatalogState = {
  readonly since: string
  readonly types: string
  /** Sums of object ids by group of tables. */
  readonly sums: { readonly [group: string]: string }
  readonly tables: ReadonlyMap<string, string>
}

/** `tables`: those that have changed; null if any may have. */
export type CatalogChanges = { readonly state: CatalogState; readonly tables: readonly string[] | null }

/** The keys and indexes of a column are rows of their own. */
export type CatalogColumn = Omit<Column, 'unique' | 'indexed' | 'leads' | 'primaryKey' | 'numberOf'> & {
  readonly table: string
  /** Schema to qualify the table with; null if the unqualified name resolves to the table. A table named `json` is an example that needs it. */
  readonly tableSchema: string | null
  readonly tableKind?: TableKind
  readonly tableComment: string | null
  /** An index begins with the column. Set only where the position of nulls hides the index from a sort. */
  readonly leadsIndex?: true
  /** The writes that the table or view accepts. */
  readonly changes: SupportedWrites
  readonly type: FieldType
}

/** A unique or primary key index over plain columns. */
export type CatalogKey = {
  readonly table: string
  readonly unique: boolean
  /** In the order of the index. */
  readonly columns: readonly string[]
  readonly primary: boolean
  /** None of its columns holds nulls. */
  readonly complete: boolean
}

export type CatalogForeignKey = {
  readonly name: string
  readonly table: string
  readonly columns: readonly string[]
  readonly foreignTable: string
  /** In the order of `columns`, each of which refers to one. */
  readonly foreignColumns: readonly string[]
  /** Whether the referenced table is on the search path. */
  readonly visible: boolean
  readonly onDelete: string
  readonly onUpdate: string
}
