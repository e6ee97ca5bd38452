/**
 * How applications show and edit the fields of system collections: interfaces, displays, widths and order. The database
 * stores no such metadata for them, and applications have none of their own.
 */
import type { MetadataRow } from '../../domain/model/metadata.ts'
import type { Relation } from '../../domain/schema/schema.ts'

const half = { width: 'half' } as const
const readonly = { readonly: true } as const
const hidden = { hidden: true } as const
const required = { required: true } as const

const input = { interface: 'input' }
const long = { interface: 'input-multiline' }
const flag = { interface: 'boolean', display: 'boolean', width: 'half' }
const words = { interface: 'tags', display: 'labels' }
const icon = { interface: 'select-icon', display: 'icon', width: 'half' }
const color = { interface: 'select-color', display: 'color', width: 'half' }
const time = { interface: 'datetime', display: 'datetime', display_options: { relative: true }, width: 'half' }
const image = { interface: 'file-image', display: 'image' }
const code = (language: string) => ({ interface: 'input-code', options: { language } })

const choices = (...values: readonly string[]) => ({
  interface: 'select-dropdown',
  options: { choices: values.map((value) => ({ text: titled(value), value })) },
  width: 'half',
})

const titled = (value: string): string => `${value.charAt(0).toUpperCase()}${value.slice(1).replaceAll('_', ' ')}`

const labelled = (...values: readonly string[]) => ({ ...choices(...values), display: 'labels' })

/** A many-to-one, shown by a template. */
const one = (template: string) => ({
  interface: 'select-dropdown-m2o',
  options: { template },
  display: 'related-values',
  display_options: { template },
  width: 'half',
})

const many = (name: 'list-o2m' | 'list-m2m', template: string) => ({
  interface: name,
  options: { template },
  display: 'related-values',
  display_options: { template },
})

/** One kind of those who hold a policy: its attachments contain both. */
const holders = (field: string, template: string) => ({
  ...many('list-m2m', template),
  options: { template, junctionFilter: { [field]: { _nnull: true } } },
})

/** Fields that the form shows within a group. */
const grouped = (group: string, fields: { readonly [field: string]: MetadataRow }) =>
  Object.fromEntries(Object.entries(fields).map(([field, form]) => [field, { ...form, group }]))

const person = '{{first_name}} {{last_name}}'
const user = { ...one(person), display: 'user', display_options: null }
const role = one('{{name}}')
const folder = { interface: 'system-folder', ...half }
const collection = { interface: 'system-collection', display: 'collection', ...half }
const themeOf = (appearance: string) => ({ interface: 'system-theme', options: { appearance }, ...half })
const overridesOf = (appearance: string) => ({ interface: 'system-theme-overrides', options: { appearance } })
const appearance = choices('auto', 'light', 'dark')
const language = { interface: 'system-language', ...half }
const attached = { policies: many('list-m2m', '{{policy.name}}') }

const tracking = choices('all', 'activity')

/** A field, or a text with fields, of the collection that the form is about. */
const ofCollection = (name: string, options: object = {}) => ({
  interface: name,
  options: { collectionField: 'collection', ...options },
})
const ownField = (...types: readonly string[]) => ({
  ...ofCollection('system-field', { allowNone: true, typeAllowList: types }),
  ...half,
})

const translated = (field: string, shownBy: string) => ({
  field,
  name: titled(field),
  type: 'string',
  meta: { interface: shownBy, width: 'half' },
})
const names = {
  interface: 'list',
  options: {
    template: '{{translation}} ({{language}})',
    fields: [
      translated('language', 'system-language'),
      ...['translation', 'singular', 'plural'].map((field) => translated(field, 'input')),
    ],
  },
}

type Forms = { readonly [collection: string]: { readonly [field: string]: MetadataRow } }

