/** This generation's names for the fields of system rows → the stored columns. A column that is not stored is not shown. */
import type { Codec } from '../domain/view.ts'

/** `codec` is given only where the column's own type does not decide it. */
type StoredField = { readonly field: string; readonly codec?: Codec }

type FieldTable = { readonly [name: string]: StoredField }

const number: StoredField = { field: 'number', codec: { kind: 'literal' } }
const masked: Codec = { kind: 'mask' }

/** The words of a user's status that the two generations spell differently; stored word → this generation's. */
const userStatusWords = { archived: 'deleted' } as const

const users: FieldTable = {
  id: number,
  status: { field: 'status', codec: { kind: 'words', words: userStatusWords } },
  role: { field: 'role' },
  first_name: { field: 'first_name' },
  last_name: { field: 'last_name' },
  email: { field: 'email' },
  token: { field: 'token', codec: masked },
  timezone: { field: 'timezone' },
  locale: { field: 'language' },
  locale_options: { field: 'locale_options' },
  avatar: { field: 'avatar' },
  company: { field: 'company' },
  title: { field: 'title' },
  email_notifications: { field: 'email_notifications' },
  last_access_on: { field: 'last_access' },
  last_page: { field: 'last_page' },
  external_id: { field: 'external_identifier' },
  theme: { field: 'appearance' },
  '2fa_secret': { field: 'tfa_secret', codec: masked },
  password_reset_token: { field: 'password_reset_token', codec: masked },
}

const roles: FieldTable = {
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

const files: FieldTable = {
  id: number,
  storage: { field: 'storage' },
  private_hash: { field: 'private_hash' },
  filename: { field: 'filename_disk' },
  filename_disk: { field: 'filename_disk' },
  filename_download: { field: 'filename_download' },
  title: { field: 'title' },
  type: { field: 'type' },
  uploaded_by: { field: 'uploaded_by' },
  uploaded_on: { field: 'uploaded_on' },
  charset: { field: 'charset' },
  filesize: { field: 'filesize', codec: { kind: 'number' } },
  width: { field: 'width' },
  height: { field: 'height' },
  duration: { field: 'seconds' },
  embed: { field: 'embed' },
  folder: { field: 'folder' },
  description: { field: 'description' },
  location: { field: 'location' },
  tags: { field: 'tags' },
  checksum: { field: 'checksum' },
  metadata: { field: 'metadata' },
  data: { field: 'id', codec: { kind: 'file-facts' } },
}

const folders: FieldTable = {
  id: number,
  name: { field: 'name' },
  parent_folder: { field: 'parent' },
}

const revisions: FieldTable = {
  id: { field: 'id' },
  activity: { field: 'activity' },
  collection: { field: 'collection' },
  item: { field: 'item' },
  data: { field: 'data' },
  delta: { field: 'delta' },
}

/** By core collection name. */
export const systemFields: ReadonlyMap<string, FieldTable> = new Map([
  ['platform_users', users],
  ['platform_roles', roles],
  ['platform_files', files],
  ['platform_folders', folders],
  ['platform_revisions', revisions],
])
