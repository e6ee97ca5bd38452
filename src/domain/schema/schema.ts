/**
 * `Schema`: the introspected structure of the database, merged with the metadata tables (`build-schema.ts`). It is
 * immutable; a change creates a new value with a new `version`. Names are core names; each generation uses its own
 * names through a `View`.
 */
import type { FieldType } from '../query/field-types.ts'
import type { Filter } from '../query/filter.ts'
import type { IdentityCollection } from './identity.ts'
import type { ProjectSettings } from './project-settings.ts'

export type Schema = {
  /** Differs between different schemas; part of every key of the compile cache. */
  readonly version: string
  readonly collections: ReadonlyMap<string, Collection>
  readonly relations: readonly Relation[]
  /** Tables and views that cannot be served. */
  readonly unserved: readonly Unserved[]
  readonly otherNames?: OtherNames
  /** Absent = none is stored. */
  readonly settings?: ProjectSettings
  /** Absent where nothing is measured. */
  readonly sizes?: Sizes
}

/** `table`: the name that the table has after all renames. `column`: null for a rename of the table itself. */
export type CatalogRename = {
  readonly table: string
  readonly column: string | null
  readonly from: string
  readonly to: string
}

/** Sizes of tables as last measured: the same for all schemas of a database, and replaced as tables grow. */
export type Sizes = {
  readonly latest: () => ReadonlyMap<string, CollectionSize>
  /** Whether the lists of all rows are read at once where no index leads to them. */
  readonly scansLists?: boolean
}

/** Estimates of the database. */
export type CollectionSize = {
  readonly rows: number
  readonly columns: ReadonlyMap<string, ColumnSize>
}

export type ColumnSize = {
  /** Average bytes of a value. */
  readonly width: number
  /** Number of different values; null if it is not known. */
  readonly distinct: number | null
  /** Part of the rows that an average row shares its value with, by the most frequent values. */
  readonly repeated: number
  /** Part of the rows with the most frequent value. */
  readonly frequent: number
}

/** Names that stored permissions may use for fields of system collections, by collection: other name → field. */
export type OtherNames = ReadonlyMap<string, ReadonlyMap<string, string>>

/** A table, or one of its columns, and why it is not served. */
export type Unserved = { readonly table: string; readonly column?: string; readonly reason: string }

/** The writes that a table or view accepts. */
export type SupportedWrites = { readonly create: boolean; readonly update: boolean; readonly delete: boolean }

/** The writes that an ordinary table accepts. */
export const allChanges: SupportedWrites = { create: true, update: true, delete: true }

/** The kind of table behind a collection that is no ordinary table. */
export type TableKind = 'view' | 'materialized view' | 'foreign table' | 'partition'

export type Collection = {
  /** Equal to the table's name. */
  readonly name: string
  /** Null for a folder, which groups other collections and has no rows. */
  readonly table: { readonly schema: string | null; readonly name: string; readonly kind?: TableKind } | null
  /** The first of several key columns; without a key the first column of all, which identifies no row. */
  readonly primaryKey: string
  /**
   * All columns of the key: normally the primary key alone. Rows of a key of several columns are reached through
   * relations and filters, and named inside the items that they link. Views and tables without a key have none: their
   * rows are read and created, and never changed.
   */
  readonly keyColumns: readonly string[]
  /** The columns of each unique index that holds for all rows; absent = there is none. */
  readonly uniqueKeys?: readonly (readonly string[])[]
  readonly changes: SupportedWrites
  readonly fields: ReadonlyMap<string, Field>
  /** True for `platform_*`. System collections have their own endpoints and can be related, but are not under `/items`. */
  readonly system: boolean
  /** Whether the collection has a metadata row. */
  readonly managed: boolean
  readonly singleton: boolean
  readonly sortField: string | null
  readonly archive: { readonly field: string; readonly archived: readonly string[] } | null
  /** Fields that only items with one of these statuses must have; absent = independent of the status. */
  readonly requiredBy?: RequiredBy
  /** The history that a write records: activity and revision, only activity, or nothing. */
  readonly accountability: 'all' | 'activity' | null
  readonly note: string | null
  /** The metadata row as stored; null when there is none. */
  readonly meta: { readonly [key: string]: unknown } | null
}

export type RequiredBy = {
  readonly field: string
  readonly statuses: readonly string[]
  readonly required: readonly string[]
}

export type Field = {
  readonly name: string
  readonly type: FieldType
  /** Null for alias fields. */
  readonly column: Column | null
  readonly special: readonly Special[]
  /** Masked in every response. Search, sorting, comparison, grouping and aggregation are not allowed. */
  readonly concealed: boolean
  /** Validation of written values, applied to every actor. Its comparisons name this field. */
  readonly validation: Filter | null
  readonly validationMessage: string | null
  readonly relation: FieldRelation | null
  /** The metadata row as stored, with presentation hints; null when there is none. */
  readonly meta: { readonly [key: string]: unknown } | null
}

