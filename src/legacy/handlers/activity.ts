import {
  createActivityComment,
  retractActivityComment,
  updateActivityComment,
} from '../../core/history/activity-comments.ts'
import type { LegacyActivityOperations } from '../../generated/legacy.ts'
import type { Handlers } from '../../http/app/handlers.ts'
import { empty, jsonText } from '../../http/reply/reply.ts'
import { readCollection } from '../model/collection-names.ts'
import { openSystemCollection, visibleScope } from '../wire/collections.ts'
import { collectionNamed } from '../wire/parse-scope.ts'
import { parseAnswer, parseKeyedQuery, parseQuery, type Read } from '../wire/query.ts'
import { answerRead, answerWork } from './answers.ts'
import { systemHandlers } from './collection-handlers.ts'
import { marked, storedItems, withStoredItems } from './recorded-items.ts'

const name = 'platform_activity'

const seen = systemHandlers('platform_activity_seen')

const withMarks = (read: Read): Read => ({ ...read, query: marked(read.query) })

export const activity = {
  async readActivity(ctx, { query, request }) {
    const { visible } = openSystemCollection(ctx, name, 'read')
    const read = withMarks(parseQuery(await withStoredItems(ctx, query), name, visible))
    return jsonText(await answerRead(ctx, read, request))
  },

  async readActivityEntry(ctx, { path, query, request }) {
    const { visible } = openSystemCollection(ctx, name, 'read')
    return jsonText(await answerRead(ctx, withMarks(parseKeyedQuery(query, name, path.id, visible)), request))
  },

  readSeenActivity: seen.readMany,
  readSeenActivityEntry: seen.readOne,

  async createActivityComment(ctx, { query, body, request }) {
    const read = withMarks(parseAnswer(query, name, true, visibleScope(ctx)))
    const { name: collection } = collectionNamed(visibleScope(ctx), readCollection(ctx, body.collection))
    const [item = ''] = await storedItems(ctx, collection, [String(body.item)])
    const comment = { ...body, collection, item }
    return answerWork(ctx, { read, request }, (inner) => createActivityComment(inner, comment))
  },

  async updateActivityComment(ctx, { path, query, body, request }) {
    const read = withMarks(parseAnswer(query, name, true, visibleScope(ctx)))
    return answerWork(ctx, { read, request }, (inner) => updateActivityComment(inner, path.id, body.comment))
  },

  async deleteActivityComment(ctx, { path }) {
    await retractActivityComment(ctx, path.id)
    return empty()
  },
} satisfies Handlers<LegacyActivityOperations>
