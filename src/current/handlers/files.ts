/** `/files`: uploads, their properties and their contents. */
import { receiveParts, receiveReplacement, registerFile } from '../../core/files/files.ts'
import { fileOf, receiveFromUrl } from '../../core/files/import-file.ts'
import { filesCollection } from '../../core/guards/guard-files.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { CurrentFilesOperations } from '../../generated/current.ts'
import { always, type Handlers } from '../../http/app/handlers.ts'
import { isMultipart } from '../../http/request/request.ts'
import { ignoringUnknown, openSystemCollection } from '../wire/collections.ts'
import { parseChanges } from '../wire/mutation.ts'
import { expectedOf, systemHandlers } from './collection-handlers.ts'
import { answerReceived, answerWritten } from './written-answers.ts'

const { readMany, readOne, updateMany, updateOne, deleteMany, deleteOne } = systemHandlers(filesCollection)

const openFiles = (ctx: Context, action: 'create' | 'update') =>
  ignoringUnknown(ctx, openSystemCollection(ctx, filesCollection, action))

export const files = {
  readFiles: readMany,
  readFile: readOne,
  updateFiles: updateMany,
  deleteFiles: deleteMany,
  deleteFile: deleteOne,

  async createFiles(ctx, { query, body, request, once = always }) {
    const opened = openFiles(ctx, 'create')
    const read = (message: unknown) => parseChanges(message, opened)
    const answer = { opened, query, once }
    if (!isMultipart(request))
      return once(ctx, (inner) => answerWritten(inner, answer, () => registerFile(inner, read(body))))
    return answerReceived(ctx, answer, (late) => receiveParts(ctx, request.parts(), read, late))
  },

  async importFile(ctx, { query, body, once = always }) {
    const { url, data = {}, options } = body
    const replaced = await fileOf(ctx, data.id)
    const opened = openFiles(ctx, replaced === null ? 'create' : 'update')
    const input = { changes: parseChanges(data, opened), replaced, types: options?.filterMimeType }
    return answerReceived(ctx, { opened, query, once }, () => receiveFromUrl(ctx, url, input))
  },

  async updateFile(ctx, input) {
    const { path, query, request, once = always } = input
    if (!isMultipart(request)) return once(ctx, (inner) => updateOne(inner, input))
    const opened = openFiles(ctx, 'update')
    const read = (text: unknown) => parseChanges(text, opened)
    const expected = expectedOf(opened.collection, path.id, request)
    return answerReceived(ctx, { opened, query, once }, (late) =>
      receiveReplacement(ctx, path.id, { parts: request.parts(), read, expected, late }),
    )
  },
} satisfies Handlers<CurrentFilesOperations>
