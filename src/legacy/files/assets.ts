/** Finds files by the names used in this generation's URLs. */
import { findReadGrant, forbidden } from '../../authz/grants.ts'
import { type AssetOptions, readAssetRules } from '../../core/assets/asset-options.ts'
import { readAsset } from '../../core/assets/assets.ts'
import { fileIdOf, findFileId, findReadable } from '../../core/files/file-names.ts'
import { readFileRules } from '../../core/guards/file-settings.ts'
import { filesCollection } from '../../core/guards/guard-files.ts'
import type { Context } from '../../domain/ports/context.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { type FileReply, fileReply } from '../../http/reply/file-reply.ts'
import type { HttpRequest } from '../../http/request/request.ts'
import { type SizeParameters, toAssetOptions } from './sizes.ts'

/** The file unchanged. */
const asItIs: AssetOptions = { key: null, own: {}, accept: '' }

type AssetRequest = { readonly hash: string; readonly requested: SizeParameters; readonly request: HttpRequest }

/** Reads for everybody, where the server is set so. */
const readerOf = (ctx: Context, isOpen: boolean): Context => (isOpen ? { ...ctx, actor: { kind: 'system' } } : ctx)

/**
 * Reads a file by its private hash, or, if the project is set so, by its download name (for callers who may read it, or
 * for everybody if the server is set so), or by its id.
 */
export async function readByHash(ctx: Context, { hash, requested, request }: AssetRequest): Promise<FileReply> {
  const byHash = await findFileId(ctx, 'hash', hash)
  const byName = byHash === null ? await findByName(readerOf(ctx, ctx.assets.openByName), hash) : null
  const isOpen = (byHash !== null && ctx.assets.openByHash) || (byName !== null && ctx.assets.openByName)
  const sized = toAssetOptions(requested, await readAssetRules(ctx), ctx.images.limits.maxOutputDimension)
  // A hash gives access to one file; other files that a preset uses need the caller's permission.
  const assetOptions = { ...sized, inputsFor: ctx.actor }
  return deliver(readerOf(ctx, isOpen), () => byHash ?? byName ?? hash, {
    options: assetOptions,
    request,
    isPublic: isOpen || ctx.actor.kind === 'public',
  })
}

async function findByName(ctx: Context, name: string): Promise<string | null> {
  const { addresses } = await readFileRules(ctx)
  return addresses === 'filename_download' ? findReadable(ctx, name) : null
}

/** Reads an original by its name on disk, for callers who may read it, or for everybody if the server is set so. */
export function readByName(
  ctx: Context,
  { name, request }: { readonly name: string; readonly request: HttpRequest },
): Promise<FileReply> {
  const { openByName } = ctx.assets
  const isPublic = openByName || ctx.actor.kind === 'public'
  return deliver(readerOf(ctx, openByName), () => fileIdOf(ctx, 'disk', name), { options: asItIs, request, isPublic })
}

type Delivery = { readonly options: AssetOptions; readonly request: HttpRequest; readonly isPublic: boolean }

async function deliver(ctx: Context, find: () => string | Promise<string>, { options, request, isPublic }: Delivery) {
  try {
    const readable = await readAsset(ctx, await find(), options)
    // The stored contents of a video are its preview image.
    const asset = readable.type.startsWith('embed/') ? { ...readable, type: 'image/jpeg' } : readable
    return fileReply(request, asset, { download: false, isPublic, caching: ctx.assets })
  } catch (error) {
    throw toRefusal(ctx, error)
  }
}

/** A caller who may read no file at all is refused, whether or not this one exists. */
function toRefusal(ctx: Pick<Context, 'schema' | 'actor'>, error: unknown): unknown {
  const isMissing = error instanceof TandemError && error.failures[0].kind === 'item-not-found'
  return isMissing && findReadGrant(ctx.actor, ctx.schema, filesCollection) === null
    ? forbidden('read', filesCollection)
    : error
}
