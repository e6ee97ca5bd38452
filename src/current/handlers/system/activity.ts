/** `/activity`: recorded actions, and comments in the form of older clients. */
import {
  createActivityComment,
  deleteActivityComment,
  updateActivityComment,
} from '../../../core/history/activity-comments.ts'
import { revertActivity } from '../../../core/history/revert-activity.ts'
import type { CurrentActivityOperations } from '../../../generated/current.ts'
import type { Handlers } from '../../../http/app/handlers.ts'
import { empty } from '../../../http/reply/reply.ts'
import { openForWork } from '../../wire/collections.ts'
import { systemHandlers } from '../collection-handlers.ts'
import { answerWritten } from '../written-answers.ts'

const name = 'platform_activity'

const { readMany, readOne } = systemHandlers(name)

export const activity = {
  readActivities: readMany,
  readActivity: readOne,

  async createActivityComment(ctx, { query, body }) {
    const opened = openForWork(ctx, name)
    return answerWritten(ctx, { opened, query, shape: 'one' }, () => createActivityComment(ctx, body))
  },

  async updateActivityComment(ctx, { path, query, body }) {
    const opened = openForWork(ctx, name)
    return answerWritten(ctx, { opened, query, shape: 'one' }, () => updateActivityComment(ctx, path.id, body.comment))
  },

  async deleteActivityComment(ctx, { path }) {
    await deleteActivityComment(ctx, path.id)
    return empty()
  },

  async revertActivity(ctx, { body }) {
    await revertActivity(ctx, body.activity)
    return empty()
  },
} satisfies Handlers<CurrentActivityOperations>
