/** Metadata of collections, fields and relations, and references to them. */
import type { FieldAddress } from '../../domain/schema/schema.ts'
import { allRows, change, type Runner } from './answers.ts'

type Numbered = { readonly id: number }

const listsOf = (fields: readonly FieldAddress[]): readonly (readonly string[])[] => [
  fields.map(({ collection }) => collection),
  fields.map(({ field }) => field),
]

/** The metadata rows of the fields; fields that were dropped in the database may have several. */
export function findFieldRows(
  db: Runner,
  fields: readonly FieldAddress[],
): Promise<readonly (FieldAddress & Numbered)[]> {
  const text = `select id, collection, field from platform_fields
    where (collection, field) in (select * from unnest($1::text[], $2::text[])) order by id`
  return allRows(db, { text, values: listsOf(fields) })
}

export async function findRelationKeys(db: Runner, fields: readonly FieldAddress[]): Promise<readonly number[]> {
  const text = `select id from platform_relations
    where (many_collection, many_field) in (select * from unnest($1::text[], $2::text[]))`
  return (await allRows<Numbered>(db, { text, values: listsOf(fields) })).map(({ id }) => id)
}

export async function findRelationKeysOf(db: Runner, collections: readonly string[]): Promise<readonly number[]> {
  const text = 'select id from platform_relations where many_collection = any ($1) or one_collection = any ($1)'
  return (await allRows<Numbered>(db, { text, values: [collections] })).map(({ id }) => id)
}

const listed = `collection = $1 and $2 = any (string_to_array(fields, ','))`

const revokeTexts: readonly string[] = [
  `delete from platform_permissions where collection = $1 and fields = $2 and action <> 'delete'`,
  `update platform_permissions set fields = array_to_string(array_remove(string_to_array(fields, ','), $2::text), ',')
    where ${listed}`,
  `update platform_permissions set presets = (presets::jsonb - $2::text)::json
    where collection = $1 and json_typeof(presets) = 'object' and presets::jsonb ? $2::text`,
]

const preset = `concat('$.', json_quote($2))`

/** The same for lists as texts, and for JSON without operators. */
const revokeInstead: readonly string[] = [
  revokeTexts[0] as string,
  `update platform_permissions set fields = trim(both ',' from replace(concat(',', fields, ','), concat(',', $2, ','), ','))
    where collection = $1 and find_in_set($2, fields) > 0`,
  `update platform_permissions set presets = json_remove(presets, ${preset})
    where collection = $1 and json_type(presets) = 'OBJECT' and json_contains_path(presets, 'one', ${preset})`,
]

/** Removes a field from all grants and presets. A list of fields that becomes empty is deleted. */
export async function revokeField(db: Runner, { collection, field }: FieldAddress): Promise<void> {
  for (const [at, text] of revokeTexts.entries()) {
    await change(db, { text, texts: { mysql: revokeInstead[at] }, values: [collection, field] })
  }
}

const forgetTexts = [
  'update platform_collections set sort_field = null where collection = $1 and sort_field = $2',
  'update platform_collections set archive_field = null where collection = $1 and archive_field = $2',
  'update platform_relations set sort_field = null where many_collection = $1 and sort_field = $2',
  'update platform_relations set junction_field = null where many_collection = $1 and junction_field = $2',
  'update platform_fields set "group" = null where collection = $1 and "group" = $2',
]

/**
 * Removes references to a deleted field: sort and archive field of its collection, parts of relations, groups of
 * fields.
 */
export async function forgetField(db: Runner, { collection, field }: FieldAddress): Promise<void> {
  for (const text of forgetTexts) await change(db, { text, values: [collection, field] })
}

export async function deleteFieldRows(db: Runner, { collection, field }: FieldAddress): Promise<void> {
  const text = 'delete from platform_fields where collection = $1 and field = $2'
  await change(db, { text, values: [collection, field] })
}

const untrackTexts = [
  'delete from platform_relations where many_collection = $1 or one_collection = $1',
  'delete from platform_fields where collection = $1',
  'delete from platform_collections where collection = $1',
  'delete from platform_permissions where collection = $1',
  'delete from platform_versions where collection = $1',
  'delete from platform_shares where collection = $1',
]

/** Deletes all metadata of a collection, and the grants on it. */
export async function untrackCollection(db: Runner, collection: string): Promise<void> {
  for (const text of untrackTexts) await change(db, { text, values: [collection] })
}

/**
 * Deletes the rows of a system table that belong to one of the collections. The name of the table comes from the
 * schema.
 */
export async function deleteAboutCollections(db: Runner, table: string, collections: readonly string[]): Promise<void> {
  await change(db, { text: `delete from ${table} where collection = any ($1)`, values: [collections] })
}

export async function insertCollection(db: Runner, collection: string): Promise<void> {
  await change(db, { text: 'insert into platform_collections (collection) values ($1)', values: [collection] })
}

export type NewRelation = {
  readonly manyCollection: string
  readonly manyField: string
  readonly oneCollection: string
  readonly oneField: string | null
  readonly junctionField: string | null
}

export async function insertRelation(db: Runner, relation: NewRelation): Promise<void> {
  const { manyCollection, manyField, oneCollection, oneField, junctionField } = relation
  const text = `insert into platform_relations
  (many_collection, many_field, one_collection, one_field, junction_field, one_deselect_action)
  values ($1, $2, $3, $4, $5, 'nullify')`
  await change(db, { text, values: [manyCollection, manyField, oneCollection, oneField, junctionField] })
}

export async function insertField(
  db: Runner,
  { collection, field, special, display }: FieldAddress & { readonly special: string; readonly display: string },
): Promise<void> {
  const text = `insert into platform_fields (collection, field, special, interface) values ($1, $2, $3, $4)`
  await change(db, { text, values: [collection, field, special, display] })
}
