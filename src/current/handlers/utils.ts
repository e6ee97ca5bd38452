/** `/utils`: small tools. */
import { clearCaches } from '../../core/clear-caches.ts'
import { revertItem } from '../../core/revisions.ts'
import { hashText, matchHash, ownUser } from '../../core/users.ts'
import type { CurrentUtilsOperations } from '../../generated/current.ts'
import type { Handlers } from '../../http/handlers.ts'
import { empty, json } from '../../http/reply.ts'

export const utils = {
  async createRandomString(ctx, { query }) {
    ownUser(ctx)
    return json({ data: ctx.ids.token(query.length ?? 32) })
  },

  async hashString(ctx, { body }) {
    return json({ data: await hashText(ctx, body.string) })
  },

  async matchHash(ctx, { body }) {
    return json({ data: await matchHash(ctx, body.string, body.hash) })
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
