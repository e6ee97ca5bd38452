/** `/files`: uploads, their properties and their contents. */
import { createFromParts, registerFile, replaceContents } from '../../core/files/files.ts'
import { importFile } from '../../core/files/import-file.ts'
import { filesCollection } from '../../core/guards/guard-files.ts'
import type { CurrentFilesOperations } from '../../generated/current.ts'
import type { Handlers } from '../../http/app/handlers.ts'
import { ignoredFields } from '../../http/reply/ignored-fields.ts'
import { withHeaders } from '../../http/reply/reply.ts'
import { isMultipart } from '../../http/request/request.ts'
import { openSystemCollection } from '../wire/collections.ts'
import { parseChanges } from '../wire/mutation.ts'
import { answerWritten, expectedOf, systemHandlers } from './collection-handlers.ts'

const { readMany, readOne, updateMany, updateOne, deleteMany, deleteOne } = systemHandlers(filesCollection)

export const files = {
  readFiles: readMany,
  readFile: readOne,
  updateFiles: updateMany,
  deleteFiles: deleteMany,
  deleteFile: deleteOne,

  async createFiles(ctx, { query, body, request }) {
    const opened = openSystemCollection(ctx, filesCollection, 'create')
    const read = (message: unknown) => parseChanges(message, opened)
    const late = new Set<string>()
    const reply = await answerWritten(ctx, { opened, query }, () =>
      isMultipart(request) ? createFromParts(ctx, request.parts(), read, late) : registerFile(ctx, read(body)),
    )
    return withHeaders(reply, ignoredFields(late))
  },

  async importFile(ctx, { query, body }) {
    const opened = openSystemCollection(ctx, filesCollection, 'create')
    const changes = parseChanges(body.data ?? {}, opened)
    return answerWritten(ctx, { opened, query }, () => importFile(ctx, body.url, changes))
  },

  async updateFile(ctx, input) {
    const { path, query, request } = input
    if (!isMultipart(request)) return updateOne(ctx, input)
    const opened = openSystemCollection(ctx, filesCollection, 'update')
    const read = (text: unknown) => parseChanges(text, opened)
    const expected = expectedOf(opened.collection, path.id, request)
    const late = new Set<string>()
    const replacement = { parts: request.parts(), read, expected, late }
    const reply = await answerWritten(ctx, { opened, query }, () => replaceContents(ctx, path.id, replacement))
    return withHeaders(reply, ignoredFields(late))
  },
} satisfies Handlers<CurrentFilesOperations>
