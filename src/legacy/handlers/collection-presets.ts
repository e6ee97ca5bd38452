import type { LegacyCollectionPresetsOperations } from '../../generated/legacy.ts'
import type { Handlers } from '../../http/app/handlers.ts'
import { systemHandlers } from './collection-handlers.ts'

const { readMany, readOne, create, updateMany, updateOne, deleteOne } = systemHandlers('platform_presets')

export const collectionPresets = {
  readCollectionPresets: readMany,
  readCollectionPreset: readOne,
  createCollectionPresets: create,
  updateCollectionPresets: updateMany,
  updateCollectionPreset: updateOne,
  deleteCollectionPreset: deleteOne,
} satisfies Handlers<LegacyCollectionPresetsOperations>
