import type { LegacyFoldersOperations } from '../../generated/legacy.ts'
import type { Handlers } from '../../http/app/handlers.ts'
import { systemHandlers } from './collection-handlers.ts'

const { readMany, readOne, create, updateMany, updateOne, deleteOne } = systemHandlers('platform_folders')

export const folders = {
  readFolders: readMany,
  readFolder: readOne,
  createFolders: create,
  updateFolders: updateMany,
  updateFolder: updateOne,
  deleteFolder: deleteOne,
} satisfies Handlers<LegacyFoldersOperations>
