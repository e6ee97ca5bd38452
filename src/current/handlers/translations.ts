/** `/translations`: texts of the application. */
import type { CurrentTranslationsOperations } from '../../generated/current.ts'
import type { Handlers } from '../../http/handlers.ts'
import { systemHandlers } from '../collection-handlers.ts'

const { readMany, readOne, create, updateMany, updateOne, deleteMany, deleteOne } =
  systemHandlers('platform_translations')

export const translations = {
  readTranslations: readMany,
  readTranslation: readOne,
  createTranslations: create,
  updateTranslations: updateMany,
  updateTranslation: updateOne,
  deleteTranslations: deleteMany,
  deleteTranslation: deleteOne,
} satisfies Handlers<CurrentTranslationsOperations>
