/** This generation's names for the fields of system rows, by core collection name. */
import type { OtherNames } from '../../domain/schema/schema.ts'
import type { Codec } from '../../domain/schema/view.ts'
import { type FieldTable, masked, number } from './system/field-table.ts'
import { settings } from './system/settings.ts'

/** Field names of webhooks, and words for what they are sent. */
const kinds = ['create', 'update', 'delete'] as const

/** Every list of actions, in the order in which they are stored. */
const lists = Array.from({ length: 2 ** kinds.length - 1 }, (_, at) =>
  kinds.filter((_kind, bit) => ((at + 1) >> bit) & 1),
)

const actions: Codec = {
  kind: 'words',
  words: Object.fromEntries(lists.map((list) => [list.join(','), list.map((kind) => `item.${kind}:after`).join(',')])),
}

const method: Codec = { kind: 'words', words: { POST: 'post', GET: 'get' }, spellings: { POST: 'POST', GET: 'GET' } }

const webhooks: FieldTable = {
  id: { field: 'id' },
  status: { field: 'status' },
  http_action: { field: 'method', codec: method },
  url: { field: 'url' },
  collection: { field: 'collections', holds: 'collection' },
  directus_action: { field: 'actions', codec: actions },
}

/** The tables of the data model; their own operations show and change their rows. */
const collections: FieldTable = {
  collection: { field: 'collection', holds: 'collection' },
  hidden: { field: 'hidden' },
  single: { field: 'singleton' },
  icon: { field: 'icon' },
  note: { field: 'note' },
  translation: { field: 'translations' },
}

const fields: FieldTable = {
  id: { field: 'id' },
  collection: { field: 'collection', holds: 'collection' },
  field: { field: 'field' },
  type: { field: 'type' },
  interface: { field: 'interface' },
  options: { field: 'options' },
  locked: { field: 'locked' },
  validation: { field: 'validation' },
  required: { field: 'required' },
  readonly: { field: 'readonly' },
  hidden_detail: { field: 'hidden' },
  hidden_browse: { field: 'hidden_browse' },
  sort: { field: 'sort' },
  width: { field: 'width' },
  group: { field: 'group' },
  note: { field: 'note' },
  translation: { field: 'translations' },
}

const relations: FieldTable = {
  id: { field: 'id' },
  collection_many: { field: 'many_collection', holds: 'collection' },
  field_many: { field: 'many_field' },
  collection_one: { field: 'one_collection', holds: 'collection' },
  field_one: { field: 'one_field' },
  junction_field: { field: 'junction_field' },
}

const revisions: FieldTable = {
  id: { field: 'id' },
  activity: { field: 'activity' },
  collection: { field: 'collection', holds: 'collection' },
  item: { field: 'item' },
  data: { field: 'data' },
  delta: { field: 'delta' },
  // The handlers replace the number of the parent revision by what these names ask about it.
  parent_collection: { field: 'parent' },
  parent_item: { field: 'parent' },
  parent_changed: { field: 'parent' },
}

const activity: FieldTable = {
  id: { field: 'id' },
  action: { field: 'action', codec: { kind: 'words', words: { login: 'authenticate' } } },
  action_by: { field: 'user' },
  action_on: { field: 'timestamp' },
  ip: { field: 'ip' },
  user_agent: { field: 'user_agent' },
  collection: { field: 'collection', holds: 'collection' },
  item: { field: 'item' },
  edited_on: { field: 'edited_on' },
  comment: { field: 'comment' },
  comment_deleted_on: { field: 'comment_deleted_on' },
}

/** Entries that users have looked at. */
const activitySeen: FieldTable = {
  id: { field: 'id' },
  activity: { field: 'activity' },
  user: { field: 'user' },
  seen_on: { field: 'seen_on' },
  archived: { field: 'archived' },
}

const permissions: FieldTable = {
  id: { field: 'id' },
  collection: { field: 'collection', holds: 'collection' },
  role: { field: 'role' },
  status: { field: 'status' },
  create: { field: 'create' },
  read: { field: 'read' },
  update: { field: 'update' },
  delete: { field: 'delete' },
  comment: { field: 'comment' },
  explain: { field: 'explain' },
  read_field_blacklist: { field: 'read_field_blacklist' },
  write_field_blacklist: { field: 'write_field_blacklist' },
  status_blacklist: { field: 'status_blacklist' },
}

const collectionPresets: FieldTable = {
  id: { field: 'id' },
  title: { field: 'bookmark' },
  user: { field: 'user' },
  role: { field: 'role' },
  collection: { field: 'collection', holds: 'collection' },
  search_query: { field: 'search' },
  filters: { field: 'filters' },
  view_type: { field: 'layout' },
  view_query: { field: 'layout_query' },
  view_options: { field: 'layout_options' },
  translation: { field: 'translation' },
}

const folders: FieldTable = {
  id: number,
  name: { field: 'name' },
  parent_folder: { field: 'parent' },
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
  tags: { field: 'tags', codec: { kind: 'json', nullAs: 'empty' } },
  checksum: { field: 'checksum' },
  metadata: { field: 'metadata' },
  data: { field: 'id', codec: { kind: 'file-facts' } },
}

const roles: FieldTable = {
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
const userRoles: FieldTable = {
  id: { field: 'id' },
  user: { field: 'user' },
  role: { field: 'role' },
}

/** Values of a user's status that differ between the generations: stored value → this generation's. */
const userStatusWords = { archived: 'deleted' } as const

const users: FieldTable = {
  id: number,
  status: { field: 'status', codec: { kind: 'words', words: userStatusWords } },
  role: { field: 'role' },
  first_name: { field: 'first_name' },
  last_name: { field: 'last_name' },
  email: { field: 'email' },
  password: { field: 'password', codec: masked, unlisted: true },
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
