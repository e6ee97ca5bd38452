/** Collections, fields and relations as this generation shows them. */
import type { MetadataWindow } from '../../core/model/readable-model.ts'
import { geometryKindOf, geometryType } from '../../domain/conditions/geometry.ts'
import { listAt, type MetadataRow } from '../../domain/model/metadata.ts'
import { isSystemName } from '../../domain/model/system-collections.ts'
import { shownDefault } from '../../domain/schema/default-value.ts'
import type { Collection, Field, Relation, Schema } from '../../domain/schema/schema.ts'
import type { View } from '../../domain/schema/view.ts'
import type { components } from '../../generated/current.ts'
import { systemForm } from './system-forms.ts'

type Schemas = components['schemas']

/** Returns `{collection, meta, schema}`. */
export function serializeCollection(collection: Collection, { mask }: MetadataWindow): Schemas['Collection'] {
  const { name, table, meta, note, system } = collection
  const own = { collection: name, ...(system ? { system } : {}) }
  const row = meta === null ? null : { ...collectionDefaults, ...meta, ...declaredByFields(collection), ...own }
  const comment = meta === null ? note : null
  return {
    collection: name,
    meta: mask(row),
    schema: table === null ? null : { name: table.name, comment },
  }
}

/**
 * Settings that are not stored for the collection but follow from its fields: a field of type `sort`, and a field with
 * statuses of which some count as deleted.
 */
function declaredByFields({ meta, archive, sortField, fields }: Collection): object {
  const sort = meta?.['sort_field'] == null && sortField !== null ? { sort_field: sortField } : {}
  if (meta?.['archive_field'] != null || archive === null) return sort
  const options = fields.get(archive.field)?.meta?.['options'] as
    | { readonly status_mapping?: object }
    | null
    | undefined
  const live = Object.keys(options?.status_mapping ?? {}).find((status) => !archive.archived.includes(status))
  const [archived = null] = archive.archived
  return { ...sort, archive_field: archive.field, archive_value: archived, unarchive_value: live ?? null }
}

/** Default settings; system collections have shorter rows. */
export const collectionDefaults = {
  icon: null,
  note: null,
  display_template: null,
  hidden: false,
  singleton: false,
  translations: null,
  archive_field: null,
  archive_app_filter: true,
  archive_value: null,
  unarchive_value: null,
  sort_field: null,
  accountability: 'all',
  color: null,
  item_duplication_fields: null,
  sort: null,
  group: null,
  collapse: 'open',
  preview_url: null,
  versioning: false,
  status: 'active',
  autosave_revision_interval: null,
}

/** Whether this generation shows the field: some system fields belong to the other one. Groups of a form have no value. */
export function isShown(view: View, collection: Collection, field: Field): boolean {
  const isGroup = field.special.includes('group')
  return !collection.system || isGroup || view.byCore.get(collection.name)?.fields.has(field.name) === true
}

/** Returns `{collection, field, type, schema, meta}`. */
export function serializeField(
  schema: Schema,
  collection: Collection,
  field: Field,
  { mask }: MetadataWindow,
): Schemas['Field'] {
  const { name, meta, column } = field
  const row = meta === null && !collection.system ? null : fieldMeta(collection, field)
  return {
    collection: collection.name,
    field: name,
    type: typeName(field),
    schema: column === null ? null : columnSchema(schema, collection, { ...field, column }),
    meta: mask(row),
  }
}

function typeName({ type, column }: Field): Schemas['FieldTypeName'] {
  const kind = type === 'geometry' && column !== null ? geometryKindOf(geometryType(column.dataType)) : null
  return kind === null ? type : `geometry.${kind}`
}

export const fieldDefaults = {
  interface: null,
  options: null,
  display: null,
  display_options: null,
  readonly: false,
  hidden: false,
  sort: null,
  width: 'full',
  translations: null,
  note: null,
  conditions: null,
  required: false,
  group: null,
  validation: null,
  validation_message: null,
  searchable: true,
}

