/** Makes the metadata row of a relation, after all its names were found. */

import { listAt, type MetadataRow, textAt } from '../../domain/model/metadata.ts'
import { newName } from '../../domain/model/names.ts'
import type { Collection, Relation, Schema } from '../../domain/schema/schema.ts'
import { refusePart } from './schema-change.ts'

/** Validates the metadata of a relation. `present`: its metadata so far. */
export function metaRow(schema: Schema, draft: RelationDraft, present: Relation | null): MetadataRow {
  const { collection, field, related = null } = draft
  const { id: _id, system: _system, ...own } = draft.meta ?? {}
  const row: MetadataRow = {
    ...own,
    many_collection: collection,
    many_field: field,
    one_collection: related,
    ...('one_allowed_collections' in own ? { one_allowed_collections: allowedIn(schema, own) } : {}),
  }
  for (const name of ['junction_field', 'sort_field', 'one_collection_field']) {
    const named = textAt(row, name)
    if (named !== null && schema.collections.get(collection)?.fields.get(named)?.column == null) {
      refusePart(name, `Expected a field of "${collection}" with a column but received "${named}"`)
    }
    if (named === field) refusePart(name, `Expected another field than "${field}", which holds the keys`)
  }
  assertSides(row, draft.meta ?? {}, { collection, field })
  if (related === null) assertAny(row, present)
  else assertAlias(schema, { row, related, present })
  return row
}

function assertSides(
  row: MetadataRow,
  metadataRow: MetadataRow,
  { collection, field }: Pick<RelationDraft, 'collection' | 'field'>,
): void {
  const expected: readonly (readonly [string, unknown])[] = [
    ['many_collection', collection],
    ['many_field', field],
    ['one_collection', row['one_collection']],
  ]
  for (const [name, value] of expected) {
    if (metadataRow[name] === undefined || metadataRow[name] === value) continue
    refusePart(name, `Expected ${JSON.stringify(value)} but received ${JSON.stringify(metadataRow[name])}`)
  }
}

function allowedIn(schema: Schema, meta: MetadataRow): readonly string[] | null {
  if (meta['one_allowed_collections'] === null) return null
  const names = listAt(meta, 'one_allowed_collections')
  for (const name of names) relatedCollection(schema, name)
  return names
}

/** A many-to-any needs a field for the collection and a list of allowed collections. */
function assertAny(row: MetadataRow, present: Relation | null): void {
  const field = 'one_collection_field' in row ? textAt(row, 'one_collection_field') : present?.oneCollectionField
  const allowed =
    'one_allowed_collections' in row ? listAt(row, 'one_allowed_collections') : present?.oneAllowedCollections
  if (field == null) refusePart('one_collection_field', 'Expected the field that names the related collection')
  if (allowed == null || allowed.length === 0) refusePart('one_allowed_collections', 'Expected at least one collection')
  if (textAt(row, 'one_field') !== null) refusePart('one_field', 'Expected none: a many-to-any has no other side')
}

type AliasCheck = { readonly row: MetadataRow; readonly related: string; readonly present: Relation | null }

/** The alias on the other side: a new name, or an alias without a relation. */
function assertAlias(schema: Schema, { row, related, present }: AliasCheck): void {
  const alias = textAt(row, 'one_field')
  if (alias === null || alias === present?.oneField) return
  newName('field', alias)
  const existing = schema.collections.get(related)?.fields.get(alias)
  if (existing === undefined || (existing.column === null && existing.relation === null)) return
  refusePart('one_field', `Expected a free name in "${related}" but "${alias}" is a field with values or a relation`)
}

/** A collection with a key of one column, which relations can have as target. */
export function relatedCollection(schema: Schema, name: string): Collection {
  const one = schema.collections.get(name)
  if (one === undefined || one.table === null || one.keyColumns.length !== 1) {
    return refusePart('related_collection', `Expected a collection with a key of one column but received "${name}"`)
  }
  return one
}

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
