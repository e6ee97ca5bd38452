/** Renames tables and columns, and what the system tables say about them. */
import type { Database } from '../../domain/ports/context.ts'
import { quoteName } from '../dialects/quoting.ts'

type Runner = Pick<Database, 'run'>

/** Of a table. */
type TableName = { readonly schema: string | null; readonly name: string }

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

/**
 * What the system tables say about the collection. `table`: null for a folder, and where only that is changed. Where a
 * change of tables ends the transaction, the system tables are changed within it and the table comes last.
 */
export async function renameCollection(db: Runner, { from, to }: Renamed, table: TableName | null): Promise<void> {
  // The name is a key to which members of a folder refer.
  const { rows } = await db.run({
    text: 'select collection from platform_collections where "group" = $1',
    values: [from],
  })
  const members = (rows as readonly { readonly collection: string }[]).map(({ collection }) => collection)
  await db.run({ text: 'update platform_collections set "group" = null where "group" = $1', values: [from] })
  await db.run({ text: 'update platform_collections set collection = $2 where collection = $1', values: [from, to] })
  const grouped = 'update platform_collections set "group" = $2 where collection = any ($1)'
  await db.run({ text: grouped, values: [members, to] })
  for (const [name, column] of collectionColumns)
    await db.run({ text: `update ${name} set ${column} = $2 where ${column} = $1`, values: [from, to] })
  await db.run({ ...replaceInList('platform_relations', 'one_allowed_collections'), values: [from, to] })
  if (table !== null) await db.run({ text: `alter table ${quotedTable(table)} rename to ${quoteName(to)}`, values: [] })
}

const quotedTable = ({ schema, name }: TableName): string =>
  schema === null ? quoteName(name) : `${quoteName(schema)}.${quoteName(name)}`

/** Replaces the name $1 by $2 in lists of names with commas. */
const replaceInList = (table: string, column: string, condition = '') => ({
  text: `update ${table} set ${column} = array_to_string(array_replace(string_to_array(${column}, ','), $1::text, $2::text), ',')
  where $1 = any (string_to_array(${column}, ','))${condition}`,
  texts: {
    mysql: `update ${table} set ${column} = trim(both ',' from replace(replace(
    concat(',', replace(${column}, ',', ',,'), ','), concat(',', $1, ','), concat(',', $2, ',')), ',,', ','))
  where find_in_set($1, ${column}) > 0${condition}`,
  },
})

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

/** Lists of names of fields, with commas. */
const fieldLists = [
  ['platform_permissions', 'fields'],
  ['platform_role_levels', 'read_field_blacklist'],
  ['platform_role_levels', 'write_field_blacklist'],
] as const

/** `table`: null for a field without a column. Rights on the field follow it. */
export async function renameField(
  db: Runner,
  { collection, from, to }: Renamed & { readonly collection: string },
  table: TableName | null,
): Promise<void> {
  for (const [name, owner, column] of fieldColumns) {
    const text = `update ${name} set ${column} = $3 where ${owner} = $1 and ${column} = $2`
    await db.run({ text, values: [collection, from, to] })
  }
  for (const [name, column] of fieldLists)
    await db.run({ ...replaceInList(name, column, ' and collection = $3'), values: [from, to, collection] })
  if (table === null) return
  const key = quotedTable(table)
  await db.run({ text: `alter table ${key} rename column ${quoteName(from)} to ${quoteName(to)}`, values: [] })
}
