/** `/utils`: small tools. */
import { clearCaches } from '../../core/clear-caches.ts'
import { revertItem } from '../../core/revisions.ts'
import { sortItems } from '../../core/sort-items.ts'
import { hashText, matchHash, ownUser } from '../../core/users.ts'
import type { CurrentUtilsOperations } from '../../generated/current.ts'
import type { Handlers } from '../../http/handlers.ts'
import { empty, json } from '../../http/reply.ts'
import { openCollection } from '../collections.ts'
import { importFile } from '../import.ts'

export const utils = {
  async createRandomString(ctx, { query }) {
    ownUser(ctx)
    return json({ data: ctx.ids.token(query.length ?? 32) })
  },

  async hashString(ctx, { body }) {
    return json({ data: await hashText(ctx, body.string) }, 200)
  },

  async matchHash(ctx, { body }) {
    return json({ data: await matchHash(ctx, body.string, body.hash) }, 200)
  },

  async importItems(ctx, { path, request }) {
    const opened = openCollection(ctx, path.collection, 'update')
    openCollection(ctx, path.collection, 'create')
    await importFile(ctx, request.parts(), opened)
    return empty(200)
  },

  async sortItems(ctx, { path, body }) {
    const { collection } = openCollection(ctx, path.collection, 'update')
    await sortItems(ctx, collection, body.item, body.to)
    return empty(200)
  },

  async clearCache(ctx, { query }) {
    await clearCaches(ctx, { system: query.system !== undefined && query.system !== 'false' })
    return empty(200)
  },

  async revertItem(ctx, { path }) {
    await revertItem(ctx, path.revision)
    return empty()
  },
} satisfies Handlers<CurrentUtilsOperations>
