/** `/items`: the rows of the connected database. */
import type { CurrentItemsOperations } from '../../generated/current.ts'
import type { Handlers } from '../../http/app/handlers.ts'
import { changes } from './changes.ts'
import { itemHandlers } from './collection-handlers.ts'

const { readMany, readOne, create, updateMany, updateOne, deleteMany, deleteOne } = itemHandlers()

export const items = {
  readItems: readMany,
  readItem: readOne,
  createItems: create,
  updateItems: updateMany,
  updateItem: updateOne,
  deleteItems: deleteMany,
  deleteItem: deleteOne,
  ...changes,
} satisfies Handlers<CurrentItemsOperations>
