/**
 * Built-in metadata of the system collections. It takes precedence over stored metadata: a stored row cannot unmask
 * passwords.
 */
import type { Metadata, MetadataRow } from './metadata.ts'

export const systemPrefix = 'platform_'

/** Whether the name has the prefix of system tables. */
export const isSystemName = (name: string): boolean => name.startsWith(systemPrefix)

/** Internal tables: migrations, logins, used tokens, objects in storage and calls. They are not collections. */
export const internalTables: readonly string[] = [
  'platform_migrations',
  'platform_account_states',
  'platform_linked_logins',
  'platform_provider_sessions',
  'platform_used_tokens',
  'platform_keys',
  'platform_stored_objects',
  'platform_uploads',
  'platform_upload_segments',
  'platform_variants',
  'platform_api_usage',
  'platform_usage',
  'platform_idempotency_keys',
  'platform_imports',
  'platform_sync_keys',
  'platform_events',
  'platform_feed',
  'platform_webhook_deliveries',
  'platform_webhook_reader',
]

const json = 'cast-json'
const csv = 'cast-csv'

/** The fields that have specials, which are separated by commas as in the metadata tables. */
const specials: { readonly [collection: string]: { readonly [field: string]: string } } = {
  platform_users: {
    id: 'uuid',
    role: 'm2o',
    avatar: 'file',
    password: 'hash,conceal',
    /** A keyed hash of the token; the token itself is not stored. */
    token: 'keyed-hash,conceal',
    tfa_secret: 'conceal',
    password_reset_token: 'conceal',
    auth_data: 'cast-json,conceal',
    tags: json,
    locale_options: json,
    theme_light_overrides: json,
    theme_dark_overrides: json,
    policies: 'o2m',
  },
  platform_roles: {
    id: 'uuid',
    parent: 'm2o',
    ip_access: csv,
    module_listing: json,
    collection_listing: json,
    children: 'o2m',
    users: 'o2m',
    policies: 'o2m',
  },
  platform_policies: { id: 'uuid', of_role: 'm2o', ip_access: csv, permissions: 'o2m', roles: 'o2m', users: 'o2m' },
  platform_access: { id: 'uuid', role: 'm2o', user: 'm2o', policy: 'm2o' },
  platform_permissions: { policy: 'm2o', role: 'm2o', permissions: json, validation: json, presets: json, fields: csv },
  /** A view, which has no key of its own. */
  platform_user_roles: { id: 'primary-key', user: 'm2o', role: 'm2o' },
  platform_role_levels: { role: 'm2o', read_field_blacklist: csv, write_field_blacklist: csv, status_blacklist: csv },
  platform_sessions: { id: 'uuid', token_hash: 'conceal', previous_token_hash: 'conceal', user: 'm2o', share: 'm2o' },
  platform_collections: { translations: json, item_duplication_fields: json },
  platform_fields: {
    special: csv,
    options: json,
    display_options: json,
    translations: json,
    conditions: json,
    validation: json,
  },
  platform_relations: { one_allowed_collections: csv },
  platform_activity: { user: 'm2o', timestamp: 'date-created', revisions: 'o2m' },
  platform_activity_seen: { activity: 'm2o', user: 'm2o' },
  platform_revisions: { activity: 'm2o', parent: 'm2o', version: 'm2o', data: json, delta: json },
  platform_settings: {
    /** The part of the form that applications show as a page of its own. */
    theming_group: 'alias,no-data,group',
    project_logo: 'file',
    public_foreground: 'file',
    public_background: 'file',
    public_favicon: 'file',
    storage_default_folder: 'm2o',
    public_registration_role: 'm2o',
    theme_light_overrides: json,
    theme_dark_overrides: json,
    storage_asset_presets: json,
    file_mimetype_whitelist: csv,
    basemaps: json,
    module_bar: json,
    custom_aspect_ratios: json,
    public_registration_email_filter: json,
    entries: json,
  },
  platform_files: {
    id: 'uuid',
    folder: 'm2o',
    uploaded_by: 'm2o,user-created',
    created_on: 'date-created',
    modified_by: 'm2o,user-updated',
    modified_on: 'date-updated',
    tags: json,
    metadata: json,
    tus_data: json,
  },
  platform_folders: { id: 'uuid', parent: 'm2o' },
  platform_presets: {
    user: 'm2o',
    role: 'm2o',
    layout_query: json,
    layout_options: json,
    filter: json,
    filters: json,
    translation: json,
  },
  platform_comments: {
    id: 'uuid',
    date_created: 'date-created',
    date_updated: 'date-updated',
    user_created: 'm2o,user-created',
    user_updated: 'm2o,user-updated',
  },
  platform_notifications: { timestamp: 'date-created', recipient: 'm2o', sender: 'm2o,user-created' },
  platform_dashboards: { id: 'uuid', date_created: 'date-created', user_created: 'm2o,user-created', panels: 'o2m' },
  platform_panels: {
    id: 'uuid',
    dashboard: 'm2o',
    options: json,
    date_created: 'date-created',
    user_created: 'm2o,user-created',
  },
  platform_translations: { id: 'uuid' },
  platform_versions: {
    id: 'uuid',
    /** Contains values of the item. Who may read the version may not be allowed to read all of these values. */
    delta: 'cast-json,conceal',
    date_created: 'date-created',
    date_updated: 'date-updated',
    user_created: 'm2o,user-created',
    user_updated: 'm2o,user-updated',
  },
  platform_shares: {
    id: 'uuid',
    role: 'm2o',
    password: 'hash,conceal',
    user_created: 'm2o,user-created',
    date_created: 'date-created',
  },
  platform_webhooks: {
    actions: csv,
    collections: csv,
    headers: json,
    user: 'm2o',
    role: 'm2o',
    secret: 'conceal',
    previous_secret: 'conceal',
    date_created: 'date-created',
    date_updated: 'date-updated',
    user_created: 'm2o,user-created',
  },
}

