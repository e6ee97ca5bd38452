/** Items of user collections. */
import type { LegacyItemsOperations } from '../../generated/legacy.ts'
import type { Handlers } from '../../http/handlers.ts'
import { jsonText } from '../../http/reply.ts'
import { answerDeleted, answerRead, answerRows, answerWrite, withHistory } from '../answers.ts'
import { parseCreate, parseDelete, parseUpdate, parseUpdateEach } from '../mutation.ts'
import { userCollection, writtenCollection } from '../place.ts'
import { parseAnswer, parseKeyedQuery, parseQuery, splitKeys } from '../query.ts'
import { itemSubject, readRevision, readRevisions, revertTo } from '../revisions.ts'

export const items = {
  async readItems(ctx, { path, query, request }) {
    return jsonText(await answerRead(ctx, parseQuery(query, userCollection(ctx, path.collection).name, ctx), request))
  },

  async readItem(ctx, { path, query, request }) {
    const { name } = userCollection(ctx, path.collection)
    return jsonText(await answerRead(ctx, parseKeyedQuery(query, name, path.id, ctx), request))
  },

  async createItems(ctx, { path, query, body, request }) {
    const collection = writtenCollection(ctx, path.collection, 'create')
    const read = parseAnswer(query, collection.name, !Array.isArray(body), ctx)
    return answerWrite(ctx, parseCreate(body, collection, ctx), read, request)
  },

  async updateItems(ctx, { path, query, body, request }) {
    const collection = writtenCollection(ctx, path.collection, 'update')
    const read = parseAnswer(query, collection.name, false, ctx)
    return answerWrite(ctx, parseUpdateEach(body, collection, ctx), read, request)
  },

  async updateItem(ctx, { path, query, body, request }) {
    const collection = writtenCollection(ctx, path.collection, 'update')
    const keys = splitKeys(path.id)
    const read = parseAnswer(query, collection.name, keys.length === 1, ctx)
    return answerWrite(ctx, parseUpdate(body, keys, collection, ctx), read, request)
  },

  async deleteItem(ctx, { path, request }) {
    const collection = writtenCollection(ctx, path.collection, 'delete')
    return answerDeleted(ctx, parseDelete(splitKeys(path.id), collection), request)
  },

  async readItemRevisions(ctx, { path, query, request }) {
    const subject = await itemSubject(ctx, userCollection(ctx, path.collection).name, path.id)
    return jsonText(await answerRows(ctx, await readRevisions(ctx, { subject, parameters: query }), request))
  },

  async readItemRevision(ctx, { path, query, request }) {
    const subject = await itemSubject(ctx, userCollection(ctx, path.collection).name, path.id)
    const asked = { subject, parameters: query, offset: path.offset }
    return jsonText(await answerRows(ctx, await readRevision(ctx, asked), request))
  },

  async revertItem(ctx, { path, query, request }) {
    const subject = await itemSubject(ctx, userCollection(ctx, path.collection).name, path.id)
    // Also where it had, or has then, a status that counts as deleted.
    const read = parseKeyedQuery({ ...query, status: '*' }, subject.collection, subject.item, ctx)
    await revertTo(withHistory(ctx, request), subject, path.revision)
    return jsonText(await answerRead(ctx, read, request))
  },
} satisfies Handlers<LegacyItemsOperations>