/** Drops settings that belong to the other generation. */
function fieldMeta(collection: Collection, { name, meta, column }: Field): MetadataRow {
  const {
    type: _type,
    locked: _locked,
    hidden_browse: _hidden,
    special: _special,
    ...row
  } = meta ?? (column === null ? {} : { system: true })
  const special = listAt(meta ?? {}, 'special')
  return {
    ...fieldDefaults,
    ...(row['system'] === true ? systemForm(collection.name, name) : {}),
    ...row,
    collection: collection.name,
    field: name,
    special: special.length === 0 ? null : special,
  }
}

function columnSchema(
  schema: Schema,
  collection: Collection,
  { type, column, relation }: Field & { readonly column: NonNullable<Field['column']> },
): Schemas['ColumnSchema'] {
  const target = relation?.kind === 'many-to-one' && relation.relation.constraint !== null ? relation.collection : null
  return {
    name: column.name,
    table: collection.name,
    data_type: column.dataType,
    default_value: shownDefault({ type, column }) ?? column.defaultExpression,
    max_length: column.maxLength,
    numeric_precision: column.precision,
    numeric_scale: column.scale,
    is_nullable: column.nullable,
    is_unique: column.unique,
    is_indexed: column.indexed,
    is_primary_key: column.primaryKey,
    is_generated: column.generated && !column.autoIncrement,
    generation_expression: null,
    ...(column.values === undefined ? {} : { allowed_values: [...column.values] }),
    has_auto_increment: column.autoIncrement,
    foreign_key_table: target,
    foreign_key_column: target === null ? null : (schema.collections.get(target)?.primaryKey ?? null),
    comment: column.comment,
  }
}

export const relationDefaults: Schemas['RelationMeta'] = {
  one_field: null,
  one_collection_field: null,
  one_allowed_collections: null,
  junction_field: null,
  sort_field: null,
  one_deselect_action: 'nullify',
}

/** Returns `{collection, field, related_collection, schema, meta}`. */
export function serializeRelation(schema: Schema, relation: Relation, { mask }: MetadataWindow): Schemas['Relation'] {
  const { manyCollection: collection, manyField: field, oneCollection, constraint } = relation
  const row = metaOf(relation)
  return {
    collection,
    field,
    related_collection: oneCollection,
    schema:
      constraint === null || oneCollection === null
        ? null
        : {
            table: collection,
            column: field,
            foreign_key_table: oneCollection,
            foreign_key_column: schema.collections.get(oneCollection)?.primaryKey ?? '',
            constraint_name: constraint.name,
            on_update: constraint.onUpdate as 'NO ACTION',
            on_delete: constraint.onDelete as 'NO ACTION',
          },
    meta: mask(row),
  }
}

/** The settings of a relation; null for a foreign key without any. */
export function metaOf(relation: Relation): MetadataRow | null {
  const isOwn = relation.id === null && (relation.oneField !== null || relation.constraint === null)
  if (relation.id === null && !isOwn) return null
  return { ...(relation.id === null ? { system: true } : { id: relation.id }), ...settingsOf(relation) }
}

/** The settings of a foreign key that has none of its own; those of system collections belong to the system. */
export const usualMeta = (relation: Relation): MetadataRow => ({
  ...(isSystemName(relation.manyCollection) ? { system: true } : { id: null }),
  ...settingsOf(relation),
})

function settingsOf(relation: Relation): MetadataRow {
  return {
    many_collection: relation.manyCollection,
    many_field: relation.manyField,
    one_collection: relation.oneCollection,
    one_field: relation.oneField,
    one_collection_field: relation.oneCollectionField,
    one_allowed_collections: relation.oneAllowedCollections,
    junction_field: relation.junctionField,
    sort_field: relation.sortField,
    one_deselect_action: relation.deselectAction,
  }
}

/** The only entry of a list. */
export function firstOf<T>([only]: readonly T[]): T {
  if (only === undefined) throw new Error('The written entry no longer exists')
  return only
}
