/** Items of user collections. */
import type { LegacyItemsOperations } from '../../generated/legacy.ts'
import type { Handlers } from '../../http/handlers.ts'
import { jsonText } from '../../http/reply.ts'
import { answerDeleted, answerRead, answerWrite } from '../answers.ts'
import { parseCreate, parseDelete, parseUpdate, parseUpdateEach } from '../mutation.ts'
import { userCollection } from '../place.ts'
import { parseAnswer, parseKeyedQuery, parseQuery, splitKeys } from '../query.ts'

export const items = {
  async readItems(ctx, { path, query, request }) {
    return jsonText(await answerRead(ctx, parseQuery(query, userCollection(ctx, path.collection).name, ctx), request))
  },

  async readItem(ctx, { path, query, request }) {
    const { name } = userCollection(ctx, path.collection)
    return jsonText(await answerRead(ctx, parseKeyedQuery(query, name, path.id, ctx), request))
  },

  async createItems(ctx, { path, query, body, request }) {
    const collection = userCollection(ctx, path.collection)
    const read = parseAnswer(query, collection.name, !Array.isArray(body), ctx)
    return answerWrite(ctx, parseCreate(body, collection, ctx), read, request)
  },

  async updateItems(ctx, { path, query, body, request }) {
    const collection = userCollection(ctx, path.collection)
    const read = parseAnswer(query, collection.name, false, ctx)
    return answerWrite(ctx, parseUpdateEach(body, collection, ctx), read, request)
  },

  async updateItem(ctx, { path, query, body, request }) {
    const collection = userCollection(ctx, path.collection)
    const keys = splitKeys(path.id)
    const read = parseAnswer(query, collection.name, keys.length === 1, ctx)
    return answerWrite(ctx, parseUpdate(body, keys, collection, ctx), read, request)
  },

  async deleteItem(ctx, { path, request }) {
    const collection = userCollection(ctx, path.collection)
    return answerDeleted(ctx, parseDelete(splitKeys(path.id), collection), request)
  },
} satisfies Handlers<LegacyItemsOperations>
