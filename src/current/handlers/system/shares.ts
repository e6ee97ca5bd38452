/** `/shares`: links that give access to one item. */
import { sharesCollection } from '../../../core/guards/guard-shares.ts'
import { loginShare } from '../../../core/shares/share-sessions.ts'
import { inviteToShare, readShareInfo } from '../../../core/shares/shares.ts'
import type { CurrentSharesOperations } from '../../../generated/current.ts'
import type { Handlers } from '../../../http/app/handlers.ts'
import { empty, json } from '../../../http/reply/reply.ts'
import { replyShareTokens } from '../../wire/session-reply.ts'
import { systemHandlers } from '../collection-handlers.ts'

const { readMany, readOne, create, updateMany, updateOne, deleteMany, deleteOne } = systemHandlers(sharesCollection)

export const shares = {
  readShares: readMany,
  readShare: readOne,
  createShares: create,
  updateShares: updateMany,
  updateShare: updateOne,
  deleteShares: deleteMany,
  deleteShare: deleteOne,

  async authenticateShare(ctx, { body }) {
    const { mode = 'json', ...input } = body
    return replyShareTokens(ctx, await loginShare(ctx, input), mode)
  },

  async inviteToShare(ctx, { body }) {
    await inviteToShare(ctx, body)
    return empty()
  },

  async readShareInfo(ctx, { path }) {
    return json({ data: await readShareInfo(ctx, path.id) })
  },
} satisfies Handlers<CurrentSharesOperations>
