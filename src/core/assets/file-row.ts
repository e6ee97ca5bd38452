/** Reads the row of a file to deliver, under the caller's permissions. */

import { authorizeQuery } from '../../authz/authorize.ts'
import { findReadGrant } from '../../authz/grants.ts'
import type { ReadContext } from '../../domain/ports/context.ts'
import { and, type Filter } from '../../domain/query/filter.ts'
import { ownFields, rowsOf } from '../../domain/query/rows-of.ts'
import { coreView } from '../../domain/schema/core-view.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import { isPublicFile, type TransformSettings, transformsBeside } from '../../sql/statements/settings.ts'
import { keyFilter, notFound, systemCollection } from '../rows/keys.ts'

const files = 'platform_files'

const columns = [
  'id',
  'storage',
  'filename_disk',
  'filename_download',
  'type',
  'modified_on',
  'uploaded_on',
  'focal_point_x',
  'focal_point_y',
] as const

/** A stored file and the asset settings of the project. */
export type FileRow = {
  readonly id: string
  readonly storage: string
  readonly filename_disk: string | null
  readonly filename_download: string
  readonly type: string | null
  readonly modified_on: string
  readonly uploaded_on: string | null
  readonly focal_point_x: number | null
  readonly focal_point_y: number | null
  /** `storage_asset_transform` and the JSON of `storage_asset_presets`. */
  readonly transforming: TransformSettings
}

/**
 * The file. Throws `item-not-found` for missing and invisible files. Row filters apply, permissions on single fields do
 * not.
 */
export async function readFileRow(ctx: ReadContext, id: string): Promise<FileRow> {
  const collection = systemCollection(ctx, files)
  const key = keyFilter(collection, id)
  if (key.kind === 'none') throw notFound(files)
  const grant = findReadGrant(ctx.actor, ctx.schema, files)
  const row = grant === null ? null : await readRow(ctx, collection, and(grant.rows, key))
  if (row !== null) return row
  if (!(await isPublicFile(ctx.db, id))) throw notFound(files)
  const open = await readRow(ctx, collection, key)
  if (open === null) throw notFound(files)
  return open
}

/** Reads the row without field rules, with the row rules of the caller. */
async function readRow(ctx: ReadContext, collection: Collection, rows: Filter): Promise<FileRow | null> {
  const own = { ...ctx, view: coreView(ctx.schema) }
  const query = rowsOf(collection.name, ownFields(...columns), { limit: 1 })
  const authorized = authorizeQuery({ ...own, actor: { kind: 'system' } }, query, rows)
  const fileRow = await own.rows.readBeside(own, authorized, transformsBeside)
  return fileRow === null ? null : { ...(fileRow.row as Omit<FileRow, 'transforming'>), transforming: fileRow.beside }
}
