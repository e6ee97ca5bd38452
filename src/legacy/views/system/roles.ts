import { type FieldTable, number } from './field-table.ts'

export const roles: FieldTable = {
  id: number,
  name: { field: 'name' },
  description: { field: 'description' },
  ip_whitelist: { field: 'ip_access' },
  nav_blacklist: { field: 'nav_blacklist' },
  external_id: { field: 'external_id' },
  module_listing: { field: 'module_listing' },
  collection_listing: { field: 'collection_listing' },
  enforce_2fa: { field: 'enforce_tfa' },
  users: { field: 'users' },
}

/** The role of each user as a row of its own; the number is that of the user. */
export const userRoles: FieldTable = {
  id: { field: 'id' },
  user: { field: 'user' },
  role: { field: 'role' },
}
