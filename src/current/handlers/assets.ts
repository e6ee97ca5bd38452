/** `/assets`: the contents of files. */
import { type Archive, archiveFiles, archiveFolder } from '../../core/assets/archive.ts'
import { readAsset } from '../../core/assets/assets.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { CurrentAssetsOperations } from '../../generated/current.ts'
import type { HandlerInput, Handlers } from '../../http/app/handlers.ts'
import { type FileReply, fileReply } from '../../http/reply/file-reply.ts'
import { attachment, pieces } from '../../http/reply/reply.ts'
import { isSet, parseAssetOptions } from '../wire/asset-query.ts'

export const assets = {
  readAsset: (ctx, input) => deliver(ctx, input, null),
  readNamedAsset: (ctx, input) => deliver(ctx, input, input.path.filename),
  downloadFilesZip: async (ctx, { body }) => sendArchive(await archiveFiles(ctx, body.ids)),
  downloadFolderZip: async (ctx, { path }) => sendArchive(await archiveFolder(ctx, path.id)),
} satisfies Handlers<CurrentAssetsOperations>

const sendArchive = ({ filename, produce }: Archive) => attachment(pieces('application/zip', produce), filename)

type Input = HandlerInput<CurrentAssetsOperations['readAsset']['input']>

async function deliver(ctx: Context, { path, query, request }: Input, name: string | null): Promise<FileReply> {
  const asset = await readAsset(ctx, path.id, parseAssetOptions(query, request))
  const isPublic = ctx.actor.kind === 'public'
  const file = { ...asset, filename: name ?? asset.filename }
  return fileReply(request, file, { download: isSet(query.download), isPublic, caching: ctx.assets })
}
