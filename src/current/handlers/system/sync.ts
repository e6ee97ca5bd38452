/** `/directus-extension-sync`: what the tool `directus-sync` asks of its extension on the server. */
import { createSyncKey, readSyncKey, readSyncKeys, removeSyncKey } from '../../../core/configuration/sync-keys.ts'
import type { CurrentSyncOperations } from '../../../generated/current.ts'
import type { Handlers } from '../../../http/app/handlers.ts'
import { empty, json } from '../../../http/reply/reply.ts'

export const sync = {
  async readSyncKeys(ctx, { path }) {
    return json(await readSyncKeys(ctx, path.table))
  },

  async createSyncKey(ctx, { path, body }) {
    const named = { table: path.table, local: String(body.local_id), sync: body.sync_id ?? undefined }
    return json({ sync_id: await createSyncKey(ctx, named) }, 200)
  },

  async readSyncKey(ctx, { path }) {
    return json(await readSyncKey(ctx, path))
  },

  async deleteSyncKey(ctx, { path }) {
    await removeSyncKey(ctx, path)
    return empty()
  },
} satisfies Handlers<CurrentSyncOperations>
