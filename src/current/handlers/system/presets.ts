/** `/presets`: saved settings of listings. */
import type { CurrentPresetsOperations } from '../../../generated/current.ts'
import type { Handlers } from '../../../http/app/handlers.ts'
import { systemHandlers } from '../collection-handlers.ts'

const { readMany, readOne, create, updateMany, updateOne, deleteMany, deleteOne } = systemHandlers('platform_presets')

export const presets = {
  readPresets: readMany,
  readPreset: readOne,
  createPresets: create,
  updatePresets: updateMany,
  updatePreset: updateOne,
  deletePresets: deleteMany,
  deletePreset: deleteOne,
} satisfies Handlers<CurrentPresetsOperations>
