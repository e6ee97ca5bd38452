/** What delivering a file takes of its row, for those who may read it. */
import { authorizeQuery } from '../authz/authorize.ts'
import { findReadGrant } from '../authz/grants.ts'
import type { Context } from '../domain/context.ts'
import { coreView } from '../domain/core-view.ts'
import { and, type Filter } from '../domain/filter.ts'
import { ownFields, rowsOf } from '../domain/rows-of.ts'
import type { Collection } from '../domain/schema.ts'
import { readRowBeside } from '../sql/read.ts'
import { keyFilter, notFound } from './keys.ts'

const files = 'platform_files'

/** Columns of a file, under the names that they have. */
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

/** What the project allows of transforms, as it is stored. */
const transforming = ['storage_asset_transform', 'storage_asset_presets'].map(
  (column) => `(select ${column} from platform_settings order by id limit 1)`,
)

/** One file as it is stored, and what the project allows to be made of it. */
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
  readonly transforming: readonly (string | null)[]
}

/** Settings whose files everybody sees: they are shown before anybody has logged in. */
const publicSettings = ['project_logo', 'public_foreground', 'public_background', 'public_favicon'] as const

/** The file, or `item-not-found` for missing and invisible alike. Row rules decide, rights to single fields do not. */
export async function readFileRow(ctx: Context, id: string): Promise<FileRow> {
  const collection = ctx.schema.collections.get(files)
  if (collection === undefined) throw notFound(files)
  const key = keyFilter(collection, id)
  if (key.kind === 'none') throw notFound(files)
  const grant = findReadGrant(ctx.actor, ctx.schema, files)
  const found = grant === null ? null : await readRow(ctx, collection, and(grant.rows, key))
  if (found !== null) return found
  if (!(await isPublic(ctx, id))) throw notFound(files)
  const open = await readRow(ctx, collection, key)
  if (open === null) throw notFound(files)
  return open
}

/** Our own look, with the caller's values in the rule. */
async function readRow(ctx: Context, collection: Collection, rows: Filter): Promise<FileRow | null> {
  const own = { ...ctx, view: coreView(ctx.schema) }
  const query = rowsOf(collection.name, ownFields(...columns), { limit: 1 })
  const authorized = authorizeQuery({ ...own, actor: { kind: 'system' } }, query, rows)
  const found = await readRowBeside(own, authorized, transforming)
  return found === null ? null : { ...(found.row as Omit<FileRow, 'transforming'>), transforming: found.beside }
}

async function isPublic({ db }: Context, id: string): Promise<boolean> {
  const any = publicSettings.map((column) => `${column} = $1::uuid`).join(' or ')
  const text = `select 1 from platform_settings where ${any} limit 1`
  return (await db.run({ text, values: [id], name: 'is-public-file' })).count > 0
}
