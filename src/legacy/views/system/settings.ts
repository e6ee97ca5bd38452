/** Settings of which the server makes use; here each is a row of its own, and the name is its key. */
import type { FieldTable } from './field-table.ts'

export const settings: FieldTable = {
  id: { field: 'id' },
  project_url: { field: 'project_url' },
  project_logo: { field: 'project_logo' },
  project_color: { field: 'project_color' },
  project_foreground: { field: 'public_foreground' },
  project_background: { field: 'public_background' },
  project_public_note: { field: 'public_note' },
  default_locale: { field: 'default_language' },
  password_policy: { field: 'auth_password_policy' },
  login_attempts_allowed: { field: 'auth_login_attempts' },
  file_mimetype_whitelist: { field: 'file_mimetype_whitelist' },
  file_naming: { field: 'file_naming' },
  asset_url_naming: { field: 'asset_url_naming' },
  asset_whitelist: { field: 'storage_asset_presets' },
  project_name: { field: 'project_name' },
}
