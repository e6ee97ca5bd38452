/** How forms and lists show the fields of the system, which have no settings of their own. */
import type { FieldTypeName } from './field-types.ts'
import {
  groupParts,
  localeParts,
  moduleParts,
  textPairs,
  themes,
  timezones,
  userStatuses,
  webhookActions,
  webhookMethods,
  webhookStatuses,
} from './system-options.ts'

/** By default as wide as the form, shown in forms and lists. */
type SystemForm = {
  readonly interface: string
  /** Where it differs from that of the column. */
  readonly type?: FieldTypeName
  readonly width?: 'half' | 'full'
  readonly hidden?: 'form' | 'list' | 'both'
  readonly readonly?: true
  readonly options?: object
  /** Where it is not that of the column. */
  readonly default?: string
}

type Forms = { readonly [field: string]: SystemForm }

const key = { interface: 'primary-key', hidden: 'form', readonly: true } as const
const text = { interface: 'text-input' } as const
const half = { interface: 'text-input', width: 'half' } as const
const fact = { interface: 'text-input', width: 'half', readonly: true } as const
const size = { interface: 'numeric', width: 'half', readonly: true } as const
const moment = { interface: 'datetime', width: 'half', readonly: true, options: { showRelative: true } } as const
const link = { interface: 'many-to-one' } as const
const toggle = { interface: 'switch' } as const
const list = { interface: 'tags' } as const
const json = { interface: 'json' } as const

const users: Forms = {
  id: key,
  status: { interface: 'status', options: userStatuses, default: 'draft' },
  first_name: half,
  last_name: half,
  email: half,
  email_notifications: { ...toggle, width: 'half' },
  password: { interface: 'password', width: 'half' },
  role: { interface: 'user-roles', width: 'half' },
  company: half,
  title: half,
  timezone: { interface: 'dropdown', width: 'half', options: timezones },
  locale: { interface: 'language', width: 'half', options: { limit: true } },
  avatar: { interface: 'file' },
  theme: { interface: 'radio-buttons', options: themes },
  '2fa_secret': { interface: '2fa-secret', readonly: true },
  locale_options: { ...json, hidden: 'both' },
  token: { ...text, hidden: 'both' },
  last_access_on: { ...moment, hidden: 'form' },
  last_page: { ...text, hidden: 'both', readonly: true },
  external_id: { ...text, hidden: 'both', readonly: true },
  password_reset_token: { ...text, hidden: 'both', readonly: true },
}

const files: Forms = {
  // Without a column; a list has nothing to show of it.
  preview: { interface: 'file-preview', type: 'alias', hidden: 'list' },
  title: text,
  tags: { ...list, width: 'half', type: 'array' },
  location: half,
  description: { interface: 'wysiwyg', options: { toolbar: ['bold', 'italic', 'underline', 'link', 'code'] } },
  filename_download: text,
  filename_disk: text,
  private_hash: { interface: 'slug', width: 'half' },
  checksum: fact,
  uploaded_on: moment,
  uploaded_by: { interface: 'owner', width: 'half', readonly: true },
  width: size,
  height: size,
  duration: size,
  filesize: { interface: 'file-size', width: 'half', readonly: true },
  metadata: { interface: 'key-value', options: textPairs },
  data: { interface: 'file', type: 'alias', hidden: 'form' },
  id: key,
  type: { ...text, hidden: 'form', readonly: true },
  charset: { ...text, hidden: 'both', readonly: true },
  embed: { ...text, hidden: 'form', readonly: true },
  folder: { ...link, hidden: 'form' },
  storage: { ...text, hidden: 'both' },
  // The former name of `filename_disk`.
  filename: { ...text, hidden: 'both' },
}

const roles: Forms = {
  id: key,
  name: half,
  description: half,
  ip_whitelist: list,
  enforce_2fa: toggle,
  users: { interface: 'one-to-many', options: { fields: 'first_name,last_name' } },
  module_listing: { interface: 'repeater', options: moduleParts },
  collection_listing: { interface: 'repeater', options: groupParts },
  external_id: { ...text, hidden: 'both', readonly: true },
  // Replaced by the two listings.
  nav_blacklist: { ...text, hidden: 'both' },
}

const activity: Forms = {
  id: key,
  action: { ...text, readonly: true },
  collection: { interface: 'collections', width: 'half', readonly: true, options: { include_system: true } },
  item: fact,
  action_by: { interface: 'user', width: 'half', readonly: true },
  action_on: moment,
  edited_on: moment,
  comment_deleted_on: moment,
  ip: fact,
  user_agent: fact,
  comment: { interface: 'textarea', readonly: true },
}

const webhooks: Forms = {
  id: key,
  status: { interface: 'status', options: webhookStatuses },
  http_action: { interface: 'dropdown', width: 'half', options: webhookMethods },
  url: text,
  collection: { interface: 'collections', width: 'half', type: 'string' },
  directus_action: { interface: 'dropdown', width: 'half', type: 'string', options: webhookActions },
}

const collectionPresets: Forms = {
  id: key,
  title: text,
  user: { interface: 'user' },
  role: link,
  collection: { interface: 'collections' },
  search_query: text,
  filters: json,
  view_type: text,
  view_query: json,
  view_options: json,
  translation: json,
}

const collections: Forms = {
  collection: { interface: 'primary-key', width: 'half', readonly: true },
  note: half,
  managed: { ...toggle, width: 'half', hidden: 'form' },
  hidden: { ...toggle, width: 'half' },
  single: { ...toggle, width: 'half' },
  translation: { interface: 'repeater', options: localeParts },
  icon: { interface: 'icon' },
}

const folders: Forms = { id: key, name: text, parent_folder: link }

type Placed = SystemForm & { readonly sort: number }

/** By the collection's name in the database and the field's name here; `sort` is the place in the form. */
export const systemForms: ReadonlyMap<string, ReadonlyMap<string, Placed>> = new Map(
  Object.entries({
    platform_users: users,
    platform_files: files,
    platform_roles: roles,
    platform_activity: activity,
    platform_webhooks: webhooks,
    platform_presets: collectionPresets,
    platform_collections: collections,
    platform_folders: folders,
  }).map(([collection, forms]) => [
    collection,
    new Map(Object.entries(forms).map(([field, form], at) => [field, { ...form, sort: at + 1 }])),
  ]),
)