export type Column = {
  readonly name: string
  /** The type name of the database, e.g. `character varying`. */
  readonly dataType: string
  readonly nullable: boolean
  /** True when the database fills the column in if it is left out, or when a trigger or a view may. */
  readonly hasDefault: boolean
  /** A constant default as a JSON value; otherwise null. */
  readonly defaultValue: string | number | boolean | null
  /** A computed default in the database's own notation, e.g. `now()`; otherwise null. */
  readonly defaultExpression: string | null
  /** Maximum length in characters, for text types with a limit. */
  readonly maxLength: number | null
  readonly precision: number | null
  readonly scale: number | null
  readonly unique: boolean
  /** Whether the column has a non-unique index of its own. */
  readonly indexed: boolean
  /** An index or key begins with the column, so that its values are found fast. */
  readonly leads?: boolean
  /** One of the columns by which rows are named. */
  readonly primaryKey: boolean
  readonly autoIncrement: boolean
  /** A generated column; it cannot be written. */
  readonly generated: boolean
  /** Set where a view takes values in rows of one action only: the action that takes none. */
  readonly generatedOn?: 'create' | 'update'
  readonly comment: string | null
  /** Names of the conditions of the database that read this column. */
  readonly checks?: readonly string[]
  /** The words that a column of an enumerated type takes, in their own order. */
  readonly values?: readonly string[]
  /** The database can put the values of the column's type in order. */
  readonly ordered?: boolean
  /** What values of a type that only the database knows are in JSON, if they are no text. */
  readonly form?: 'list' | 'object'
  /** An index begins with the column. Set only where the position of nulls hides the index from a sort. */
  readonly leadsIndex?: true
  /**
   * The database takes texts for equal that differ in case or accents only; or the collation of the column, if its character
   * set does not hold every text.
   */
  readonly folds?: true | string
  /** How the database compares texts of the column, where columns that compare in different ways cannot be compared. */
  readonly collation?: string
  /** An integer column with the `number` of a row of this identity collection; the values of its field are the keys of these rows. */
  readonly numberOf?: IdentityCollection
}

/** Flags of a field that change how its values are written or shown. */
export const specials = [
  'uuid',
  'hash',
  'keyed-hash',
  'conceal',
  'cast-boolean',
  'cast-json',
  'cast-csv',
  'cast-timestamp',
  'cast-datetime',
  'date-created',
  'date-updated',
  'user-created',
  'user-updated',
  'role-created',
  'role-updated',
  'm2o',
  'o2m',
  'm2m',
  'm2a',
  'o2a',
  'file',
  'files',
  'translations',
  'alias',
  'group',
  'no-data',
  'primary-key',
] as const

export type Special = (typeof specials)[number]

/** A relation as stored. The `many` field holds the key of a row on the `one` side. */
export type Relation = {
  readonly id: number | null
  readonly manyCollection: string
  readonly manyField: string
  /** Set for a foreign key of several columns: these, in the order of the key. Its `manyField` has no column. */
  readonly manyColumns?: readonly string[]
  /** Null for a many-to-any. */
  readonly oneCollection: string | null
  /** The alias field on the one side; null when there is none. */
  readonly oneField: string | null
  /** For a many-to-any: the column with the name of the collection, and the allowed collections. */
  readonly oneCollectionField: string | null
  readonly oneAllowedCollections: readonly string[] | null
  /** For a many-to-many: the other foreign key of the junction. */
  readonly junctionField: string | null
  readonly sortField: string | null
  readonly deselectAction: 'nullify' | 'delete'
  /** The foreign key constraint of the relation; null when there is none. */
  readonly constraint: {
    readonly name: string
    readonly onDelete: string
    readonly onUpdate: string
  } | null
}

export type FieldRelation =
  | { readonly kind: 'many-to-one'; readonly collection: string; readonly relation: Relation }
  /** `foreignKey` is the field of `collection` that refers to this collection. */
  | {
      readonly kind: 'one-to-many'
      readonly collection: string
      readonly foreignKey: string
      readonly sortField: string | null
      /** Set on the alias of a many-to-many or many-to-any: the other foreign key of the junction. */
      readonly junctionField: string | null
      readonly relation: Relation
    }
  | {
      readonly kind: 'many-to-any'
      readonly collectionField: string
      readonly allowed: readonly string[]
      readonly relation: Relation
    }

/** A field, or the relation of a field, by name. */
export type FieldAddress = { readonly collection: string; readonly field: string }
