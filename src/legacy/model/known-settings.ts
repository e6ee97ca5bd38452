/** The settings that every project has in this generation, in the order of their numbers. */

/** `integer`, `boolean` and `file` decide the form of the value; the others are texts. */
export type SettingType = 'string' | 'integer' | 'boolean' | 'file' | 'array' | 'json'

/** `value`: what it is until somebody sets it; null for what the server's own settings say. */
export type KnownSetting = {
  readonly id: number
  readonly key: string
  readonly type: SettingType
  readonly interface: string
  readonly value: string | null
  readonly choices?: { readonly [value: string]: string }
  /** The parts of an entry of a list, for the interface `repeater`. */
  readonly parts?: readonly object[]
}

const size = (key: string, width: number, height: number, fit: 'crop' | 'contain') => ({
  key,
  width,
  height,
  fit,
  quality: 80,
})

/** Sizes of pictures that every project offers. */
export const systemSizes = [
  size('platform-small-crop', 64, 64, 'crop'),
  size('platform-small-contain', 64, 64, 'contain'),
  size('platform-medium-crop', 300, 300, 'crop'),
  size('platform-medium-contain', 300, 300, 'contain'),
  size('platform-large-crop', 800, 600, 'crop'),
  size('platform-large-contain', 800, 600, 'contain'),
]

const text = (key: string, value: string | null = null, more: Partial<KnownSetting> = {}) => ({
  key,
  type: 'string' as const,
  interface: 'text-input',
  value,
  ...more,
})

const file = (key: string) => text(key, null, { type: 'file', interface: 'file' })
const integer = (key: string, value: string | null) => text(key, value, { type: 'integer', interface: 'numeric' })
const flag = (key: string, value: string) => text(key, value, { type: 'boolean', interface: 'switch' })

const part = (field: string, type: 'string' | 'integer', shown: string, options: object = {}) => ({
  field,
  type,
  interface: shown,
  width: 'half',
  required: true,
  options,
})

const sizeParts = [
  part('key', 'string', 'slug'),
  part('fit', 'string', 'dropdown', { choices: { crop: 'Crop', contain: 'Contain' } }),
  part('width', 'integer', 'numeric'),
  part('height', 'integer', 'numeric'),
  part('quality', 'integer', 'slider', { min: 0, max: 100 }),
]

const policies = {
  '': 'None',
  '/^.{8,}$/': 'Weak',
  "/(?=^.{8,}$)(?=.*\\d)(?=.*[a-z])(?=.*[A-Z])(?=.*[!@#$%^&*()_+}{';'?>.<,]).*$/": 'Strong',
}

export const knownSettings: readonly KnownSetting[] = [
  text('project_url'),
  file('project_logo'),
  text('project_color', null, { interface: 'color' }),
  file('project_foreground'),
  file('project_background'),
  text('project_public_note', null, { interface: 'markdown' }),
  text('default_locale', null, { interface: 'language' }),
  flag('telemetry', '0'),
  integer('default_limit', '200'),
  flag('sort_null_last', '1'),
  text('password_policy', null, { interface: 'dropdown', choices: policies }),
  integer('auto_sign_out', '10080'),
  integer('login_attempts_allowed', null),
  text('trusted_proxies', ''),
  text('file_mimetype_whitelist', null, { type: 'array', interface: 'tags' }),
  text('file_naming', null, { interface: 'dropdown', choices: { uuid: 'Random', file_name: 'File name' } }),
  text('asset_url_naming', null, {
    interface: 'dropdown',
    choices: { private_hash: 'Private hash', filename_download: 'File name' },
  }),
  text('youtube_api_key', ''),
  text('asset_whitelist', null, { type: 'json', interface: 'repeater', parts: sizeParts }),
  text('asset_whitelist_system', JSON.stringify(systemSizes), {
    type: 'json',
    interface: 'repeater',
    parts: sizeParts,
  }),
  text('project_name'),
  text('app_url', ''),
  integer('auth_token_ttl', '20'),
].map((each, at) => ({ id: at + 1, ...each }))

export const toSettingField = ({ id, key, type, interface: shown, choices, parts }: KnownSetting) => ({
  id,
  collection: 'platform_settings',
  field: key,
  type,
  interface: shown,
  options: choices !== undefined ? { choices } : parts !== undefined ? { template: '{{key}}', fields: parts } : null,
  locked: true,
  validation: null,
  required: key === 'project_name',
  readonly: false,
  hidden_detail: false,
  hidden_browse: false,
  sort: id,
  width: 'half',
  group: null,
  note: null,
  translation: null,
})