/** Collection → its fields in order; fields that are not here are hidden. */
const forms: Forms = {
  platform_collections: {
    collection: { ...input, ...half, ...readonly },
    note: { ...input, ...half },
    status: choices('active', 'inactive'),
    icon,
    color,
    display_template: ofCollection('system-display-template'),
    hidden: flag,
    singleton: flag,
    translations: names,
    preview_url: ofCollection('system-display-template'),
    versioning: flag,
    autosave_revision_interval: { ...input, ...half },
    archive_field: ownField('string', 'boolean'),
    archive_app_filter: flag,
    archive_value: { ...input, ...half },
    unarchive_value: { ...input, ...half },
    sort_field: ownField('integer', 'float', 'decimal'),
    accountability: { ...tracking, options: { ...tracking.options, allowNone: true } },
    item_duplication_fields: ofCollection('system-field-tree'),
  },
  platform_users: {
    first_name: { ...input, ...half },
    last_name: { ...input, ...half },
    email: { ...input, ...half },
    password: { interface: 'system-input-password', ...half },
    avatar: image,
    location: { ...input, ...half },
    title: { ...input, ...half },
    description: long,
    tags: words,
    language,
    text_direction: choices('auto', 'ltr', 'rtl'),
    tfa_secret: { interface: 'system-mfa-setup', ...half },
    email_notifications: flag,
    appearance,
    theme_light: themeOf('light'),
    theme_light_overrides: overridesOf('light'),
    theme_dark: themeOf('dark'),
    theme_dark_overrides: overridesOf('dark'),
    status: labelled('draft', 'invited', 'unverified', 'active', 'suspended', 'archived'),
    role,
    token: { interface: 'system-token' },
    ...attached,
    id: { ...input, ...half, ...readonly },
    last_access: { ...time, ...readonly },
    provider: { ...input, ...half, ...readonly },
    external_identifier: { ...input, ...half },
  },
  platform_roles: {
    name: { ...input, ...half, ...required },
    icon,
    description: input,
    parent: role,
    children: many('list-o2m', '{{name}}'),
    ...attached,
    users: many('list-o2m', person),
  },
  platform_policies: {
    name: { ...input, ...half, ...required },
    icon,
    description: input,
    ip_access: words,
    enforce_tfa: flag,
    app_access: flag,
    admin_access: flag,
    permissions: { interface: 'system-permissions' },
    users: holders('user', '{{user.first_name}} {{user.last_name}}'),
    roles: holders('role', '{{role.name}}'),
  },
  platform_files: {
    title: input,
    description: long,
    tags: words,
    location: { ...input, ...half },
    folder,
    filename_download: { ...input, ...half },
    filename_disk: { ...input, ...half, ...readonly },
    storage: { ...input, ...half, ...readonly },
    type: { ...input, ...half, ...readonly, display: 'mime-type' },
    filesize: { ...input, ...half, ...readonly, display: 'filesize' },
    width: { ...input, ...half, ...readonly },
    height: { ...input, ...half, ...readonly },
    focal_point_x: { ...input, ...half },
    focal_point_y: { ...input, ...half },
    uploaded_by: { ...user, ...readonly },
    uploaded_on: { ...time, ...readonly },
    modified_by: { ...user, ...readonly },
    modified_on: { ...time, ...readonly },
  },
  platform_folders: { name: { ...input, ...required }, parent: one('{{name}}') },
  platform_settings: {
    project_name: { ...input, ...half },
    project_descriptor: { ...input, ...half },
    project_url: { ...input, ...half },
    default_language: language,
    theming_group: { interface: 'group-raw' },
    ...grouped('theming_group', {
      project_color: color,
      project_logo: { ...image, ...half },
      public_foreground: { ...image, ...half },
      public_background: { ...image, ...half },
      public_favicon: { ...image, ...half },
      public_note: { interface: 'input-rich-text-md' },
      default_appearance: appearance,
      default_theme_light: themeOf('light'),
      theme_light_overrides: overridesOf('light'),
      default_theme_dark: themeOf('dark'),
      theme_dark_overrides: overridesOf('dark'),
      custom_css: code('css'),
    }),
    auth_password_policy: { ...input, ...half },
    auth_login_attempts: { ...input, ...half },
    public_registration: flag,
    public_registration_verify_email: flag,
    public_registration_role: role,
    public_registration_email_filter: code('json'),
    storage_asset_transform: choices('all', 'none', 'presets'),
    storage_default_folder: folder,
    storage_asset_presets: code('json'),
    custom_aspect_ratios: code('json'),
    file_naming: { ...input, ...half },
    mapbox_key: input,
    basemaps: code('json'),
    module_bar: { interface: 'system-modules' },
    report_error_url: { ...input, ...half },
    report_bug_url: { ...input, ...half },
    report_feature_url: { ...input, ...half },
  },
  platform_presets: {
    collection,
    bookmark: { ...input, ...half },
    icon,
    color,
    role,
    user,
    layout: { ...input, ...half },
    search: { ...input, ...half },
    refresh_interval: { ...input, ...half },
    filter: code('json'),
    layout_query: code('json'),
    layout_options: code('json'),
  },
  platform_translations: {
    key: { ...input, ...half, ...required },
    language: { ...language, ...required },
    value: { ...long, ...required },
  },
  platform_shares: {
    name: input,
    role,
    password: { interface: 'input-hash', ...half },
    date_start: time,
    date_end: time,
    max_uses: { ...input, ...half },
    times_used: { ...input, ...half, ...readonly },
  },
  platform_activity: {
    action: { ...input, ...half, display: 'labels' },
    collection,
    timestamp: time,
    user,
    item: { ...input, ...half },
    comment: input,
    ip: { ...input, ...half },
    user_agent: { ...input, ...half },
    origin: { ...input, ...half },
  },
}

/** By collection and field, with the place in the form. */
const placed: ReadonlyMap<string, ReadonlyMap<string, MetadataRow>> = new Map(
  Object.entries(forms).map(([collectionName, fields]) => [
    collectionName,
    new Map(Object.entries(fields).map(([field, form], at) => [field, { ...form, sort: at + 1 }])),
  ]),
)

/** The metadata of a field that belongs to the system; nothing for collections without a form. */
export function systemForm(collectionName: string, field: string): MetadataRow {
  const fields = placed.get(collectionName)
  return fields === undefined ? {} : (fields.get(field) ?? hidden)
}

/** Attachments of policies: by the field that refers to one side, the other sides, and the field of each on this one. */
const junctions: { readonly [place: string]: readonly Pick<Relation, 'oneField' | 'junctionField'>[] } = {
  'platform_access.role': [{ oneField: 'policies', junctionField: 'policy' }],
  'platform_access.user': [{ oneField: 'policies', junctionField: 'policy' }],
  'platform_access.policy': [
    { oneField: 'roles', junctionField: 'role' },
    { oneField: 'users', junctionField: 'user' },
  ],
}

/** A foreign key of a junction of the system, once per side that the junction leads on to; any other relation as it is. */
export const throughJunctions = (relation: Relation): readonly Relation[] =>
  junctions[`${relation.manyCollection}.${relation.manyField}`]?.map((side) => ({ ...relation, ...side })) ?? [relation]
