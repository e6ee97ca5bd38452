/** `/access`: attachments of policies to roles and users. */
import type { CurrentAccessOperations } from '../../../generated/current.ts'
import type { Handlers } from '../../../http/app/handlers.ts'
import { systemHandlers } from '../collection-handlers.ts'

const { readMany, readOne, create, updateMany, updateOne, deleteMany, deleteOne } = systemHandlers('platform_access')

export const access = {
  readAccesses: readMany,
  readAccess: readOne,
  createAccesses: create,
  updateAccesses: updateMany,
  updateAccess: updateOne,
  deleteAccesses: deleteMany,
  deleteAccess: deleteOne,
} satisfies Handlers<CurrentAccessOperations>
