/** How records of the platform are edited: their fields have no metadata of their own. */
import type { Field, FieldMeta } from './model.ts'
import { toSystemPath } from './names.ts'

type Described = Partial<FieldMeta>

const choices = (...values: readonly string[]): Described => ({
  interface: 'select-dropdown',
  options: { choices: values.map((value) => ({ text: value, value })) },
})
const secret: Described = { interface: 'input-hash', width: 'half' }
const half: Described = { width: 'half' }
const long: Described = { interface: 'input-multiline' }

/** Collection → its fields in order; fields that are not here are hidden. */
export const described: { readonly [collection: string]: { readonly [field: string]: Described } } = {
  users: {
    first_name: half,
    last_name: half,
    email: half,
    password: secret,
    role: half,
    status: { ...choices('draft', 'invited', 'unverified', 'active', 'suspended', 'archived'), width: 'half' },
    token: secret,
    language: half,
    title: half,
    location: half,
    avatar: { interface: 'file-image' },
    description: long,
    policies: { interface: 'list-m2m' },
  },
  roles: {
    name: half,
    parent: half,
    description: long,
    policies: { interface: 'list-m2m' },
    users: { interface: 'list-o2m' },
  },
  policies: {
    name: half,
    icon: { ...half, interface: 'select-icon' },
    description: long,
    admin_access: half,
    app_access: half,
    enforce_tfa: half,
    ip_access: { interface: 'tags' },
    roles: { interface: 'list-m2m' },
    users: { interface: 'list-m2m' },
  },
  files: {
    title: half,
    filename_download: half,
    folder: half,
    location: half,
    tags: { interface: 'tags' },
    description: long,
    focal_point_x: half,
    focal_point_y: half,
    type: { ...half, readonly: true },
    filesize: { ...half, readonly: true },
  },
  folders: { name: half, parent: half },
  webhooks: {
    name: half,
    status: { ...choices('active', 'inactive'), width: 'half' },
    url: {},
    method: { ...choices('POST', 'GET'), width: 'half' },
    format: { ...choices('standard', 'item'), width: 'half' },
    collections: { interface: 'select-multiple-dropdown', width: 'half' },
    actions: { ...choices('create', 'update', 'delete'), interface: 'select-multiple-dropdown', width: 'half' },
    data: half,
    user: half,
    role: half,
    headers: {
      interface: 'list',
      options: {
        fields: [
          { field: 'header', meta: { required: true } },
          { field: 'value', meta: { required: true } },
        ],
      },
    },
  },
  settings: {
    id: { hidden: true },
    project_name: half,
    project_descriptor: half,
    project_url: half,
    project_color: { interface: 'select-color', width: 'half' },
    project_logo: { interface: 'file-image' },
    default_language: half,
    default_appearance: { ...choices('auto', 'light', 'dark'), width: 'half' },
    public_note: long,
    auth_login_attempts: half,
    auth_password_policy: half,
    storage_asset_transform: { ...choices('all', 'none', 'presets'), width: 'half' },
    storage_default_folder: half,
    public_registration: half,
    public_registration_verify_email: half,
    public_registration_role: half,
    file_naming: half,
  },
}

/** The fields of a collection of the platform with their metadata; those of other collections as they are. */
export function describeFields(collection: string, fields: readonly Field[]): readonly Field[] {
  const path = toSystemPath(collection)
  const known = Object.hasOwn(described, path) ? described[path] : undefined
  if (known === undefined || path === collection) return fields
  const order = Object.keys(known)
  return fields
    .map((field) => {
      // Fields that the project has added are shown as they are described.
      if (field.meta !== null && field.meta.special === undefined) return field
      const own = Object.hasOwn(known, field.field) ? known[field.field] : undefined
      const isKey = field.schema?.is_primary_key === true
      return {
        ...field,
        meta: {
          ...field.meta,
          ...own,
          hidden: own?.hidden ?? (own === undefined && !isKey ? true : (field.meta?.hidden ?? false)),
        },
      }
    })
    .toSorted((a, b) => placeOf(order, a.field) - placeOf(order, b.field))
}

const placeOf = (order: readonly string[], field: string): number => {
  const at = order.indexOf(field)
  return at === -1 ? order.length : at
}

/** The other side of attachments of policies, which have no junction of their own. */
export const attachmentSide = (collection: string, field: string): string | null => {
  const attached: { readonly [path: string]: string } = {
    'users.policies': 'policy',
    'roles.policies': 'policy',
    'policies.roles': 'role',
    'policies.users': 'user',
  }
  const path = `${toSystemPath(collection)}.${field}`
  return path.startsWith(collection) ? null : (attached[path] ?? null)
}
