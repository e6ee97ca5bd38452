/** `/utils`: small tools. */
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

  async revertItem(ctx, { path }) {
    await revertItem(ctx, path.revision)
    return empty()
  },
} satisfies Handlers<CurrentUtilsOperations>
