/** `/notifications`: messages to users. */
import type { CurrentNotificationsOperations } from '../../../generated/current.ts'
import type { Handlers } from '../../../http/app/handlers.ts'
import { systemHandlers } from '../collection-handlers.ts'

const { readMany, readOne, create, updateMany, updateOne, deleteMany, deleteOne } =
  systemHandlers('platform_notifications')

export const notifications = {
  readNotifications: readMany,
  readNotification: readOne,
  createNotifications: create,
  updateNotifications: updateMany,
  updateNotification: updateOne,
  deleteNotifications: deleteMany,
  deleteNotification: deleteOne,
} satisfies Handlers<CurrentNotificationsOperations>
