/**
 * `Schema`: what the connected database holds, as introspected and merged with the metadata tables
 * (`build-schema.ts`). Immutable; a change makes a new value with a new `version`. Names are core
 * names; each generation looks at it through its `View`.
 */
import type { FieldType } from './field-types.ts'
import type { Filter } from './filter.ts'

export type Schema = {
  /** Changes whenever anything in the schema does; part of every compile-cache key. */
  readonly version: string
  readonly collections: ReadonlyMap<string, Collection>
  readonly relations: readonly Relation[]
}

export type Collection = {
  /** Equal to the table's name. */
  readonly name: string
  /** Null for a folder collection, which groups others and holds no rows. */
  readonly table: { readonly schema: string | null; readonly name: string } | null
  readonly primaryKey: string
  /**
   * All columns of the key: normally the primary key alone. A junction table whose key columns are all
   * foreign keys has several; its rows are reached through relations and filters, and named inside the items that they link.
   */
  readonly keyColumns: readonly string[]
  readonly fields: ReadonlyMap<string, Field>
  /** True for `platform_*`: reachable by their own endpoints and as relations, never under `/items`. */
  readonly system: boolean
  /** True when the collection has a metadata row of its own. */
  readonly managed: boolean
  readonly singleton: boolean
  readonly sortField: string | null
  readonly archive: { readonly field: string; readonly archived: readonly string[] } | null
  /** What a write leaves behind: activity and revision, activity alone, or nothing. */
  readonly accountability: 'all' | 'activity' | null
  readonly note: string | null
  /** Its metadata row, untouched; null when it has none. */
  readonly meta: { readonly [key: string]: unknown } | null
}

export type Field = {
  readonly name: string
  readonly type: FieldType
  /** Null for alias fields. */
  readonly column: Column | null
  readonly special: readonly Special[]
  /** Masked in every answer; no search, order, comparison, group or aggregate on it. */
  readonly concealed: boolean
  /** Condition on the written value, checked for every actor; its comparisons name this field. */
  readonly validation: Filter | null
  readonly validationMessage: string | null
  /** What the field leads to, if it is relational. */
  readonly relation: FieldRelation | null
  /** Presentation hints and the rest of the metadata row, untouched; null when it has none. */
  readonly meta: { readonly [key: string]: unknown } | null
}

export type Column = {
  readonly name: string
  /** The vendor's own type name, e.g. `character varying`. */
  readonly dataType: string
  readonly nullable: boolean
  /** True when the database fills the column in if it is left out. */
  readonly hasDefault: boolean
  /** The default as a JSON value where it is a constant, else null. */
  readonly defaultValue: string | number | boolean | null
  /** The default as the database writes it where it is computed, e.g. `now()`; else null. */
  readonly defaultExpression: string | null
  /** Characters, for text types with a limit. */
  readonly maxLength: number | null
  readonly precision: number | null
  readonly scale: number | null
  readonly unique: boolean
  /** Has an index of its own that is not unique. */
  readonly indexed: boolean
  readonly primaryKey: boolean
  readonly autoIncrement: boolean
  /** Computed by the database; never writable. */
  readonly generated: boolean
  readonly comment: string | null
}

/** Flags that change how values are written or shown. */
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
] as const

export type Special = (typeof specials)[number]

/** A relation as stored: `many` holds the key, `one` is what it points at. */
export type Relation = {
  readonly id: number | null
  readonly manyCollection: string
  readonly manyField: string
  /** Null for a many-to-any. */
  readonly oneCollection: string | null
  /** The alias field on the one side; null when that side has none. */
  readonly oneField: string | null
  /** Many-to-any: the column that names the collection, and the collections it may name. */
  readonly oneCollectionField: string | null
  readonly oneAllowedCollections: readonly string[] | null
  /** Many-to-many: the junction's other key. */
  readonly junctionField: string | null
  readonly sortField: string | null
  readonly deselectAction: 'nullify' | 'delete'
  /** The foreign key constraint behind it; null when there is none. */
  readonly constraint: {
    readonly name: string
    readonly onDelete: string
    readonly onUpdate: string
  } | null
}

/** A relation as seen from one field. */
export type FieldRelation =
  | { readonly kind: 'many-to-one'; readonly collection: string; readonly relation: Relation }
  /** `foreignKey` is the field of `collection` that holds this collection's key. */
  | {
      readonly kind: 'one-to-many'
      readonly collection: string
      readonly foreignKey: string
      readonly sortField: string | null
      /** Set on the alias of a many-to-many or many-to-any: the junction's other key. */
      readonly junctionField: string | null
      readonly relation: Relation
    }
  | {
      readonly kind: 'many-to-any'
      readonly collectionField: string
      readonly allowed: readonly string[]
      readonly relation: Relation
    }
