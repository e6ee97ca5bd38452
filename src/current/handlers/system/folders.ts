/** `/folders`: folders of files. */
import type { CurrentFoldersOperations } from '../../../generated/current.ts'
import type { Handlers } from '../../../http/app/handlers.ts'
import { systemHandlers } from '../collection-handlers.ts'

const { readMany, readOne, create, updateMany, updateOne, deleteMany, deleteOne } = systemHandlers('platform_folders')

export const folders = {
  readFolders: readMany,
  readFolder: readOne,
  createFolders: create,
  updateFolders: updateMany,
  updateFolder: updateOne,
  deleteFolders: deleteMany,
  deleteFolder: deleteOne,
} satisfies Handlers<CurrentFoldersOperations>
