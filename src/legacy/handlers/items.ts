import type { LegacyItemsOperations } from '../../generated/legacy.ts'
import type { Handlers } from '../../http/app/handlers.ts'
import { itemHandlers } from './collection-handlers.ts'

const { readMany, readOne, create, updateMany, updateOne, deleteOne, ...history } = itemHandlers()

export const items = {
  readItems: readMany,
  readItem: readOne,
  createItems: create,
  updateItems: updateMany,
  updateItem: updateOne,
  deleteItem: deleteOne,
  readItemRevisions: history.readRevisions,
  readItemRevision: history.readRevision,
  revertItem: history.revert,
} satisfies Handlers<LegacyItemsOperations>
