/** Renames tables and columns, and what the system tables say about them. */
import type { Database } from '../../domain/ports/context.ts'

type Runner = Pick<Database, 'run'>

/** Quotes a name of the schema. */
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

type Renamed = { readonly from: string; readonly to: string }

const collectionColumns: readonly (readonly [table: string, column: string])[] = [
  ['platform_fields', 'collection'],
  ['platform_relations', 'many_collection'],
  ['platform_relations', 'one_collection'],
  ['platform_permissions', 'collection'],
  ['platform_role_levels', 'collection'],
  ['platform_presets', 'collection'],
  ['platform_shares', 'collection'],
  ['platform_comments', 'collection'],
  ['platform_notifications', 'collection'],
  ['platform_versions', 'collection'],
  ['platform_activity', 'collection'],
  ['platform_revisions', 'collection'],
]

/** `table`: null for a folder. */
export async function renameCollection(
  db: Runner,
  { from, to }: Renamed,
  table: { readonly schema: string | null; readonly name: string } | null,
): Promise<void> {
  if (table !== null) {
    const place = table.schema === null ? quoted(table.name) : `${quoted(table.schema)}.${quoted(table.name)}`
    await db.run({ text: `alter table ${place} rename to ${quoted(to)}`, values: [] })
  }
  const copied = `insert into platform_collections select (jsonb_populate_record(c, jsonb_build_object('collection', $2::text))).*
    from platform_collections c where collection = $1`
  await db.run({ text: copied, values: [from, to] })
  const grouped = 'update platform_collections set "group" = $2 where "group" = $1'
  await db.run({ text: grouped, values: [from, to] })
  await db.run({ text: 'delete from platform_collections where collection = $1', values: [from] })
  for (const [name, column] of collectionColumns)
    await db.run({ text: `update ${name} set ${column} = $2 where ${column} = $1`, values: [from, to] })
  const allowed = `update platform_relations set one_allowed_collections =
    array_to_string(array_replace(string_to_array(one_allowed_collections, ','), $1::text, $2::text), ',')
    where $1 = any (string_to_array(one_allowed_collections, ','))`
  await db.run({ text: allowed, values: [from, to] })
}

const fieldColumns: readonly (readonly [table: string, collection: string, column: string])[] = [
  ['platform_fields', 'collection', 'field'],
  ['platform_fields', 'collection', '"group"'],
  ['platform_relations', 'many_collection', 'many_field'],
  ['platform_relations', 'one_collection', 'one_field'],
  ['platform_relations', 'many_collection', 'one_collection_field'],
  ['platform_relations', 'many_collection', 'junction_field'],
  ['platform_relations', 'many_collection', 'sort_field'],
  ['platform_collections', 'collection', 'sort_field'],
  ['platform_collections', 'collection', 'archive_field'],
]

type RenamedField = Renamed & { readonly collection: string }

/** `table`: null for a field without a column. Rights on the field follow it. */
export async function renameField(
  db: Runner,
  { collection, from, to }: RenamedField,
  table: { readonly schema: string | null; readonly name: string } | null,
): Promise<void> {
  if (table !== null) {
    const place = table.schema === null ? quoted(table.name) : `${quoted(table.schema)}.${quoted(table.name)}`
    await db.run({ text: `alter table ${place} rename column ${quoted(from)} to ${quoted(to)}`, values: [] })
  }
  for (const [name, owner, column] of fieldColumns) {
    const text = `update ${name} set ${column} = $3 where ${owner} = $1 and ${column} = $2`
    await db.run({ text, values: [collection, from, to] })
  }
  for (const [name, column] of [
    ['platform_permissions', 'fields'],
    ['platform_role_levels', 'read_field_blacklist'],
    ['platform_role_levels', 'write_field_blacklist'],
  ]) {
    const text = `update ${name} set ${column} = array_to_string(array_replace(string_to_array(${column}, ','), $2::text, $3::text), ',')
      where collection = $1 and $2 = any (string_to_array(${column}, ','))`
    await db.run({ text, values: [collection, from, to] })
  }
}
