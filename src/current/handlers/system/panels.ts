/** `/panels`: parts of dashboards. */
import type { CurrentPanelsOperations } from '../../../generated/current.ts'
import type { Handlers } from '../../../http/app/handlers.ts'
import { systemHandlers } from '../collection-handlers.ts'

const { readMany, readOne, create, updateMany, updateOne, deleteMany, deleteOne } = systemHandlers('platform_panels')

export const panels = {
  readPanels: readMany,
  readPanel: readOne,
  createPanels: create,
  updatePanels: updateMany,
  updatePanel: updateOne,
  deletePanels: deleteMany,
  deletePanel: deleteOne,
} satisfies Handlers<CurrentPanelsOperations>
