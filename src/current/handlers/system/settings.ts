/** `/settings`: project settings, a singleton. */
import type { CurrentSettingsOperations } from '../../../generated/current.ts'
import type { Handlers } from '../../../http/app/handlers.ts'
import { systemHandlers } from '../collection-handlers.ts'

const { readList, updateMany } = systemHandlers('platform_settings')

export const settings = {
  readSettings: readList,
  updateSettings: updateMany,
} satisfies Handlers<CurrentSettingsOperations>
