/** Roles. */
import { type FieldTable, number } from './field-table.ts'

export const roles: FieldTable = {
  id: number,
  name: { field: 'name' },
  description: { field: 'description' },
  ip_whitelist: { field: 'ip_access' },
  external_id: { field: 'external_id' },
  module_listing: { field: 'module_listing' },
  collection_listing: { field: 'collection_listing' },
  enforce_2fa: { field: 'enforce_tfa' },
  users: { field: 'users' },
}
