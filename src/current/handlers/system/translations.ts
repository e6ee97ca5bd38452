/** `/translations`: translated texts of the application. */
import { invalidPayload, TandemError } from '../../../domain/rights/errors.ts'
import type { CurrentTranslationsOperations } from '../../../generated/current.ts'
import type { Handlers } from '../../../http/app/handlers.ts'
import { systemHandlers } from '../collection-handlers.ts'

const { readMany, readOne, create, updateMany, updateOne, deleteMany, deleteOne } =
  systemHandlers('platform_translations')

export const translations = {
  readTranslations: readMany,
  readTranslation: readOne,
  createTranslations: (ctx, input) => oncePerLanguage(() => create(ctx, input)),
  updateTranslations: (ctx, input) => oncePerLanguage(() => updateMany(ctx, input)),
  updateTranslation: (ctx, input) => oncePerLanguage(() => updateOne(ctx, input)),
  deleteTranslations: deleteMany,
  deleteTranslation: deleteOne,
} satisfies Handlers<CurrentTranslationsOperations>

/** Key and language must be unique together, so no single field can be blamed. */
export async function oncePerLanguage<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof TandemError) || error.failures[0].kind !== 'not-unique') throw error
    const reason = 'Expected one text for "key" in each "language" but there is one already'
    throw invalidPayload('key', reason, error)
  }
}
