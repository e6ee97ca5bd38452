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

/** Keys of the rows about fields, by `placeName`; of a field that was dropped behind our back there may be some too. */
export async function fieldRows(
  { db }: Pick<Context, 'db'>,
  places: readonly FieldPlace[],
): Promise<ReadonlyMap<string, readonly Key[]>> {
  if (places.length === 0) return new Map()
  const values = [places.map(({ collection }) => collection), places.map(({ field }) => field)]
  const text = `select id, collection, field from platform_fields
    where (collection, field) in (select * from unnest($1::text[], $2::text[])) order by id`
  const { rows } = await db.run({ text, values })
  const found = Map.groupBy(rows as readonly (FieldPlace & { readonly id: number })[], placeName)
  return new Map([...found].map(([name, all]) => [name, all.map(({ id }) => id)]))
}

/** Takes away what is said about fields. */
export async function removeFieldRows(ctx: Context, places: readonly FieldPlace[]): Promise<void> {
  const rows = await fieldRows(ctx, places)
  await removeRows(ctx, 'platform_fields', [...rows.values()].flat())
}

/** A field or the relation that it holds. */
export type FieldPlace = { readonly collection: string; readonly field: string }

/** Tells places apart. */
export const placeName = ({ collection, field }: FieldPlace): string => JSON.stringify([collection, field])

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
  await removeFieldRows(ctx, [{ collection, field }])
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
