/** Writes the metadata rows of collections, fields and relations, with history. Only changes of the model do so. */

import type { MetadataRow } from '../../domain/model/metadata.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { Key } from '../../domain/query/key.ts'
import { toChanges } from '../../domain/query/mutation.ts'
import { isAdded } from '../../domain/schema/added-fields.ts'
import type { FieldAddress, Schema } from '../../domain/schema/schema.ts'
import {
  deleteAboutCollections,
  findFieldRows,
  findRelationKeysOf,
  forgetField,
  revokeField,
} from '../../sql/statements/metadata.ts'
import { createItems, deleteItems, updateItem, writeItems } from '../items/items.ts'

export type MetadataTable = 'platform_collections' | 'platform_fields' | 'platform_relations'

export async function addRows(ctx: Context, table: MetadataTable, rows: readonly MetadataRow[]): Promise<void> {
  if (rows.length === 0) return
  await createItems(unbounded(ctx), table, rows)
}

/** The batch limit does not apply to the metadata rows of one change. */
const unbounded = (ctx: Context): Context => ({ ...ctx, limits: { ...ctx.limits, batch: null } })

export async function changeRow(ctx: Context, table: MetadataTable, key: Key, row: MetadataRow): Promise<void> {
  await updateItem(ctx, table, key, row)
}

/** Changes several rows, each with its own values. */
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

export async function removeRows(ctx: Context, table: MetadataTable, keys: readonly Key[]): Promise<void> {
  if (keys.length === 0) return
  await deleteItems(unbounded(ctx), table, keys)
}
/** Keys of the metadata rows of fields, by `placeName`. Rows of dropped fields are included. */
export async function fieldRows(
  { db }: Pick<Context, 'db'>,
  fields: readonly FieldAddress[],
): Promise<ReadonlyMap<string, readonly Key[]>> {
  if (fields.length === 0) return new Map()
  const rowsByAddress = Map.groupBy(await findFieldRows(db, fields), addressKey)
  return new Map([...rowsByAddress].map(([name, all]) => [name, all.map(({ id }) => id)]))
}

export async function removeFieldRows(ctx: Context, fields: readonly FieldAddress[]): Promise<void> {
  const rows = await fieldRows(ctx, fields)
  await removeRows(ctx, 'platform_fields', [...rows.values()].flat())
}

export const addressKey = ({ collection, field }: FieldAddress): string => JSON.stringify([collection, field])

/** Removes an alias: its row, its grants and all references to it. */
export async function removeAlias(ctx: Context, collection: string, field: string): Promise<void> {
  await removeFieldRows(ctx, [{ collection, field }])
  await forgetField(ctx.db, { collection, field })
  await revokeField(ctx.db, { collection, field })
}

/** Removes everything that the system stores about collections: relations, grants, history and other references. */
export async function forgetCollections(ctx: Context, names: readonly string[]): Promise<void> {
  for (const table of tablesAbout(ctx.schema)) await deleteAboutCollections(ctx.db, table, names)
  await removeRows(ctx, 'platform_relations', await findRelationKeysOf(ctx.db, names))
}

/** System tables whose rows belong to one collection each. */
const tablesAbout = (schema: Schema): readonly string[] =>
  [...schema.collections.values()]
    .filter(({ system, name, fields }) => {
      const field = fields.get('collection')
      return system && name !== 'platform_collections' && field !== undefined && !isAdded(field)
    })
    .map(({ name }) => name)
