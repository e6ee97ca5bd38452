/** Files: their rows and, on the way in, their contents. */
import { filesCollection as name } from '../../core/guard-files.ts'
import { deleteDoomed, keeperOf } from '../../core/stored-objects.ts'
import type { LegacyFilesOperations } from '../../generated/legacy.ts'
import type { Handlers } from '../../http/handlers.ts'
import { jsonText } from '../../http/reply.ts'
import { isMultipart } from '../../http/request.ts'
import { answerDeleted, answerRead, answerRows, answerWork, answerWrite, withHistory } from '../answers.ts'
import { parseFileEach, several } from '../file-fields.ts'
import { storedKeys, withStoredKeys } from '../identity.ts'
import { parseDelete } from '../mutation.ts'
import { systemCollection } from '../place.ts'
import { parseAnswer, parseKeyedQuery, parseQuery, splitKeys } from '../query.ts'
import { fileSubject, readRevision, readRevisions, revertTo } from '../revisions.ts'
import { changeFiles, createOfBody, createOfForm } from '../uploads.ts'

export const files = {
  async readFiles(ctx, { query, request }) {
    return jsonText(await answerRead(ctx, parseQuery(query, name, ctx), request))
  },

  async readFile(ctx, { path, query, request }) {
    return jsonText(await answerRead(ctx, parseKeyedQuery(query, name, path.id, ctx), request))
  },

  async createFile(ctx, { query, body, request }) {
    const read = parseAnswer(query, name, true, ctx)
    if (isMultipart(request)) return answerWork(ctx, { read, request }, (inner) => createOfForm(inner, request.parts()))
    if (Array.isArray(body)) throw several()
    return answerWork(ctx, { read, request }, (inner) => createOfBody(inner, { ...body }))
  },

  async updateFiles(ctx, { query, body, request }) {
    const read = parseAnswer(query, name, false, ctx)
    const mutation = await withStoredKeys(ctx, name, parseFileEach(body, ctx))
    return answerWrite(ctx, mutation, read, request)
  },

  async updateFile(ctx, { path, query, body, request }) {
    const read = parseAnswer(query, name, false, ctx)
    const keys = await storedKeys(ctx, { collection: name, action: 'update' }, splitKeys(path.id))
    return answerWork(ctx, { read, request }, (inner) => changeFiles(inner, keys, body))
  },

  async readFileRevisions(ctx, { path, query, request }) {
    const asked = { subject: await fileSubject(ctx, path.id), parameters: query }
    return jsonText(await answerRows(ctx, await readRevisions(ctx, asked), request))
  },

  async readFileRevision(ctx, { path, query, request }) {
    const asked = { subject: await fileSubject(ctx, path.id), parameters: query, offset: path.offset }
    return jsonText(await answerRows(ctx, await readRevision(ctx, asked), request))
  },

  async revertFile(ctx, { path, query, request }) {
    const read = parseKeyedQuery(query, name, path.id, ctx)
    await revertTo(withHistory(ctx, request), await fileSubject(ctx, path.id), path.revision)
    return jsonText(await answerRead(ctx, read, request))
  },

  async deleteFile(ctx, { path, request }) {
    const mutation = parseDelete(splitKeys(path.id), systemCollection(ctx, name))
    const reply = await answerDeleted(ctx, await withStoredKeys(ctx, name, mutation), request)
    await deleteDoomed(keeperOf(ctx))
    return reply
  },
} satisfies Handlers<LegacyFilesOperations>