/** Collections whose writes record neither activity nor revisions. */
const unrecorded: ReadonlySet<string> = new Set([
  'platform_user_roles',
  'platform_sessions',
  'platform_activity',
  'platform_activity_seen',
  'platform_revisions',
  'platform_presets',
  'platform_notifications',
])

/** Rows of users with this status count as deleted. */
const archive = { archive_field: 'status', archive_value: 'archived', unarchive_value: 'draft' }

/** Whether the table of that name is ours, as it should be with such a name. */
export const isSystemCollection = (name: string): boolean => Object.hasOwn(specials, name)

/** The names of all system collections without their prefix. */
export const systemNames: readonly string[] = Object.keys(specials).map((name) => name.slice(systemPrefix.length))

/** Collections whose rows are deleted with their parent. A policy attachment without user and role, for example, would apply to everybody. */
const dependent: ReadonlySet<string> = new Set([
  'platform_access.role',
  'platform_access.user',
  'platform_access.policy',
  'platform_permissions.policy',
  'platform_role_levels.role',
  'platform_panels.dashboard',
])

/** `many.field` → `one` or `one.alias`. Foreign keys give most relations; this list adds the aliases, and those without. */
const related: readonly (readonly [many: string, one: string])[] = [
  ['platform_users.role', 'platform_roles.users'],
  ['platform_roles.parent', 'platform_roles.children'],
  ['platform_access.role', 'platform_roles.policies'],
  ['platform_access.user', 'platform_users.policies'],
  ['platform_access.policy', 'platform_policies.roles'],
  ['platform_permissions.policy', 'platform_policies.permissions'],
  ['platform_revisions.activity', 'platform_activity.revisions'],
  ['platform_activity.user', 'platform_users'],
  ['platform_users.avatar', 'platform_files'],
  ['platform_user_roles.user', 'platform_users'],
  ['platform_user_roles.role', 'platform_roles'],
  ['platform_panels.dashboard', 'platform_dashboards.panels'],
]

/** `many.field` of references without a foreign key that a trigger clears when the row that they name is deleted. */
export const clearedReferences: ReadonlySet<string> = new Set(['platform_users.avatar'])

/** Aliases that show the same rows as another alias of the collection, such as the attachments of a policy to roles and users. */
export const sameAs: { readonly [place: string]: string } = { 'platform_policies.users': 'roles' }

export const systemMetadata: Metadata = {
  collections: Object.keys(specials).map((collection) => ({
    collection,
    accountability: unrecorded.has(collection) ? null : 'all',
    singleton: collection === 'platform_settings',
    ...(collection === 'platform_users' ? archive : {}),
    // Applications show collections that they do not know among those of the project.
    ...(collection === 'platform_webhooks' ? { hidden: true } : {}),
    system: true,
  })),
  fields: Object.entries(specials).flatMap(([collection, fields]) =>
    Object.entries(fields).map(([field, special]) => ({ collection, field, special, system: true })),
  ),
  relations: related.map(([many, one]): MetadataRow => {
    const [manyCollection, manyField] = many.split('.')
    const [oneCollection, oneField = null] = one.split('.')
    return {
      many_collection: manyCollection,
      many_field: manyField,
      one_collection: oneCollection,
      one_field: oneField,
      one_deselect_action: dependent.has(many) ? 'delete' : 'nullify',
      system: true,
    }
  }),
}
