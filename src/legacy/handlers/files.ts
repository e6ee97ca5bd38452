/** Files: rows and uploads. */

import { filesCollection as name } from '../../core/guards/guard-files.ts'
import type { LegacyFilesOperations } from '../../generated/legacy.ts'
import type { Handlers } from '../../http/app/handlers.ts'
import { isMultipart } from '../../http/request/request.ts'
import { parseFileEach, several } from '../files/file-fields.ts'
import { changeFiles, createOfBody, createOfForm } from '../files/uploads.ts'
import { visiblePlace } from '../wire/collections.ts'
import { parseAnswer } from '../wire/query.ts'
import { parseKeys } from '../wire/stored-keys.ts'
import { answerWork, assertExplained, expectedOf } from './answers.ts'
import { systemHandlers } from './collection-handlers.ts'

const { readMany, readOne, updateMany, deleteOne, ...history } = systemHandlers(name, { parse: parseFileEach })

/** What the activity calls the creation of a file. */
const uploading = { collection: name, from: 'create', to: 'upload' } as const

export const files = {
  readFiles: readMany,
  readFile: readOne,
  readFileRevisions: history.readRevisions,
  readFileRevision: history.readRevision,
  revertFile: history.revert,
  updateFiles: updateMany,
  deleteFile: deleteOne,

  async createFile(ctx, { query, body, request }) {
    const read = parseAnswer(query, name, true, visiblePlace(ctx))
    assertExplained(ctx, { kind: 'create', collection: name }, request)
    const wanted = { read, request, renamed: uploading }
    if (isMultipart(request)) return answerWork(ctx, wanted, (inner) => createOfForm(inner, request.parts()))
    if (Array.isArray(body)) throw several()
    return answerWork(ctx, wanted, (inner) => createOfBody(inner, { ...body }))
  },

  async updateFile(ctx, { path, query, body, request }) {
    const read = parseAnswer(query, name, false, visiblePlace(ctx))
    assertExplained(ctx, { kind: 'update', collection: name }, request)
    const keys = await parseKeys(ctx, { collection: name, action: 'update' }, path.id)
    const expected = expectedOf(name, keys, request)
    return answerWork(ctx, { read, request }, (inner) => changeFiles(inner, keys, { body, expected }))
  },
} satisfies Handlers<LegacyFilesOperations>
