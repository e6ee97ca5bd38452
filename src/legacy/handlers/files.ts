/** Files: rows and uploads. */

import { filesCollection as name } from '../../core/guards/guard-files.ts'
import type { LegacyFilesOperations } from '../../generated/legacy.ts'
import { always, type Handlers } from '../../http/app/handlers.ts'
import { isMultipart } from '../../http/request/request.ts'
import { parseFileEach, several } from '../files/file-fields.ts'
import { receiveChanges, receiveOfBody, receiveOfForm } from '../files/uploads.ts'
import { visibleScope } from '../wire/collections.ts'
import { parseAnswer, splitKeys } from '../wire/query.ts'
import { parseKeys } from '../wire/stored-keys.ts'
import { answerReceived, assertExplained, expectedOf } from './answers.ts'
import { systemHandlers } from './collection-handlers.ts'

const { readMany, readOne, updateMany, deleteOne, ...history } = systemHandlers(name, { parse: parseFileEach })

/** The name of the creation of a file in the activity. */
const uploading = { collection: name, from: 'create', to: 'upload' } as const

export const files = {
  readFiles: readMany,
  readFile: readOne,
  readFileRevisions: history.readRevisions,
  readFileRevision: history.readRevision,
  revertFile: history.revert,
  updateFiles: updateMany,
  deleteFile: deleteOne,

  async createFile(ctx, { query, body, request, once = always }) {
    const read = parseAnswer(query, name, true, visibleScope(ctx))
    assertExplained(ctx, { kind: 'create', collection: name }, request)
    const wanted = { read, request, renamed: uploading, once }
    if (isMultipart(request)) return answerReceived(ctx, wanted, () => receiveOfForm(ctx, request.parts()))
    if (Array.isArray(body)) throw several()
    return answerReceived(ctx, wanted, () => receiveOfBody(ctx, { ...body }))
  },

  async updateFile(ctx, { path, query, body, request, once = always }) {
    const read = parseAnswer(query, name, false, visibleScope(ctx))
    assertExplained(ctx, { kind: 'update', collection: name }, request)
    const keys = await parseKeys(ctx, { collection: name, action: 'update' }, path.id)
    const changes = { shown: splitKeys(path.id), body, expected: expectedOf(name, keys, request) }
    return answerReceived(ctx, { read, request, once }, () => receiveChanges(ctx, keys, changes))
  },
} satisfies Handlers<LegacyFilesOperations>
