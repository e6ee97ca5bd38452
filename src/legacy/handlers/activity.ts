import {
  createActivityComment,
  retractActivityComment,
  updateActivityComment,
} from '../../core/history/activity-comments.ts'
import type { Context, ReadContext } from '../../domain/ports/context.ts'
import type { LegacyActivityOperations } from '../../generated/legacy.ts'
import type { Handlers } from '../../http/app/handlers.ts'
import { empty, jsonText } from '../../http/reply/reply.ts'
import type { HttpRequest } from '../../http/request/request.ts'
import { storedCollection } from '../model/collection-names.ts'
import { openSystemCollection, visiblePlace } from '../wire/collections.ts'
import { collectionNamed } from '../wire/parse-scope.ts'
import { parseAnswer, parseKeyedQuery, parseQuery, type Read } from '../wire/query.ts'
import { answerRows, answerWork } from './answers.ts'
import { systemHandlers } from './collection-handlers.ts'
import { readRecorded, storedItems, unmarked, withStoredItems } from './recorded-items.ts'

const name = 'platform_activity'

const seen = systemHandlers('platform_activity_seen')

async function answerEntries(ctx: ReadContext & Pick<Context, 'project'>, read: Read, request: HttpRequest) {
  const { rows, found } = await readRecorded(ctx, read.query)
  const shown = { ...found, pieces: [JSON.stringify(rows.map(unmarked))] }
  return jsonText(await answerRows(ctx, { read, rows: shown }, request))
}

export const activity = {
  async readActivity(ctx, { query, request }) {
    const { visible } = openSystemCollection(ctx, name, 'read')
    return answerEntries(ctx, parseQuery(await withStoredItems(ctx, query), name, visible), request)
  },

  async readActivityEntry(ctx, { path, query, request }) {
    const { visible } = openSystemCollection(ctx, name, 'read')
    return answerEntries(ctx, parseKeyedQuery(query, name, path.id, visible), request)
  },

  readSeenActivity: seen.readMany,
  readSeenActivityEntry: seen.readOne,

  async createActivityComment(ctx, { query, body, request }) {
    const read = parseAnswer(query, name, true, visiblePlace(ctx))
    const { name: collection } = collectionNamed(visiblePlace(ctx), storedCollection(ctx.schema, body.collection))
    const [item = ''] = await storedItems(ctx, collection, [String(body.item)])
    const comment = { ...body, collection, item }
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
