/** This generation's names for the fields of system rows, by core collection name. */
import type { OtherNames } from '../../domain/schema/schema.ts'
import { activity, activitySeen } from './system/activity.ts'
import { collectionPresets } from './system/collection-presets.ts'
import { collections, fields, relations } from './system/data-model.ts'
import type { FieldTable } from './system/field-table.ts'
import { files } from './system/files.ts'
import { folders } from './system/folders.ts'
import { permissions } from './system/permissions.ts'
import { revisions } from './system/revisions.ts'
import { roles, userRoles } from './system/roles.ts'
import { settings } from './system/settings.ts'
import { users } from './system/users.ts'
import { webhooks } from './system/webhooks.ts'

/** The fields of system collections by their names in this generation. */
export const otherNames = (): OtherNames =>
  new Map(
    [...systemFields].map(([collection, table]) => [
      collection,
      new Map(Object.entries(table).map(([name, { field }]) => [name, field])),
    ]),
  )

export const systemFields: ReadonlyMap<string, FieldTable> = new Map([
  ['platform_users', users],
  ['platform_roles', roles],
  ['platform_user_roles', userRoles],
  ['platform_files', files],
  ['platform_folders', folders],
  ['platform_presets', collectionPresets],
  ['platform_role_levels', permissions],
  ['platform_activity', activity],
  ['platform_activity_seen', activitySeen],
  ['platform_revisions', revisions],
  ['platform_settings', settings],
  ['platform_collections', collections],
  ['platform_fields', fields],
  ['platform_relations', relations],
  ['platform_webhooks', webhooks],
])
