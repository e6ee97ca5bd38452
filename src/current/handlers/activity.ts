/** `/activity`: what was done, and by whom; and comments as older clients write them. */
import { createActivityComment, deleteActivityComment, updateActivityComment } from '../../core/activity-comments.ts'
import type { Context } from '../../domain/context.ts'
import type { CurrentActivityOperations } from '../../generated/current.ts'
import type { Handlers } from '../../http/handlers.ts'
import { empty } from '../../http/reply.ts'
import { answerWritten, systemHandlers } from '../collection-handlers.ts'
import { openSystemCollection, visiblePlace } from '../collections.ts'

const name = 'platform_activity'

const { readMany, readOne } = systemHandlers(name)

export const activity = {
  readActivities: readMany,
  readActivity: readOne,

  async createActivityComment(ctx, { query, body }) {
    const opened = { ...openSystemCollection(ctx, 'platform_comments', 'create'), ...entries(ctx) }
    return answerWritten(ctx, { opened, query, shape: 'one' }, () => createActivityComment(ctx, body))
  },

  async updateActivityComment(ctx, { path, query, body }) {
    const opened = openSystemCollection(ctx, name, 'update')
    return answerWritten(ctx, { opened, query, shape: 'one' }, () => updateActivityComment(ctx, path.id, body.comment))
  },

  async deleteActivityComment(ctx, { path }) {
    openSystemCollection(ctx, name, 'delete')
    await deleteActivityComment(ctx, path.id)
    return empty()
  },
} satisfies Handlers<CurrentActivityOperations>

/** What is shown of an entry, whoever may write it. */
function entries(ctx: Context) {
  const visible = visiblePlace(ctx)
  const collection = visible.view.byCore.has(name) ? ctx.schema.collections.get(name) : undefined
  return collection === undefined ? { readable: null } : { collection, readable: visible }
}
