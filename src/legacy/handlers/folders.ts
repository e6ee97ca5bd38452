/** Folders of files. */
import type { Context } from '../../domain/context.ts'
import type { LegacyFoldersOperations } from '../../generated/legacy.ts'
import type { Handlers } from '../../http/handlers.ts'
import { jsonText } from '../../http/reply.ts'
import { answerDeleted, answerRead, answerWrite } from '../answers.ts'
import { withStoredKeys } from '../identity.ts'
import { parseCreate, parseDelete, parseUpdate, parseUpdateEach } from '../mutation.ts'
import { systemCollection } from '../place.ts'
import { parseAnswer, parseKeyedQuery, parseQuery, splitKeys } from '../query.ts'

const name = 'platform_folders'
const collectionOf = (ctx: Context) => systemCollection(ctx, name)

export const folders = {
  async readFolders(ctx, { query, request }) {
    return jsonText(await answerRead(ctx, parseQuery(query, name, ctx), request))
  },

  async readFolder(ctx, { path, query, request }) {
    return jsonText(await answerRead(ctx, parseKeyedQuery(query, name, path.id, ctx), request))
  },

  async createFolders(ctx, { query, body, request }) {
    const read = parseAnswer(query, name, !Array.isArray(body), ctx)
    return answerWrite(ctx, parseCreate(body, collectionOf(ctx), ctx), read, request)
  },

  async updateFolders(ctx, { query, body, request }) {
    const read = parseAnswer(query, name, false, ctx)
    const mutation = await withStoredKeys(ctx, name, parseUpdateEach(body, collectionOf(ctx), ctx))
    return answerWrite(ctx, mutation, read, request)
  },

  async updateFolder(ctx, { path, query, body, request }) {
    const keys = splitKeys(path.id)
    const read = parseAnswer(query, name, keys.length === 1, ctx)
    const mutation = await withStoredKeys(ctx, name, parseUpdate(body, keys, collectionOf(ctx), ctx))
    return answerWrite(ctx, mutation, read, request)
  },

  async deleteFolder(ctx, { path, request }) {
    const mutation = await withStoredKeys(ctx, name, parseDelete(splitKeys(path.id), collectionOf(ctx)))
    return answerDeleted(ctx, mutation, request)
  },
} satisfies Handlers<LegacyFoldersOperations>
