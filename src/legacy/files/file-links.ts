/** Adds `data` to files wherever rows contain them: the database returns the facts, this builds the project's URLs. */

import { findReadGrant } from '../../authz/grants.ts'
import { type AssetPresets, readAssetRules } from '../../core/assets/asset-options.ts'
import { readFileRules } from '../../core/guards/file-settings.ts'
import { filesCollection } from '../../core/guards/guard-files.ts'
import { showNames } from '../../domain/model/system-spelling.ts'
import type { Context, ReadContext } from '../../domain/ports/context.ts'
import { toRows } from '../../domain/ports/row-store.ts'
import { fileFactsMark } from '../../domain/schema/view.ts'
import type { HttpRequest } from '../../http/request/request.ts'
import { type LinkParts, pickParts, takeParts } from '../wire/link-parts.ts'
import { findField, relatedCollection } from '../wire/parse-scope.ts'
import type { Rows } from '../wire/serialize.ts'
import { videoOf } from './embeds.ts'
import { sizesOf } from './sizes.ts'

/** The output of the codec `file-facts`. */
type Facts = {
  readonly [fileFactsMark]: string
  readonly filename_disk: string | null
  readonly filename_download: string | null
  readonly private_hash: string | null
  readonly type: string | null
  readonly embed: string | null
}

type Target = {
  readonly project: string
  readonly request: Pick<HttpRequest, 'base' | 'origin'>
  readonly sizes: AssetPresets
  /** The property used in URLs of the contents, if the caller may read it; null uses the id. */
  readonly name: 'private_hash' | 'filename_download' | null
  readonly mayRead: (field: keyof Facts) => boolean
}

type Linking = {
  readonly collection: string
  readonly request: Pick<HttpRequest, 'base' | 'origin'>
  /** Names of fields by their keys in the rows, where keys can be chosen; absent = keys are names. */
  readonly keys?: LinkParts | undefined
}

/** Replaces facts by URLs in the rows. Rows without files are returned unparsed. */
export async function withFileLinks(
  ctx: ReadContext & Pick<Context, 'project'>,
  rows: Rows,
  { collection, request, keys }: Linking,
): Promise<Rows> {
  if (!rows.pieces.some((piece) => piece.includes(`"${fileFactsMark}"`))) return rows
  const grant = findReadGrant(ctx.actor, ctx.schema, filesCollection)
  const mayRead = (field: string): boolean => grant?.fields.get(field)?.guard === null
  const { addresses } = await readFileRules(ctx)
  const name = mayRead(addresses) ? addresses : null
  const stored = [...sizesOf(await readAssetRules(ctx))]
  const sizes = new Map(stored.map(([key, size]) => [showNames(key, ctx.view.systemPrefix), size]))
  const target: Target = { project: ctx.project, request, sizes, name, mayRead }
  return { ...rows, pieces: [JSON.stringify(linkRows(ctx, toRows(rows), { collection, target, keys }))] }
}

type LinkScope = Pick<Linking, 'collection' | 'keys'> & { readonly target: Target }

/** Visits one row or a list of rows; ignores anything else. */
function linkRows(ctx: Pick<Context, 'schema' | 'view' | 'limits'>, value: unknown, scope: LinkScope): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => linkRows(ctx, each, scope))
  if (typeof value !== 'object' || value === null) return value
  const { row, parts } = takeParts(value)
  const own = { ...scope, parts }
  return Object.fromEntries(Object.entries(row).map(([name, each]) => [name, linkField(ctx, name, each, own)]))
}

function linkField(
  ctx: Pick<Context, 'schema' | 'view' | 'limits'>,
  key: string,
  value: unknown,
  walk: LinkScope & { parts: LinkParts | null },
): unknown {
  if (typeof value !== 'object' || value === null) return value
  const wanted = walk.keys?.find((each) => each.key === key)
  const name = wanted?.name ?? key
  const named = findField(ctx, walk.collection, name)
  if (named === null) return value
  if (named.view.codec.kind === 'file-facts') {
    return pickParts(toLinks(value as Facts, walk.target), wanted?.fields ?? walk.parts ?? [])
  }
  const related = relatedCollection(ctx, named.field)
  return related === null ? value : linkRows(ctx, value, { ...walk, collection: related, keys: wanted?.fields })
}

/** Facts that the caller may not read are omitted here too. */
function toLinks(all: Facts, { project, request: { base, origin }, sizes, name, mayRead }: Target) {
  const message = (field: Exclude<keyof Facts, typeof fileFactsMark>) => (mayRead(field) ? all[field] : null)
  const [disk, type] = [message('filename_disk'), message('type')]
  const url = disk === null ? null : `/uploads/${project}/originals/${encodeURIComponent(disk)}`
  const own = name === null ? null : all[name]
  const asset = `/${project}/assets/${encodeURIComponent(own ?? all[fileFactsMark])}`
  const isPicture = type?.startsWith('image/') === true && type !== 'image/svg+xml'
  return {
    url: url === null ? null : `${base}${url}`,
    full_url: url === null ? null : `${origin}${url}`,
    asset_url: `${base}${asset}`,
    thumbnails: isPicture ? [...sizes].flatMap(([key, each]) => toThumbnail(key, each, { asset, base, origin })) : null,
    embed: videoOf(type, message('embed')),
  }
}

function toThumbnail(
  key: string,
  { width, height }: { readonly width?: number; readonly height?: number },
  { asset, base, origin }: { readonly asset: string; readonly base: string; readonly origin: string },
) {
  if (width === undefined || height === undefined) return []
  const relative = `${asset}?key=${encodeURIComponent(key)}`
  const dimension = `${width}x${height}`
  return [{ key, url: `${origin}${relative}`, relative_url: `${base}${relative}`, dimension, width, height }]
}
