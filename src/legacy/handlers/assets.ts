/** Contents of files. */
import type { LegacyAssetsOperations } from '../../generated/legacy.ts'
import type { Handlers } from '../../http/app/handlers.ts'
import { readByHash, readByName } from '../files/assets.ts'

export const assets = {
  readAsset: (ctx, { path, query, request }) => readByHash(ctx, { hash: path.hash, requested: query, request }),
  readOriginal: (ctx, { path, request }) => readByName(ctx, { name: path.filename, request }),
} satisfies Handlers<LegacyAssetsOperations>
