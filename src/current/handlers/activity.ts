/** `/activity`: what was done, and by whom. */
import type { CurrentActivityOperations } from '../../generated/current.ts'
import type { Handlers } from '../../http/handlers.ts'
import { systemHandlers } from '../collection-handlers.ts'

const { readMany, readOne } = systemHandlers('platform_activity')

export const activity = {
  readActivities: readMany,
  readActivity: readOne,
} satisfies Handlers<CurrentActivityOperations>
