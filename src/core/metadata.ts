/** The rows about collections, fields and relations: written like items, with history, but only by changes of the model. */
import type { Context } from '../domain/context.ts'
import type { MetadataRow } from '../domain/metadata.ts'
import type { Changes, Key } from '../domain/mutation.ts'
import type { Schema } from '../domain/schema.ts'
import { writeItems } from './items.ts'
import { isAdded } from './schema-change.ts'

export type MetadataTable = 'platform_collections' | 'platform_fields' | 'platform_relations'

/** Adds rows. */
export async function addRows(ctx: Context, table: MetadataTable, rows: readonly MetadataRow[]): Promise<void> {
  if (rows.length === 0) return
  await writeItems(unbounded(ctx), { kind: 'create', collection: table, items: rows.map(toChanges) })
}

/** A change of the model is one change, however many rows tell of it. */
const unbounded = (ctx: Context): Context => ({ ...ctx, limits: { ...ctx.limits, batch: null } })

/** Changes one row. */
export async function changeRow(ctx: Context, table: MetadataTable, key: Key, row: MetadataRow): Promise<void> {
  const target = { kind: 'keys', keys: [key] } as const
  await writeItems(ctx, { kind: 'update', collection: table, target, changes: toChanges(row) })
}

/** Changes several rows, each in its own way. */
export async function changeRows(
  ctx: Context,
  table: MetadataTable,
  rows: readonly { readonly key: Key; readonly row: MetadataRow }[],
): Promise<void> {
  const items = rows
    .filter(({ row }) => Object.keys(row).length > 0)
    .map(({ key, row }) => ({ key, changes: toChanges(row) }))
  if (items.length > 0) await writeItems(unbounded(ctx), { kind: 'update-each', collection: table, items })
}

/** Takes rows away. */
export async function removeRows(ctx: Context, table: MetadataTable, keys: readonly Key[]): Promise<void> {
  if (keys.length === 0) return
  await writeItems(unbounded(ctx), { kind: 'delete', collection: table, target: { kind: 'keys', keys } })
}

const toChanges = (row: MetadataRow): Changes =>
  new Map(Object.entries(row).map(([name, value]) => [name, { kind: 'value', value: value as string }]))

/** Keys of rows as the table has them now, whether or not the schema could make sense of them. */
export async function keysWhere(
  ctx: Context,
  table: MetadataTable,
  where: { readonly [column: string]: string },
): Promise<readonly Key[]> {
  const key = table === 'platform_collections' ? 'collection' : 'id'
  const conditions = Object.keys(where).map((column, index) => `"${column}" = $${index + 1}`)
  const text = `select "${key}" as key from ${table} where ${conditions.join(' and ')} order by "${key}"`
  const { rows } = await ctx.db.run({ text, values: Object.values(where) })
  return (rows as readonly { readonly key: Key }[]).map((row) => row.key)
}

/** Takes back every grant on a field: its name in lists, its presets. A list that held nothing else goes. */
export async function revokeField(ctx: Pick<Context, 'db'>, collection: string, field: string): Promise<void> {
  const values = [collection, field]
  for (const text of revokeTexts) await ctx.db.run({ text, values })
}

const listed = `collection = $1 and $2 = any (string_to_array(fields, ','))`

const revokeTexts = [
  `delete from platform_permissions where collection = $1 and fields = $2 and action <> 'delete'`,
  `update platform_permissions set fields = array_to_string(array_remove(string_to_array(fields, ','), $2::text), ',')
    where ${listed}`,
  `update platform_permissions set presets = (presets::jsonb - $2::text)::json
    where collection = $1 and json_typeof(presets) = 'object' and presets::jsonb ? $2::text`,
]

/** Clears what named a field that is gone: sort and archive of its collection, parts of relations, groups of fields. */
export async function forgetField(ctx: Pick<Context, 'db'>, collection: string, field: string): Promise<void> {
  const values = [collection, field]
  for (const text of forgetTexts) await ctx.db.run({ text, values })
}

const forgetTexts = [
  'update platform_collections set sort_field = null where collection = $1 and sort_field = $2',
  'update platform_collections set archive_field = null where collection = $1 and archive_field = $2',
  'update platform_relations set sort_field = null where many_collection = $1 and sort_field = $2',
  'update platform_relations set junction_field = null where many_collection = $1 and junction_field = $2',
  'update platform_fields set "group" = null where collection = $1 and "group" = $2',
]

/** Takes an alias away: its row, the grants on it, whatever named it. */
export async function removeAlias(ctx: Context, collection: string, field: string): Promise<void> {
  await removeRows(ctx, 'platform_fields', await keysWhere(ctx, 'platform_fields', { collection, field }))
  await forgetField(ctx, collection, field)
  await revokeField(ctx, collection, field)
}

/** Removes what the system keeps about collections: their relations, grants, history, whatever else names them. */
export async function forgetCollections(ctx: Context, names: readonly string[]): Promise<void> {
  const values = [names]
  for (const table of tablesAbout(ctx.schema)) {
    await ctx.db.run({ text: `delete from ${table} where collection = any ($1)`, values })
  }
  const text = 'select id from platform_relations where many_collection = any ($1) or one_collection = any ($1)'
  const { rows } = await ctx.db.run({ text, values })
  const keys = (rows as readonly { readonly id: Key }[]).map(({ id }) => id)
  await removeRows(ctx, 'platform_relations', keys)
}

/** System tables whose rows each belong to one collection. */
const tablesAbout = (schema: Schema): readonly string[] =>
  [...schema.collections.values()]
    .filter(({ system, name, fields }) => {
      const field = fields.get('collection')
      return system && name !== 'platform_collections' && field !== undefined && !isAdded(field)
    })
    .map(({ name }) => name)
