/** `/dashboards`: dashboards with panels. */
import type { CurrentDashboardsOperations } from '../../../generated/current.ts'
import type { Handlers } from '../../../http/app/handlers.ts'
import { systemHandlers } from '../collection-handlers.ts'

const { readMany, readOne, create, updateMany, updateOne, deleteMany, deleteOne } =
  systemHandlers('platform_dashboards')

export const dashboards = {
  readDashboards: readMany,
  readDashboard: readOne,
  createDashboards: create,
  updateDashboards: updateMany,
  updateDashboard: updateOne,
  deleteDashboards: deleteMany,
  deleteDashboard: deleteOne,
} satisfies Handlers<CurrentDashboardsOperations>
