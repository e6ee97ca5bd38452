/** Activity and comments. */
import {
  createActivityComment,
  retractActivityComment,
  updateActivityComment,
} from '../../core/history/activity-comments.ts'
import type { LegacyActivityOperations } from '../../generated/legacy.ts'
import type { Handlers } from '../../http/app/handlers.ts'
import { empty } from '../../http/reply/reply.ts'
import { visiblePlace } from '../wire/collections.ts'
import { parseAnswer } from '../wire/query.ts'
import { answerWork } from './answers.ts'
import { systemHandlers } from './collection-handlers.ts'

const name = 'platform_activity'
const { readMany, readOne } = systemHandlers(name)

export const activity = {
  readActivity: readMany,
  readActivityEntry: readOne,

  async createActivityComment(ctx, { query, body, request }) {
    const read = parseAnswer(query, name, true, visiblePlace(ctx))
    const comment = { ...body, item: String(body.item) }
    return answerWork(ctx, { read, request }, (inner) => createActivityComment(inner, comment))
  },

  async updateActivityComment(ctx, { path, query, body, request }) {
    const read = parseAnswer(query, name, true, visiblePlace(ctx))
    return answerWork(ctx, { read, request }, (inner) => updateActivityComment(inner, path.id, body.comment))
  },

  async deleteActivityComment(ctx, { path }) {
    await retractActivityComment(ctx, path.id)
    return empty()
  },
} satisfies Handlers<LegacyActivityOperations>
