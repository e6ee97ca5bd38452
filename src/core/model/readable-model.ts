/**
 * The part of the data model that a caller may see: collections with readable items, as far as it may read the metadata
 * tables.
 */
import { findReadGrant, forbidden, isUnlimited } from '../../authz/grants.ts'
import type { MetadataRow } from '../../domain/model/metadata.ts'
import type { Context, ReadContext } from '../../domain/ports/context.ts'
import { ownFields, rowsOf } from '../../domain/query/rows-of.ts'
import type { Collection, Field, Relation } from '../../domain/schema/schema.ts'
import { readItemRows } from '../rows/read-items.ts'
import type { MetadataTable } from './metadata.ts'

/** The rows and columns of a metadata table that the caller may read. */
export type MetadataWindow = {
  /**
   * Whether the caller may see the subject of the row. Subjects without a row are visible to callers who may read all
   * rows.
   */
  readonly shows: (row: MetadataRow | null) => boolean
  /** The row without the columns that the caller may not read. */
  readonly mask: (row: MetadataRow | null) => MetadataRow | null
}

/** Throws `forbidden` if the caller may not read the table at all. */
export async function openMetadata(ctx: ReadContext, table: MetadataTable): Promise<MetadataWindow> {
  const grant = findReadGrant(ctx.actor, ctx.schema, table)
  if (grant === null) throw forbidden('read', table)
  if (isUnlimited(ctx.actor)) return { shows: () => true, mask: (row) => row }
  const columns = new Set(
    [...grant.fields.values()].filter(({ guard }) => guard === null).map(({ field }) => field.name),
  )
  const mask = (row: MetadataRow | null) =>
    row === null
      ? null
      : Object.fromEntries(Object.entries(row).filter(([name]) => name === 'system' || columns.has(name)))
  if (grant.rows.kind === 'all') return { shows: () => true, mask }
  const key = grant.collection.primaryKey
  const keys = columns.has(key) ? await readableKeys(ctx, table, key) : new Set()
  return { shows: (row) => row !== null && keys.has(row[key]), mask }
}

async function readableKeys(ctx: ReadContext, table: MetadataTable, key: string): Promise<ReadonlySet<unknown>> {
  const rows = await readItemRows(ctx, rowsOf(table, ownFields(key)))
  return new Set(rows.map((row) => row[key]))
}

/** Whether the caller may read items of the collection; for a folder, of any collection in it. */
export function isReadable(ctx: Pick<Context, 'schema' | 'actor'>, collection: Collection): boolean {
  if (isUnlimited(ctx.actor)) return true
  if (collection.table !== null) return findReadGrant(ctx.actor, ctx.schema, collection.name) !== null
  const members = [...ctx.schema.collections.values()].filter((each) => each.meta?.['group'] === collection.name)
  return members.some((each) => each !== collection && isReadable(ctx, each))
}

/** The fields of a collection that the caller may read. */
export function readableFields(ctx: Pick<Context, 'schema' | 'actor'>, collection: Collection): readonly Field[] {
  const all = [...collection.fields.values()]
  if (isUnlimited(ctx.actor)) return all
  const grant = findReadGrant(ctx.actor, ctx.schema, collection.name)
  return grant === null ? [] : all.filter((field) => grant.fields.has(field.name))
}

/** Whether the caller may read both ends of a relation. */
export function isReadableRelation(ctx: Pick<Context, 'schema' | 'actor'>, relation: Relation): boolean {
  if (isUnlimited(ctx.actor)) return true
  const { manyCollection, manyField, oneCollection, oneAllowedCollections } = relation
  const ends = oneCollection === null ? (oneAllowedCollections ?? []) : [oneCollection]
  const reads = (name: string) => findReadGrant(ctx.actor, ctx.schema, name)
  const readsForeignKey = reads(manyCollection)?.fields.has(manyField) === true
  return (
    readsForeignKey &&
    (oneCollection === null ? ends.some((name) => reads(name) !== null) : reads(oneCollection) !== null)
  )
}
