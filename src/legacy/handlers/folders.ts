import { writeFolders } from '../../core/files/named-folders.ts'
import type { LegacyFoldersOperations } from '../../generated/legacy.ts'
import type { Handlers } from '../../http/app/handlers.ts'
import { systemHandlers } from './collection-handlers.ts'

// As an index over name and parent did in version 8, for folders with a parent.
const { readMany, readOne, create, updateMany, updateOne, deleteOne } = systemHandlers('platform_folders', {
  writer: writeFolders,
})

export const folders = {
  readFolders: readMany,
  readFolder: readOne,
  createFolders: create,
  updateFolders: updateMany,
  updateFolder: updateOne,
  deleteFolder: deleteOne,
} satisfies Handlers<LegacyFoldersOperations>
