import type { LegacyRevisionsOperations } from '../../generated/legacy.ts'
import type { Handlers } from '../../http/app/handlers.ts'
import { jsonText } from '../../http/reply/reply.ts'
import { openSystemCollection } from '../wire/collections.ts'
import { parseKeyedQuery, parseQuery } from '../wire/query.ts'
import { answerRows } from './answers.ts'
import { withStoredItems } from './recorded-items.ts'
import { readAllRevisions } from './revisions.ts'

const name = 'platform_revisions'

export const revisions = {
  async readRevisions(ctx, { query, request }) {
    const { visible } = openSystemCollection(ctx, name, 'read')
    const read = parseQuery(await withStoredItems(ctx, query), name, visible)
    return jsonText(await answerRows(ctx, await readAllRevisions(ctx, read), request))
  },

  async readRevisionEntry(ctx, { path, query, request }) {
    const { visible } = openSystemCollection(ctx, name, 'read')
    const read = parseKeyedQuery(query, name, path.id, visible)
    return jsonText(await answerRows(ctx, await readAllRevisions(ctx, read), request))
  },
} satisfies Handlers<LegacyRevisionsOperations>
