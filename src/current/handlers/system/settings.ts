/** `/settings`: project settings, a singleton. */
import type { CurrentSettingsOperations } from '../../../generated/current.ts'
import type { Handlers } from '../../../http/app/handlers.ts'
import { systemHandlers } from '../collection-handlers.ts'

const { readSingleton, updateMany } = systemHandlers('platform_settings')

export const settings = {
  readSettings: readSingleton,
  updateSettings: updateMany,
} satisfies Handlers<CurrentSettingsOperations>
